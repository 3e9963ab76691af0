package cuda

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// load loads libcuda.
func load() (*driver, error) {
	var lib uintptr
	var err error
	for _, name := range []string{"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"} {
		if lib, err = purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL); err == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("no NVIDIA driver: libcuda.so.1 cannot be loaded (%w)", err)
	}
	d := &driver{}
	if err := d.find("libcuda.so.1", func(name string) (uintptr, error) { return purego.Dlsym(lib, name) }); err != nil {
		return nil, err
	}
	// The driver loads its compiler for the first module. Loaded beside cuInit, it does not delay that module.
	go purego.Dlopen("libnvidia-ptxjitcompiler.so.1", purego.RTLD_NOW|purego.RTLD_LOCAL)
	return d, nil
}

func callAddress(f uintptr, args []uintptr) uintptr {
	r, _, _ := purego.SyscallN(f, args...)
	return r
}
