package cuda

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/windows"
)

// load loads nvcuda.dll from the system's folder.
func load() (*driver, error) {
	lib := windows.NewLazySystemDLL("nvcuda.dll")
	if err := lib.Load(); err != nil {
		return nil, fmt.Errorf("no NVIDIA driver: nvcuda.dll cannot be loaded (%w)", err)
	}
	d := &driver{}
	for i, name := range symbols {
		p := lib.NewProc(name)
		if p.Find() != nil {
			return nil, fmt.Errorf("the NVIDIA driver is too old: nvcuda.dll has no function %s", name)
		}
		d.address[i] = p.Addr()
	}
	return d, nil
}

func callAddress(f uintptr, args []uintptr) uintptr {
	r, _, _ := syscall.SyscallN(f, args...)
	return r
}
