package jit

import (
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A width is a form that a gang may have.
type width struct {
	lv    *x86.Level
	lanes int
}

// cost estimates the time that gangs of this width take for a row of a work-group: each
// has work of its own, as at barriers, and some for each register of its lanes. Lanes
// without work-items cost what the others do, and masks.
func (w width) cost(row uint64, best *x86.Level) float64 {
	n := uint64(w.lanes)
	each := 1 + float64(w.lanes/w.lv.Lanes)
	c := float64(row/n) * each
	if row%n != 0 {
		c += 1.5 * each
	}
	if w.lv != best { // fewer registers, no mask registers
		c *= 1.3
	}
	return c
}

// widthFor returns the width of gangs for work-groups with rows of that many work-items.
func (v *variant) widthFor(row uint64) width {
	lv := v.key.level
	best := width{lv, lv.Lanes}
	try := func(w width) {
		if w.cost(row, lv) < best.cost(row, lv) {
			best = w
		}
	}
	for n := 2 * lv.Lanes; n <= v.most; n *= 2 {
		try(width{lv, n})
	}
	if lv != x86.AVX2 {
		try(width{x86.AVX2, x86.AVX2.Lanes})
	}
	return best
}

// setWidth decides how many lanes gangs have, for a first launch of the range if that is known.
// A plan that is unfolded for known work-groups decides it; one that could not be unfolded is
// good for all.
func (v *variant) setWidth(p *spmd.Plan, s *spmd.Options, first *exec.NDRange) {
	c, lv := v.c, v.key.level
	if !p.Unfolded {
		v.local = [3]uint64{}
	} else {
		v.lanes = s.Unfold.Lanes
	}
	if v.lanes == 0 {
		v.most = p.Facts.Width(lv.Target())
		v.lanes = v.most
		if v.grouped() {
			v.lanes = v.usualLanes(first, p.F.CountValues())
		} else if p.Facts.MayBeLong(lv.Target()) {
			v.lanes = v.longLanes(p, first)
		}
	} else if v.lanes > lv.Masked() && (v.grouped() || !p.Facts.MayBeLong(lv.Target())) {
		v.lanes = lv.Masked()
	}
	if c.SubGroups && !v.key.partial {
		v.lanes = max(v.lanes, c.f.Kernel.SubGroupSize())
	}
}

// usualLanes returns how many lanes gangs have that are good for the first launch, where
// its range is known, and what may be expected where not. A large kernel, of that many
// values, begins with narrow gangs: code for them is made in a third of the time.
func (v *variant) usualLanes(first *exec.NDRange, values int) int {
	if values > largeKernel {
		return v.key.level.Lanes
	}
	row := uint64(v.c.f.Kernel.ReqdGroupSize[0])
	if first != nil {
		row = first.Local[0]
	}
	if row == 0 {
		row = 256
		for _, b := range v.c.f.Blocks {
			for _, v := range b.Values {
				if v.Op == ssa.OpWorkItem && v.Args[0].IsConst() && v.Args[0].ConstElem(0) > 0 {
					row = 16 // groups of two dimensions are usually square
				}
			}
		}
	}
	if w := v.widthFor(row); w.lv == v.key.level {
		return w.lanes
	}
	return v.key.level.Lanes
}

const largeKernel = 100

// longLanes returns how many lanes gangs have of a kernel that may have long ones. Rows that
// are no multiple of them take the code for partial gangs, which has masks: then not.
func (v *variant) longLanes(p *spmd.Plan, first *exec.NDRange) int {
	n := p.Facts.LongWidth(v.key.level.Target(), v.most)
	for first != nil && n > v.most && first.Global[0]%uint64(n) != 0 {
		n /= 2
	}
	return n
}
