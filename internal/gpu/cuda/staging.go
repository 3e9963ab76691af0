package cuda

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Large copies between the host's memory and the device pass through pinned memory. Several goroutines each have a
// piece of it: while the driver copies some pieces, the goroutines copy others from or to the host's memory.
const (
	directCopy  = 64 << 10 // the driver buffers copies up to this size itself
	pieceSize   = 1 << 20
	pieces      = 8
	copierShare = 2 * directCopy // bytes for which another goroutine pays
	stagingSize = pieces * pieceSize
)

// staging is the pinned memory of a stream.
type staging struct {
	mem  []byte // nil: none yet
	list [pieces]stagingPiece
}

// A stagingPiece is a part of the pinned memory for one goroutine.
type stagingPiece struct {
	event uintptr // recorded behind its last copy
	used  bool    // since the event was last waited for
	mem   []byte
}

// pinned returns memory of Go that the driver has pinned. It stays Go's when the context goes.
func (q *stream) pinned(n int) ([]byte, error) {
	room := make([]byte, n+hostPage)
	room = room[-uintptr(unsafe.Pointer(&room[0]))%hostPage:][:n:n]
	if err := q.call(cuMemHostRegister, uintptr(unsafe.Pointer(&room[0])), uintptr(n), hostPortable|hostDeviceMapped); err != nil {
		return nil, err
	}
	registered.Store(&room[0], true)
	return room, nil
}

// unpin gives pinned memory back.
func (q *stream) unpin(mem []byte) {
	if mem != nil && q.call(cuMemHostUnregister, uintptr(unsafe.Pointer(&mem[0]))) == nil {
		registered.Delete(&mem[0])
	}
}

// makeStaging allocates the pinned memory, once.
func (q *stream) makeStaging() error {
	g := &q.staging
	if g.mem != nil {
		return nil
	}
	mem, err := q.pinned(stagingSize)
	if err != nil {
		return err
	}
	for i := range g.list {
		e := new(uintptr)
		if err := q.call(cuEventCreate, uintptr(unsafe.Pointer(e)), eventNoTiming); err != nil {
			q.unpin(mem)
			return err
		}
		g.list[i] = stagingPiece{event: *e, mem: mem[i*pieceSize:][:pieceSize]}
	}
	g.mem = mem
	return nil
}

// writeStaged copies to the device. src is free when it returns.
func (q *stream) writeStaged(dst uint64, src []byte) error {
	return q.staged(len(src), func(p *stagingPiece, from, to int) error {
		if err := q.await(p); err != nil {
			return err
		}
		copy(p.mem, src[from:to])
		return q.record(p, cuMemcpyHtoDAsync, uintptr(dst)+uintptr(from), uintptr(unsafe.Pointer(&p.mem[0])), uintptr(to-from))
	})
}

// readStaged copies from the device. dst has the contents when it returns.
func (q *stream) readStaged(dst []byte, src uint64) error {
	return q.staged(len(dst), func(p *stagingPiece, from, to int) error {
		err := q.await(p)
		if err == nil {
			err = q.record(p, cuMemcpyDtoHAsync, uintptr(unsafe.Pointer(&p.mem[0])), uintptr(src)+uintptr(from), uintptr(to-from))
		}
		if err == nil {
			err = q.await(p)
		}
		if err == nil {
			copy(dst[from:to], p.mem)
		}
		return err
	})
}

// record starts a copy of a piece.
func (q *stream) record(p *stagingPiece, f function, dst, src, n uintptr) error {
	err := q.call(f, dst, src, n, q.s)
	if err == nil {
		err = q.call(cuEventRecord, p.event, q.s)
		p.used = true
	}
	return err
}

// await waits for the last copy of a piece.
func (q *stream) await(p *stagingPiece) error {
	if !p.used {
		return nil
	}
	p.used = false
	return q.call(cuEventSynchronize, p.event)
}

// staged calls do for the parts of n bytes, from several goroutines with a piece each. It returns the first error.
func (q *stream) staged(n int, do func(p *stagingPiece, from, to int) error) error {
	if err := q.makeStaging(); err != nil {
		return err
	}
	workers := max(1, min(pieces, runtime.GOMAXPROCS(0), n/copierShare))
	part := min(pieceSize, (n+workers-1)/workers)
	var next atomic.Int64
	var failed atomic.Pointer[error]
	work := func(p *stagingPiece) {
		for failed.Load() == nil {
			from := int(next.Add(1)-1) * part
			if from >= n {
				return
			}
			if err := do(p, from, min(n, from+part)); err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		}
	}
	var wg sync.WaitGroup
	for i := range workers - 1 {
		wg.Go(func() { work(&q.staging.list[i+1]) })
	}
	work(&q.staging.list[0])
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// freeStaging gives the pinned memory and the events back.
func (q *stream) freeStaging() {
	g := &q.staging
	for i := range g.list {
		if e := g.list[i].event; e != 0 {
			q.call(cuEventDestroy, e)
		}
	}
	q.unpin(g.mem)
	*g = staging{}
}
