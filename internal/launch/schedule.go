package launch

import (
	"sync"
	"sync/atomic"
	"time"
)

// A schedule hands the batches of a launch to workers: that of the goroutine that
// launches, and those of helpers from the crew.
type schedule struct {
	x        Execution
	n        int64 // batches
	most     int64 // that a worker takes at once
	workers  int   // at most
	stop     *atomic.Bool
	explain  bool
	progress func(done, total int64)

	slot, places, woken int   // what the crew was asked for
	start, ended        int64 // in nanoseconds

	_    [64]byte
	next atomic.Int64 // the first batch that nobody has taken
	_    [56]byte
	done atomic.Int64

	state word // of the helpers: see placeShift

	mu   sync.Mutex
	list []BatchWorker
	err  error
	last time.Time
}

// progressEvery is the least time between two calls of a progress function.
const progressEvery = 50 * time.Millisecond

// What it takes to be worth sharing, in nanoseconds of one worker's time.
const (
	worthSharing = 5_000  // with helpers at the ready
	worthWaking  = 25_000 // with helpers that sleep
	worthOne     = 8_000  // for each helper
)

// begin readies s for an execution. The helpers' state is zero, as [schedule.dismiss] left
// it; it is not touched, as one of the crew may still look at it.
func (s *schedule) begin(x Execution, workers int) {
	s.x, s.n, s.most = x, x.Batches(), max(1, x.Most())
	s.workers = int(min(int64(workers), s.n, maxHelpers))
	s.slot, s.places, s.woken = -1, 0, 0
	s.next.Store(0)
	s.done.Store(0)
	s.err, s.last = nil, time.Time{}
}

// end lets go of the execution.
func (s *schedule) end() {
	clear(s.list)
	s.x, s.stop, s.progress, s.list, s.err = nil, nil, nil, s.list[:0], nil
}

// run does all the work of a launch that began at that time. The clock is read as seldom as
// can be: it takes a good part of a small launch.
func (s *schedule) run(began int64) {
	s.start = began
	if s.workers > 1 {
		s.ask(s.x.Estimate())
	}
	took := s.work(true)
	s.ended = nanotime()
	if took > 0 {
		s.x.Took(took, time.Duration(s.ended-s.start))
	}
	if s.slot >= 0 {
		s.dismiss()
		s.ended = nanotime()
	}
}

// ask asks for as many helpers as should be worth it for work that takes one worker so
// long; 0 is unknown, and perhaps long.
func (s *schedule) ask(alone time.Duration) {
	most := s.workers - 1
	ns := int64(alone)
	switch {
	case ns == 0:
		s.post(most, most)
	case ns < worthSharing:
	case ns < worthWaking:
		s.post(min(most, int(ns/worthSharing)), 0)
	default:
		n := int(min(int64(most), ns/worthOne))
		s.post(n, n)
	}
}

// again asks for more helpers where the work takes longer than was expected.
func (s *schedule) again() {
	if s.woken >= s.workers-1 {
		return
	}
	next := s.next.Load()
	passed := nanotime() - s.start
	if left := s.n - next; left > 0 && passed > worthSharing {
		s.ask(time.Duration(float64(passed) * float64(left) / float64(next) * float64(1+s.woken)))
	}
}

// take takes batches: much of what is left at first, less and less towards the end, so
// that all workers end together.
func (s *schedule) take() (from, to int64) {
	for {
		from = s.next.Load()
		left := s.n - from
		if left <= 0 || s.stop.Load() {
			return from, from
		}
		to = from + min(left, s.most, left/int64(2*s.workers)+1)
		if s.next.CompareAndSwap(from, to) {
			return from, to
		}
	}
}

// work takes and executes batches until there are none. It returns how many it were.
func (s *schedule) work(owner bool) (took int64) {
	var w BatchWorker
	for s.explain || !s.x.Raced() {
		from, to := s.take()
		if from == to {
			break
		}
		if w == nil {
			w = s.x.NewWorker()
			alone := owner && s.slot < 0
			if !alone {
				s.mu.Lock()
			}
			s.list = append(s.list, w)
			if !alone {
				s.mu.Unlock()
			}
		}
		if err := w.Do(from, to); err != nil {
			s.mu.Lock()
			if s.err == nil {
				s.err = err
			}
			s.mu.Unlock()
			s.stop.Store(true)
			break
		}
		took += to - from
		if s.progress != nil {
			s.tell(s.done.Add(to - from))
		}
		if owner && s.workers > 1 {
			s.again()
		}
	}
	return took
}

// tell calls the progress function if it is time to.
func (s *schedule) tell(done int64) {
	if !s.mu.TryLock() {
		return
	}
	defer s.mu.Unlock()
	if now := time.Now(); now.Sub(s.last) >= progressEvery {
		s.last = now
		s.progress(done, s.n)
	}
}
