//go:build unix

package kerneltest

import (
	"syscall"
	"testing"
)

// Sparse returns n zero bytes until the test's end. Only the pages that are written take memory.
func Sparse(t testing.TB, n int) []byte {
	t.Helper()
	mem, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(mem) })
	return mem
}
