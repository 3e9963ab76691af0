package jit

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/run/exec"
)

// A variantKey identifies the launches that a variant is made for.
type variantKey struct {
	level   *x86.Level
	lanes   int  // of a gang; 0: the width that suits the kernel and the first launch
	partial bool // for gangs with fewer work-items than lanes
	large   bool // for objects of any size
	streams bool // with non-temporal stores
	coarse  bool // for gangs of several rows
	form
	local [3]uint64 // the size of all work-groups, with dimensions 0 and along exchanged; zeros: any
}

// A variant is machine code of a kernel. The fields up to unit are set when made is closed.
type variant struct {
	c    *Code
	key  variantKey
	made chan struct{}
	err  error // why there is no code

	lanes int       // of a gang
	most  int       // lanes that a gang may have, where key.lanes is 0
	local [3]uint64 // key.local, or zeros where the code is good for all sizes
	*unit

	partial atomic.Pointer[variant] // for gangs with fewer work-items; nil before a launch had one

	mu       sync.Mutex
	free     []*worker    // of earlier launches
	ended    []*execution // whose memory is used again
	paceBits atomic.Uint64
}

// A unit is code in executable memory.
type unit struct {
	*x86.Code
	mem []byte
}

// start returns the address at which a gang begins.
func (u *unit) start() uint64 { return uint64(address(u.mem)) + uint64(u.Start) }

// variant returns the variant of a key. The first caller makes it; first is the range of the
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
	if clock.Begin(timing.None); !key.partial { // of a partial one the waiting counts
		c.took(&clock.Times)
	}
	return v
}

// background returns the variant of a key if it has been made. Where nobody has asked for it
// yet, enough work-items have been launched without it and there are not too many variants,
// that begins to make it.
func (c *Code) background(key variantKey, rg *exec.NDRange) *variant {
	c.mu.Lock()
	v := c.variants[key]
	if v == nil {
		c.untailed += rg.Global[0] * rg.Global[1] * rg.Global[2]
		if c.untailed >= tailorItems && c.tailored < maxTailored {
			c.tailored++
			v = c.add(key)
			go func() {
				defer close(v.made)
				v.make(nil, new(timing.Clock))
			}()
		}
	}
	c.mu.Unlock()
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

// entry returns the variant of a key, and whether it was there before.
func (c *Code) entry(key variantKey) (v *variant, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v = c.variants[key]; v != nil {
		return v, true
	}
	return c.add(key), false
}

// add adds a variant, which the caller makes. The caller holds c.mu.
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
	m, err := executable(code.Bytes)
	if err != nil {
		v.err = fmt.Errorf("%s: %w", reasonMemory, err)
		return
	}
	u := &unit{code, m}
	if tools().wanted() {
		tools().announce(c.f, v.key.level, u, !v.key.partial)
	}
	runtime.AddCleanup(u, release, m)
	v.unit = u
}

// generate translates the kernel. Where a launch of the range first needs partial gangs too,
// it begins to make the variant for them.
func (v *variant) generate(listing bool, first *exec.NDRange, clock *timing.Clock) (*x86.Code, error) {
	c, lv := v.c, v.key.level
	clock.Begin(timing.SPMD)
	full := !v.key.partial
	s := spmd.Options{RowUniform: true, GroupUniform: true, Versions: full, Gangs: true, Along: v.key.along, Flat: v.key.flat, Collapse: v.key.collapsed, Local: v.key.size}
	if !v.key.large {
		s.Rows = int(lv.VL)
	}
	if v.key.coarse {
		s.Coarsen = spmd.Coarsening{Registers: lv.VectorRegs(), Always: c.o.Coarse}
	}
	if v.local[0] != 0 {
		s.Unfold = unfolding(lv, v.local)
	}
	p, err := spmd.Prepare(c.f, s)
	if err != nil {
		return nil, err
	}
	if full || v.lanes == 0 {
		v.setWidth(p, &s, first)
	}
	o := x86.Options{Level: lv, Lanes: v.lanes, Full: full, Rows: !v.grouped(), Listing: listing, Step: 2, OneReturn: c.Returns <= 1, NoBounds: noBounds, Large: v.key.large, Streams: v.key.streams, Check: c.o.Panics}
	if c.counts() {
		o.Listing, o.Counters = c.o.Profile != nil, x86.CtxCounters
	}
	if !full {
		o.First = 1 // its accesses have odd numbers
		if c.counts() {
			o.Counters = x86.CtxMoreCounters
		}
		o.Lanes = min(o.Lanes, lv.Masked())
	}
	if full && first != nil && !v.key.coarse && v.lanes <= lv.Masked() && v.needsPartial(first, v.lanes) {
		go c.variant(v.partialKey(), nil)
	}
	clock.Begin(timing.Codegen)
	code, err := x86.Generate(p, o)
	if err != nil && v.lanes > lv.Masked() {
		v.lanes = lv.Masked()
		return v.generate(listing, first, clock)
	}
	if c.o.Made != nil && err == nil {
		c.o.Made(code)
	}
	return code, err
}

// unfolding describes code for known work-groups. Gangs are as narrow as they can be, so that
// few lanes have nothing to do.
func unfolding(lv *x86.Level, local [3]uint64) spmd.Unfolding {
	return spmd.Unfolding{Lanes: lv.Lanes, Local: local, Registers: lv.VectorRegs(), Width: int(lv.VL)}
}

// partialKey is the key of the variant for gangs with fewer work-items than v's.
func (v *variant) partialKey() variantKey {
	return variantKey{level: v.key.level, lanes: min(v.lanes, v.key.level.Masked()), partial: true, large: v.key.large, streams: v.key.streams, form: v.key.form}
}

// forPartial waits for that variant.
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

// needsPartial reports whether a launch with gangs of that many lanes has some with fewer work-items.
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

// fits reports whether the launch of range r has only work-groups that v is good for.
func (v *variant) fits(r *exec.NDRange) bool {
	return v.local[0] == 0 || v.local == r.Local && r.Uniform()
}
