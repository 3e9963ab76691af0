//go:build amd64 && (linux || darwin || windows)

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

// A sibling is the code of a kernel with lanes along another dimension.
type sibling struct {
	once sync.Once
	code *Code
	err  error
}

// alongCosts are the kernel's, found when they are asked for first.
type alongCosts struct {
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
	if c.forced != 0 {
		return c.forced % r.Dims
	}
	c.dims.once.Do(func() { c.dims.costs = spmd.CostsByDim(c.f) })
	k := &c.dims.costs
	cost := func(d int) float64 {
		row := r.Global[d]
		if c.groups {
			row = r.Local[d]
		}
		lanes := uint64(c.lv.Lanes)
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
	if c.orderSensitive || c.prints || c.subGroups || c.fixed {
		return false
	}
	if !c.groups {
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

// choose makes c code for the dimension that suits the first launch, of a range that may not
// be known yet, and returns the range that this launch has for it.
func (c *Code) choose(first *exec.NDRange) *exec.NDRange {
	d := c.along(first)
	if d == 0 {
		return first
	}
	c.form.along, c.opts.Along = d, d
	r := exchange(*first, d)
	return &r
}

// forLaunch returns the code for a launch: c, or one with lanes along another dimension, which
// is made where the launch is worth it.
func (c *Code) forLaunch(r *exec.NDRange) (*Code, error) {
	d := c.along(r)
	if d == c.form.along {
		return c, nil
	}
	good := c.form.along == 0 || c.form.along < r.Dims && c.mayTurn(r)
	c.siblingMu.Lock()
	s := c.siblings[d]
	if s == nil {
		if good && c.forced == 0 && r.Global[0]*r.Global[1]*r.Global[2] < worthIt {
			c.siblingMu.Unlock()
			return c, nil
		}
		s = &sibling{}
		c.siblings[d] = s
	}
	c.siblingMu.Unlock()
	s.once.Do(func() {
		f := c.form
		f.along = d
		first := exchange(*r, d)
		s.code, s.err = compileFor(c.f, c.lv, 0, f, &first)
	})
	if s.err != nil && good {
		return c, nil
	}
	if s.err != nil {
		return c, s.err
	}
	return s.code, nil
}
