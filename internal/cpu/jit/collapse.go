package jit

import (
	"math/bits"
	"sync"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Launches with collapsed or padded work-groups: if the rows of a work-group do not fill gangs, code for its size has
// lanes that are consecutive linear local ids, or work-items that return at once (package spmd, collapse.go). Work-items
// have the same order, ids and results. If the work-items of a work-group can divide a loop, whole rows have code for the size too.

// maxCollapsedSizes bounds the sizes of work-groups for which a kernel has such code.
const maxCollapsedSizes = 16

// dividing says in which sizes of work-groups the work-items of a kernel divide the iterations of a loop (package spmd, fills.go).
type dividing struct {
	mu    sync.Mutex
	sizes map[[3]uint64]bool
}

// loops reports whether they do in work-groups of the size.
func (d *dividing) loops(f *ssa.Func, size [3]uint64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	ok, known := d.sizes[size]
	if !known && len(d.sizes) < maxCollapsedSizes {
		if d.sizes == nil {
			d.sizes = map[[3]uint64]bool{}
		}
		ok = spmd.Fills(f, size)
		d.sizes[size] = ok
	}
	return ok
}

// groupForm returns the form of gangs for work-groups whose rows do not fill gangs, or whose work-items divide a loop. ok is false
// if the launch cannot run such code, or gains nothing.
func (c *Code) groupForm(r *exec.NDRange) (f form, ok bool) {
	if !c.Groups || c.SubGroups || c.counts() || r == nil || !r.Uniform() || r.Offset != [3]uint64{} {
		return f, false
	}
	size := [3]uint64{1, 1, 1}
	copy(size[:r.Dims], r.Local[:r.Dims])
	lanes, rows := uint64(c.o.Level.Lanes), size[1]*size[2] > 1
	if !spmd.Collapsible(size) || !(c.o.Collapse && rows) && (size[0]%lanes == 0 || size[0] < lanes && !rows) && !c.divides.loops(c.f, size) {
		return f, false
	}
	f = formForSize(size, lanes, c.o.Collapse)
	if f.items > size[0]*size[1]*size[2] && !c.o.Collapse && !c.unfolds() {
		return form{}, false // only unfolded code knows the gangs in which all work-items go on
	}
	for _, x := range [][3]uint64{r.Global, f.rangeOf(r).Global} {
		for _, n := range x {
			ok = n < spmd.MaxCollapsed
			if !ok {
				return f, false
			}
		}
	}
	return f, true
}

// unfolds reports whether the kernel may have unfolded code.
func (c *Code) unfolds() bool {
	c.unfold.once.Do(func() { c.unfold.ok = spmd.Unfolds(c.f) })
	return c.unfold.ok
}

// formForSize returns the best form for work-groups of a size: rows padded up to whole gangs if few lanes are idle, else
// collapsed dimensions. These are padded up to powers of two if at most half of the lanes are idle.
func formForSize(size [3]uint64, lanes uint64, collapse bool) form {
	rows := form{size: size, padded: [3]uint64{align(size[0], lanes), size[1], size[2]}}
	binary := form{size: size, padded: size, collapsed: true}
	for d := range 2 {
		if n := size[d]; size[d+1] > 1 || d == 0 && size[2] > 1 {
			binary.padded[d] = 1 << bits.Len64(n-1)
		}
	}
	plain := form{size: size, padded: size, collapsed: true}
	n := size[0] * size[1] * size[2]
	for _, f := range []*form{&rows, &binary, &plain} {
		f.items = align(f.padded[0]*f.padded[1]*f.padded[2], lanes)
	}
	switch {
	case !collapse && rows.items <= binary.items && rows.items <= 2*n:
		return rows
	case binary.items <= 2*n:
		return binary
	}
	return plain
}

// efficiency returns the share of lanes that have work-items.
func (f *form) efficiency() float64 {
	return float64(f.size[0]*f.size[1]*f.size[2]) / float64(f.items)
}

// rangeOf returns the range that code of the form has for a launch of the host's range.
func (f *form) rangeOf(r *exec.NDRange) exec.NDRange {
	x := *r
	switch {
	case f.items == 0:
		return exchange(x, f.laneDim)
	case f.collapsed:
		x.Local = [3]uint64{f.items, 1, 1}
	default:
		x.Local = f.padded
	}
	groups := r.Groups()
	for d := range x.Global {
		x.Global[d] = groups[d] * x.Local[d]
	}
	return x
}

// globalID returns the global id, in the host's range r, of the work-item with an id in the form's.
func (f *form) globalID(r *exec.NDRange, id [3]uint64) [3]uint64 {
	switch {
	case f.items == 0:
		return swapped(id, f.laneDim)
	case !f.collapsed:
		for d, n := range f.padded {
			id[d] = id[d]/n*r.Local[d] + id[d]%n
		}
		return id
	}
	group, item, p := [3]uint64{id[0] / f.items, id[1], id[2]}, id[0]%f.items, f.padded
	return [3]uint64{
		group[0]*r.Local[0] + item%p[0],
		group[1]*r.Local[1] + item/p[0]%p[1],
		group[2]*r.Local[2] + item/(p[0]*p[1]),
	}
}
