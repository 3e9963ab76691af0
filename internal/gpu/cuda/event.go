package cuda

import (
	"sync"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/run/exec"
)

// events are a stream's CUDA events that no mark uses, by whether they take times.
type events struct {
	mu     sync.Mutex
	free   [2][]uintptr
	closed bool
}

// A mark is a recorded event.
type mark struct {
	q     *stream
	event uintptr
	kind  int // index in events.free: 1 if timed
}

func (q *stream) Mark(timed bool) (exec.Mark, error) {
	k := &mark{q: q}
	flags := uintptr(eventNoTiming)
	if timed {
		k.kind, flags = 1, 0
	}
	g := &q.events
	g.mu.Lock()
	if free := g.free[k.kind]; len(free) > 0 {
		k.event, g.free[k.kind] = free[len(free)-1], free[:len(free)-1]
	}
	g.mu.Unlock()
	if k.event == 0 {
		e := new(uintptr)
		if err := q.call(cuEventCreate, uintptr(unsafe.Pointer(e)), flags); err != nil {
			return nil, err
		}
		k.event = *e
	}
	q.add()
	if err := q.m.callStream(q.generation, cuEventRecord, k.event, q.s); err != nil {
		k.Release()
		return nil, err
	}
	return k, nil
}

func (k *mark) Done() (bool, error) { return k.q.asked(cuEventQuery, k.event) }

func (k *mark) Wait() error { return k.q.waited(cuEventSynchronize, k.event) }

func (k *mark) Since(earlier exec.Mark) (time.Duration, error) {
	ms := new(float32)
	err := k.q.call(cuEventElapsedTime, uintptr(unsafe.Pointer(ms)), earlier.(*mark).event, k.event)
	return time.Duration(float64(*ms) * float64(time.Millisecond)), err
}

func (k *mark) Release() {
	g := &k.q.events
	g.mu.Lock()
	closed := g.closed
	if !closed {
		g.free[k.kind] = append(g.free[k.kind], k.event)
	}
	g.mu.Unlock()
	if closed {
		k.q.call(cuEventDestroy, k.event)
	}
}

// close destroys the events.
func (g *events) close(q *stream) {
	g.mu.Lock()
	list := append(g.free[0], g.free[1]...)
	g.free, g.closed = [2][]uintptr{}, true
	g.mu.Unlock()
	for _, e := range list {
		q.call(cuEventDestroy, e)
	}
}
