//go:build !linux || race

package launch

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/base/timing"
)

// A word is a number whose changes goroutines can wait for.
type word struct {
	v    atomic.Uint32
	mu   sync.Mutex
	cond *sync.Cond // created by the first sleeper
}

func (w *word) load() uint32            { return w.v.Load() }
func (w *word) add(n uint32) uint32     { return w.v.Add(n) }
func (w *word) swap(old, x uint32) bool { return w.v.CompareAndSwap(old, x) }

func nanotime() int64 { return timing.Now() }

// spin waits until the word differs from seen, at most the given nanoseconds, and reports whether it does.
func (w *word) spin(seen uint32, ns int64) bool {
	for end := nanotime() + ns; w.v.Load() == seen; runtime.Gosched() {
		if nanotime() > end {
			return false
		}
	}
	return true
}

// spinZero waits until the word's bits of a mask are zero, at most the given nanoseconds, and reports whether they are.
func (w *word) spinZero(mask uint32, ns int64) bool {
	for end := nanotime() + ns; w.v.Load()&mask != 0; runtime.Gosched() {
		if nanotime() > end {
			return false
		}
	}
	return true
}

// sleep waits until the word differs from seen.
func (w *word) sleep(seen uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cond == nil {
		w.cond = sync.NewCond(&w.mu)
	}
	for w.v.Load() == seen {
		w.cond.Wait()
	}
}

// wake wakes at least n sleeping threads, or all.
func (w *word) wake(int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cond != nil {
		w.cond.Broadcast()
	}
}
