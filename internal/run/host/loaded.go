package host

import (
	"runtime"
	"slices"
	"sync"

	"github.com/purecl/purecl/internal/run/exec"
)

// loaded is an executable on devices with memory of their own. Each device has its own program-scope variables. It
// lives as long as kernels of it.
type loaded struct {
	module *exec.Module
	mu     sync.Mutex
	list   []loadedOn
}

type loadedOn struct {
	r    *remote
	prog exec.Program
}

// on returns the executable of a device.
func (b *build) on(d *Device) (exec.Program, error) {
	if d.remote == nil {
		return b.code, nil
	}
	l := b.loaded
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.list, func(x loadedOn) bool { return x.r == d.remote }); i >= 0 {
		return l.list[i].prog, nil
	}
	prog, err := d.remote.dev.Load(l.module)
	if err != nil {
		return nil, err
	}
	runtime.AddCleanup(l, func(p exec.Program) { p.Close() }, prog)
	l.list = append(l.list, loadedOn{d.remote, prog})
	return prog, nil
}
