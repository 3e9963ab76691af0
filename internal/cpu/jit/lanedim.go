package jit

import (
	"sync"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/run/exec"
)

// Lanes are consecutive along one dimension of the range, usually the first. If rows are longer in another
// dimension, or neighbours in another dimension are neighbours in memory, the launch runs code for the range
// with the two dimensions exchanged (package spmd, lanedim.go). Work-items keep their ids, work-groups and
// results; only the grouping into gangs differs.

// dimCosts are the kernel's costs by dimension, computed on first use.
type dimCosts struct {
	once  sync.Once
	costs spmd.DimCosts
}

// exchange returns the range with dimensions 0 and d exchanged.
func exchange(r exec.NDRange, d int) exec.NDRange {
	for _, a := range []*[3]uint64{&r.Offset, &r.Global, &r.Local} {
		a[0], a[d] = a[d], a[0]
	}
	return r
}

// swapped returns a with elements 0 and d exchanged.
func swapped(a [3]uint64, d int) [3]uint64 {
	a[0], a[d] = a[d], a[0]
	return a
}

// minGain is the factor by which another dimension must be cheaper than the first to be chosen.
const minGain = 1.5

// A form describes the shape of gangs.
type form struct {
	laneDim   int       // the lanes' dimension in the host's range
	flat      bool      // ignores work-groups, though the kernel uses their ids
	size      [3]uint64 // size of the work-groups in the host's order if the form needs it; else zeros
	collapsed bool      // lanes lie along linear local ids
	padded    [3]uint64 // size of the work-groups with the work-items that return at once; zeros: there are none
	items     uint64    // of a padded work-group; 0: there are none
}

// formFor returns the best form of gangs for a launch.
func (c *Code) formFor(r *exec.NDRange) (f form) {
	f.flat, f.size = c.flatFor(r)
	g, ok := c.groupForm(r)
	ok = ok && !f.flat
	used := 0.0
	if ok {
		used = g.efficiency()
	}
	f.laneDim = c.bestLaneDim(r, f.flat, used)
	if ok && (f.laneDim == 0 || c.o.LaneDim == 0 && g.size[0] == 1) { // of one column the costs of rows say nothing
		return g
	}
	if f.flat && f.size[0] != 0 && c.fills(r.Local[f.laneDim]) {
		f = form{laneDim: c.bestLaneDim(r, false, 0)} // whole rows are as fast, and their ids are cheaper
	}
	return f
}

// mostIdle is the least number of gangs in a row whose last gang may have idle lanes without much loss.
const mostIdle = 4

// fills reports whether rows of n work-items fill gangs, or leave few lanes idle.
func (c *Code) fills(n uint64) bool {
	lanes := uint64(c.o.Level.Lanes)
	return n >= lanes && (n%lanes == 0 || n >= mostIdle*lanes)
}

// grouped reports whether the variant's code runs work-groups as units.
func (v *variant) grouped() bool { return v.c.Groups && !v.key.flat }

// bestLaneDim returns the best dimension for the lanes of a launch. share is the share of lanes that have a
// work-item if lanes lie along dimension 0 in the form for the size of the work-groups; 0 if there is no such form.
func (c *Code) bestLaneDim(r *exec.NDRange, flat bool, share float64) int {
	groups := c.Groups && !flat
	if r == nil || r.Dims < 2 || !c.mayExchange(r, groups) {
		return 0
	}
	if c.o.LaneDim != 0 {
		return c.o.LaneDim % r.Dims
	}
	c.dims.once.Do(func() { c.dims.costs = spmd.CostsByDim(c.f) })
	k := &c.dims.costs
	cost := func(d int) float64 {
		row := r.Global[d]
		if groups {
			row = r.Local[d]
		}
		lanes := uint64(c.o.Level.Lanes)
		used := float64(row) / float64((row+lanes-1)/lanes*lanes)
		if d == 0 {
			used = max(used, share)
		}
		return (k.Access[d] + k.Rest) / used
	}
	best, least := 0, cost(0)/minGain
	for d := 1; d < r.Dims; d++ {
		if k.Used[d] && r.Global[d] > 1 {
			if x := cost(d); x < least {
				best, least = d, x
			}
		}
	}
	return best
}

// mayExchange reports whether lanes may be along another dimension than the first: the kernel must not observe the
// order of work-items. Violations are recorded in the host's order.
func (c *Code) mayExchange(r *exec.NDRange, groups bool) bool {
	if c.Ordered || c.Prints || c.SubGroups || c.o.Lanes != 0 {
		return false
	}
	return !groups || rowsOf(r) <= 1 || !c.LocalOrder
}

// rowsOf returns the number of dimensions in which work-groups have more than one work-item.
func rowsOf(r *exec.NDRange) (n int) {
	for _, k := range r.Local {
		if k > 1 {
			n++
		}
	}
	return n
}

// suits reports whether launches of a range may use the variant.
func (v *variant) suits(r *exec.NDRange) bool {
	k := &v.key
	if k.form == (form{}) {
		return true // including a variant without machine code
	}
	if v.err != nil || k.laneDim >= r.Dims {
		return false
	}
	if flat, size := v.c.flatFor(r); k.flat && (!flat || size != k.size) {
		return false
	}
	if k.items != 0 {
		// Gangs of collapsed rows may wait at other barriers than gangs of rows.
		f, ok := v.c.groupForm(r)
		return ok && f == k.form && (!v.c.Barriers || v.Groups)
	}
	// If gangs of several rows may wait at different barriers, findings depend on the dimension. Functions of
	// whole work-groups have no such barriers.
	return k.laneDim == 0 || v.c.mayExchange(r, v.grouped()) && (rowsOf(r) <= 1 || !v.c.Barriers || v.Groups)
}

// order returns the weight of each id in the number of a work-item in a work-group of this size, in the host's
// order.
func (x *execution) order(size [3]uint64) [3]uint64 {
	size = swapped(size, x.v.key.laneDim)
	return swapped([3]uint64{1, size[0], size[0] * size[1]}, x.v.key.laneDim)
}

// forLaunch returns the variant with the best dimension for a launch, if the variant exists or the launch is
// large enough to make it. Otherwise it returns the first variant, if that can run the launch.
func (c *Code) forLaunch(r *exec.NDRange) *variant {
	v := c.base
	usable := v.suits(r)
	f := c.formFor(r)
	if usable && f == v.key.form {
		return v
	}
	key := v.key
	key.form, key.local = f, [3]uint64{}
	if usable && c.o.LaneDim == 0 && r.Global[0]*r.Global[1]*r.Global[2] < backgroundItems && !c.has(key) {
		return v
	}
	if key.items != 0 && !c.has(key) && c.collapsedSizes.Add(1) > maxCollapsedSizes {
		key.form = form{}
	}
	switch s := c.exchanged(key, r); {
	case s.suits(r):
		return s
	case usable:
		return v
	}
	key.form = form{}
	return c.exchanged(key, r)
}

// exchanged returns the variant of a key for a launch of the host's range r.
func (c *Code) exchanged(key variantKey, r *exec.NDRange) *variant {
	if r == nil {
		return c.variant(key, nil)
	}
	first := key.rangeOf(r)
	return c.variant(key, &first)
}

// has reports whether the variant of a key exists or is being made.
func (c *Code) has(key variantKey) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.variants[key] != nil
}
