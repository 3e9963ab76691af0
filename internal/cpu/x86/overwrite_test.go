package x86

import (
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// TestOverwriteIndices: a permutation whose indices have no register of their own overwrites these, not a copy of its operand.
func TestOverwriteIndices(t *testing.T) {
	const tables = 40 // more than registers
	c := newCode(AVX512)
	c.place(c.newBlock(0))
	base := c.g()
	c.ld(base, 8, ctxAt(CtxRoots))
	x, y := c.vload(asm.VMOVUPS, 64, at(base, 0)), c.vload(asm.VMOVUPS, 64, at(base, 64))
	y = c.rvm(asm.VADDPS, 64, y, y)
	var list []reg
	for k := range int32(tables) {
		v := c.vload(asm.VMOVUPS, 64, at(base, 128+64*k))
		again := c.cur.insts[len(c.cur.insts)-1]
		c.setRemat(v, &again)
		list = append(list, v)
	}
	for k, v := range list {
		d := c.overwrite(asm.VPERMT2D, 64, x, v, y, 0)
		c.vstore(asm.VMOVUPSST, 64, at(base, 4096+64*int32(k)), d, 0)
	}
	c.vstore(asm.VMOVUPSST, 64, at(base, 0), x, 0)
	c.removeDead()
	if err := c.regs.Allocate(c); err != nil {
		t.Fatal(err)
	}
	overwriteIndices(c)
	copies, left, overwritten := 0, 0, 0
	for _, b := range c.blocks {
		for k := range b.insts {
			switch i := &b.insts[k]; i.op {
			case asm.VMOVAPS:
				if i.reg != i.rm {
					copies++
				}
			case asm.VPERMT2D:
				left++
			case asm.VPERMI2D:
				overwritten++
				if load := &b.insts[k-1]; load.op != asm.VMOVUPS || load.reg != i.reg || i.v != x {
					t.Errorf("the indices are not in the result's register\n%s", c.dump())
				}
			}
		}
	}
	if overwritten < tables-32 || left+overwritten != tables || copies != left {
		t.Errorf("%d permutations overwrite their indices, %d an operand, %d copies\n%s", overwritten, left, copies, c.dump())
	}
}
