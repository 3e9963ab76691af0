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

// Ctrl-C ends a host that does not handle SIGINT. A host with a handler, such as Python, often only records the
// signal and reacts when its current call returns. An endless kernel prevents that. The driver therefore calls its
// own handler before the host's while a queue is busy. Some time after a signal, a goroutine interrupts the queues
// that are still busy with the same commands.

const (
	watchEvery = 50 * time.Millisecond
	// idleAfter is the number of consecutive polls without a busy queue after which the watch ends.
	idleAfter = 20
	// interruptAfter is how long commands may continue after a signal: hosts that shut down in order need the
	// results of running commands. After a second signal they are interrupted at once.
	interruptAfter = time.Second
)

// watch is shared by the calls that enqueue launches and the goroutine that watches.
var watch struct {
	armed atomic.Bool   // the driver's handler is installed
	seen  atomic.Uint32 // the number of signals that are in pending

	mu      sync.Mutex // protects the fields below and changes of the handler
	running bool       // the watching goroutine runs
	pending []interruption
}

// An interruption is the list of commands to interrupt after a signal.
type interruption struct {
	queue  *queueObject
	events []*host.Event
	due    time.Time
}

// interrupts returns the number of signals so far.
func interrupts() uint32 {
	return atomic.LoadUint32((*uint32)(&C.purecl_interrupts))
}

// watchInterrupts is called before a launch is enqueued, so that it sees only later signals. It is called again
// afterwards, because the watch may have ended meanwhile.
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

// noteInterrupts records the commands that run when a signal comes. The caller holds watch.mu.
func noteInterrupts() {
	n := interrupts()
	if n == watch.seen.Load() {
		return
	}
	watch.seen.Store(n)
	for i := range watch.pending {
		watch.pending[i].due = time.Time{} // a second signal: interrupt at once
	}
	due := time.Now().Add(interruptAfter)
	for _, q := range busyQueues() {
		watch.pending = append(watch.pending, interruption{q, q.Unfinished(), due})
	}
}

// allQueues returns the queues that may have commands.
var allQueues = struct {
	mu  sync.Mutex
	set map[*queueObject]struct{}
}{set: map[*queueObject]struct{}{}}

// busyQueues returns the queues with incomplete commands.
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

// watchWhileBusy polls the queues until none has been busy for a while.
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
	if watch.running = watch.armed.Load(); watch.running { // a launch came after the last poll
		go watchWhileBusy()
	}
}

// look handles the pending signals and reports whether a queue is busy.
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
