package jit

import (
	"syscall"
	"unsafe"
)

// executable returns memory with the code, readable and executable.
func executable(code []byte) ([]byte, error) {
	n := (len(code) + 4095) &^ 4095
	m, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	copy(m, code)
	if err := syscall.Mprotect(m, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		syscall.Munmap(m)
		return nil, err
	}
	return m, nil
}

// outside returns zeroed memory outside of Go's heap.
func outside(n int) ([]byte, error) {
	return syscall.Mmap(-1, 0, (n+4095)&^4095, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

func release(m []byte) {
	if len(m) > 0 {
		syscall.Munmap(m)
	}
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
