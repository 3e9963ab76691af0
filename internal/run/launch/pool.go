package launch

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// pool is the worker pool: goroutines that help launches. An idle worker spins for some time after its last work,
// then sleeps; it costs only its stack. The pool has as many workers as were ever wanted at once.
var pool struct {
	calls word                     // changes when a launch wants help
	last  atomic.Pointer[schedule] // the launch that changed it last
	first atomic.Int32             // the number of helpers that this launch wants
	_     [108]byte

	workers atomic.Int32 // all
	asleep  atomic.Int32 // workers that do not spin, and do not notice a change of calls
	claimed atomic.Int32 // workers that launches want
	owed    atomic.Int32 // workers that those who wake must wake
	_       [112]byte

	open     atomic.Uint64                // bit set of the used elements of launches
	launches [64]atomic.Pointer[schedule] // launches that want help
	mu       sync.Mutex                   // held while the pool grows
}

// readyTime is the time in nanoseconds that an idle worker spins before it sleeps. The next launch often follows at
// once, and waking a thread takes about 50 µs.
const readyTime = int64(40 * time.Microsecond)

// asideTime is the time in nanoseconds that workers with high numbers leave others to join a launch that does not want all. It is
// so that the same workers help most launches, with their memory in their caches, and the others sleep.
const asideTime = 300

// serve runs worker number, from 1 on.
func serve(number int) {
	var left *schedule // the launch that it has left last, when calls was served
	served := uint32(0)
	for until := int64(0); ; {
		seen := pool.calls.load()
		if seen != served {
			left = nil
		}
		if number > int(pool.first.Load()) {
			pool.calls.spin(seen, asideTime)
		}
		if s, place := joinLaunch(left); s != nil {
			s.work(number, place)
			s.leave()
			left, served = s, seen
			until = nanotime() + readyTime
			continue
		}
		if ns := until - nanotime(); ns > 0 {
			pool.calls.spin(seen, ns)
			continue // a launch may rely on this worker
		}
		pool.asleep.Add(1)
		pool.calls.sleep(seen)
		pool.asleep.Add(-1)
		wakeOwed()
		until = nanotime() + readyTime // if it wakes too late for one launch, it is there for the next one
	}
}

// joinLaunch joins a launch that wants help, other than left, if there is one, as helper number place. It does not read
// the state of left, which others are about to change.
func joinLaunch(left *schedule) (s *schedule, place int) {
	if s := pool.last.Load(); s != nil && s != left {
		if place := s.join(); place > 0 {
			return s, place
		}
	}
	for m := pool.open.Load(); m != 0; m &= m - 1 {
		if s := pool.launches[bits.TrailingZeros64(m)].Load(); s != nil && s != left {
			if place := s.join(); place > 0 {
				return s, place
			}
		}
	}
	return nil, 0
}

// wakeEach is the number of workers that a launch, or a worker that wakes, wakes itself. Waking one takes some microseconds,
// so that a launch which woke all would begin late.
const wakeEach = 2

// wakeOwed wakes some of the workers that launches have requested.
func wakeOwed() {
	for {
		owed := pool.owed.Load()
		if owed <= 0 {
			return
		}
		if n := min(owed, wakeEach); pool.owed.CompareAndSwap(owed, owed-n) {
			pool.calls.wake(int(n))
			return
		}
	}
}

// A schedule's state counts, from the low bits on, its running helpers, those that have joined, and those that it
// wants. The first two also count workers that find, after they have tried to join, that too many have. After a launch
// all are 0.
const (
	joinedShift = 11
	wantedShift = 22

	running = 1<<joinedShift - 1
	joining = 1<<joinedShift | 1
)

// maxHelpers bounds the helpers of a launch.
const maxHelpers = 1<<10 - 1

// post lets up to wanted helpers join, and wakes sleeping workers until wake of them are awake for this launch.
func (s *schedule) post(wanted, wake int) {
	if wanted <= s.wanted && wake <= s.woken {
		return
	}
	if s.slot < 0 && !s.publish() {
		return // there are too many launches at once for helpers to pay
	}
	if more := max(0, wanted-s.wanted); more > 0 {
		s.state.add(uint32(more) << wantedShift)
		pool.claimed.Add(int32(more))
		s.wanted = wanted
	}
	pool.last.Store(s)
	pool.first.Store(int32(s.wanted))
	pool.calls.add(1)
	if wake > s.woken {
		growPool(wake)
		others := pool.claimed.Load() - int32(s.wanted)
		asleep := pool.asleep.Load()
		if n := min(asleep, int32(wake)-max(0, pool.workers.Load()-asleep-others)); n > 0 {
			pool.owed.Store(n)
			wakeOwed()
		}
		s.woken = wake
	}
}

// awake returns the number of workers that spin.
func awake() int {
	return int(max(0, pool.workers.Load()-pool.asleep.Load()-pool.claimed.Load()))
}

// publish enters the schedule into the pool's list of launches; false if the list is full.
func (s *schedule) publish() bool {
	for {
		m := pool.open.Load()
		i := bits.TrailingZeros64(^m)
		if i == len(pool.launches) {
			return false
		}
		if pool.open.CompareAndSwap(m, m|1<<i) {
			s.slot = i
			pool.launches[i].Store(s)
			return true
		}
	}
}

// growPool grows the pool to n workers, at most one per processor.
func growPool(n int) {
	if int(pool.workers.Load()) >= n {
		return
	}
	n = min(n, max(runtime.NumCPU(), runtime.GOMAXPROCS(0)))
	pool.mu.Lock()
	defer pool.mu.Unlock()
	for int(pool.workers.Load()) < n {
		go serve(int(pool.workers.Add(1)))
	}
}

// join makes the caller a helper if the schedule still wants one, and returns its number, from 1 on, or 0. The caller
// must not have read other fields of s: s may already belong to another launch.
func (s *schedule) join() (place int) {
	allowed := func(v uint32) bool { return v>>joinedShift&running < v>>wantedShift }
	if !allowed(s.state.load()) {
		return 0
	}
	if v := s.state.add(joining); allowed(v - joining) { // one addition: all that spin join at once
		return int(v >> joinedShift & running)
	}
	s.leaveWith(joining)
	return 0
}

// leave ends a helper's work.
func (s *schedule) leave() { s.leaveWith(1) }

func (s *schedule) leaveWith(n uint32) {
	if s.state.add(-n)&running == 0 && s.sleeps.Load() {
		s.state.wake(1)
	}
}

// retract stops helpers from joining, waits until the present ones have left, and removes the schedule from the
// pool's list.
func (s *schedule) retract() {
	v := s.state.add(-uint32(s.wanted) << wantedShift)
	for spun := false; ; v = s.state.load() {
		switch {
		case v&running != 0 && !spun:
			s.state.spinZero(running, readyTime)
			spun = true
		case v&running != 0:
			s.sleeps.Store(true)
			s.state.sleep(v)
			s.sleeps.Store(false)
		case s.state.swap(v, 0):
			pool.claimed.Add(-int32(s.wanted))
			pool.launches[s.slot].Store(nil)
			pool.open.And(^(uint64(1) << s.slot))
			s.slot = -1
			return
		}
	}
}
