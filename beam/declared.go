package beam

import (
	"fmt"
	"sync"
)

// declarations holds the declared functions by kernel, because functions are not sent to workers. Workers run the
// same program, and have declared the same kernels with the same functions.
var declarations struct {
	sync.Mutex
	list map[string]any // by Kernel.key; nil: declared twice
}

// declare records the functions of a kernel.
func declare(k Kernel, functions any) {
	declarations.Lock()
	defer declarations.Unlock()
	if declarations.list == nil {
		declarations.list = map[string]any{}
	}
	if _, twice := declarations.list[k.key()]; twice {
		functions = nil
	}
	declarations.list[k.key()] = functions
}

// declared returns the functions of a kernel.
func declared[F any](k Kernel) (f F, err error) {
	declarations.Lock()
	defer declarations.Unlock()
	v, ok := declarations.list[k.key()]
	f, fits := v.(F)
	switch {
	case !ok:
		return f, fmt.Errorf("beam: kernel %q is not declared on this worker: declare it in a package-level variable", k.Name)
	case v == nil:
		return f, fmt.Errorf("beam: kernel %q is declared twice: use one variable for it", k.Name)
	case !fits:
		return f, fmt.Errorf("beam: kernel %q is declared with other types on this worker", k.Name)
	}
	return f, nil
}
