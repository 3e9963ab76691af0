package x86

import (
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// TestFoldVectorLoads: the load of a vector, or of an element into all lanes, becomes an operand of its only use, unless memory or the
// address changes between the two, or the use has no such form.
func TestFoldVectorLoads(t *testing.T) {
	type test struct {
		name  string
		lv    *Level
		load  asm.Op
		use   func(c *code, base, x, loaded reg) reg
		loads int // left
	}
	add := func(c *code, _, x, loaded reg) reg { return c.rvm(asm.VADDPS, c.lv.VL, x, loaded) }
	after := func(f func(c *code, base, x reg)) func(c *code, base, x, loaded reg) reg {
		return func(c *code, base, x, loaded reg) reg {
			f(c, base, x)
			return add(c, base, x, loaded)
		}
	}
	fma := func(c *code, a, b, d reg) reg {
		return c.result(cV, inst{op: asm.VFMADD213PS, w: c.lv.VL, v: a, rm: b, immReg: d})
	}
	for _, x := range []test{
		{"once", AVX512, asm.VPBROADCASTD, add, 0},
		{"second factor", AVX512, asm.VPBROADCASTD, func(c *code, _, x, loaded reg) reg { return fma(c, x, loaded, x) }, 0},
		{"first factor", AVX512, asm.VPBROADCASTD, func(c *code, _, x, loaded reg) reg { return fma(c, loaded, x, x) }, 1},
		{"twice", AVX512, asm.VPBROADCASTD, func(c *code, base, x, loaded reg) reg { return add(c, base, add(c, base, x, loaded), loaded) }, 1},
		{"other elements", AVX512, asm.VPBROADCASTQ, add, 1},
		{"store between", AVX512, asm.VPBROADCASTD, after(func(c *code, base, x reg) { c.vstore(asm.VMOVUPSST, 64, at(base, 64), x, 0) }), 1},
		{"store before", AVX512, asm.VPBROADCASTD, func(c *code, base, x, loaded reg) reg {
			y := add(c, base, x, loaded)
			c.vstore(asm.VMOVUPSST, 64, at(base, 64), x, 0)
			return y
		}, 0},
		{"address changes", AVX512, asm.VPBROADCASTD, after(func(c *code, base, x reg) { c.opi(asm.ADDIMM, 8, base, 4) }), 1},
		{"other block", AVX512, asm.VPBROADCASTD, after(func(c *code, base, x reg) { c.place(c.newBlock(0)) }), 1},
		{"no such form", AVX2, asm.VPBROADCASTD, add, 1},
		{"vector", AVX512, asm.VMOVUPS, add, 0},
		{"vector, AVX2", AVX2, asm.VMOVUPS, add, 0},
		{"vector compared", AVX512, asm.VMOVUPS, func(c *code, _, x, loaded reg) reg {
			return c.blend(4, c.lv.VL, x, x, c.krvm(asm.VPCMPD, c.lv.VL, x, loaded, predLT))
		}, 0},
		{"vector twice", AVX512, asm.VMOVUPS, func(c *code, base, x, loaded reg) reg { return add(c, base, add(c, base, x, loaded), loaded) }, 1},
		{"aligned move", AVX2, asm.VMOVUPS, func(c *code, _, x, loaded reg) reg {
			d := c.vr()
			c.vmov(d, loaded)
			return d
		}, 1},
		{"vector, store between", AVX2, asm.VMOVUPS, after(func(c *code, base, x reg) { c.vstore(asm.VMOVUPSST, 32, at(base, 64), x, 0) }), 1},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := newCode(x.lv)
			c.place(c.newBlock(0))
			base := c.g()
			c.ld(base, 8, ctxAt(CtxRoots))
			v := c.vload(asm.VMOVUPS, x.lv.VL, at(base, 0))
			v = c.rvm(asm.VADDPS, x.lv.VL, v, v)
			y := x.use(c, base, v, c.vload(x.load, x.lv.VL, at(base, 128)))
			c.vstore(asm.VMOVUPSST, x.lv.VL, at(base, 256), y, 0)
			c.removeDead()
			loads, folded := 0, 0
			for _, b := range c.blocks {
				for k := range b.insts {
					switch i := &b.insts[k]; {
					case i.m.disp != 128:
					case i.op == x.load:
						loads++
					case i.bcst == (x.load != asm.VMOVUPS):
						folded++
					}
				}
			}
			if loads != x.loads || folded != 1-x.loads {
				t.Errorf("%d loads and %d operands in memory, want %d and %d\n%s", loads, folded, x.loads, 1-x.loads, c.dump())
			}
		})
	}
}
