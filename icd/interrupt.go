//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/run/host"
)

// Ctrl-C ends a host that does not handle SIGINT. One that does, such as Python, often only
// notes the signal and acts on it when the call that it waits in returns, which a kernel
// without end prevents. From a launch until no queue is busy the driver's handler of SIGINT
// therefore stands before the host's and counts, and a goroutine interrupts the queues that
// are still busy with the same commands a while after a signal.

const (
	watchEvery = 50 * time.Millisecond
	// idleAfter is how many looks in a row find no busy queue before the watch ends.
	idleAfter = 20
	// interruptAfter is how long commands have to end by themselves: hosts that end in order
	// when they are interrupted need the results of what runs. A second signal cuts it short.
	interruptAfter = time.Second
)

// watch is shared by the calls that enqueue launches and the goroutine that watches.
var watch struct {
	armed atomic.Bool   // the driver's handler is in place
	seen  atomic.Uint32 // the signals that pending answers

	mu      sync.Mutex // for what follows, and for changes of the handler
	running bool       // the goroutine
	pending []interruption
}

// An interruption is the commands that are to end because of a signal.
type interruption struct {
	queue  *queueObject
	events []*host.Event
	due    time.Time
}

// interrupts returns how many signals have come so far.
func interrupts() uint32 {
	return atomic.LoadUint32((*uint32)(&C.purecl_interrupts))
}

// watchInterrupts is called before a launch is enqueued, so that signals from then on concern
// it and earlier ones do not, and after it, as the watch can have ended meanwhile.
func watchInterrupts() {
	if watch.armed.Load() && watch.seen.Load() == interrupts() {
		return
	}
	watch.mu.Lock()
	defer watch.mu.Unlock()
	noteInterrupts()
	if !watch.armed.Load() {
		C.purecl_watch_interrupts()
		watch.armed.Store(true)
	}
	if !watch.running {
		watch.running = true
		go watchWhileBusy()
	}
}

// noteInterrupts keeps the commands that run at a signal. watch.mu is locked.
func noteInterrupts() {
	n := interrupts()
	if n == watch.seen.Load() {
		return
	}
	watch.seen.Store(n)
	for i := range watch.pending {
		watch.pending[i].due = time.Time{} // a second signal
	}
	due := time.Now().Add(interruptAfter)
	for _, q := range busyQueues() {
		watch.pending = append(watch.pending, interruption{q, q.Unfinished(), due})
	}
}

// allQueues are those that may have commands.
var allQueues = struct {
	mu  sync.Mutex
	set map[*queueObject]struct{}
}{set: map[*queueObject]struct{}{}}

// busyQueues returns those whose commands are not all complete.
func busyQueues() (list []*queueObject) {
	allQueues.mu.Lock()
	defer allQueues.mu.Unlock()
	for q := range allQueues.set {
		if !q.Idle() {
			list = append(list, q)
		}
	}
	return list
}

// watchWhileBusy watches until there has been nothing to do for a while.
func watchWhileBusy() {
	for idle := 0; idle < idleAfter; {
		time.Sleep(watchEvery)
		if look() {
			idle = 0
		} else {
			idle++
		}
	}
	watch.mu.Lock()
	defer watch.mu.Unlock()
	if watch.running = watch.armed.Load(); watch.running { // a launch came last
		go watchWhileBusy()
	}
}

// look answers the signals that have come and reports whether a queue is busy.
func look() bool {
	watch.mu.Lock()
	defer watch.mu.Unlock()
	noteInterrupts()
	if len(busyQueues()) == 0 {
		watch.pending = nil
		watch.armed.Store(false)
		C.purecl_unwatch_interrupts()
		return false
	}
	C.purecl_watch_interrupts() // the host may have set another handler
	for len(watch.pending) > 0 && !time.Now().Before(watch.pending[0].due) {
		watch.pending[0].queue.Interrupt(watch.pending[0].events)
		watch.pending = watch.pending[1:]
	}
	return true
}
