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
	calls word // changes when a launch wants help
	_     [56]byte
	ready atomic.Int32 // workers that spin, and notice a change of calls at once
	_     [60]byte

	open     atomic.Uint64                // bit set of the used elements of launches
	launches [64]atomic.Pointer[schedule] // launches that want help

	mu      sync.Mutex
	workers int
}

// readyTime is the time in nanoseconds that an idle worker spins before it sleeps. The next launch often follows at
// once, and waking a thread takes about 50 µs.
const readyTime = int64(40 * time.Microsecond)

// serve runs worker number, from 1 on.
func serve(number int) {
	for until := int64(0); ; {
		seen := pool.calls.load()
		if s := joinLaunch(); s != nil {
			s.work(number)
			s.leave()
			until = nanotime() + readyTime
			continue
		}
		if left := until - nanotime(); left > 0 {
			pool.ready.Add(1)
			pool.calls.spin(seen, left)
			pool.ready.Add(-1)
			continue // a launch may rely on this worker
		}
		pool.calls.sleep(seen)
	}
}

// joinLaunch joins a launch that wants help, if there is one.
func joinLaunch() *schedule {
	for m := pool.open.Load(); m != 0; m &= m - 1 {
		if s := pool.launches[bits.TrailingZeros64(m)].Load(); s != nil && s.join() {
			return s
		}
	}
	return nil
}

// A schedule's state counts its running helpers in the low bits. The bits from wantedShift on count the helpers
// that may still join.
const wantedShift = 16

// maxHelpers bounds the helpers of a launch.
const maxHelpers = 1 << 10

// post lets up to wanted helpers join, and wakes up to wake of them.
func (s *schedule) post(wanted, wake int) {
	if wanted <= s.wanted && wake <= s.woken {
		return
	}
	if s.slot < 0 && !s.publish() {
		return // there are too many launches at once for helpers to pay
	}
	s.state.add(uint32(max(0, wanted-s.wanted)) << wantedShift)
	s.wanted = max(s.wanted, wanted)
	pool.calls.add(1)
	if n := wake - s.woken - int(pool.ready.Load()); n > 0 {
		growPool(wake)
		pool.calls.wake(n)
	}
	s.woken = max(s.woken, wake)
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
	n = min(n, max(runtime.NumCPU(), runtime.GOMAXPROCS(0)))
	pool.mu.Lock()
	defer pool.mu.Unlock()
	for pool.workers < n {
		pool.workers++
		go serve(pool.workers)
	}
}

// join makes the caller a helper if the schedule still wants one. The caller must not have read other fields of s:
// s may already belong to another launch.
func (s *schedule) join() bool {
	for {
		v := s.state.load()
		if v>>wantedShift == 0 {
			return false
		}
		if s.state.swap(v, v-1<<wantedShift+1) {
			return true
		}
	}
}

// leave ends a helper's work.
func (s *schedule) leave() {
	if s.state.add(^uint32(0)) == 0 {
		s.state.wake(1)
	}
}

// retract stops helpers from joining, waits until the present ones have left, and removes the schedule from the
// pool's list.
func (s *schedule) retract() {
	v := s.state.load()
	for !s.state.swap(v, v&(1<<wantedShift-1)) {
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
	pool.launches[s.slot].Store(nil)
	pool.open.And(^(uint64(1) << s.slot))
	s.slot = -1
}
