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
// without end prevents. While queues are busy a goroutine therefore watches for the signal,
// and interrupts the queues that are still busy with the same commands a while after.

const (
	watchEvery = 50 * time.Millisecond
	// busyAfter is how many looks in a row find a busy queue before the handler of SIGINT is
	// set, and idleAfter how many find none before the watch ends.
	busyAfter, idleAfter = 3, 20
	// interruptAfter is how long commands have to end by themselves: hosts that end in order
	// when they are interrupted need the results of what runs. A second signal cuts it short.
	interruptAfter = time.Second
)

// watching says that a goroutine watches.
var watching atomic.Bool

// watchInterrupts ensures that a goroutine watches. A launch was enqueued.
func watchInterrupts() {
	if !watching.Load() && watching.CompareAndSwap(false, true) {
		go func() {
			for again := true; again; {
				watchWhileBusy()
				watching.Store(false)
				again = len(busyQueues()) > 0 && watching.CompareAndSwap(false, true)
			}
		}()
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

// An interruption is the commands that are to end because of a signal.
type interruption struct {
	queue  *queueObject
	events []*host.Event
	due    time.Time
}

// watchWhileBusy watches until there is nothing to do any more.
func watchWhileBusy() {
	var pending []interruption
	seen := C.purecl_interrupts()
	for busy, idle := 0, 0; idle < idleAfter; {
		time.Sleep(watchEvery)
		queues := busyQueues()
		if len(queues) == 0 {
			busy, pending = 0, nil
			idle++
			C.purecl_unwatch_interrupts()
			continue
		}
		idle = 0
		if busy++; busy >= busyAfter {
			C.purecl_watch_interrupts()
		}
		if n := C.purecl_interrupts(); n != seen {
			seen = n
			for i := range pending {
				pending[i].due = time.Time{} // a second signal
			}
			due := time.Now().Add(interruptAfter)
			for _, q := range queues {
				pending = append(pending, interruption{q, q.Unfinished(), due})
			}
		}
		for len(pending) > 0 && !time.Now().Before(pending[0].due) {
			pending[0].queue.Interrupt(pending[0].events)
			pending = pending[1:]
		}
	}
}
