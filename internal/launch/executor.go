package launch

import (
	"github.com/purecl/purecl/internal/interp"
	"github.com/purecl/purecl/internal/ssa"
	"github.com/purecl/purecl/internal/timing"
)

// An Executor runs kernels. The reference executor is [Reference]; machine code is
// another.
type Executor interface {
	// Name is what a report calls it.
	Name() string
	// Prepare makes a kernel ready to run with the checks given. It is called once for
	// each kernel and level and may be slow. first is the range of the launch that needs
	// it, or nil: what that range takes may be made side by side, the code is good for all.
	Prepare(f *ssa.Func, checks interp.Checks, first *interp.NDRange) (Code, error)
}

// Code is a kernel that an Executor has made ready. It may be shared.
type Code interface {
	// Executor is the name of what runs it: an executor may leave a kernel to another.
	Executor() string
	// OrderSensitive reports whether the result may depend on the order of work-groups
	// even though nothing races.
	OrderSensitive() bool
	// Times is how long it took to make, so far.
	Times() timing.Times
	// NewExecution prepares a launch for so many workers; an error says that it needs
	// more than the environment's limits allow.
	NewExecution(env *interp.Env, workers int) (Execution, error)
}

// An Execution is a launch: batches of work-items that workers execute in any order.
type Execution interface {
	Batches() int64
	NewWorker() BatchWorker
	// Raced reports whether a data race was seen, Explain asks for reports of both its
	// parties from an execution with one worker.
	Raced() bool
	Explain()
	// Unwatched returns the names of memory objects that are too large for the race
	// observer.
	Unwatched() []string
	// Findings merges what the workers found.
	Findings(workers []BatchWorker) []*interp.Finding
}

// A BatchWorker executes batches, one at a time.
type BatchWorker interface {
	// Do executes a batch. An error is a fault of the executor, not of the kernel.
	Do(batch int64) error
}

// Reference is the reference executor.
var Reference Executor = reference{}

type reference struct{}

func (reference) Name() string { return "reference" }

func (reference) Prepare(f *ssa.Func, checks interp.Checks, _ *interp.NDRange) (Code, error) {
	var c timing.Clock
	c.Begin(timing.Reference)
	p, err := interp.Compile(f, checks)
	c.Begin(timing.None)
	if err != nil {
		return nil, err
	}
	return &referenceCode{p, c.Times}, nil
}

type referenceCode struct {
	p     *interp.Program
	times timing.Times
}

func (c *referenceCode) Executor() string { return Reference.Name() }

func (c *referenceCode) OrderSensitive() bool { return c.p.OrderSensitive }

func (c *referenceCode) Times() timing.Times { return c.times }

func (c *referenceCode) NewExecution(env *interp.Env, workers int) (Execution, error) {
	r, err := interp.NewRun(c.p, env, workers)
	if err != nil {
		return nil, err
	}
	return referenceRun{r}, nil
}

type referenceRun struct{ *interp.Run }

func (r referenceRun) NewWorker() BatchWorker { return r.Run.NewWorker() }

func (r referenceRun) Findings(workers []BatchWorker) []*interp.Finding {
	ws := make([]*interp.Worker, len(workers))
	for i, w := range workers {
		ws[i] = w.(*interp.Worker)
	}
	return interp.Findings(ws)
}
