package jit

import (
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/run/exec"
)

// Launches with collapsed work-groups: if the rows of a work-group are shorter than a gang, code for its size has
// lanes that are consecutive linear local ids (package spmd, collapse.go). The range of the execution then has
// work-groups of one dimension. Work-items have the same order, ids and results.

// maxCollapsedSizes bounds the sizes of work-groups for which a kernel has such code.
const maxCollapsedSizes = 16

// collapsible reports whether a launch may run code for collapsed work-groups, of the size returned.
func (c *Code) collapsible(r *exec.NDRange) (size [3]uint64, ok bool) {
	if !c.Groups || c.SubGroups || r == nil || r.Dims < 2 || !r.Uniform() || r.Offset != [3]uint64{} {
		return size, false
	}
	size = [3]uint64{1, 1, 1}
	copy(size[:r.Dims], r.Local[:r.Dims])
	for _, n := range r.Global {
		if n >= spmd.MaxCollapsed {
			return size, false
		}
	}
	x := collapsed(r)
	return size, spmd.Collapsible(size) && x.Global[0] < spmd.MaxCollapsed
}

// short reports whether work-groups of a size have rows that leave lanes without work-items.
func (c *Code) short(size [3]uint64) bool {
	lanes := uint64(c.o.Level.Lanes)
	return size[0] < lanes && size[1]*size[2] > 1
}

// collapsed returns the range of a launch for collapsed work-groups.
func collapsed(r *exec.NDRange) exec.NDRange {
	x := *r
	groups := r.Groups()
	n := r.Local[0] * r.Local[1] * r.Local[2]
	x.Local = [3]uint64{n, 1, 1}
	x.Global = [3]uint64{groups[0] * n, groups[1], groups[2]}
	return x
}

// rangeOf returns the range that code of the form has for a launch of the host's range.
func (f *form) rangeOf(r *exec.NDRange) exec.NDRange {
	if f.collapsed {
		return collapsed(r)
	}
	return exchange(*r, f.laneDim)
}

// globalID returns the global id, in the host's range r, of the work-item with an id in the form's.
func (f *form) globalID(r *exec.NDRange, id [3]uint64) [3]uint64 {
	if !f.collapsed {
		return swapped(id, f.laneDim)
	}
	n := f.size[0] * f.size[1] * f.size[2]
	group, item := [3]uint64{id[0] / n, id[1], id[2]}, id[0]%n
	return [3]uint64{
		group[0]*r.Local[0] + item%f.size[0],
		group[1]*r.Local[1] + item/f.size[0]%f.size[1],
		group[2]*r.Local[2] + item/(f.size[0]*f.size[1]),
	}
}
