package jit

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/run/exec"
)

// A variantKey identifies a variant by the launches that it is for.
type variantKey struct {
	level   *x86.Level
	lanes   int                  // of a gang; 0: best for the kernel and the first launch
	partial bool                 // for gangs with fewer work-items than lanes
	large   bool                 // for objects of any size
	streams bool                 // with non-temporal stores
	ahead   bool                 // with prefetches
	coarse  bool                 // for gangs of several rows
	checks  checks               // for work-groups of one size
	offsets bool                 // for all offsets
	steps   [maxStepParams]uint8 // for work-groups of one size: 1 + the argument, by Code.stepParams; 0: any
	form
	local [3]uint64 // size of all work-groups, with dimensions 0 and laneDim exchanged; zeros: any
}

// checks are the accesses with bounds checks in code for work-groups of one size. A launch tests the bounds of the others.
type checks uint8

const (
	checkFewest checks = iota // accesses whose addresses do not follow from ids and arguments
	checkMasked               // also accesses under masks
	checkAll                  // all accesses
)

// more returns the checks of the code for launches in which the bounds tests of v fail.
func (v *variant) more() checks {
	if v.extents.Masked() {
		return checkMasked
	}
	return checkAll
}

// forAllSizes returns the key of the variant for all sizes of work-groups.
func (k variantKey) forAllSizes() variantKey {
	k.local, k.steps = [3]uint64{}, [maxStepParams]uint8{}
	return k
}

// A variant is machine code of a kernel. Once made is closed, the fields up to unit are set.
type variant struct {
	c    *Code
	key  variantKey
	made chan struct{}
	err  error // the reason why there is no code

	aligned bool // for offsets that are multiples of the required work-group size

	lanes int       // of a gang
	most  int       // the most lanes of a gang, if key.lanes is 0
	local [3]uint64 // key.local, or zeros if the code supports all sizes
	// extents are the bounds that a launch must test, nil if none.
	extents *spmd.Extents
	verdict atomic.Pointer[verdict] // of the last test
	updates int                     // see updateBytes
	*unit

	partial atomic.Pointer[variant] // the variant for partial gangs; nil before a launch needs it

	mu       sync.Mutex
	free     []*worker    // pool of workers of earlier launches
	ended    []*execution // pool of executions, for their memory
	paceBits atomic.Uint64
	recent   recent
	farBegun atomic.Uint32 // launches that prefetches may make faster
}

// A unit is code in executable memory.
type unit struct {
	*x86.Code
	explain.Has
	codePiece
}

// start returns the address of the code for a gang.
func (u *unit) start() uint64 { return uint64(address(u.mem)) + uint64(u.Start) }

// variant returns the variant of a key. The first caller makes it, others wait; first is the range of the
// launch that needs it, or nil.
func (c *Code) variant(key variantKey, first *exec.NDRange) *variant {
	v, found := c.entry(key)
	if found {
		<-v.made
		return v
	}
	defer close(v.made)
	var clock timing.Clock
	v.make(first, &clock)
	if clock.Begin(timing.None); !key.partial { // for a partial one, forPartial counts the wait
		c.took(&clock.Times)
	}
	return v
}

// pending counts the variants of all kernels that are being made in the background.
var pending atomic.Int64

// Pending reports whether code is being made in the background, which later launches may use. Benchmarks wait for it.
func Pending() bool { return pending.Load() > 0 }

// background returns the variant of a key if it is ready, for a launch of that many work-items. If it does not exist,
// background starts to make it once enough work-items have been launched without it, up to a limit of variants.
func (c *Code) background(key variantKey, items uint64) *variant {
	c.mu.Lock()
	v := c.variants[key]
	if v == nil {
		c.unsuited += items
		if c.unsuited >= backgroundItems && c.backgroundMade < maxBackground {
			c.backgroundMade++
			v = c.add(key)
			pending.Add(1)
			go func() {
				defer pending.Add(-1)
				defer close(v.made)
				v.make(nil, new(timing.Clock))
			}()
		}
	}
	c.mu.Unlock()
	return v.ifMade()
}

// ifMade returns v if it has code. It returns nil if v is nil, is being made, or could not be made.
func (v *variant) ifMade() *variant {
	if v == nil {
		return nil
	}
	select {
	case <-v.made:
		if v.err == nil {
			return v
		}
	default:
	}
	return nil
}

// items returns the number of work-items of a range.
func items(rg *exec.NDRange) uint64 { return rg.Global[0] * rg.Global[1] * rg.Global[2] }

// entry returns the variant of a key, and whether it existed before.
func (c *Code) entry(key variantKey) (v *variant, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v = c.variants[key]; v != nil {
		return v, true
	}
	return c.add(key), false
}

// add adds a variant, which the caller must make. The caller holds c.mu.
func (c *Code) add(key variantKey) *variant {
	v := &variant{c: c, key: key, made: make(chan struct{}), lanes: key.lanes, local: key.local}
	c.variants[key] = v
	return v
}

// make makes the code. A panic becomes an *exec.InternalError.
func (v *variant) make(first *exec.NDRange, clock *timing.Clock) {
	c := v.c
	defer func() {
		if c.o.Panics {
			return
		}
		if r := recover(); r != nil {
			v.err = bug(c.f, v.key.level, r)
		}
	}()
	code, err := v.generate(tools().wanted(), first, clock)
	if err != nil {
		v.err = err
		return
	}
	clock.Begin(timing.Memory)
	p, err := executable(code.Bytes)
	if err != nil {
		v.err = fmt.Errorf("%s: %w", reasonMemory, err)
		return
	}
	u := &unit{code.Code, code.Has, p}
	if tools().wanted() {
		tools().announce(c.f, v.key.level, u, !v.key.partial)
		if c.o.Profile == nil {
			u.Listing = nil
		}
	}
	runtime.AddCleanup(u, codePiece.free, p)
	v.unit, v.updates = u, updateBytes(c.f)
}

// generate translates the kernel. If a launch of the range first also needs partial gangs, it starts to make
// the variant for them.
func (v *variant) generate(listing bool, first *exec.NDRange, clock *timing.Clock) (*Generated, error) {
	c, lv := v.c, v.key.level
	clock.Begin(timing.SPMD)
	full := !v.key.partial
	s := spmd.Options{RowUniform: true, GroupUniform: true, Versions: full, Gangs: true, LaneDim: v.key.laneDim, Flat: v.key.flat, Collapse: v.key.collapsed, Local: v.key.size, Padded: v.key.padded, Items: v.key.items, Estimates: lv.EVEX, Aligned: !v.key.offsets}
	if !v.key.large {
		s.Rows = int(lv.VL)
	}
	if v.key.coarse {
		s.Coarsen = spmd.Coarsening{Registers: lv.VectorRegs(), Piece: s.Rows, Always: c.o.Coarse}
	}
	if v.local[0] != 0 {
		s.Unfold = unfolding(lv, v.local)
		s.Unfold.Tested, s.Unfold.TestMasked, s.Unfold.Arguments = v.key.checks < checkAll, v.key.checks < checkMasked, v.key.arguments(c)
	}
	scalar := full && v.scalar()
	if scalar {
		s.Scalar, s.Rows = true, 0
	}
	p, err := c.prepare(s)
	if err != nil {
		return nil, err
	}
	v.extents, v.aligned = p.Extents, p.Aligned
	switch {
	case scalar:
		v.lanes = 1
	case full || v.lanes == 0:
		v.setWidth(p, &s, first)
	}
	g := gang.Options{Lanes: v.lanes, Full: full, Waits: v.grouped(), OneReturn: c.Returns <= 1, Large: v.key.large, Ahead: v.key.ahead, Target: lv.Target()}
	o := x86.Options{Level: lv, Listing: listing, Step: 2, NoBounds: noBounds, Streams: v.key.streams, SlowGathers: c.slowGathers(), Check: c.o.Panics}
	if c.counts() {
		o.Listing, o.Counters = listing || c.o.Profile != nil, x86.CtxCounters
	}
	if !full {
		o.First = 1 // its accesses get odd numbers
		if c.counts() {
			o.Counters = x86.CtxMoreCounters
		}
		g.Lanes = min(g.Lanes, lv.Masked())
	}
	if full && first != nil && !v.key.coarse && v.lanes <= lv.Masked() && v.needsPartial(first, v.lanes) {
		go c.variant(v.partialKey(), nil)
	}
	o.Clock = clock
	code, err := translated(p, g, o)
	if err != nil && v.lanes > lv.Masked() {
		v.lanes = lv.Masked()
		return v.generate(listing, first, clock)
	}
	if c.o.Made != nil && err == nil {
		c.o.Made(code)
	}
	return code, err
}

// Generated is machine code with what explains it.
type Generated struct {
	*x86.Code
	explain.Has
	plan  *spmd.Plan
	gang  *gang.Func // if there is a listing
	large bool
}

// translated makes the gang function of a plan, and its machine code.
func translated(p *spmd.Plan, g gang.Options, o x86.Options) (*Generated, error) {
	o.Clock.Begin(timing.Gang)
	f, err := gang.Build(p, g)
	if err != nil {
		return nil, err
	}
	code, err := x86.Generate(f, o)
	if err != nil {
		f.Release()
		return nil, err
	}
	out := &Generated{code, explain.Of(p, f, code), p, f, g.Large}
	if !o.Listing { // the listing refers to the function
		f.Release()
		out.gang = nil
	}
	return out, nil
}

// prepare makes the plan of the kernel. Code for known work-groups has local arrays in registers, or the steps of loops
// around barriers one after the other, if such code can be made.
func (c *Code) prepare(s spmd.Options) (*spmd.Plan, error) {
	if s.Unfold.Lanes > 0 && c.Barriers && !c.counts() {
		p := spmd.Evaluate(c.f, s)
		if p == nil && len(s.Unfold.Arguments) > 0 {
			s.Unfold.Arguments = nil
			p = spmd.Evaluate(c.f, s)
		}
		if p != nil {
			return p, nil
		}
		if f := opt.UnrollSteps(c.f, opt.Config{KeepAccesses: true}); f != nil {
			if p, err := spmd.Prepare(f, s); err == nil && p.Unfolded {
				return p, nil
			}
		}
	}
	return spmd.Prepare(c.f, s)
}

// unfolding returns the options for code specialised for a work-group size. Gangs have the least length, so
// that few lanes are idle.
func unfolding(lv *x86.Level, local [3]uint64) spmd.Unfolding {
	return spmd.Unfolding{Lanes: lv.Lanes, Local: local, Registers: lv.VectorRegs(), Width: int(lv.VL)}
}

// partialKey returns the key of the variant for partial gangs.
func (v *variant) partialKey() variantKey {
	return variantKey{level: v.key.level, lanes: min(v.lanes, v.key.level.Masked()), partial: true, large: v.key.large, streams: v.key.streams, offsets: !v.aligned, form: v.key.form}
}

// forPartial returns the variant for partial gangs and waits until it is made.
func (v *variant) forPartial() *variant {
	if p := v.partial.Load(); p != nil {
		return p
	}
	var clock timing.Clock
	clock.Begin(timing.Partial)
	p := v.c.variant(v.partialKey(), nil)
	clock.Begin(timing.None)
	if v.partial.CompareAndSwap(nil, p) {
		v.c.took(&clock.Times)
	}
	return p
}

// needsPartial reports whether a launch with gangs of that many lanes has partial gangs.
func (v *variant) needsPartial(r *exec.NDRange, lanes int) bool {
	w := uint64(lanes)
	if !v.grouped() {
		return r.Global[0]%w != 0
	}
	if r.Global[0] == 0 || r.Local[0] == 0 {
		return false
	}
	last := (r.Global[0]-1)%r.Local[0] + 1
	return r.Global[0] >= r.Local[0] && r.Local[0]%w != 0 || last%w != 0
}

// fits reports whether v supports all work-groups of range r.
func (v *variant) fits(r *exec.NDRange) bool {
	return v.local[0] == 0 || v.local == r.Local && r.Uniform()
}
