package launch

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/run/exec"
)

// A schedule distributes the batches of a launch to workers. The launching goroutine is worker 0; helpers from the
// pool are the others.
type schedule struct {
	x    exec.Execution
	todo batches
	claiming
	workers int // most workers
	stop    *atomic.Bool
	whole   bool // continue after races are seen
	listen  listeners

	start, ended int64 // in nanoseconds
	request

	segments []segment // ranges of batches to claim, or if empty:
	_        [128]byte
	next     atomic.Int64 // the first unclaimed batch
	_        [120]byte
	presence

	done atomic.Int64
	mu   sync.Mutex
	list []exec.BatchWorker // all but those whose Leave returned false
	err  error
	last time.Time
}

// claiming is how workers claim batches.
type claiming struct {
	most    int64 // most batches at once
	inOrder bool  // one after the other
}

// A request is what a launch has requested of the pool.
type request struct {
	slot, wanted, woken int
	look                int64 // when worker 0 looks whether more helpers would pay, in nanoseconds
}

// presence is the helpers' number, in a cache line of its own.
type presence struct {
	state  word        // see wantedShift
	sleeps atomic.Bool // the launching goroutine sleeps until the helpers have left
	_      [120]byte
}

// listeners are functions called during the work; each may be nil.
type listeners struct {
	progress func(done, total int64)
	trace    exec.Trace
	labels   exec.Labels // of the goroutines
}

// progressEvery is the least time between two calls of the progress function.
const progressEvery = 50 * time.Millisecond

// The costs of helpers, in nanoseconds.
const (
	worthSharing = 3_000  // less work of one worker is not shared
	helperTime   = 250    // each spinning helper makes a launch that much longer
	worthWaking  = 25_000 // a launch that would be shorter wakes no helpers
	worthOne     = 8_000  // less work is not worth waking a helper for
)

// Launches that follow each other wake helpers once they have lost missedTime nanoseconds without them. A launch that
// begins followTime nanoseconds later than the one before does not follow it.
const (
	missedTime = 50_000
	followTime = 200_000
)

// missed is what launches have lost without helpers since the first one that counts, and when the last of them began.
var missed struct{ ns, at atomic.Int64 }

// A chunk is at most 1/evenParts of a worker's even share, so that a few slow batches do not keep one worker
// busy at the end. It has at least fewBatches batches, so that the cost of claiming it stays small, unless a batch is
// expected to take longBatch nanoseconds: then it may have one.
const (
	evenParts  = 16
	fewBatches = 4
	longBatch  = 5_000
)

// A helper looks for batches in fewSegments segments, its own and the next ones, as long as the launch is younger than
// briefTime, in nanoseconds: each look costs about 0.1 µs.
const (
	fewSegments = 5
	briefTime   = 50_000
)

// begin prepares s for an execution. It does not change the helpers' state, which [schedule.retract] has set to
// zero and which a pool worker may still read.
func (s *schedule) begin(x exec.Execution, workers int, part Part) {
	s.x = x
	s.todo = part.of(x.Batches())
	count := s.todo.count()
	s.workers = int(min(int64(workers), count, maxHelpers))
	s.inOrder = x.Most() == 1
	least := int64(fewBatches)
	if int64(x.Estimate()) >= longBatch*x.Batches() {
		least = 1
	}
	s.most = max(1, min(x.Most(), max(least, count/int64(evenParts*max(1, s.workers)))))
	s.request = request{slot: -1}
	s.segments = s.segments[:0]
	s.next.Store(s.todo.first)
	s.done.Store(0)
	s.err, s.last = nil, time.Time{}
}

// end releases the execution.
func (s *schedule) end() {
	clear(s.list)
	s.x, s.stop, s.listen, s.list, s.err = nil, nil, listeners{}, s.list[:0], nil
}

// run executes all batches of a launch that began at the given time. It reads the clock as rarely as possible,
// because that is a considerable part of a small launch.
func (s *schedule) run(began int64) {
	s.start = began
	if s.workers > 1 {
		alone := s.x.Estimate()
		wanted, wake := s.helpers(alone, awake())
		s.divide(1 + wanted)
		s.post(wanted, wake)
		s.look = began + max(worthSharing, 2*int64(alone)/int64(1+wanted))
	}
	took := s.work(0, 0)
	s.ended = nanotime()
	if took > 0 {
		s.x.Took(took, time.Duration(s.ended-s.start))
	}
	if s.slot >= 0 {
		s.retract()
		s.ended = nanotime()
	}
}

// helpers returns how many helpers pay for work that takes one worker the given time if awake workers of the pool spin,
// and how many must be awake, 0 if these suffice. The time 0 is unknown, and treated as long.
func (s *schedule) helpers(alone time.Duration, awake int) (wanted, wake int) {
	most, ns := s.workers-1, int64(alone)
	switch {
	case ns == 0:
		return most, most
	case ns < worthSharing:
		return 0, 0
	}
	// n helpers take ns/n + n·helperTime, the least at this n.
	wanted = min(most, int(math.Sqrt(float64(ns/helperTime))))
	switch each := ns / int64(1+min(wanted, awake)); {
	case awake >= wanted:
	case each >= worthWaking:
		wake = int(min(int64(most), ns/worthOne))
	case s.misses(each - ns/int64(1+wanted)):
		wake = wanted
	}
	return max(min(wanted, awake), wake), wake
}

// misses counts nanoseconds that a launch loses without helpers, and reports whether to wake them.
func (s *schedule) misses(ns int64) bool {
	if s.start-missed.at.Swap(s.start) > followTime {
		missed.ns.Store(ns)
		return false
	}
	if missed.ns.Add(ns) < missedTime {
		return false
	}
	missed.ns.Store(0)
	return true
}

// again requests more helpers if the work takes longer than estimated.
func (s *schedule) again() {
	if s.woken >= s.workers-1 {
		return
	}
	now := nanotime()
	if now < s.look {
		return
	}
	s.look = now + worthSharing
	if left, count := s.left(), s.todo.count(); left > 0 && left < count {
		alone := float64(now-s.start) * float64(1+s.wanted) * float64(left) / float64(count-left)
		s.post(s.helpers(time.Duration(min(alone, float64(time.Hour))), awake()+s.wanted))
	}
}

// A segment is a range of batches that one worker begins with: a launch over the same memory as the previous
// one then finds much of it in its cache. The low half of v is the first batch that is not yet claimed, the
// high half the end. The owner claims from the front; workers that have finished their own segments claim from
// the back.
type segment struct {
	v atomic.Uint64
	_ [120]byte // processors also load the line beside
}

// divide splits the batches into n segments, if their order does not matter.
func (s *schedule) divide(n int) {
	count := s.todo.count()
	if n == 1 || s.inOrder || s.todo.end > math.MaxInt32 || count < int64(n) {
		return
	}
	s.segments = slices.Grow(s.segments[:0], n)[:n]
	for i := range s.segments {
		from, to := s.todo.first+count*int64(i)/int64(n), s.todo.first+count*int64(i+1)/int64(n)
		s.segments[i].v.Store(uint64(to)<<32 | uint64(from))
	}
}

// claim claims half of the segment's unclaimed batches, at most most.
func (g *segment) claim(most int64, back bool) (from, to int64) {
	for {
		v := g.v.Load()
		from, to = int64(v&math.MaxUint32), int64(v>>32)
		if from >= to {
			return 0, 0
		}
		lo, hi, n := from, to, min((to-from+1)/2, most)
		if back {
			hi -= n
			from = hi
		} else {
			lo += n
			to = lo
		}
		if g.v.CompareAndSwap(v, uint64(hi)<<32|uint64(lo)) {
			return from, to
		}
	}
}

// left returns the number of unclaimed batches.
func (s *schedule) left() (n int64) {
	if len(s.segments) == 0 {
		return s.todo.end - s.next.Load()
	}
	for i := range s.segments {
		v := s.segments[i].v.Load()
		n += int64(v>>32) - int64(v&math.MaxUint32)
	}
	return n
}

// claim claims a chunk for a worker, beginning with segment own: large at first, smaller towards the end, so that all
// workers end at about the same time.
func (s *schedule) claim(own int) (from, to int64) {
	if s.stop.Load() {
		return 0, 0
	}
	if n := len(s.segments); n > 0 {
		if from, to = s.segments[own].claim(s.most, false); from < to {
			return from, to
		}
		if own > 0 && n > fewSegments && nanotime()-s.start < briefTime {
			n = fewSegments // worker 0 makes sure that no batches are left
		}
		for i := 1; i < n; i++ {
			if from, to = s.segments[(own+i)%len(s.segments)].claim(s.most, true); from < to {
				return from, to
			}
		}
		return 0, 0
	}
	sharers := int64(s.workers)
	if own == 0 {
		sharers = int64(1 + s.wanted)
	}
	for {
		from = s.next.Load()
		left := s.todo.end - from
		if left <= 0 {
			return 0, 0
		}
		to = from + min(left, s.most, left/(2*sharers)+1)
		if s.next.CompareAndSwap(from, to) {
			return from, to
		}
	}
}

// work claims and executes batches as worker number worker until none are left, and returns their number. place is the
// number among the launch's helpers. A panic, which would end the process on a helper's goroutine, becomes the
// schedule's error.
func (s *schedule) work(worker, place int) (took int64) {
	defer func() {
		if p := recover(); p != nil {
			s.fail(exec.NewInternalError(p))
		}
	}()
	owner := worker == 0
	if !owner {
		s.listen.labels.Set()
		defer s.listen.labels.Clear()
	}
	own := worker // mostly the same part of the launch, in the worker's cache
	if n := len(s.segments); n > 0 && own >= n {
		own = place % n
	}
	var w exec.BatchWorker
	for s.whole || !s.x.Raced() {
		from, to := s.claim(own)
		if from == to {
			break
		}
		if w == nil {
			w = s.x.NewWorker(worker)
		}
		began := int64(0)
		if s.listen.trace != nil {
			began = timing.Now()
		}
		if err := w.Do(from, to); err != nil {
			s.fail(err)
			break
		}
		if s.listen.trace != nil {
			s.listen.trace(fmt.Sprintf("worker %d", worker), fmt.Sprintf("batches %d to %d of %d", from, to-1, s.todo.end), began, timing.Now())
		}
		took += to - from
		if s.listen.progress != nil {
			s.tell(s.done.Add(to - from))
		}
		if owner && s.workers > 1 {
			s.again()
		}
	}
	if w != nil && leaves(w) {
		s.mu.Lock()
		s.list = append(s.list, w)
		s.mu.Unlock()
	}
	return took
}

// leaves ends a worker's part, and reports whether the execution needs the worker later.
func leaves(w exec.BatchWorker) bool {
	l, ok := w.(exec.Leaver)
	return !ok || l.Leave()
}

// fail ends the execution with an error of the executor.
func (s *schedule) fail(err error) {
	s.mu.Lock()
	if s.err == nil {
		s.err = err
	}
	s.mu.Unlock()
	s.stop.Store(true)
}

// tell calls the progress function if it is due.
func (s *schedule) tell(done int64) {
	if !s.mu.TryLock() {
		return
	}
	defer s.mu.Unlock()
	if now := time.Now(); now.Sub(s.last) >= progressEvery {
		s.last = now
		s.listen.progress(done, s.todo.count())
	}
}
