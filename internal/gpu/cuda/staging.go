package cuda

import (
	"runtime"
	"sync"
	"unsafe"
)

// Large copies between the host and the device pass through pinned memory: the driver copies between it and the
// device while the host copies the next piece.
const (
	directCopy  = 64 << 10 // the driver buffers copies up to this size itself
	pieceSize   = 2 << 20
	pieces      = 4
	copyPart    = 256 << 10 // what one goroutine copies at least
	maxCopiers  = 8
	stagingSize = pieces * pieceSize
)

// staging is the pinned memory of a stream.
type staging struct {
	mem  []byte // nil: none yet
	list [pieces]piece
	next int
}

// A piece is a part of the pinned memory, and what it is used for.
type piece struct {
	event uintptr // recorded behind the copy
	used  bool    // since the event was last waited for
	mem   []byte
	to    []byte // where its contents belong once the event is over; nil of a copy to the device
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

// piece returns the next piece, whose earlier copy is over.
func (q *stream) piece() (*piece, error) {
	g := &q.staging
	if g.mem == nil {
		mem, err := q.pinned(stagingSize)
		if err != nil {
			return nil, err
		}
		for i := range g.list {
			e := new(uintptr)
			if err := q.call(cuEventCreate, uintptr(unsafe.Pointer(e)), eventNoTiming); err != nil {
				q.unpin(mem)
				return nil, err
			}
			g.list[i] = piece{event: *e, mem: mem[i*pieceSize:][:pieceSize]}
		}
		g.mem = mem
	}
	p := &g.list[g.next]
	g.next = (g.next + 1) % pieces
	if p.used {
		if err := q.call(cuEventSynchronize, p.event); err != nil {
			return nil, err
		}
		p.over()
	}
	return p, nil
}

// over brings a piece's contents to where they belong.
func (p *piece) over() {
	copyBytes(p.to, p.mem)
	p.to, p.used = nil, false
}

// arrived ends all copies, which the stream has been waited for.
func (g *staging) arrived() {
	for i := range g.list {
		g.list[(g.next+i)%pieces].over()
	}
}

// writeStaged copies to the device through the pinned memory.
func (q *stream) writeStaged(dst uint64, src []byte) error {
	for len(src) > 0 {
		p, err := q.piece()
		if err != nil {
			return err
		}
		n := min(len(src), pieceSize)
		copyBytes(p.mem, src[:n])
		if err := q.call(cuMemcpyHtoDAsync, uintptr(dst), uintptr(unsafe.Pointer(&p.mem[0])), uintptr(n), q.s); err != nil {
			return err
		}
		if err := q.call(cuEventRecord, p.event, q.s); err != nil {
			return err
		}
		p.used = true
		src, dst = src[n:], dst+uint64(n)
	}
	return nil
}

// readStaged copies from the device through the pinned memory. The last pieces arrive with the wait.
func (q *stream) readStaged(dst []byte, src uint64) error {
	for len(dst) > 0 {
		p, err := q.piece()
		if err != nil {
			return err
		}
		n := min(len(dst), pieceSize)
		if err := q.call(cuMemcpyDtoHAsync, uintptr(unsafe.Pointer(&p.mem[0])), uintptr(src), uintptr(n), q.s); err != nil {
			return err
		}
		if err := q.call(cuEventRecord, p.event, q.s); err != nil {
			return err
		}
		p.used, p.to = true, dst[:n]
		dst, src = dst[n:], src+uint64(n)
	}
	return nil
}

// free gives the pinned memory and the events back.
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

// copyBytes is copy, by several goroutines where it pays.
func copyBytes(dst, src []byte) {
	n := min(len(dst), len(src))
	parts := min(maxCopiers, runtime.GOMAXPROCS(0), n/copyPart)
	if parts < 2 {
		copy(dst, src)
		return
	}
	var wg sync.WaitGroup
	for i := range parts {
		from, to := n*i/parts, n*(i+1)/parts
		wg.Go(func() { copy(dst[from:to], src[from:to]) })
	}
	wg.Wait()
}
