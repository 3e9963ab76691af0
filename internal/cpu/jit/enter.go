//go:build (amd64 && (linux || darwin || windows)) || (arm64 && linux)

package jit

import "unsafe"

//go:noescape
func call(ctx, code unsafe.Pointer, env uint32)

//go:linkname entersyscall runtime.entersyscall
//go:nosplit
func entersyscall()

//go:linkname exitsyscall runtime.exitsyscall
//go:nosplit
func exitsyscall()

// enter runs machine code as the runtime runs a system call: the garbage collector and other goroutines do not
// wait for it. env is the floating-point control state (package fpenv). Nothing between the two calls may grow
// the stack.
//
//go:nosplit
func enter(ctx, code unsafe.Pointer, env uint32) {
	entersyscall()
	call(ctx, code, env)
	exitsyscall()
}
