package host

import (
	"sync"
	"sync/atomic"
)

// queueFaults is the error of a kernel that failed in a queue. Calls that wait return it.
type queueFaults struct {
	any    atomic.Bool // whether there is an error: most queues have none, and need no lock
	mu     sync.Mutex
	first  error // of the first kernel that failed
	fenced error // first, as it was when the last barrier was complete
	told   bool  // whether a waiting call has returned the error
}

// add records that a kernel failed.
func (f *queueFaults) add(err error) {
	f.mu.Lock()
	if f.first == nil {
		f.first = err
	}
	f.mu.Unlock()
	f.any.Store(true)
}

// fence records that a barrier is complete.
func (f *queueFaults) fence() {
	if !f.any.Load() {
		return
	}
	f.mu.Lock()
	f.fenced = f.first
	f.mu.Unlock()
}

// tell returns the kernel's error if all is set, else only an error from before the last barrier.
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

// forget drops the error if a call has returned it.
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
