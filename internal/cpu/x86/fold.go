package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// mostPending bounds the loads that foldVectorLoads considers at once.
const mostPending = 64

// foldVectorLoads makes loads of vectors, and of an element into all lanes, operands of the instructions that use them, if each is
// used once, in its block, before memory or its address changes. reads has the reads of each register. It reports whether it
// folded any.
func (c *code) foldVectorLoads(reads []int32) (folded bool) {
	var pending []*inst
	for _, b := range c.blocks {
		pending = pending[:0]
		for k := range b.insts {
			i := &b.insts[k]
			if len(pending) > 0 {
				if n := slices.IndexFunc(pending, func(load *inst) bool { return load.reg == i.rm }); n >= 0 && c.foldLoad(i, pending[n]) {
					folded = true
				}
				if i.effect() && (i.m.on || i.kind != kNormal) {
					pending = pending[:0]
					continue
				}
				for p := i.writes(); p != 0; p &= p - 1 {
					d := *i.field(p & -p)
					pending = slices.DeleteFunc(pending, func(load *inst) bool { return load.reg == d || load.m.base == d || load.m.index == d })
				}
			}
			if len(pending) < mostPending && c.foldableLoad(i) && reads[i.reg] == 1 {
				pending = append(pending, i)
			}
		}
	}
	return folded
}

// foldableLoad reports whether i only loads a virtual register: a vector, or with EVEX an element into all lanes.
func (c *code) foldableLoad(i *inst) bool {
	if i.kind != kNormal || !i.m.on || i.reg <= 0 || i.mask != 0 || i.fl != fDefReg || i.op == asm.NoOp || c.rematOf(i.reg) != nil {
		return false
	}
	return i.op == asm.VMOVUPS || c.lv.EVEX && slices.Contains(vbroadcast[:], i.op)
}

// foldLoad makes a load the operand rm of i, if i has a form for it.
func (c *code) foldLoad(i, load *inst) bool {
	if load.op == asm.NoOp || i.w > load.w || !i.foldable(c.lv) || i.op == asm.VMOVAPS {
		return false
	}
	whole := load.op == asm.VMOVUPS
	if !whole && vbroadcast[evex(i.op).BroadcastSize()] != load.op {
		return false
	}
	i.bcst, i.rm, i.m = !whole, 0, load.m
	load.op = asm.NoOp
	return true
}
