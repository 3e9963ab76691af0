//go:build linux && !race

package launch

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

//go:linkname entersyscall runtime.entersyscall
//go:nosplit
func entersyscall()

//go:linkname entersyscallblock runtime.entersyscallblock
//go:nosplit
func entersyscallblock()

//go:linkname exitsyscall runtime.exitsyscall
//go:nosplit
func exitsyscall()

//go:linkname procyield runtime.procyield
func procyield(cycles uint32)

//go:linkname nanotime runtime.nanotime
//go:nosplit
func nanotime() int64

// A word is a number whose changes goroutines can wait for. Many of them wake at once; with the runtime's
// primitives each thread would wake the next.
type word struct{ v uint32 }

func (w *word) load() uint32            { return atomic.LoadUint32(&w.v) }
func (w *word) add(n uint32) uint32     { return atomic.AddUint32(&w.v, n) }
func (w *word) swap(old, x uint32) bool { return atomic.CompareAndSwapUint32(&w.v, old, x) }

// spin waits until the word differs from seen, at most the given nanoseconds, and reports whether it does. The
// runtime treats it as a system call, so that the garbage collector and other goroutines do not wait for it.
// Nothing here may therefore grow the stack.
//
//go:nosplit
func (w *word) spin(seen uint32, ns int64) bool {
	if atomic.LoadUint32(&w.v) != seen {
		return true
	}
	entersyscall()
	changed := false
	for end := nanotime() + ns; !changed; {
		for i := 0; i < 8 && !changed; i++ {
			procyield(2)
			changed = atomic.LoadUint32(&w.v) != seen
		}
		if nanotime() > end {
			break
		}
	}
	exitsyscall()
	return changed
}

// spinZero waits until the word's bits of a mask are zero, at most the given nanoseconds, and reports whether they are.
//
//go:nosplit
func (w *word) spinZero(mask uint32, ns int64) bool {
	if atomic.LoadUint32(&w.v)&mask == 0 {
		return true
	}
	entersyscall()
	zero := false
	for end := nanotime() + ns; !zero; {
		for i := 0; i < 8 && !zero; i++ {
			procyield(2)
			zero = atomic.LoadUint32(&w.v)&mask == 0
		}
		if nanotime() > end {
			break
		}
	}
	exitsyscall()
	return zero
}

const (
	futexWaitPrivate = 0x80
	futexWakePrivate = 0x81
)

// sleep waits until the word differs from seen. It may return early. The goroutine occupies no processor meanwhile.
//
//go:nosplit
func (w *word) sleep(seen uint32) {
	entersyscallblock()
	syscall.RawSyscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&w.v)), futexWaitPrivate, uintptr(seen), 0, 0, 0)
	exitsyscall()
}

// wake wakes up to n sleeping threads.
func (w *word) wake(n int) {
	syscall.RawSyscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&w.v)), futexWakePrivate, uintptr(n), 0, 0, 0)
}
