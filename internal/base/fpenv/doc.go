// Package fpenv sets the floating-point environment of a thread: rounding mode, flushing of subnormals, exception
// masks. Kernels, the reference executor and constant folding need the default environment (round to nearest even,
// subnormals kept, no traps). Their threads may have another one: a C host linked with -ffast-math flushes
// subnormals from its start on, and a thread inherits the environment of its creator.
//
// Go computes in SSE registers on amd64 and in the FP registers on arm64, as does machine code of kernels: the x87
// state is not used.
package fpenv

import "runtime"

// A Saved is the environment of a thread before Enter.
type Saved uint64

// Enter locks the goroutine to its thread and sets the default environment there, until Leave. Calls nest.
func Enter() Saved { return enter(Standard) }

// EnterFlushing is Enter with subnormal numbers flushed to zero, as operands and as results.
func EnterFlushing() Saved { return enter(Flushing) }

// EnterKernel is EnterFlushing if flush is set, else Enter.
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
