package host

import (
	"sync"
	"sync/atomic"
)

// queueFaults is the error of a kernel that failed in a queue, for the calls that wait.
type queueFaults struct {
	any    atomic.Bool // there is one: most queues have none, and ask for no lock
	mu     sync.Mutex
	first  error // of the first kernel that failed
	fenced error // first, as it was when the last barrier was complete
	told   bool  // a call that waits has returned it
}

// add notes that a kernel failed.
func (f *queueFaults) add(err error) {
	f.mu.Lock()
	if f.first == nil {
		f.first = err
	}
	f.mu.Unlock()
	f.any.Store(true)
}

// fence notes that a barrier is complete.
func (f *queueFaults) fence() {
	if !f.any.Load() {
		return
	}
	f.mu.Lock()
	f.fenced = f.first
	f.mu.Unlock()
}

// tell returns the error of a kernel, if all count, else of one before the last barrier.
func (f *queueFaults) tell(all bool) error {
	if !f.any.Load() {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.fenced
	if all {
		err = f.first
	}
	f.told = f.told || err != nil
	return err
}

// forget ends the time in which the error is returned, if somebody was told.
func (f *queueFaults) forget() {
	if !f.any.Load() {
		return
	}
	f.mu.Lock()
	if f.told {
		f.first, f.fenced, f.told = nil, nil, false
		f.any.Store(false)
	}
	f.mu.Unlock()
}
