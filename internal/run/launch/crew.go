package launch

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// The crew is goroutines that help those who launch. A member waits for calls: at the
// ready for some time after it has worked, then asleep, when it costs nothing but its
// stack. There are as many as were ever wanted at once.
var crew struct {
	calls word // changes when a launch wants help
	_     [56]byte
	ready atomic.Int32 // members that see a change of calls at once
	_     [60]byte

	open  atomic.Uint64                // bits of the elements of plans that are in use
	plans [64]atomic.Pointer[schedule] // launches that want help

	mu      sync.Mutex
	members int
}

// readyTime is how long a member waits at the ready: the next launch often follows at
// once, and a thread that sleeps takes some 50 µs to wake.
const readyTime = int64(40 * time.Microsecond)

// serve is the life of the member of that number, from 1 on.
func serve(number int) {
	for until := int64(0); ; {
		seen := crew.calls.load()
		if s := openPlan(); s != nil {
			s.work(number)
			s.leave()
			until = nanotime() + readyTime
			continue
		}
		if left := until - nanotime(); left > 0 {
			crew.ready.Add(1)
			crew.calls.spin(seen, left)
			crew.ready.Add(-1)
			continue // somebody may have counted on this member
		}
		crew.calls.sleep(seen)
	}
}

// openPlan joins a launch that wants help, if there is one.
func openPlan() *schedule {
	for m := crew.open.Load(); m != 0; m &= m - 1 {
		if s := crew.plans[bits.TrailingZeros64(m)].Load(); s != nil && s.join() {
			return s
		}
	}
	return nil
}

// A schedule's state is the number of helpers at work and, from this bit on, that of those
// who may still join.
const placeShift = 16

// maxHelpers bounds the helpers of a launch.
const maxHelpers = 1 << 10

// post lets so many helpers join, and wakes so many of them.
func (s *schedule) post(places, wake int) {
	if places <= s.places && wake <= s.woken {
		return
	}
	if s.slot < 0 && !s.claim() {
		return // more launches at once than there is sense in helping
	}
	s.state.add(uint32(max(0, places-s.places)) << placeShift)
	s.places = max(s.places, places)
	crew.calls.add(1)
	if n := wake - s.woken - int(crew.ready.Load()); n > 0 {
		recruit(wake)
		crew.calls.wake(n)
	}
	s.woken = max(s.woken, wake)
}

// claim makes the schedule a plan that the crew sees.
func (s *schedule) claim() bool {
	for {
		m := crew.open.Load()
		i := bits.TrailingZeros64(^m)
		if i == len(crew.plans) {
			return false
		}
		if crew.open.CompareAndSwap(m, m|1<<i) {
			s.slot = i
			crew.plans[i].Store(s)
			return true
		}
	}
}

// recruit sees to it that the crew has so many members, or as many as make sense.
func recruit(n int) {
	n = min(n, max(runtime.NumCPU(), runtime.GOMAXPROCS(0)))
	crew.mu.Lock()
	defer crew.mu.Unlock()
	for crew.members < n {
		crew.members++
		go serve(crew.members)
	}
}

// join makes the caller a helper, where there is a place. Nothing else of s may be looked at
// before: it may have become another launch's.
func (s *schedule) join() bool {
	for {
		v := s.state.load()
		if v>>placeShift == 0 {
			return false
		}
		if s.state.swap(v, v-1<<placeShift+1) {
			return true
		}
	}
}

// leave ends a helper's part.
func (s *schedule) leave() {
	if s.state.add(^uint32(0)) == 0 {
		s.state.wake(1)
	}
}

// dismiss lets nobody join any more, waits for the helpers' ends and takes back the plan.
func (s *schedule) dismiss() {
	v := s.state.load()
	for !s.state.swap(v, v&(1<<placeShift-1)) {
		v = s.state.load()
	}
	for spun := false; ; {
		if v = s.state.load(); v == 0 {
			break
		}
		if !spun {
			spun = !s.state.spin(v, readyTime)
		} else {
			s.state.sleep(v)
		}
	}
	crew.plans[s.slot].Store(nil)
	crew.open.And(^(uint64(1) << s.slot))
	s.slot = -1
}
