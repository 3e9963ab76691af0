package launch

import (
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/interp"
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
// NewWorker may be called by several of those who work at once.
type Execution interface {
	Batches() int64
	// Most is how many batches a worker should take at once at most, so that it asks now
	// and then whether it is to go on.
	Most() int64
	NewWorker() BatchWorker
	// Estimate is how long the launch would take one worker, 0 where nothing is known, and
	// Took says how long so many batches took one.
	Estimate() time.Duration
	Took(batches int64, d time.Duration)
	// Watch says what the execution does about races, before it begins; marks are those of
	// another one, for interp.ExplainRaces. Raced reports whether accesses were seen that may
	// race, Marks ends an execution that marked them.
	Watch(mode interp.RaceMode, marks *interp.RaceMarks)
	Raced() bool
	Marks() *interp.RaceMarks
	// Unwatched returns the names of memory objects that are too large for the race
	// observer.
	Unwatched() []string
	// Findings merges what the workers found.
	Findings(workers []BatchWorker) []*interp.Finding
	// End lets go of the workers and of what the execution has; none of it is used after.
	End(workers []BatchWorker)
}

// A BatchWorker executes batches.
type BatchWorker interface {
	// Do executes the batches from the first number to before the second. An error is a
	// fault of the executor, not of the kernel.
	Do(from, to int64) error
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

func (r referenceRun) NewWorker() BatchWorker { return referenceWorker{r.Run.NewWorker()} }

// Most is one: a batch takes long.
func (r referenceRun) Most() int64 { return 1 }

func (r referenceRun) Estimate() time.Duration { return 0 }

func (r referenceRun) Took(int64, time.Duration) {}

func (r referenceRun) End([]BatchWorker) {}

type referenceWorker struct{ w *interp.Worker }

func (w referenceWorker) Do(from, to int64) error {
	for b := from; b < to; b++ {
		if err := w.w.Do(b); err != nil {
			return err
		}
	}
	return nil
}

func (r referenceRun) Findings(workers []BatchWorker) []*interp.Finding {
	ws := make([]*interp.Worker, len(workers))
	for i, w := range workers {
		ws[i] = w.(referenceWorker).w
	}
	return interp.Findings(ws)
}
