package jit

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// executable returns readable and executable memory with the code. It is never writable and executable at once.
// A process that forbids dynamic code gets an error. FlushInstructionCache is not needed: processors of this
// architecture have coherent instruction caches.
func executable(code []byte) ([]byte, error) {
	m, err := allocate(len(code))
	if err != nil {
		return nil, err
	}
	copy(m, code)
	var old uint32
	if err := windows.VirtualProtect(address(m), uintptr(len(m)), windows.PAGE_EXECUTE_READ, &old); err != nil {
		release(m)
		return nil, err
	}
	return m, nil
}

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

// release frees memory that executable or allocate returned.
func release(m []byte) {
	if len(m) > 0 {
		windows.VirtualFree(address(m), 0, windows.MEM_RELEASE)
	}
}
