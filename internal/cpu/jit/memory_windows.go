package jit

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// protect makes pages readable and executable, and no longer writable. A process that forbids dynamic code gets an
// error. FlushInstructionCache is not needed: processors of this architecture have coherent instruction caches.
func protect(m []byte) error {
	var old uint32
	return windows.VirtualProtect(address(m), uintptr(len(m)), windows.PAGE_EXECUTE_READ, &old)
}

// discard returns pages to the system, but not their addresses.
func discard(m []byte) { windows.VirtualFree(address(m), uintptr(len(m)), windows.MEM_DECOMMIT) }

// allocate returns zeroed memory outside of Go's heap, at least n bytes in whole pages.
func allocate(n int) ([]byte, error) {
	n = pages(n)
	at, err := windows.VirtualAlloc(0, uintptr(n), windows.MEM_COMMIT|windows.MEM_RESERVE, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	// The address is outside of Go's heap, so the conversion from uintptr is safe.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), n), nil
}

// release frees memory that allocate returned.
func release(m []byte) {
	if len(m) > 0 {
		windows.VirtualFree(address(m), 0, windows.MEM_RELEASE)
	}
}
