package jit

import (
	"sync"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A width is a candidate for the length of gangs, with the level that provides it.
type width struct {
	lv    *x86.Level
	lanes int
}

// cost estimates the time of gangs of this width for a row of a work-group. Each gang has a fixed cost, as at
// barriers, and a cost for each register of its lanes. Idle lanes cost as much as others, and partial gangs
// need masks.
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

// widthFor returns the best width for work-groups with rows of that many work-items.
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

// setWidth sets the length of gangs; first is the range of the first launch, or nil if unknown. A plan unfolded
// for a work-group size determines the length. If unfolding failed, the variant supports all sizes.
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

// scalar reports whether the variant is scalar code, one work-item after the other: because the options ask for gangs
// of one, or because scalar code is likely to be faster. If the options ask for it and the kernel cannot have it, gangs
// have the best length.
func (v *variant) scalar() bool {
	c := v.c
	wanted := v.key.lanes == 1
	if wanted {
		v.lanes = 0
	} else if v.key.lanes != 0 {
		return false
	}
	if v.grouped() || v.key.coarse || v.local[0] != 0 {
		return false
	}
	if wanted {
		return spmd.Scalarable(c.f)
	}
	return spmd.ScalarMayPay(c.f) && spmd.ScalarPays(c.scalarCost())
}

// slowGathers reports whether code is for a processor with slow gathers and scatters.
func (c *Code) slowGathers() bool { return c.o.SlowGathers || slowGathers() }

// narrowUpdates reports whether code is for a processor that updates memory faster by 32 bytes than by 64.
func (c *Code) narrowUpdates() bool { return c.o.Narrow || narrowUpdates() }

// scalarCost records the ratio of the costs of scalar code and gangs. It is computed on first use.
type scalarCost struct {
	once sync.Once
	cost float64
}

// usualLanes returns the length of gangs for the first launch, or for a typical one if its range is unknown. A
// large kernel, judged by its number of values, begins with narrow gangs, whose code takes a third of the time
// to make.
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

// longLanes returns the length of gangs for a kernel whose gangs may be long. A row that is not a multiple of
// it would need masked code for the tail, so then gangs stay shorter.
func (v *variant) longLanes(p *spmd.Plan, first *exec.NDRange) int {
	n := p.Facts.LongWidth(v.key.level.Target(), v.most)
	for first != nil && n > v.most && first.Global[0]%uint64(n) != 0 {
		n /= 2
	}
	return n
}
