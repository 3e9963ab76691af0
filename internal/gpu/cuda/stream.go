package cuda

import (
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
	batch      batch
	singles    singles
	told       teller
	staging    staging
	busy       bool // work was added since the last Wait
	events     events
	grid       grid        // of Launch
	args       [11]uintptr // of launch
}

// NewStream returns a stream. Its signals are Go's memory, which stays valid when the context goes.
func (m *machine) NewStream() (device.Stream, error) {
	q := &stream{m: m, generation: m.Generation()}
	s, at := new(uintptr), new(uint64)
	if err := m.call(cuStreamCreate, uintptr(unsafe.Pointer(s)), streamNonBlock); err != nil {
		return nil, err
	}
	q.s = *s
	room, err := q.Pinned(device.SignalsRoom + tellerRoom)
	if err != nil {
		q.Close()
		return nil, err
	}
	words := unsafe.Slice((*uint32)(unsafe.Pointer(&room[0])), len(room)/4)
	q.signals, q.told.word = words[:device.SignalsRoom/4], &words[device.SignalsRoom/4]
	if err := q.call(cuMemHostGetDevicePointer, uintptr(unsafe.Pointer(at)), uintptr(unsafe.Pointer(&room[0])), 0); err != nil {
		q.Close()
		return nil, err
	}
	q.at, q.told.at = *at, *at+device.SignalsRoom
	return q, nil
}

//go:uintptrescapes
func (q *stream) call(f function, args ...uintptr) error { return q.m.callOf(q.generation, f, args...) }

func (q *stream) Close() {
	for _, mem := range q.pins {
		q.unpin(mem)
	}
	q.batch.close(q)
	q.singles.close(q)
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
	q.add()
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
	q.add()
	if len(dst) > directCopy {
		return q.readStaged(dst, src)
	}
	return q.call(cuMemcpyDtoHAsync, uintptr(unsafe.Pointer(&dst[0])), uintptr(src), uintptr(len(dst)), q.s)
}

func (q *stream) Copy(dst, src uint64, n int) error {
	q.add()
	return q.call(cuMemcpyDtoDAsync, uintptr(dst), uintptr(src), uintptr(n), q.s)
}

func (q *stream) Clear(dst uint64, n int) error {
	q.add()
	return q.call(cuMemsetD8Async, uintptr(dst), 0, uintptr(n), q.s)
}

// add starts the launches that are held, before other work is added.
func (q *stream) add() {
	q.busy = true
	q.batch.start(q)
}

func (q *stream) Launch(x device.Code, g *device.Grid) error {
	c := x.(*code)
	if err := c.allow(g.Shared); err != nil {
		return err
	}
	q.busy = true
	if g.More || len(q.batch.held) > 0 {
		q.batch.hold(c, g)
		if !g.More || len(q.batch.held) == maxHeld {
			q.batch.start(q)
		}
		return nil
	}
	q.grid = newGrid(c, g)
	return q.launch(&q.grid, g.Params)
}

// launch starts a grid. params is its parameter.
func (q *stream) launch(l *grid, params []byte) error {
	if q.singles.start(q, l, params) {
		return nil
	}
	q.batch.params[0] = unsafe.Pointer(&params[0])
	q.args = [...]uintptr{l.code.fn, uintptr(l.blocks[0]), uintptr(l.blocks[1]), uintptr(l.blocks[2]), uintptr(l.threads[0]), uintptr(l.threads[1]), uintptr(l.threads[2]),
		uintptr(l.shared), q.s, uintptr(unsafe.Pointer(&q.batch.params)), 0}
	return q.m.callStream(q.generation, cuLaunchKernel, q.args[:]...)
}

func (q *stream) Flush() { q.batch.start(q) }

func (q *stream) Wait() error {
	if !q.busy {
		return nil
	}
	q.add()
	q.busy = false
	return q.Sync()
}

func (q *stream) Sync() error {
	if q.told.wait(q) {
		return q.batch.late()
	}
	return q.waited(cuStreamSynchronize, q.s)
}

// waited calls a function that waits for work, and returns the error of a held launch if the function has none.
func (q *stream) waited(f function, handle uintptr) error {
	if err := q.m.callStream(q.generation, f, handle); err != nil {
		return err
	}
	return q.batch.late()
}

// asked calls a function that reports whether work is done, or returns the error of a held launch.
func (q *stream) asked(f function, handle uintptr) (bool, error) {
	if err := q.batch.late(); err != nil {
		return false, err
	}
	return q.m.ask(q.generation, f, handle)
}

func (q *stream) Idle() (bool, error) { return q.asked(cuStreamQuery, q.s) }
