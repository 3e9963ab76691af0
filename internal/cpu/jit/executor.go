package jit

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/gangexec"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/imagecode"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// Options select the code that an executor makes. The zero value is for normal launches; other values fix the
// form of the code for tests and measurements.
type Options struct {
	Level       *x86.Level       // the level, which the processor must support; nil: the best one
	Lanes       int              // of a gang: Level.Lanes, or 2, 4 or 8 times that; 1: scalar code, if possible; 0: best for the kernel and its launches
	Large       bool             // for objects of any size
	Streams     bool             // with non-temporal stores, for launches that write much memory
	Ahead       bool             // with prefetches, for launches with accesses all over large objects
	Coarse      bool             // gangs of several rows of work-items, even without a gain
	Collapse    bool             // lanes lie along linear local ids if the kernel permits, even where rows are long
	SlowGathers bool             // compile as for a processor with slow gathers, which scalar code avoids
	Narrow      bool             // choose code as for a processor that updates memory faster by 32 bytes than by 64
	LaneDim     int              // the dimension of the lanes, if the kernel permits; 0: best for the launch
	Unfold      bool             // for exactly the work-group size of the first launch, if possible
	Panics      bool             // do not recover from a panic of the code generator
	Count       bool             // blocks count their executions; the counts are not reported
	Profile     *Profile         // collects times from counting code; may be nil
	Made        func(*Generated) // is called with all code, from several goroutines; may be nil
}

// String returns the name of the level and the other options.
func (o *Options) String() string {
	switch {
	case o.Large:
		return o.Level.Name + "-large"
	case o.Streams:
		return o.Level.Name + "-streams"
	case o.Ahead:
		return o.Level.Name + "-ahead"
	case o.Collapse && o.Unfold:
		return o.Level.Name + "-collapsed-first"
	case o.Unfold:
		return o.Level.Name + "-first"
	case o.Count:
		return o.Level.Name + "-counting"
	case o.Coarse:
		return o.Level.Name + "-coarse"
	case o.Collapse:
		return o.Level.Name + "-collapsed"
	case o.LaneDim != 0:
		return fmt.Sprint(o.Level.Name, "-lanedim", o.LaneDim)
	case o.Lanes != 0:
		return fmt.Sprint(o.Level.Name, "x", o.Lanes)
	}
	return o.Level.Name
}

// Executor returns the best executor for this machine: machine code if the processor supports it, else the
// reference executor.
func Executor() exec.Executor { return New(Options{}) }

// New returns an executor with options.
func New(o Options) exec.Executor {
	if o.Level == nil {
		o.Level = Level()
	}
	if o.Level != nil {
		return &executor{o}
	}
	if e := machineExecutor(o); e != nil && noLevel() != reasonOff {
		return e
	}
	return (&exec.Fallback{Reason: noLevel()}).Executor(interp.Reference)
}

// Executors returns the executors of every form of code that this processor supports, the lowest level first.
// They have the hooks of the options.
func Executors(hooks Options) (list []exec.Executor) {
	add := func(lv *x86.Level, o Options) {
		o.Level, o.Panics, o.Made = lv, hooks.Panics, hooks.Made
		list = append(list, New(o))
	}
	for _, lv := range Levels() {
		if lv.Base != nil {
			add(lv, Options{})
			continue
		}
		for _, n := range []int{0, 1, lv.Lanes, 2 * lv.Lanes, 4 * lv.Lanes, 8 * lv.Lanes} {
			add(lv, Options{Lanes: n})
		}
		add(lv, Options{Large: true})
		add(lv, Options{Streams: true})
		add(lv, Options{Ahead: true})
		add(lv, Options{Unfold: true})
		add(lv, Options{LaneDim: 1})
		add(lv, Options{Coarse: true})
		add(lv, Options{Collapse: true})
		add(lv, Options{Collapse: true, Unfold: true})
		add(lv, Options{Count: true})
	}
	if e := machineExecutor(hooks); e != nil {
		list = append(list, e)
	}
	return list
}

type executor struct{ o Options }

func (e *executor) Name() string { return e.o.String() }

func (e *executor) Prepare(f *ssa.Func, checks exec.Checks, first *exec.NDRange) (exec.Code, error) {
	if checks != exec.ChecksNone {
		return interp.Leave(f, checks, &exec.Fallback{Reason: reasonChecks})
	}
	c, err := newCode(f, e.o)
	if err != nil {
		return interp.Leave(f, checks, why(err))
	}
	if k := imagecode.New(c.f); k != nil {
		k.Words = true
		return &imageCode{e: e, c: c, kernel: k, formats: map[string]*formatCode{}}, nil
	}
	return e.finish(c, first)
}

// finish makes the first variant of a kernel, or falls back to the reference executor.
func (e *executor) finish(c *Code, first *exec.NDRange) (exec.Code, error) {
	if err := c.begin(first); err != nil {
		return interp.Leave(c.source, exec.ChecksNone, why(err))
	}
	return c, nil
}

// A Code is a kernel as machine code, with variants for its launches.
type Code struct {
	// gangexec.Kernels describes both. A kernel specialised for image formats has more parameters than the original. Its
	// source is the original's.
	source, f *ssa.Func
	o         Options
	gangexec.Facts
	base *variant // the first variant

	mu             sync.Mutex
	variants       map[variantKey]*variant
	backgroundMade int    // variants made in the background
	unsuited       uint64 // work-items launched without a suitable variant
	times          timing.Times

	dims   dimCosts
	scalar scalarCost
	flatMu sync.Mutex
	flat   map[[3]uint64]flatness

	unfold struct {
		once sync.Once
		ok   bool
	}
	steps struct {
		once   sync.Once
		params []int                  // spmd.StepParams
		known  [][maxStepParams]uint8 // for which there is code
	}

	tiles   tileSizes
	divides dividing

	collapsedSizes atomic.Int32 // sizes of collapsed work-groups for which launches have requested code
	ref            interp.Deferred
}

// Compile makes machine code of a kernel. An error is the reason for the fallback.
func Compile(f *ssa.Func, lv *x86.Level) (*Code, error) {
	return compileKernel(f, Options{Level: lv}, nil)
}

// compileKernel makes a kernel's first variant; first is the range of the first launch, or nil if unknown.
func compileKernel(f *ssa.Func, o Options, first *exec.NDRange) (*Code, error) {
	c, err := newCode(f, o)
	if err != nil {
		return nil, err
	}
	return c, c.begin(first)
}

// begin makes the first variant.
func (c *Code) begin(first *exec.NDRange) error {
	o := &c.o
	key := variantKey{level: o.Level, lanes: o.Lanes, large: o.Large, streams: o.Streams, ahead: o.Ahead}
	key.form = c.formFor(first)
	if o.Unfold && first != nil && first.Uniform() {
		key.local = key.rangeOf(first).Local
	}
	if c.base = c.exchanged(key, first); first != nil && !c.base.suits(first) {
		key.form, key.local = form{}, [3]uint64{}
		c.base = c.variant(key, first)
	}
	return c.base.err
}

// newCode returns a kernel without variants.
func newCode(f *ssa.Func, o Options) (*Code, error) {
	source, f, err := gangexec.Kernels(f)
	if err != nil {
		return nil, err
	}
	facts, err := gangexec.FactsOf(f)
	return &Code{source: source, f: f, o: o, Facts: facts, variants: map[variantKey]*variant{}}, err
}

// Times returns the time that launches have waited for code so far.
func (c *Code) Times() timing.Times {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.times
}

// took adds times.
func (c *Code) took(t *timing.Times) {
	c.mu.Lock()
	c.times.Add(t)
	c.mu.Unlock()
}

// Executor returns the name of the level.
func (c *Code) Executor() string { return c.o.Level.Name }

// OrderSensitive reports whether the result may depend on the order of work-groups.
func (c *Code) OrderSensitive() bool { return c.Ordered }

// Bytes returns the machine code of the first variant.
func (c *Code) Bytes() []byte { return c.base.Bytes }

// reference prepares a launch on the reference executor; why is the reason.
func (c *Code) reference(env *exec.Env, workers int, why *exec.Fallback) (exec.Execution, error) {
	f, env := c.sourceOf(env)
	return c.ref.NewExecution(f, env, workers, why)
}

// NewExecution prepares a launch.
func (c *Code) NewExecution(env *exec.Env, workers int) (exec.Execution, error) {
	asked := env
	v := c.forLaunch(&env.Range)
	if v.key.laneDim != 0 || v.key.items != 0 {
		turned := *env
		turned.Range = v.key.rangeOf(&env.Range)
		env = &turned
	}
	v, err := c.choose(v, env, min(workers, max(runtime.NumCPU(), runtime.GOMAXPROCS(0))))
	if err != nil {
		return c.reference(asked, workers, why(err))
	}
	x := v.execution()
	x.c, x.v, x.env, x.asked, x.workers, x.w = c, v, env, &asked.Range, max(workers, 1), uint64(v.lanes)
	fallback, err := x.prepare()
	if err != nil {
		return nil, err
	}
	if fallback != nil {
		return c.reference(asked, workers, fallback)
	}
	return x, nil
}
