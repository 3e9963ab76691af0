package gangexec

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// A Machine makes gang functions run.
type Machine interface {
	// Name is what a report calls the executor.
	Name() string
	// Lanes is how many work-items a gang has.
	Lanes() int
	// Make readies a function. An error says what the machine has no instructions for.
	Make(f *gang.Func) (Program, error)
}

// A Program is a function that is ready. Several workers may use it.
type Program interface {
	// NewRunner returns what one worker runs the function with.
	NewRunner() (Runner, error)
}

// A Runner runs a function for one worker.
type Runner interface {
	Run(c *gang.Context) error
}

// Interpreter is the machine that interprets gang functions, for tests.
func Interpreter(lanes int) Machine { return interpreter(lanes) }

type interpreter int

func (n interpreter) Name() string { return fmt.Sprintf("gang%d", int(n)) }

func (n interpreter) Lanes() int { return int(n) }

func (n interpreter) Make(f *gang.Func) (Program, error) {
	if err := gang.Verify(f); err != nil {
		return nil, err
	}
	return interpreted{f}, nil
}

type interpreted struct{ *gang.Func }

func (p interpreted) NewRunner() (Runner, error) { return p.Func, nil }

// Why a kernel, or one launch of it, runs on the reference executor; packages gang and spmd have
// more reasons. docs/reference-executor.md explains all of them.
const (
	reasonChecks   = "checks are on"
	reasonNoKernel = "not a kernel"
	reasonCalls    = "calls of functions that are not inlined"
	reasonRange    = "global ids of 2^31 and more"
	reasonLimit    = "a limit of private memory is set"
	reasonPointer  = "a pointer argument that does not point to the beginning of an object"
	reasonPrivate  = "more than 1 GiB of private memory for the work-items that run at once"
	reasonLarge    = "an object of 1 GiB and more"
)

// For returns the executor of a machine.
func For(m Machine) exec.Executor { return executor{m} }

type executor struct{ m Machine }

func (e executor) Name() string { return e.m.Name() }

func (e executor) Prepare(f *ssa.Func, checks exec.Checks, _ *exec.NDRange) (exec.Code, error) {
	if checks != exec.ChecksNone {
		return interp.Leave(f, checks, &exec.Fallback{Reason: reasonChecks})
	}
	c, err := Compile(f, e.m)
	if err != nil {
		why := &exec.Fallback{Reason: err.Error()}
		errors.As(err, &why.Bug)
		return interp.Leave(f, checks, why)
	}
	return c, nil
}

// A Code is a kernel for a machine.
type Code struct {
	f              *ssa.Func
	m              Machine
	groups         bool // work-groups can be told apart
	orderSensitive bool
	plan           *spmd.Plan
	full           Program
	fullFunc       *gang.Func
	allocas        []*ssa.Alloca // private objects, in order of their numbers
	times          timing.Times

	partialOnce sync.Once
	partial     Program
	partialErr  error

	refOnce sync.Once
	ref     exec.Code
	refErr  error
}

// Compile makes a kernel's code. An error says what it cannot do.
func Compile(f *ssa.Func, m Machine) (c *Code, err error) {
	var clock timing.Clock
	clock.Begin(timing.SPMD)
	if c, err = prepare(f); err != nil {
		return nil, err
	}
	c.m = m
	clock.Begin(timing.Codegen)
	c.fullFunc, c.full, err = c.make(true)
	clock.Begin(timing.None)
	c.times = clock.Times
	if err != nil {
		return nil, err
	}
	for _, r := range c.fullFunc.Roots {
		if r.Kind == gang.RootPrivate {
			c.allocas = append(c.allocas, r.Local.Sym.(*ssa.Alloca))
		}
	}
	return c, nil
}

// Function returns a kernel's gang function for gangs of so many lanes, whole ones or any.
func Function(f *ssa.Func, lanes int, full bool) (*gang.Func, error) {
	c, err := prepare(f)
	if err != nil {
		return nil, err
	}
	return gang.Build(c.plan, gang.Options{Lanes: lanes, Full: full})
}

// prepare makes a kernel's plan.
func prepare(f *ssa.Func) (c *Code, err error) {
	c = &Code{f: f}
	if f.Kernel == nil {
		return nil, errors.New(reasonNoKernel)
	}
	if slices.ContainsFunc(f.Blocks, func(b *ssa.Block) bool {
		return slices.ContainsFunc(b.Values, func(v *ssa.Value) bool { return v.Op == ssa.OpCall })
	}) {
		if c.f = opt.Flat(f); c.f == nil {
			return nil, errors.New(reasonCalls)
		}
	}
	if err := c.survey(); err != nil {
		return nil, err
	}
	c.plan, err = spmd.Prepare(c.f, spmd.Options{RowUniform: true, GroupUniform: true})
	return c, err
}

// make builds the function for whole gangs or for others. A panic becomes an
// *exec.InternalError.
func (c *Code) make(full bool) (f *gang.Func, p Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			e := exec.NewInternalError(r)
			e.Kernel, e.Doing = c.f.Name, fmt.Sprintf("making %s code of", c.m.Name())
			err = e
		}
	}()
	if f, err = gang.Build(c.plan, gang.Options{Lanes: c.m.Lanes(), Full: full}); err != nil {
		return nil, nil, err
	}
	p, err = c.m.Make(f)
	return f, p, err
}

// partialProgram returns the code for gangs with fewer work-items than lanes.
func (c *Code) partialProgram() (Program, error) {
	c.partialOnce.Do(func() { _, c.partial, c.partialErr = c.make(false) })
	return c.partial, c.partialErr
}

// survey finds what tells work-groups apart and whether their order matters.
func (c *Code) survey() error {
	used := c.f.UseCounts(nil)
	for _, a := range c.f.Kernel.Args {
		c.groups = c.groups || a.Kind == ssa.ArgLocal
	}
	for _, b := range c.f.Blocks {
		for _, v := range b.Values {
			switch v.Op {
			case ssa.OpCall, ssa.OpExtern:
				return fmt.Errorf("%s: %v", reasonCalls, v.Op)
			case ssa.OpGlobalAddr:
				c.groups = c.groups || v.Sym.(*ssa.Global).Kind == ssa.PtrLocal
			case ssa.OpWorkItem:
				switch ssa.WorkItemQuery(v.Aux) {
				case ssa.LocalID, ssa.GroupID, ssa.LocalSize, ssa.LocalLinearID:
					c.groups = true
				}
			case ssa.OpAtomicRMW, ssa.OpAtomicCAS:
				k := v.Args[0].Type.K
				rmw, _, _ := ssa.AtomicParts(v.Aux)
				if (k == ssa.PtrGlobal || k == ssa.PtrGeneric) && (used[v.ID] > 0 || v.Op == ssa.OpAtomicCAS || v.Type.K.Num().IsFloat() || rmw == ssa.RMWXchg) {
					c.orderSensitive = true
				}
			}
		}
	}
	return nil
}

// Executor is the machine's name.
func (c *Code) Executor() string { return c.m.Name() }

// OrderSensitive reports whether the result may depend on the order of work-groups.
func (c *Code) OrderSensitive() bool { return c.orderSensitive }

// Times is how long the code took to make.
func (c *Code) Times() timing.Times { return c.times }

// Func returns the gang function for whole gangs.
func (c *Code) Func() *gang.Func { return c.fullFunc }

// Program returns the code for whole gangs.
func (c *Code) Program() Program { return c.full }

// leave prepares a launch on the reference executor.
func (c *Code) leave(env *exec.Env, workers int, reason string) (exec.Execution, error) {
	c.refOnce.Do(func() { c.ref, c.refErr = interp.Reference.Prepare(c.f, exec.ChecksNone, nil) })
	if c.refErr != nil {
		return nil, c.refErr
	}
	x, err := c.ref.NewExecution(env, workers)
	if err != nil {
		return nil, err
	}
	return (&exec.Fallback{Reason: reason}).Execution(x), nil
}
