package jit

import (
	"os"
	"runtime"
	"unsafe"
)

// pages rounds up to whole pages.
func pages(n int) int {
	size := os.Getpagesize()
	return (n + size - 1) / size * size
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

func word(m []byte, off int) *uint64 { return (*uint64)(unsafe.Pointer(&m[off])) }

// arena is memory outside of Go's heap: a worker's context, frames and local memory.
type arena struct{ mem []byte }

func newArena(n int) (*arena, error) {
	m, err := allocate(n)
	if err != nil {
		return nil, err
	}
	a := &arena{m}
	runtime.AddCleanup(a, release, m)
	return a, nil
}
