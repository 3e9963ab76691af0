package x86

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// TestFoldMasks: a comparison computes the conjunction or the complement that its result is only used for, unless it has another
// use, other lanes, or a mask that comes later.
func TestFoldMasks(t *testing.T) {
	const w = 64
	type operands struct{ a, b, m reg }
	less := func(c *code, o operands) reg { return c.krvm(asm.VPCMPUD, w, o.a, o.b, predLT) }
	greater := func(c *code, o operands) reg { return c.krvm(asm.VCMPPSK, w, o.b, o.a, cmpLT) }
	and := func(c *code, a, b reg) reg { return c.krvm(asm.KANDW, 8, a, b, 0) }
	andNot := func(c *code, a, b reg) reg { return c.krvm(asm.KANDNW, 8, a, b, 0) }
	not := func(c *code, a reg) reg { return c.krvm(asm.KNOTW, 8, 0, a, 0) }
	for _, x := range []struct {
		name string
		emit func(c *code, o operands) reg // returns the mask that is used
		want string                        // instructions that compute it
	}{
		{"and", func(c *code, o operands) reg { return and(c, less(c, o), o.m) }, "vpcmpud{1 m}"},
		{"and, other order", func(c *code, o operands) reg { return and(c, o.m, less(c, o)) }, "vpcmpud{1 m}"},
		{"two comparisons", func(c *code, o operands) reg { x := less(c, o); return and(c, x, greater(c, o)) }, "vpcmpud{1} vcmppsk{17 m}"},
		{"not", func(c *code, o operands) reg { return not(c, greater(c, o)) }, "vcmppsk{21}"},
		{"and not", func(c *code, o operands) reg { return andNot(c, less(c, o), o.m) }, "vpcmpud{5 m}"},
		{"a check", func(c *code, o operands) reg { return and(c, not(c, and(c, less(c, o), o.m)), o.m) }, "vpcmpud{5 m}"},
		{"test", func(c *code, o operands) reg { return not(c, c.krvm(asm.VPTESTMD, w, o.a, o.a, 0)) }, "vptestnmd{0}"},
		{"eight lanes", func(c *code, o operands) reg { return and(c, c.krvm(asm.VPCMPQ, w, o.a, o.b, predEQ), o.m) }, "vpcmpq{0 m}"},
		{"complement of eight lanes", func(c *code, o operands) reg { return not(c, c.krvm(asm.VPCMPQ, w, o.a, o.b, predEQ)) }, "vpcmpq{0} knotw"},
		{"difference of eight lanes", func(c *code, o operands) reg { return andNot(c, c.krvm(asm.VPCMPQ, w, o.a, o.b, predEQ), o.m) }, "vpcmpq{0} kandnw"},
		{"64 lanes", func(c *code, o operands) reg { return and(c, c.krvm(asm.VPCMPB, w, o.a, o.b, predEQ), o.m) }, "vpcmpb{0} kandw"},
		{"used twice", func(c *code, o operands) reg { x := less(c, o); return c.krvm(asm.KORW, 8, x, and(c, x, o.m), 0) }, "vpcmpud{1} kandw korw"},
		{"mask comes later", func(c *code, o operands) reg {
			x := less(c, o)
			return and(c, x, c.krvm(asm.KORW, 8, o.m, o.m, 0))
		}, "vpcmpud{1} korw kandw"},
		{"other block", func(c *code, o operands) reg {
			x := less(c, o)
			c.place(c.newBlock(0))
			return and(c, x, o.m)
		}, "vpcmpud{1} kandw"},
		{"other mask", func(c *code, o operands) reg { return andNot(c, and(c, less(c, o), o.m), greater(c, o)) }, "vpcmpud{1 m} vcmppsk{17} kandnw"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := newCode(AVX512)
			c.place(c.newBlock(0))
			base := c.g()
			c.ld(base, 8, ctxAt(CtxRoots))
			load := func(n int32) reg { a := c.vload(asm.VMOVUPS, w, at(base, n)); return c.rvm(asm.VPADDD, w, a, a) }
			o := operands{a: load(0), b: load(64)}
			o.m = c.krvm(asm.VPMOVB2M, w, 0, load(128), 0)
			c.vstore(asm.VMOVDQU32ST, w, at(base, 256), o.a, x.emit(c, o))
			c.removeDead()
			var got []string
			for _, b := range c.blocks {
				for k := range b.insts {
					i := &b.insts[k]
					name := asm.Table[i.op].Name
					if _, ok := comparisons[i.op]; ok || i.op == asm.VPCMPB {
						if name = fmt.Sprintf("%s{%d", name, i.imm); i.mask != 0 {
							name += " m"
						}
						got = append(got, name+"}")
					} else if strings.HasPrefix(name, "k") {
						got = append(got, name)
					}
				}
			}
			if g := strings.Join(got, " "); g != x.want {
				t.Errorf("%s, want %s\n%s", g, x.want, c.dump())
			}
		})
	}
}
