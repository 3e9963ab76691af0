package gangexec

import (
	"errors"
	"fmt"
	"sync"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/target"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// A Machine makes gang functions executable.
type Machine interface {
	// Name is the executor's name in reports.
	Name() string
	// Lanes is the number of work-items of a gang.
	Lanes() int
	// Make compiles a function. An error names an operation that the machine has no instructions for.
	Make(f *gang.Func) (Program, error)
}

// A Targeted machine has native patterns of accesses.
type Targeted interface {
	Machine
	Target() *target.Target
}

// A Program is an executable function. Several workers may use it at once.
type Program interface {
	// NewRunner returns one worker's state for the function.
	NewRunner() (Runner, error)
}

// A Runner runs a function for one worker.
type Runner interface {
	Run(c *gang.Context) error
}

// A Waiter is a runner of a function with barriers at which gangs wait for each other. Each live gang needs its
// own.
type Waiter interface {
	Runner
	// Begin starts the gang that the context describes.
	Begin(c *gang.Context)
	// Resume runs until the gang waits at a barrier, which it returns, or ends. The context must describe the
	// gang again.
	Resume() (barrier *gang.Inst, err error)
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

// LargeInterpreter is Interpreter with functions for objects of any size, even for launches with small objects.
func LargeInterpreter(lanes int) Machine { return largeInterpreter{interpreter(lanes)} }

type largeInterpreter struct{ interpreter }

func (n largeInterpreter) Name() string { return n.interpreter.Name() + "large" }

// TargetInterpreter is Interpreter with functions for a target's native patterns of accesses.
func TargetInterpreter(lanes int, name string, t *target.Target) Machine {
	return targetInterpreter{interpreter(lanes), name, t}
}

type targetInterpreter struct {
	interpreter
	name   string
	target *target.Target
}

func (n targetInterpreter) Name() string { return n.interpreter.Name() + n.name }

func (n targetInterpreter) Target() *target.Target { return n.target }

type interpreted struct{ *gang.Func }

func (p interpreted) NewRunner() (Runner, error) { return &interpretedGang{f: p.Func}, nil }

type interpretedGang struct {
	f *gang.Func
	*gang.State
}

func (g *interpretedGang) Run(c *gang.Context) error { return g.f.Run(c) }

func (g *interpretedGang) Begin(c *gang.Context) { g.State = g.f.NewState(c) }

// Reasons for a kernel, or one launch of it, to run on the reference executor. Packages gang and spmd have
// more. docs/reference-executor.md explains all of them.
const (
	reasonChecks    = "checks are on"
	reasonNoKernel  = "not a kernel"
	reasonCalls     = "calls of functions that are not inlined"
	reasonRange     = "global ids of 2^31 and more"
	reasonLimit     = "a limit of private memory is set"
	reasonSubGroups = "sub-groups that are not within a row of work-items"
	reasonPointer   = "a pointer argument that does not point to the beginning of an object"
	reasonPrivate   = "more than 1 GiB of private memory for the work-items that run at once"
	reasonObject    = "an object of 512 GiB and more"
)

// maxObject is the size, in bytes, of the smallest object that pointers cannot address.
const maxObject = 1 << 39

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
	source, f *ssa.Func // see Kernels
	m         Machine
	Facts
	times timing.Times

	mu    sync.Mutex
	units map[unitKey]*unit

	ref interp.Deferred
}

// A unitKey identifies a variant of the code: the gangs and launches that it is for.
type unitKey struct {
	full  bool      // all lanes of each gang are work-items
	large bool      // for objects of any size
	rows  bool      // gangs of several rows
	local [3]uint64 // the size of all work-groups if the code is for one size, else zeros
}

// A unit is a gang function ready to run.
type unit struct {
	f        *gang.Func
	program  Program
	privates []object // in order of their numbers
	private  uint64   // bytes of private memory of a lane
	err      error    // the error that prevented it
}

// Compile compiles a kernel. An error names an operation that cannot be compiled.
func Compile(f *ssa.Func, m Machine) (*Code, error) {
	c, err := newCode(f, m)
	if err != nil {
		return nil, err
	}
	return c, c.unit(unitKey{full: true}).err
}

// Function returns a kernel's gang function for gangs of that many lanes. If full is false, its gangs may have
// inactive lanes.
func Function(f *ssa.Func, lanes int, full bool) (*gang.Func, error) {
	c, err := newCode(f, Interpreter(lanes))
	if err != nil {
		return nil, err
	}
	return c.build(unitKey{full: full}, &timing.Clock{})
}

func newCode(f *ssa.Func, m Machine) (*Code, error) {
	source, f, err := Kernels(f)
	if err != nil {
		return nil, err
	}
	c := &Code{source: source, f: f, m: m, units: map[unitKey]*unit{}}
	c.Facts, err = FactsOf(c.f)
	return c, err
}

// build makes a gang function. Code versions for uniform cases pay only in full gangs.
func (c *Code) build(key unitKey, clock *timing.Clock) (*gang.Func, error) {
	clock.Begin(timing.SPMD)
	s := spmd.Options{RowUniform: true, GroupUniform: true, Versions: key.full, Gangs: true}
	s.Scalar = c.m.Lanes() == 1 && spmd.Scalarable(c.f)
	o := gang.Options{Lanes: c.m.Lanes(), Full: key.full, Large: key.large, OneReturn: c.Returns <= 1}
	if m, ok := c.m.(Targeted); ok {
		o.Target = m.Target()
		if o.Target.RowPiece != 0 && !key.large {
			s.Rows = o.Target.VectorBytes
		}
		if key.rows {
			s.Coarsen = spmd.Coarsening{Registers: o.Target.VectorRegs, Piece: s.Rows, Always: true}
		}
		if key.local[0] != 0 {
			s.Unfold = spmd.Unfolding{Lanes: c.m.Lanes(), Local: key.local, Registers: o.Target.VectorRegs, Width: o.Target.VectorBytes}
		}
	}
	var p *spmd.Plan
	if s.Unfold.Lanes > 0 && c.Barriers && o.Target.Permutes.Has(4) {
		p = spmd.Evaluate(c.f, s)
	}
	if p == nil {
		var err error
		if p, err = spmd.Prepare(c.f, s); err != nil {
			return nil, err
		}
	}
	clock.Begin(timing.Gang)
	return gang.Build(p, o)
}

// unit returns the unit of a key and makes it on first use.
func (c *Code) unit(key unitKey) *unit {
	if _, ok := c.m.(largeInterpreter); ok {
		key.large = true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.units[key]
	if u == nil {
		u = &unit{}
		u.err = c.make(u, key)
		c.units[key] = u
	}
	return u
}

// make makes a unit. It returns a panic as an *exec.InternalError.
func (c *Code) make(u *unit, key unitKey) (err error) {
	var clock timing.Clock
	defer func() {
		clock.Begin(timing.None)
		c.times.Add(&clock.Times)
		if r := recover(); r != nil {
			e := exec.NewInternalError(r)
			e.Kernel, e.Doing = c.f.Name, fmt.Sprintf("making %s code of", c.m.Name())
			err = e
		}
	}()
	if u.f, err = c.build(key, &clock); err != nil {
		return err
	}
	if u.program, err = c.m.Make(u.f); err != nil {
		return err
	}
	for _, r := range u.f.Roots {
		if r.Kind == gang.RootPrivate {
			o := object{private: true, name: r.Name, size: uint64(r.Size), at: (u.private + 15) &^ 15}
			u.private = o.at + o.size
			u.privates = append(u.privates, o)
		}
	}
	return nil
}

// Executor returns the machine's name.
func (c *Code) Executor() string { return c.m.Name() }

// OrderSensitive reports whether the result may depend on the order of work-groups.
func (c *Code) OrderSensitive() bool { return c.Ordered }

// Times returns the compile times so far.
func (c *Code) Times() timing.Times {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.times
}

// Func returns the gang function for whole gangs.
func (c *Code) Func() *gang.Func { return c.unit(unitKey{full: true}).f }

// Program returns the code for whole gangs.
func (c *Code) Program() Program { return c.unit(unitKey{full: true}).program }

// leave prepares a launch on the reference executor.
func (c *Code) leave(env *exec.Env, workers int, reason string) (exec.Execution, error) {
	return c.ref.NewExecution(c.source, env, workers, &exec.Fallback{Reason: reason})
}
