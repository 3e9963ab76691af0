//go:build linux

package jit

//go:noescape
func flush(from, to uintptr)

// written says that memory has new instructions.
func written(m []byte) { flush(address(m), address(m)+uintptr(len(m))) }
