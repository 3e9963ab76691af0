package debug

import (
	"bytes"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/test/difftest"
	"github.com/purecl/purecl/internal/test/filetest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

// TestSameResults checks that a program compiled for the debugger has the results and findings of the optimised
// program, on the reference executor and step by step, for several orders of the work-items' steps. The expected
// results are those of the run tests. A Stepper does not find races: the reference executor adds them.
func TestSameResults(t *testing.T) {
	reference := difftest.Debugged("debugged", interp.Reference)
	filetest.Runs(t, "../compile/testdata/run", reference, difftest.Debugged("stepped", stepping{"together", -1}), difftest.Debugged("one by one", stepping{"first", 0}))
	filetest.Runs(t, "../test/difftest/testdata/checks", reference, withRaces(difftest.Debugged("stepped", stepping{"together", -1}), reference))
}

// withRaces adds the races that another executor reports.
func withRaces(e, races filetest.Executor) filetest.Executor {
	return filetest.Executor{Name: e.Name, Run: func(c *filetest.Case) (*filetest.Result, error) {
		res, err := e.Run(c)
		if err != nil {
			return nil, err
		}
		all, err := races.Run(c)
		if err != nil {
			return nil, err
		}
		for _, f := range all.Findings {
			if strings.HasPrefix(f.Code, "race-") {
				res.Findings = append(res.Findings, f)
			}
		}
		return res, nil
	}}
}

// TestRandom does the same with random kernels without undefined behaviour.
func TestRandom(t *testing.T) {
	want := difftest.On("optimised", interp.Reference)
	configs := []filetest.Executor{difftest.Debugged("stepped", stepping{"together", -1}), difftest.Debugged("one by one", stepping{"first", 0})}
	for seed := range uint64(8) {
		k := kerneltest.Random(seed+1, 6)
		c := k.Case()
		a, err := want.Run(c)
		if err != nil {
			t.Fatalf("seed %d: %v", seed+1, err)
		}
		for _, config := range configs {
			b, err := config.Run(c)
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed+1, config.Name, err)
			}
			if !maps.EqualFunc(a.Buffers, b.Buffers, bytes.Equal) {
				t.Fatalf("seed %d: %s gives another result than the optimised program:\n%s", seed+1, config.Name, k.Source())
			}
		}
	}
}

// stepping is an executor that uses a Stepper. It prefers a work-item, or none if that is -1.
type stepping struct {
	name   string
	prefer int
}

func (e stepping) Name() string { return e.name }

func (e stepping) Prepare(f *ssa.Func, checks exec.Checks, _ *exec.NDRange) (exec.Code, error) {
	p, err := interp.CompileStepped(f, checks)
	return &steppedCode{e, p}, err
}

type steppedCode struct {
	e stepping
	p *interp.Program
}

func (c *steppedCode) Executor() string     { return c.e.name }
func (c *steppedCode) OrderSensitive() bool { return true }
func (c *steppedCode) Times() timing.Times  { return timing.Times{} }
func (c *steppedCode) NewExecution(env *exec.Env, _ int) (exec.Execution, error) {
	s, err := interp.NewStepper(c.p, env, func(f *ssa.Func, pos diag.Pos) int { return -1 })
	return &steppedRun{c.e, s, env}, err
}

type steppedRun struct {
	e   stepping
	s   *interp.Stepper
	env *exec.Env
}

func (r *steppedRun) Batches() int64                              { return 1 }
func (r *steppedRun) Most() int64                                 { return 1 }
func (r *steppedRun) NewWorker(int) exec.BatchWorker              { return r }
func (r *steppedRun) Estimate() time.Duration                     { return 0 }
func (r *steppedRun) Took(int64, time.Duration)                   {}
func (r *steppedRun) Watch(exec.RaceMode, exec.RaceMarks)         {}
func (r *steppedRun) Raced() bool                                 { return false }
func (r *steppedRun) Marks() exec.RaceMarks                       { return nil }
func (r *steppedRun) Unwatched() []string                         { return nil }
func (r *steppedRun) End([]exec.BatchWorker)                      {}
func (r *steppedRun) Findings([]exec.BatchWorker) []*exec.Finding { return r.s.Findings() }

func (r *steppedRun) Do(int64, int64) error {
	defer r.s.Enter()()
	for r.s.NextGroup() {
		prefer := r.prefer()
		for n := 0; r.s.Next(prefer); n++ {
			if r.s.Run(); n%16 == 0 {
				prefer = r.prefer()
			}
		}
	}
	if r.env.Printf != nil {
		_, err := r.env.Printf.Write(r.s.Printed)
		return err
	}
	return nil
}

// prefer returns the work-item to prefer: the first that has not ended.
func (r *steppedRun) prefer() int {
	if r.e.prefer < 0 {
		return -1
	}
	for i := range r.s.Lanes() {
		if status, _ := r.s.Status(i); status == interp.LaneRuns {
			return i
		}
	}
	return -1
}
