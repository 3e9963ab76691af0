package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// mostPending bounds the loads that foldBroadcasts considers at once.
const mostPending = 64

// foldBroadcasts makes the loads of an element into all lanes operands of the instructions that use them, if each is used
// once, in its block, before memory or its address changes. reads has the reads of each register. It reports whether it
// folded any.
func (c *code) foldBroadcasts(reads []int32) (folded bool) {
	if !c.lv.EVEX {
		return false
	}
	var pending []*inst
	for _, b := range c.blocks {
		pending = pending[:0]
		for k := range b.insts {
			i := &b.insts[k]
			if len(pending) > 0 {
				if n := slices.IndexFunc(pending, func(load *inst) bool { return load.reg == i.rm }); n >= 0 && c.foldBroadcast(i, pending[n]) {
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
			if len(pending) < mostPending && c.broadcastLoad(i) && reads[i.reg] == 1 {
				pending = append(pending, i)
			}
		}
	}
	return folded
}

// broadcastLoad reports whether i only loads an element into all lanes of a virtual register.
func (c *code) broadcastLoad(i *inst) bool {
	return i.kind == kNormal && i.m.on && i.reg > 0 && i.mask == 0 && i.fl == fDefReg && slices.Contains(vbroadcast[:], i.op) && i.op != asm.NoOp && c.rematOf(i.reg) == nil
}

// foldBroadcast makes a load of an element the operand rm of i, if i has a form for it.
func (c *code) foldBroadcast(i, load *inst) bool {
	if load.op == asm.NoOp || i.w > load.w || !i.foldable(c.lv) || vbroadcast[evex(i.op).BroadcastSize()] != load.op {
		return false
	}
	i.bcst, i.rm, i.m = true, 0, load.m
	load.op = asm.NoOp
	return true
}
