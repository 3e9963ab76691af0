package exec

import "github.com/purecl/purecl/internal/ir/ssa"

// A Fallback is the reason why an executor leaves a kernel, or one launch of it, to the reference executor.
// docs/reference-executor.md lists the reasons.
type Fallback struct {
	Reason string
	Bug    *InternalError // not nil: the reason is a bug in PureCL
}

func (f *Fallback) String() string {
	if f.Bug != nil {
		return f.Bug.Error()
	}
	return f.Reason
}

// Executor returns the reference executor for a machine without another one. Its launches report the reason f.
func (f *Fallback) Executor(reference Executor) Executor { return fallbackExecutor{reference, f} }

// Code returns the reference executor's code of a kernel, whose launches report the reason f.
func (f *Fallback) Code(reference Code) Code { return fallbackCode{reference, f} }

// Execution returns a launch on the reference executor that reports the reason f.
func (f *Fallback) Execution(reference Execution) Execution { return fallbackExecution{reference, f} }

// FallbackOf returns the fallback reason of a launch, nil if it has none.
func FallbackOf(x Execution) *Fallback {
	if x, ok := x.(fallbackExecution); ok {
		return x.why
	}
	return nil
}

type fallbackExecutor struct {
	Executor
	why *Fallback
}

func (e fallbackExecutor) Prepare(f *ssa.Func, checks Checks, first *NDRange) (Code, error) {
	c, err := e.Executor.Prepare(f, checks, first)
	if err != nil {
		return nil, err
	}
	return e.why.Code(c), nil
}

type fallbackCode struct {
	Code
	why *Fallback
}

func (c fallbackCode) NewExecution(env *Env, workers int) (Execution, error) {
	x, err := c.Code.NewExecution(env, workers)
	if err != nil {
		return nil, err
	}
	return c.why.Execution(x), nil
}

type fallbackExecution struct {
	Execution
	why *Fallback
}
