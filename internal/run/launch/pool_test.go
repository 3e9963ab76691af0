package launch

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/run/exec"
)

// A tally is an execution that counts how often each batch was executed.
type tally struct {
	counts   []atomic.Int32
	most     int64
	estimate time.Duration
	workers  atomic.Int32
	largest  atomic.Int64  // most batches that a worker claimed at once
	meet     chan struct{} // if not nil, each worker's first batch waits for the other workers
	met      atomic.Int32
	wanted   int32
}

func (x *tally) Batches() int64                              { return int64(len(x.counts)) }
func (x *tally) Most() int64                                 { return x.most }
func (x *tally) Estimate() time.Duration                     { return x.estimate }
func (x *tally) Took(int64, time.Duration)                   {}
func (x *tally) Raced() bool                                 { return false }
func (x *tally) Watch(exec.RaceMode, exec.RaceMarks)         {}
func (x *tally) Marks() exec.RaceMarks                       { return nil }
func (x *tally) Unwatched() []string                         { return nil }
func (x *tally) End([]exec.BatchWorker)                      {}
func (x *tally) NewWorker(int) exec.BatchWorker              { x.workers.Add(1); return &tallyWorker{x: x} }
func (x *tally) Findings([]exec.BatchWorker) []*exec.Finding { return nil }

type tallyWorker struct {
	x    *tally
	here bool
}

func (w *tallyWorker) Do(from, to int64) error {
	x := w.x
	for most := x.largest.Load(); to-from > most && !x.largest.CompareAndSwap(most, to-from); most = x.largest.Load() {
	}
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
	s.begin(x, workers, Part{})
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

// TestEveryBatchOnce checks that each batch is executed once, for any number of concurrent launches of any size,
// with spinning and sleeping helpers, and with reused schedules.
func TestEveryBatchOnce(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 80 { // more than pool.launches has elements
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
	if pool.open.Load() != 0 {
		t.Errorf("launches %b are still open", pool.open.Load())
	}
}

// TestHelpersCome checks that helpers share work of unknown length, first sleeping and then spinning ones, and that
// all have left when the launch ends.
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

// TestPartsAreSmall checks that a worker claims so little of a launch at once that slow batches can be spread over
// all workers, and never more than the execution permits.
func TestPartsAreSmall(t *testing.T) {
	var s schedule
	for _, c := range []struct {
		batches, most int64
		workers       int
		want          int64
	}{
		{4800, 2048, 3, 4800 / 3 / evenParts}, {4800, 7, 3, 7}, {12, 2048, 1, fewBatches}, {4800, 1, 2, 1}, {1, 2048, 4, 1},
	} {
		x := &tally{counts: make([]atomic.Int32, c.batches), most: c.most}
		runTally(t, &s, x, c.workers)
		if got := x.largest.Load(); got != c.want {
			t.Errorf("%d batches at once of %d with %d workers, want %d", got, c.batches, c.workers, c.want)
		}
	}
}

// TestHelpersForWork checks that the number of helpers grows with the work, from 0 for work that would end before
// they start.
func TestHelpersForWork(t *testing.T) {
	for _, c := range []struct {
		alone        time.Duration
		awake        int
		wanted, wake int
	}{
		{0, 0, 8, 8}, {time.Nanosecond, 8, 0, 0}, {worthSharing - 1, 8, 0, 0}, {worthSharing, 8, 3, 0}, {worthSharing, 1, 1, 0}, {16 * helperTime, 8, 4, 0},
		{worthWaking - 1, 0, 0, 0}, {worthWaking, 0, 3, 3}, {worthWaking, 1, 1, 0}, {worthWaking, 8, 8, 0}, {4 * worthOne, 0, 4, 4},
		{time.Millisecond, 0, 8, 8}, {time.Millisecond, 7, 8, 8}, {time.Millisecond, 8, 8, 0}, {time.Hour, 8, 8, 0},
	} {
		s := schedule{workers: 9, start: nanotime() + 2*followTime}
		missed.at.Store(0) // this launch follows no other
		if wanted, wake := s.helpers(c.alone, c.awake); wanted != c.wanted || wake != c.wake {
			t.Errorf("%v with %d awake: %d wanted, %d to wake; want %d and %d", c.alone, c.awake, wanted, wake, c.wanted, c.wake)
		}
	}
}

// TestLaunchesThatFollow checks that launches, each too short to wake helpers, wake them if they follow each other.
func TestLaunchesThatFollow(t *testing.T) {
	s := schedule{workers: 9, start: nanotime()}
	woken := func(step int64) bool {
		for range 2 * missedTime / 10_000 {
			s.start += step
			if _, wake := s.helpers(20*time.Microsecond, 0); wake > 0 {
				return true
			}
		}
		return false
	}
	if s.start += 2 * followTime; woken(2 * followTime) {
		t.Error("launches far from each other wake helpers")
	}
	if !woken(followTime / 2) {
		t.Error("launches that follow each other wake no helpers")
	}
}

// TestSegments checks that the batches of all segments are those of the launch, in any order of claims, and that
// each worker's own come first.
func TestSegments(t *testing.T) {
	for _, n := range []int64{3, 7, 64, 1000, math.MaxInt32} {
		s := schedule{todo: batches{0, n}, claiming: claiming{most: 2048}, stop: new(atomic.Bool)}
		s.divide(3)
		if n == math.MaxInt32 { // too many to claim all
			s.most = n
		}
		if got := s.left(); got != n {
			t.Fatalf("%d batches of %d", got, n)
		}
		seen := map[int64]bool{}
		for at := range 3 {
			from, to := s.claim(at)
			if lo, hi := n*int64(at)/3, n*int64(at+1)/3; from < to && (from < lo || to > hi) {
				t.Errorf("worker %d of %d batches took %d to %d", at, n, from, to)
			}
			for b := from; b < to && n < 1e6; b++ {
				seen[b] = true
			}
		}
		for {
			from, to := s.claim(1)
			if from == to {
				break
			}
			for b := from; b < to && n < 1e6; b++ {
				if seen[b] {
					t.Errorf("batch %d of %d is taken twice", b, n)
				}
				seen[b] = true
			}
		}
		if n < 1e6 && int64(len(seen)) != n || s.left() != 0 {
			t.Errorf("%d of %d batches taken, %d left", len(seen), n, s.left())
		}
	}
}

// TestLongBatches checks that workers claim one batch at once if batches are expected to be long.
func TestLongBatches(t *testing.T) {
	for _, c := range []struct {
		batches  int
		estimate time.Duration
		most     int64
	}{{144, 9 * time.Millisecond, 1}, {144, 144 * time.Microsecond, fewBatches}, {144, 0, fewBatches}, {100_000, time.Second, 100_000 / (evenParts * 16)}} {
		var s schedule
		s.begin(&tally{counts: make([]atomic.Int32, c.batches), most: 2048, estimate: c.estimate}, 16, Part{})
		if s.most != c.most || s.inOrder {
			t.Errorf("%d batches of %v: workers claim %d at once, in order %t; want %d", c.batches, c.estimate, s.most, s.inOrder, c.most)
		}
	}
}

// TestWorkersSleep checks that idle workers sleep, whatever launches have wanted, and help again when they wake.
func TestWorkersSleep(t *testing.T) {
	var s schedule
	for range 3 {
		for i := range 20 {
			x := &tally{counts: make([]atomic.Int32, 64), most: 1, estimate: time.Duration(i) * 20 * time.Microsecond}
			runTally(t, &s, x, 2+i%7)
		}
		for end := time.Now().Add(10 * time.Second); pool.asleep.Load() != pool.workers.Load(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d of %d workers sleep", pool.asleep.Load(), pool.workers.Load())
			}
		}
		if n := pool.claimed.Load(); n != 0 {
			t.Fatalf("%d workers are claimed without a launch", n)
		}
	}
}
