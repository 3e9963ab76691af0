// Package fpenv is the floating-point environment of a thread: rounding mode, flushing of
// subnormals, masks of exceptions. Kernels, the reference executor and constant folding need
// the default one (round to nearest even, subnormals kept, no traps); the threads that they
// run on may have another. A C host that was linked with -ffast-math flushes subnormals from
// its start on, and a thread inherits the environment of the one that creates it.
//
// Go computes in SSE registers on amd64 and in the FP registers on arm64, and machine code
// of kernels likewise: the x87 state is used by nobody.
package fpenv

import "runtime"

// A Saved is the environment that a thread had before Enter.
type Saved uint64

// Enter locks the goroutine to its thread and sets the default environment there, until Leave. Calls nest.
func Enter() Saved { return enter(Standard) }

// EnterFlushing is Enter with subnormal numbers flushed to zero, as operands and as results.
func EnterFlushing() Saved { return enter(Flushing) }

// EnterKernel is the one or the other, as a kernel needs it.
func EnterKernel(flush bool) Saved {
	if flush {
		return EnterFlushing()
	}
	return Enter()
}

func enter(want uint64) Saved {
	runtime.LockOSThread()
	s := Saved(get())
	if uint64(s)&control != want {
		set(uint64(s)&^control | want)
	}
	return s
}

// Leave restores the thread's environment from before the Enter that returned s.
func (s Saved) Leave() {
	if (get()^uint64(s))&control != 0 {
		set(uint64(s))
	}
	runtime.UnlockOSThread()
}
