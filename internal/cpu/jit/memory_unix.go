//go:build linux || darwin

package jit

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// protect makes pages readable and executable, and no longer writable. macOS on amd64 needs no MAP_JIT for that.
func protect(m []byte) error {
	written(m)
	return syscall.Mprotect(m, syscall.PROT_READ|syscall.PROT_EXEC)
}

// discard returns pages to the system, but not their addresses. macOS may take them later.
func discard(m []byte) { unix.Madvise(m, unix.MADV_DONTNEED) }

// allocate returns zeroed memory outside of Go's heap, at least n bytes in whole pages.
func allocate(n int) ([]byte, error) {
	return syscall.Mmap(-1, 0, pages(n), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

// release frees memory that allocate returned.
func release(m []byte) {
	if len(m) > 0 {
		syscall.Munmap(m)
	}
}
