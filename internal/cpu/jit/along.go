package jit

import (
	"sync"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/run/exec"
)

// Lanes lie along one dimension of the range: the first, as a rule. A launch whose rows are
// long in another dimension, or whose neighbours in another dimension are neighbours in
// memory, runs code for the range with the two dimensions exchanged (package spmd, along.go).
// Work-items have the same ids, work-groups and results; only which of them run together is
// another matter.

// dimCosts are the kernel's costs by dimension, found when they are first asked for.
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

// swapped returns a triple with elements 0 and d exchanged.
func swapped(a [3]uint64, d int) [3]uint64 {
	a[0], a[d] = a[d], a[0]
	return a
}

// minGain is how many times less lanes along another dimension must cost than along the first.
const minGain = 1.5

// along returns the dimension that lanes should lie along in a launch.
func (c *Code) along(r *exec.NDRange) int {
	if r == nil || r.Dims < 2 || !c.mayTurn(r) {
		return 0
	}
	if c.o.Along != 0 {
		return c.o.Along % r.Dims
	}
	c.dims.once.Do(func() { c.dims.costs = spmd.CostsByDim(c.f) })
	k := &c.dims.costs
	cost := func(d int) float64 {
		row := r.Global[d]
		if c.Groups {
			row = r.Local[d]
		}
		lanes := uint64(c.o.Level.Lanes)
		used := float64(row) / float64((row+lanes-1)/lanes*lanes)
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

// mayTurn reports whether lanes may lie along another dimension than the first: where nobody
// can tell, not by the order of work-items either, in which violations are reported. So
// work-groups that can be told apart have to be of one row.
func (c *Code) mayTurn(r *exec.NDRange) bool {
	if c.Ordered || c.Prints || c.SubGroups || c.o.Lanes != 0 {
		return false
	}
	if !c.Groups {
		return true
	}
	rows := 0
	for d := range 3 {
		if r.Local[d] > 1 {
			rows++
		}
	}
	return rows <= 1
}

// forLaunch returns the variant with lanes along the dimension that suits a launch if the
// launch is worth it or there is one, else the first variant if that can run it.
func (c *Code) forLaunch(r *exec.NDRange) *variant {
	v := c.base
	d := c.along(r)
	if d == v.key.along {
		return v
	}
	usable := v.key.along == 0 || v.key.along < r.Dims && c.mayTurn(r)
	key := v.key
	key.along, key.local = d, [3]uint64{}
	if usable && c.o.Along == 0 && r.Global[0]*r.Global[1]*r.Global[2] < tailorItems && !c.has(key) {
		return v
	}
	first := exchange(*r, d)
	if s := c.variant(key, &first); s.err == nil || !usable {
		return s
	}
	return v
}

// has reports whether there is a variant of that key, or one is being made.
func (c *Code) has(key variantKey) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.variants[key] != nil
}
