//go:build linux

package jit

//go:noescape
func flush(from, to uintptr)

// written synchronises the instruction cache with new instructions in memory.
func written(m []byte) { flush(address(m), address(m)+uintptr(len(m))) }
