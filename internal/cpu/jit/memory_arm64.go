//go:build linux

package jit

import (
	"os"
	"unsafe"
)

// pages rounds up to whole pages.
func pages(n int) int {
	size := os.Getpagesize()
	return (n + size - 1) / size * size
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

//go:noescape
func flush(from, to uintptr)

// written says that memory has new instructions.
func written(m []byte) { flush(address(m), address(m)+uintptr(len(m))) }
