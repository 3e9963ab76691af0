package ptx

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// choose emits a selection between two operands.
func (g *arithmetic) choose(c class, cond, a, b string) string {
	switch c {
	case pred:
		x := g.set(pred, "and.pred", cond, a)
		y := g.set(pred, "and.pred", g.set(pred, "not.pred", cond), b)
		return g.set(pred, "or.pred", x, y)
	}
	return g.set(c, "selp."+classTypes[c], a, b, cond)
}

// chooseBy is choose whose condition is a part of v. Where 32-bit integers are compared, it selects the halves of 64-bit
// operands: of selp.b64 with a comparison of its operands' low halves, all of them uniform, the driver's assembler makes
// a minimum or maximum of the low halves, and forgets the high halves.
func (g *arithmetic) chooseBy(v *ssa.Value, c class, cond, a, b string) string {
	if v = copied(v); c != b64 || v.Op != ssa.OpLt && v.Op != ssa.OpLe || v.Args[0].Type.K.Num().IsFloat() || v.Args[0].Type.K.Num().Bits() != 32 {
		return g.choose(c, cond, a, b)
	}
	x, y := g.split(a, 8, 4), g.split(b, 8, 4)
	for i := range x {
		x[i] = g.choose(b32, cond, x[i], y[i])
	}
	return g.join(x, 4, 8)
}

// shifted returns x << n. Of shl.b64 by 31, the driver's assembler may make a multiplication by -2^31.
func (g *arithmetic) shifted(c class, x, n string) string {
	if c != b64 || n != "31" {
		return g.set(c, "shl."+classTypes[c], x, n)
	}
	half := g.split(x, 8, 4)
	return g.join([]string{g.set(b32, "shl.b32", half[0], n), g.set(b32, "shf.l.wrap.b32", half[0], half[1], n)}, 4, 8)
}

// widened reports whether element i of v is an integer of 8 or 16 bits converted to a wider one, and whether that
// integer is signed.
func widened(v *ssa.Value, i int) (signed, ok bool) {
	for v != nil {
		switch v.Op {
		case ssa.OpCopy:
			v = v.Args[0]
		case ssa.OpSplat, ssa.OpVec, ssa.OpExtract, ssa.OpInsert, ssa.OpShuffle:
			v, i = v.ElementSource(i)
		case ssa.OpConvert:
			a := v.Args[0].Type.K
			sat, _ := ssa.ConvParts(v.Aux)
			return a.Num().Signed(), !sat && a != ssa.Bool && !a.Num().IsFloat() && a.Num().Bits() <= 16 && !v.Type.K.Num().IsFloat()
		default:
			return false, false
		}
	}
	return false, false
}

// splitWidened is split, into units of 2 bytes, of a register of size bytes that holds an extended integer of 8 or 16
// bits. The driver's assembler takes the low half of such a register for its high half where the integer was loaded and
// the half is an operand of cvt.f32.f16; so the high halves come from the sign.
func (g *arithmetic) splitWidened(x string, size int, signed bool) []string {
	if size == 8 {
		x = g.set(b32, "cvt.u32.u64", x)
	}
	high := "0"
	if signed {
		high = g.set(b32, "and.b32", g.set(b32, "shr.s32", x, "31"), "65535")
	}
	list := []string{g.set(b32, "and.b32", x, "65535")}
	for len(list) < size/2 {
		list = append(list, high)
	}
	return list
}

// toBits returns the zero-extended bits of an element, in a 32-bit or 64-bit register.
func (g *arithmetic) toBits(k ssa.Kind, x string) string {
	switch k {
	case ssa.F16:
		return g.set(b32, "cvt.u32.u16", x)
	case ssa.I8:
		return g.set(b32, "and.b32", x, "255")
	case ssa.I16:
		return g.set(b32, "and.b32", x, "65535")
	}
	return x
}

// fromBits is the inverse of toBits.
func (g *arithmetic) fromBits(k ssa.Kind, x string) string {
	switch k {
	case ssa.F16:
		return g.set(b16, "cvt.u16.u32", x)
	case ssa.I8, ssa.I16:
		return g.extend(k, x)
	case ssa.F32, ssa.F64:
		if !strings.HasPrefix(x, "%") { // a literal cannot be an operand of floating-point instructions
			c := classOf(k)
			return g.set(c, "mov."+classTypes[c], x)
		}
	}
	return x
}

// split returns the units of a register of size bytes, the lowest first. unit is in bytes.
func (g *arithmetic) split(x string, size, unit int) (list []string) {
	if size == unit {
		return []string{x}
	}
	for at := 0; at < size; at += unit {
		y := x
		if size == 8 {
			if at > 0 {
				y = g.set(b64, "shr.u64", y, fmt.Sprint(8*at))
			}
			y = g.set(b32, "cvt.u32.u64", y)
		} else if at > 0 {
			y = g.set(b32, "shr.u32", y, fmt.Sprint(8*at))
		}
		if unit < 4 {
			y = g.set(b32, "and.b32", y, fmt.Sprint(1<<(8*unit)-1))
		}
		list = append(list, y)
	}
	return list
}

// join returns a register of size bytes from its units, the lowest first.
func (g *arithmetic) join(pieces []string, unit, size int) string {
	if size == unit {
		return pieces[0]
	}
	c, t := b32, "b32"
	if size == 8 {
		c, t = b64, "b64"
	}
	r := ""
	for i, p := range pieces {
		if c == b64 {
			p = g.set(b64, "cvt.u64.u32", p)
		}
		if i > 0 {
			p = g.set(c, "shl."+t, p, fmt.Sprint(8*unit*i))
			p = g.set(c, "or."+t, r, p)
		}
		r = p
	}
	return r
}

// extend returns a value of kind k from the low bits of a 32-bit register.
func (g *arithmetic) extend(k ssa.Kind, x string) string {
	switch k {
	case ssa.I8:
		return g.set(b32, "cvt.s32.s8", x)
	case ssa.U8:
		return g.set(b32, "and.b32", x, "255")
	case ssa.I16:
		return g.set(b32, "cvt.s32.s16", x)
	case ssa.U16:
		return g.set(b32, "and.b32", x, "65535")
	}
	return x
}

// extended returns a 64-bit register with an integer of kind k.
func (g *arithmetic) extended(k ssa.Kind, x string) string {
	switch k {
	case ssa.I32:
		return g.set(b64, "cvt.s64.s32", x)
	case ssa.U32:
		return g.set(b64, "cvt.u64.u32", x)
	}
	return x
}
