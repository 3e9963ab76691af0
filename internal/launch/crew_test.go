package launch

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/interp"
)

// A tally is an execution that counts how often each of its batches was executed.
type tally struct {
	counts   []atomic.Int32
	most     int64
	estimate time.Duration
	workers  atomic.Int32
	meet     chan struct{} // where not nil, each worker's first batch waits for the other workers
	met      atomic.Int32
	wanted   int32
}

func (x *tally) Batches() int64                           { return int64(len(x.counts)) }
func (x *tally) Most() int64                              { return x.most }
func (x *tally) Estimate() time.Duration                  { return x.estimate }
func (x *tally) Took(int64, time.Duration)                {}
func (x *tally) Raced() bool                              { return false }
func (x *tally) Explain()                                 {}
func (x *tally) Unwatched() []string                      { return nil }
func (x *tally) End([]BatchWorker)                        {}
func (x *tally) NewWorker() BatchWorker                   { x.workers.Add(1); return &tallyWorker{x: x} }
func (x *tally) Findings([]BatchWorker) []*interp.Finding { return nil }

type tallyWorker struct {
	x    *tally
	here bool
}

func (w *tallyWorker) Do(from, to int64) error {
	x := w.x
	for b := from; b < to; b++ {
		x.counts[b].Add(1)
	}
	if x.meet != nil && !w.here {
		w.here = true
		if x.met.Add(1) == x.wanted {
			close(x.meet)
		}
		<-x.meet
	}
	return nil
}

func runTally(t *testing.T, s *schedule, x *tally, workers int) {
	t.Helper()
	s.begin(x, workers)
	s.stop = new(atomic.Bool)
	s.run(nanotime())
	for b := range x.counts {
		if n := x.counts[b].Load(); n != 1 {
			t.Fatalf("batch %d of %d was executed %d times", b, len(x.counts), n)
		}
	}
	if s.state.load() != 0 || len(s.list) != int(x.workers.Load()) {
		t.Fatalf("state %#x, %d workers listed of %d", s.state.load(), len(s.list), x.workers.Load())
	}
	s.end()
}

// Each batch is executed once, however many launches there are at once, of whatever sizes,
// and whether helpers are at the ready or asleep; schedules are used again and again.
func TestEveryBatchOnce(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 80 { // more than there are plans
		wg.Go(func() {
			var s schedule
			for i := range 50 {
				n := 1 + (g*31+i*17)%200
				x := &tally{counts: make([]atomic.Int32, n), most: int64(1 + i%7), estimate: time.Duration(i%4) * 10 * time.Microsecond}
				runTally(t, &s, x, 1+i%9)
			}
		})
	}
	wg.Wait()
	if crew.open.Load() != 0 {
		t.Errorf("plans %b are still open", crew.open.Load())
	}
}

// Work of unknown length is shared: helpers come, first from sleep and then at the ready, and
// all of them have left when the launch ends.
func TestHelpersCome(t *testing.T) {
	workers := min(4, max(runtime.NumCPU(), runtime.GOMAXPROCS(0)))
	var s schedule
	for range 100 {
		x := &tally{counts: make([]atomic.Int32, 64), most: 1, meet: make(chan struct{}), wanted: int32(workers)}
		runTally(t, &s, x, workers)
		if got := x.workers.Load(); got != int32(workers) {
			t.Fatalf("%d workers, want %d", got, workers)
		}
	}
}

// Work that takes a worker less time than helpers take to come is not shared.
func TestSmallWorkAlone(t *testing.T) {
	var s schedule
	for range 100 {
		x := &tally{counts: make([]atomic.Int32, 2), most: 1, estimate: time.Microsecond}
		s.begin(x, 8)
		s.ask(x.estimate)
		if s.slot >= 0 || s.places != 0 || s.woken != 0 {
			t.Fatalf("asked for %d helpers", s.places)
		}
		s.end()
	}
}
