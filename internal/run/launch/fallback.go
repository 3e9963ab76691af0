package launch

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/interp"
)

// A Fallback is why an executor leaves a kernel, or one launch of it, to the reference
// executor. docs/reference-executor.md lists the reasons.
type Fallback struct {
	Reason string
	Bug    *InternalError // not nil: the reason is a bug of ours
}

func (f *Fallback) String() string {
	if f.Bug != nil {
		return f.Bug.Error()
	}
	return f.Reason
}

// Leave makes a kernel ready on the reference executor, for a reason.
func Leave(f *ssa.Func, checks interp.Checks, why *Fallback) (Code, error) {
	c, err := Reference.Prepare(f, checks, nil)
	if err != nil {
		return nil, err
	}
	return left{c, why}, nil
}

// Without returns the reference executor for a machine that has no other, for a reason.
func Without(reason string) Executor { return without{Reference, &Fallback{Reason: reason}} }

type without struct {
	Executor
	why *Fallback
}

func (w without) Prepare(f *ssa.Func, checks interp.Checks, _ *interp.NDRange) (Code, error) {
	return Leave(f, checks, w.why)
}

// left is code of the reference executor's that another was asked for.
type left struct {
	Code
	why *Fallback
}

func (l left) NewExecution(env *interp.Env, workers int) (Execution, error) {
	return LeaveLaunch(l.Code, env, workers, l.why)
}

// LeaveLaunch prepares a launch on the reference executor, for a reason.
func LeaveLaunch(reference Code, env *interp.Env, workers int, why *Fallback) (Execution, error) {
	x, err := reference.NewExecution(env, workers)
	if err != nil {
		return nil, err
	}
	return leftExecution{x, why}, nil
}

type leftExecution struct {
	Execution
	why *Fallback
}
