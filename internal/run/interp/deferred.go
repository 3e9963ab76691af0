package interp

import (
	"sync"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Deferred is a kernel of another executor that is prepared for the reference executor, without
// checks, when the first launch needs it. The zero value is ready; it is safe for concurrent use.
type Deferred struct {
	once sync.Once
	code exec.Code
	err  error
}

// NewExecution returns a launch of f on the reference executor, which reports the reason why.
func (d *Deferred) NewExecution(f *ssa.Func, env *exec.Env, workers int, why *exec.Fallback) (exec.Execution, error) {
	d.once.Do(func() { d.code, d.err = Reference.Prepare(f, exec.ChecksNone, nil) })
	if d.err != nil {
		return nil, d.err
	}
	x, err := d.code.NewExecution(env, workers)
	if err != nil {
		return nil, err
	}
	return why.Execution(x), nil
}
