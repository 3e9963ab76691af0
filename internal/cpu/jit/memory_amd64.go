//go:build linux || darwin || windows

package jit

import "unsafe"

// pageSize is that of all systems on amd64.
const pageSize = 4096

// pages rounds up to whole pages.
func pages(n int) int { return (n + pageSize - 1) &^ (pageSize - 1) }

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// written says that memory has new instructions: the processor sees that by itself.
func written([]byte) {}
