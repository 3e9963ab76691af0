package x86

import "github.com/purecl/purecl/internal/cpu/x86/asm"

// indexForms maps permutations of two registers that overwrite the first to those that overwrite the indices.
var indexForms = [asm.NumOps]asm.Op{asm.VPERMT2B: asm.VPERMI2B, asm.VPERMT2W: asm.VPERMI2W, asm.VPERMT2D: asm.VPERMI2D}

// overwriteIndices removes copies of registers that permutations of two registers overwrite, in allocated code, where the indices are
// rematerialised for the permutation alone: it then overwrites the indices.
func overwriteIndices(c *code) {
	if !c.lv.EVEX {
		return
	}
	var reads []int32
	var list named
	for _, b := range c.blocks {
		for k := 2; k < len(b.insts); k++ {
			from, load, i := &b.insts[k-2], &b.insts[k-1], &b.insts[k]
			if i.kind != kNormal || indexForms[i.op] == asm.NoOp || i.mask != 0 || !copiesFor(c, from, load, i) {
				continue
			}
			if reads == nil {
				reads = zeroed(c.work.count, c.regs.NumRegs())
				c.work.count = reads
				for _, b := range c.blocks {
					for k := range b.insts {
						for _, v := range b.insts[k].virtual(b.insts[k].mayRead(), &list) {
							reads[v]++
						}
					}
				}
			}
			if reads[load.reg] == 1 {
				i.op, i.v, load.reg = indexForms[i.op], from.rm, from.reg
				from.rm = from.reg // emits nothing
			}
		}
	}
}

// copiesFor reports whether a permutation i overwrites the copy of a register that the instruction from has made, by indices
// that load has rematerialised, and can overwrite these instead.
func copiesFor(c *code, from, load, i *inst) bool {
	if from.fl&fCopy == 0 || from.op != asm.VMOVAPS || from.m.on || from.mask != 0 || from.rm <= 0 || from.reg != i.reg || from.w < i.w {
		return false
	}
	if load.fl&fRemat == 0 || load.op != asm.VMOVUPS || load.mask != 0 || load.reg <= 0 || load.reg != i.v || load.w < i.w {
		return false
	}
	copied := c.regs.PReg(from.rm)
	return copied != c.regs.PReg(from.reg) && copied != c.regs.PReg(load.reg)
}
