//go:build linux || darwin

package jit

import "syscall"

// executable returns readable and executable memory with the code. It is never writable and executable at once;
// macOS on amd64 needs no MAP_JIT for that.
func executable(code []byte) ([]byte, error) {
	m, err := allocate(len(code))
	if err != nil {
		return nil, err
	}
	copy(m, code)
	written(m)
	if err := syscall.Mprotect(m, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		release(m)
		return nil, err
	}
	return m, nil
}

// allocate returns zeroed memory outside of Go's heap, at least n bytes in whole pages.
func allocate(n int) ([]byte, error) {
	return syscall.Mmap(-1, 0, pages(n), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

// release frees memory that executable or allocate returned.
func release(m []byte) {
	if len(m) > 0 {
		syscall.Munmap(m)
	}
}
