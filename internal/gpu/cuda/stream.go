package cuda

import (
	"runtime"
	"unsafe"

	"github.com/purecl/purecl/internal/gpu/device"
)

// A stream is a CUDA stream.
type stream struct {
	m          *machine
	generation int
	s          uintptr
	pins       [][]byte // pinned memory
	signals    []uint32
	at         uint64
	params     *[1]unsafe.Pointer // of Launch, where the collector does not move it
	staging    staging
	busy       bool // work was queued since the last Wait
	events     events
}

// NewStream returns a stream. Its signals are Go's memory, which stays valid when the context goes.
func (m *machine) NewStream() (device.Stream, error) {
	q := &stream{m: m, generation: m.Generation(), params: new([1]unsafe.Pointer)}
	s, at := new(uintptr), new(uint64)
	if err := m.call(cuStreamCreate, uintptr(unsafe.Pointer(s)), streamNonBlock); err != nil {
		return nil, err
	}
	q.s = *s
	room, err := q.Pinned(device.SignalsRoom)
	if err != nil {
		q.Close()
		return nil, err
	}
	q.signals = unsafe.Slice((*uint32)(unsafe.Pointer(&room[0])), len(room)/4)
	if err := q.call(cuMemHostGetDevicePointer, uintptr(unsafe.Pointer(at)), uintptr(unsafe.Pointer(&room[0])), 0); err != nil {
		q.Close()
		return nil, err
	}
	q.at = *at
	return q, nil
}

//go:uintptrescapes
func (q *stream) call(f function, args ...uintptr) error { return q.m.callOf(q.generation, f, args...) }

func (q *stream) Close() {
	for _, mem := range q.pins {
		q.unpin(mem)
	}
	q.freeStaging()
	q.events.close(q)
	q.call(cuStreamDestroy, q.s)
	q.pins, q.signals = nil, nil
}

func (q *stream) Signals() ([]uint32, uint64) { return q.signals, q.at }

func (q *stream) Pinned(n int) ([]byte, error) {
	mem, err := q.pinned(n)
	if err == nil {
		q.pins = append(q.pins, mem)
	}
	return mem, err
}

// Write copies to the device. The driver has read src when its function returns, because src is not pinned.
func (q *stream) Write(dst uint64, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	q.busy = true
	if len(src) > directCopy {
		return q.writeStaged(dst, src)
	}
	return q.call(cuMemcpyHtoDAsync, uintptr(dst), uintptr(unsafe.Pointer(&src[0])), uintptr(len(src)), q.s)
}

// Read copies from the device. Unless dst is pinned it is done when Read returns.
func (q *stream) Read(dst []byte, src uint64) error {
	if len(dst) == 0 {
		return nil
	}
	q.busy = true
	if len(dst) > directCopy {
		return q.readStaged(dst, src)
	}
	return q.call(cuMemcpyDtoHAsync, uintptr(unsafe.Pointer(&dst[0])), uintptr(src), uintptr(len(dst)), q.s)
}

func (q *stream) Copy(dst, src uint64, n int) error {
	q.busy = true
	return q.call(cuMemcpyDtoDAsync, uintptr(dst), uintptr(src), uintptr(n), q.s)
}

func (q *stream) Clear(dst uint64, n int) error {
	q.busy = true
	return q.call(cuMemsetD8Async, uintptr(dst), 0, uintptr(n), q.s)
}

func (q *stream) Launch(x device.Code, g *device.Grid) error {
	c := x.(*code)
	if err := c.allow(g.Shared); err != nil {
		return err
	}
	q.busy = true
	q.params[0] = unsafe.Pointer(&g.Params[0])
	err := q.m.callStream(q.generation, cuLaunchKernel, c.fn, uintptr(g.Blocks[0]), uintptr(g.Blocks[1]), uintptr(g.Blocks[2]), uintptr(g.Threads[0]), uintptr(g.Threads[1]), uintptr(g.Threads[2]),
		uintptr(g.Shared), q.s, uintptr(unsafe.Pointer(q.params)), 0)
	runtime.KeepAlive(g)
	return err
}

func (q *stream) Wait() error {
	if !q.busy {
		return nil
	}
	q.busy = false
	return q.Sync()
}

func (q *stream) Sync() error { return q.m.callStream(q.generation, cuStreamSynchronize, q.s) }

func (q *stream) Idle() (bool, error) { return q.m.ask(q.generation, cuStreamQuery, q.s) }
