package interp

import (
	"time"

	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Reference is the reference executor.
var Reference exec.Executor = reference{}

// Leave prepares a kernel of another executor on this one, for a reason that its launches report.
func Leave(f *ssa.Func, checks exec.Checks, why *exec.Fallback) (exec.Code, error) {
	c, err := Reference.Prepare(f, checks, nil)
	if err != nil {
		return nil, err
	}
	return why.Code(c), nil
}

type reference struct{}

func (reference) Name() string { return "reference" }

func (reference) Prepare(f *ssa.Func, checks exec.Checks, _ *exec.NDRange) (exec.Code, error) {
	var c timing.Clock
	c.Begin(timing.Reference)
	p, err := Compile(f, checks)
	c.Begin(timing.None)
	if err != nil {
		return nil, err
	}
	return &code{p, c.Times}, nil
}

// code is a kernel prepared by the reference executor.
type code struct {
	p     *Program
	times timing.Times
}

func (c *code) Executor() string { return Reference.Name() }

func (c *code) OrderSensitive() bool { return c.p.OrderSensitive }

func (c *code) Times() timing.Times { return c.times }

func (c *code) NewExecution(env *exec.Env, workers int) (exec.Execution, error) {
	r, err := NewRun(c.p, env, workers)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Batches returns the number of batches.
func (r *Run) Batches() int64 { return r.batches }

// Most returns one: a batch takes long.
func (r *Run) Most() int64 { return 1 }

// Estimate returns 0: the duration is unknown.
func (r *Run) Estimate() time.Duration { return 0 }

// Took does nothing.
func (r *Run) Took(int64, time.Duration) {}

// End does nothing: the execution has no resources to release.
func (r *Run) End([]exec.BatchWorker) {}

// Unwatched returns the names of the objects that are too large for the race observer.
func (r *Run) Unwatched() []string {
	if r.races == nil {
		return nil
	}
	return r.races.skipped
}

// Raced reports whether the run saw accesses that may race: see [exec.RaceMode].
func (r *Run) Raced() bool { return r.raced.Load() }

// Findings merges the workers' findings.
func (r *Run) Findings(workers []exec.BatchWorker) []*exec.Finding {
	logs := make([]*exec.FindingLog[findingKey], len(workers))
	for i, w := range workers {
		logs[i] = &w.(*worker).findings
	}
	return exec.MergeFindings(logs)
}

// Do executes batches.
func (x *worker) Do(from, to int64) error {
	defer fpenv.EnterKernel(x.p.Kernel.Kernel.FlushSubnormals).Leave()
	for b := from; b < to; b++ {
		if x.begin(b) {
			x.cols.act = append(x.cols.act[:0], span{0, int32(x.n)})
			if x.exec(x.p.fns[0], 0); !x.aborted {
				x.leftCopies()
			}
		}
		if x.run.printer != nil {
			if err := x.run.printer.Deliver(b, x.text.Drain()); err != nil {
				return err
			}
		}
	}
	return nil
}
