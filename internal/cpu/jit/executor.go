//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/codegen"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// Executor returns the executor for this machine: machine code where it can be had,
// else the reference executor.
func Executor() exec.Executor {
	lv := Level()
	if lv == nil {
		return (&exec.Fallback{Reason: noLevel()}).Executor(interp.Reference)
	}
	return ForLevel(lv)
}

// ForLevel returns the executor that makes code for a level, which the processor must
// have.
func ForLevel(lv *codegen.Level) exec.Executor { return executor{lv: lv} }

// ForLanes returns the executor that makes code for a level with gangs of so many
// work-items: lv.Lanes, or 2 or 4 times as many, or 8 times where gangs may be so long.
func ForLanes(lv *codegen.Level, lanes int) exec.Executor { return executor{lv: lv, lanes: lanes} }

// ForLarge returns the executor that makes code for a level that is good for objects of any
// size, as other executors do for launches with large ones.
func ForLarge(lv *codegen.Level) exec.Executor { return executor{lv: lv, form: form{large: true}} }

// ForStreams returns the executor that makes code for a level whose stores go around the
// caches, as other executors do for launches that write much.
func ForStreams(lv *codegen.Level) exec.Executor {
	return executor{lv: lv, form: form{streams: true}}
}

// ForFirst returns the executor that makes code for the size of work-groups of the first
// launch, where that can be, as other executors do where it is prescribed or often used.
func ForFirst(lv *codegen.Level) exec.Executor { return executor{lv: lv, unfold: true} }

// ForAlong returns the executor whose lanes lie along a dimension other than the first in all
// launches for which such code can be made, as those of other executors do where it pays.
func ForAlong(lv *codegen.Level, d int) exec.Executor { return executor{lv: lv, along: d} }

// Executors returns the executors of all levels that this processor has, the lowest
// first, each with gangs as suit the kernel, and what is no variant of another also of every
// width, for large objects, with stores around the caches, for known work-groups, and with lanes
// along the second dimension.
func Executors() (list []exec.Executor) {
	for _, lv := range Levels() {
		if lv.Base != nil {
			list = append(list, ForLevel(lv))
			continue
		}
		for _, factor := range []int{0, 1, 2, 4, 8} {
			list = append(list, executor{lv: lv, lanes: factor * lv.Lanes})
		}
		list = append(list, ForLarge(lv), ForStreams(lv), ForFirst(lv), ForAlong(lv, 1))
	}
	return list
}

type executor struct {
	lv     *codegen.Level
	lanes  int // of a gang; 0: as suits the kernel
	form   form
	unfold bool // for the first launch's work-groups
	along  int  // the dimension that lanes lie along where they may, 0: as suits the launch
}

// A form is what code is made for beside a level and lanes.
type form struct {
	large   bool // objects of any size
	streams bool // launches that write more than the caches hold
	along   int  // dimension of the host's range that lanes lie along
}

func (e executor) Name() string {
	switch {
	case e.form.large:
		return e.lv.Name + "-large"
	case e.form.streams:
		return e.lv.Name + "-streams"
	}
	switch {
	case e.unfold:
		return e.lv.Name + "-first"
	case e.along != 0:
		return fmt.Sprint(e.lv.Name, "-along", e.along)
	}
	if e.lanes != 0 {
		return fmt.Sprint(e.lv.Name, "x", e.lanes)
	}
	return e.lv.Name
}

func (e executor) Prepare(f *ssa.Func, checks exec.Checks, first *exec.NDRange) (exec.Code, error) {
	if checks != exec.ChecksNone {
		return interp.Leave(f, checks, &exec.Fallback{Reason: reasonChecks})
	}
	c := newCode(f, e.lv, e.lanes, e.form)
	err := c.begin()
	if err == nil {
		c.forced = e.along
		first = c.choose(first)
		if e.unfold && whole(first) {
			c.local = first.Local
		}
		c.full, err = c.make(true, first)
	}
	if err != nil {
		return interp.Leave(f, checks, why(err))
	}
	return c, nil
}

// A Code is a kernel as machine code.
type Code struct {
	f              *ssa.Func
	lv             *codegen.Level
	lanes          int  // of a gang
	most           int  // lanes that a gang may have
	fixed          bool // lanes is what a test wants
	groups         bool // work-groups can be told apart
	orderSensitive bool
	prints         bool
	subGroups      bool // has functions of sub-groups
	returns        int  // blocks that return
	opts           spmd.Options
	full           *unit

	timesMu sync.Mutex
	times   timing.Times

	once    sync.Once
	waited  sync.Once // for the first time
	partial *unit     // for gangs with fewer work-items than lanes
	perr    error
	// hasPartial says that partial and perr are there.
	hasPartial atomic.Bool

	refOnce sync.Once
	ref     exec.Code
	rerr    error

	mu       sync.Mutex
	free     []*worker    // that rest
	ended    []*execution // whose memory is used again
	paceBits atomic.Uint64

	forced    int // a dimension that lanes are to lie along where they may; 0: none
	dims      alongCosts
	siblingMu sync.Mutex
	siblings  [3]*sibling // with lanes along other dimensions

	form        form
	largeOnce   sync.Once // for the code for objects of any size
	largeCode   *Code
	largeErr    error
	streamsOnce sync.Once // for the code for launches that write much
	streamsCode *Code

	suitMu   sync.Mutex
	suits    map[tailoring]*suit // with gangs of other widths, or for known work-groups
	unsuited uint64              // work-items launched for which there is no such code yet

	// local is the size of all work-groups that the code is good for; zeros: any.
	local     [3]uint64
	otherOnce sync.Once // for the code for launches with others
	otherCode *Code
	otherErr  error
}

// A unit is code in executable memory.
type unit struct {
	*codegen.Code
	mem []byte
}

// arena is memory outside of Go's heap: a worker's context, frames and local memory.
type arena struct{ mem []byte }

func newArena(n int) (*arena, error) {
	m, err := outside(n)
	if err != nil {
		return nil, err
	}
	a := &arena{m}
	runtime.AddCleanup(a, release, m)
	return a, nil
}

// Compile makes machine code of a kernel. An error says what it cannot do.
func Compile(f *ssa.Func, lv *codegen.Level) (*Code, error) { return compileFor(f, lv, 0, form{}, nil) }

// compileFor makes code for gangs of so many lanes, 0 for what suits the kernel and its first
// range.
func compileFor(f *ssa.Func, lv *codegen.Level, lanes int, form form, first *exec.NDRange) (*Code, error) {
	c := newCode(f, lv, lanes, form)
	return c, c.compile(first)
}

func newCode(f *ssa.Func, lv *codegen.Level, lanes int, form form) *Code {
	return &Code{f: f, lv: lv, lanes: lanes, fixed: lanes != 0, form: form, opts: spmd.Options{RowUniform: true, GroupUniform: true, Along: form.along}}
}

// whole reports whether all work-groups of a range have the same size.
func whole(r *exec.NDRange) bool {
	if r == nil {
		return false
	}
	for d := range 3 {
		if r.Local[d] == 0 || r.Global[d]%r.Local[d] != 0 {
			return false
		}
	}
	return true
}

// holds reports whether a range has the work-groups that the code is good for.
func (c *Code) holds(r *exec.NDRange) bool {
	return c.local[0] == 0 || c.local == r.Local && whole(r)
}

// compile makes the code; first is the first range, if that is known.
func (c *Code) compile(first *exec.NDRange) (err error) {
	if err := c.begin(); err != nil {
		return err
	}
	c.full, err = c.make(true, first)
	return err
}

// begin makes the kernel one without calls and finds what it is like.
func (c *Code) begin() error {
	f := c.f
	if f.Kernel == nil {
		return errors.New(reasonNoKernel)
	}
	if calls(f) {
		if c.f = opt.Flat(f); c.f == nil {
			return errors.New(reasonCalls)
		}
	}
	return c.survey()
}

// make makes the code for whole gangs or for partial ones; those that a launch of the
// range first needs as well are begun beside it. A panic becomes an *exec.InternalError.
func (c *Code) make(full bool, first *exec.NDRange) (u *unit, err error) {
	defer func() {
		if r := recover(); r != nil && !DebugPanics {
			u, err = nil, bug(c.f, c.lv, r)
		} else if r != nil {
			panic(r)
		}
	}()
	var clock timing.Clock
	defer func() {
		if clock.Begin(timing.None); full {
			c.took(&clock.Times)
		}
	}()
	code, err := c.generate(full, tools().wanted(), first, &clock)
	if err != nil {
		return nil, err
	}
	clock.Begin(timing.Memory)
	m, err := executable(code.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", reasonMemory, err)
	}
	u = &unit{code, m}
	if tools().wanted() {
		tools().announce(c.f, c.lv, u, full)
	}
	runtime.AddCleanup(u, release, m)
	return u, nil
}

// generate makes the code, for whole gangs or for partial ones.
func (c *Code) generate(full, listing bool, first *exec.NDRange, clock *timing.Clock) (*codegen.Code, error) {
	clock.Begin(timing.SPMD)
	s := c.opts
	s.Versions, s.Gangs = full, true
	if full && c.local[0] != 0 {
		s.Unfold = c.unfolding()
	}
	p, err := spmd.Prepare(c.f, s)
	if err != nil {
		return nil, err
	}
	switch {
	case !full: // made beside launches: what it is for is decided
	case !p.Unfolded:
		c.local = [3]uint64{}
	default:
		c.lanes = s.Unfold.Lanes
	}
	if c.lanes == 0 {
		c.most = codegen.Lanes(p, c.lv)
		c.lanes = c.most
		if c.groups {
			c.lanes = c.usualLanes(first, p.F.CountValues())
		} else if codegen.MayBeLong(p, c.lv) {
			c.lanes = c.longLanes(p, first)
		}
	} else if full && c.lanes > c.lv.Masked() && (c.groups || !codegen.MayBeLong(p, c.lv)) {
		c.lanes = c.lv.Masked()
	}
	if full && c.subGroups {
		c.lanes = max(c.lanes, c.f.Kernel.SubGroupSize())
	}
	o := codegen.Options{Level: c.lv, Lanes: c.lanes, Full: full, Rows: !c.groups, Listing: listing, Step: 2, OneReturn: c.returns <= 1, NoBounds: noBounds, Large: c.form.large, Streams: c.form.streams, Check: DebugPanics}
	if !full {
		o.First = 1 // its accesses have odd numbers
		o.Lanes = min(o.Lanes, c.lv.Masked())
	}
	if full && first != nil && o.Lanes <= c.lv.Masked() && c.needsPartial(first) {
		go c.makePartial()
	}
	clock.Begin(timing.Codegen)
	code, err := codegen.Generate(p, o)
	if err != nil && o.Lanes > c.lv.Masked() {
		c.lanes = c.lv.Masked()
		return c.generate(full, listing, first, clock)
	}
	if Made != nil && err == nil {
		Made(code)
	}
	return code, err
}

// unfolding says what code for known work-groups is like: gangs are as narrow as they can be,
// so that few lanes have nothing to do.
func (c *Code) unfolding() spmd.Unfolding {
	u := spmd.Unfolding{Lanes: c.lv.Lanes, Local: c.local, Registers: 16, Width: int(c.lv.VL)}
	if c.lv.AVX512 {
		u.Registers = 32
	}
	return u
}

// calls reports whether f calls functions that were not inlined.
func calls(f *ssa.Func) bool {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpCall {
				return true
			}
		}
	}
	return false
}

// survey finds what tells work-groups apart, and what machine code has no way for.
func (c *Code) survey() error {
	for _, a := range c.f.Kernel.Args {
		switch a.Kind {
		case ssa.ArgLocal:
			c.groups = true
		}
	}
	used := make([]bool, c.f.NumValues())
	for _, b := range c.f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				used[a.ID] = true
			}
		}
	}
	for _, b := range c.f.Blocks {
		for _, v := range b.Values {
			switch v.Op {
			case ssa.OpReturn, ssa.OpUnreachable:
				c.returns++
			case ssa.OpCall, ssa.OpExtern:
				return fmt.Errorf("%s: %v", reasonCalls, v.Op)
			case ssa.OpRuntime:
				if ssa.IsSubGroupFunction(v) {
					c.groups, c.subGroups = true, true
				}
			case ssa.OpPrintf:
				c.groups, c.prints = true, true // text comes out in order of work-groups
			case ssa.OpBarrier:
				c.groups = true
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
				if (k == ssa.PtrGlobal || k == ssa.PtrGeneric) && (used[v.ID] || v.Op == ssa.OpAtomicCAS || v.Type.K.Num().IsFloat() || rmw == ssa.RMWXchg) {
					c.orderSensitive = true
				}
			}
		}
	}
	return nil
}

// Times is how long the code took to make, so far.
func (c *Code) Times() timing.Times {
	c.timesMu.Lock()
	defer c.timesMu.Unlock()
	return c.times
}

// Executor returns the name of the level.
func (c *Code) Executor() string { return c.lv.Name }

// OrderSensitive reports whether the result may depend on the order of work-groups.
func (c *Code) OrderSensitive() bool { return c.orderSensitive }

// Bytes returns the machine code for whole gangs.
func (c *Code) Bytes() []byte { return c.full.Bytes }

// needsPartial reports whether a launch has gangs with fewer work-items than lanes.
func (c *Code) needsPartial(r *exec.NDRange) bool {
	w := uint64(c.lanes)
	if !c.groups {
		return r.Global[0]%w != 0
	}
	if r.Global[0] == 0 || r.Local[0] == 0 {
		return false
	}
	last := (r.Global[0]-1)%r.Local[0] + 1
	return r.Global[0] >= r.Local[0] && r.Local[0]%w != 0 || last%w != 0
}

// makePartial makes the code for gangs that are not whole, once.
func (c *Code) makePartial() { c.once.Do(func() { c.partial, c.perr = c.make(false, nil) }) }

// partialUnit waits for that code.
func (c *Code) partialUnit() (*unit, error) {
	if c.hasPartial.Load() {
		return c.partial, c.perr
	}
	var clock timing.Clock
	clock.Begin(timing.Partial)
	c.makePartial()
	clock.Begin(timing.None)
	c.waited.Do(func() { c.took(&clock.Times) })
	c.hasPartial.Store(true)
	return c.partial, c.perr
}

// took adds times.
func (c *Code) took(t *timing.Times) {
	c.timesMu.Lock()
	c.times.Add(t)
	c.timesMu.Unlock()
}

// reference returns the kernel on the reference executor, for launches that machine code
// is not made for.
func (c *Code) reference(env *exec.Env, workers int, why *exec.Fallback) (exec.Execution, error) {
	c.refOnce.Do(func() { c.ref, c.rerr = interp.Reference.Prepare(c.f, exec.ChecksNone, nil) })
	if c.rerr != nil {
		return nil, c.rerr
	}
	x, err := c.ref.NewExecution(env, workers)
	if err != nil {
		return nil, err
	}
	return why.Execution(x), nil
}

// NewExecution prepares a launch.
func (c *Code) NewExecution(env *exec.Env, workers int) (exec.Execution, error) {
	asked := env
	c, err := c.forLaunch(&env.Range)
	if err != nil {
		return c.reference(asked, workers, why(err))
	}
	if d := c.form.along; d != 0 {
		turned := *env
		turned.Range = exchange(env.Range, d)
		env = &turned
	}
	if !c.form.large && slices.ContainsFunc(env.Objects, func(o exec.Object) bool { return len(o.Data) >= codegen.MaxObject }) {
		large, err := c.forLarge(&env.Range)
		if err != nil {
			return c.reference(asked, workers, why(err))
		}
		c = large
	}
	if !c.holds(&env.Range) {
		other, err := c.other(&env.Range)
		if err != nil {
			return c.reference(asked, workers, why(err))
		}
		c = other
	}
	c = c.suited(&env.Range).streaming(env)
	x := c.execution()
	x.asked = &asked.Range
	x.c, x.env, x.workers, x.w = c, env, max(workers, 1), uint64(c.lanes)
	left, err := x.prepare()
	if err != nil {
		return nil, err
	}
	if left != nil {
		return c.reference(asked, workers, left)
	}
	return x, nil
}

// execution returns one that is empty.
func (c *Code) execution() *execution {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.ended)
	if n == 0 {
		return &execution{}
	}
	x := c.ended[n-1]
	c.ended = c.ended[:n-1]
	return x
}

// forLarge returns the kernel's code for objects of any size, which the first launch that
// has one makes.
func (c *Code) forLarge(first *exec.NDRange) (*Code, error) {
	c.largeOnce.Do(func() {
		lanes := 0
		if c.fixed {
			lanes = c.lanes
		}
		c.largeCode, c.largeErr = compileFor(c.f, c.lv, lanes, form{large: true, streams: c.form.streams, along: c.form.along}, first)
	})
	return c.largeCode, c.largeErr
}

// other returns the kernel's code for work-groups of any size.
func (c *Code) other(first *exec.NDRange) (*Code, error) {
	c.otherOnce.Do(func() {
		c.otherCode = newCode(c.f, c.lv, 0, c.form)
		c.otherErr = c.otherCode.compile(first)
	})
	return c.otherCode, c.otherErr
}

func word(m []byte, off int) *uint64 { return (*uint64)(unsafe.Pointer(&m[off])) }
