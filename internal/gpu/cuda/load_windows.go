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
	return d, d.find("nvcuda.dll", func(name string) (uintptr, error) {
		p := lib.NewProc(name)
		if err := p.Find(); err != nil {
			return 0, err
		}
		return p.Addr(), nil
	})
}

func callAddress(f uintptr, args []uintptr) uintptr {
	r, _, _ := syscall.SyscallN(f, args...)
	return r
}
