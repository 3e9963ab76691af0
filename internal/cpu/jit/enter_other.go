//go:build !((amd64 && (linux || darwin || windows)) || (arm64 && linux))

package jit

import "unsafe"

// enter is never called: this processor has no machine code.
func enter(_, _ unsafe.Pointer, _ uint32) { panic("no machine code for this processor") }
