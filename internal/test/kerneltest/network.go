package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// network returns a step of a sorting network or of a Fourier transform: the work-item exchanges a pair of elements
// of a buffer. The pair follows from the bits of its linear id and a uniform distance that is a power of two.
func (g *simpleStatements) network() *node {
	if !g.kernel {
		return nil
	}
	t := oneOf(g, Type{numeric.I32, 1}, Type{numeric.U32, 1}, Type{numeric.F32, 1}, Type{numeric.F32, 2}, Type{numeric.I64, 1}, Type{numeric.U8, 4}, Type{numeric.I16, 1}, Type{numeric.F64, 1})
	b := g.name("net")
	const most = 7 // most bits of a distance
	n := 2*g.items + 1<<most
	g.argument(fmt.Sprintf("global %s* %s", t, b), Arg{Name: b, Type: t.String(), Elem: t.size(), Data: randomData(g.Rand, t, n)})
	same := fmt.Sprintf("(uint)%s(%d)", oneOf(g, "get_num_groups", "get_global_size"), g.IntN(len(g.k.Global)))
	for _, i := range g.Perm(len(g.ins)) {
		if in := g.ins[i]; in.typ.N == 1 && in.typ.Kind.IsInt() && !g.chance(4) {
			same = fmt.Sprintf("(uint)%s[%d]", in.name, g.IntN(in.n))
		}
	}
	bits, s, i, p := g.name("n"), g.name("n"), g.name("i"), g.name("p")
	integer := oneOf(g, "int", "uint", "uint", "long", "ulong")
	form := oneOf(g, "2 * I - (I & (S - 1))", "(I >> K << (K + 1)) | (I & (S - 1))", "I / S * (2 * S) + I % S", "((I - (I & (S - 1))) << 1) + (I & (S - 1))", "(I & ~(S - 1)) * 2 + (I & (S - 1))")
	text := ""
	for _, r := range form {
		switch r {
		case 'I':
			text += i
		case 'S':
			text += s
		case 'K':
			text += bits
		default:
			text += string(r)
		}
	}
	other := fmt.Sprintf("%s %s %s", p, oneOf(g, "+", "+", "|", "^"), s)
	v, w := variable{name: g.name("v"), typ: t}, variable{name: g.name("v"), typ: t}
	x, y := g.combine(t, value(t, v.name), value(t, w.name)), g.combine(t, value(t, w.name), g.leaf(t))
	node := statement(fmt.Sprintf("  uint %s = %s & %d;\n  %s %s = (%s)1 << %s, %s = lin, %s = %s;\n  %s %s = %s[%s], %s = %s[%s];\n", bits, same, most, integer, s, integer, bits, i, p, text, t, v.name, b, p, w.name, b, other),
		fmt.Sprintf("  %s[%s] = ", b, p), x, fmt.Sprintf(";\n  %s[%s] = ", b, other), y, ";\n")
	g.vars = append(g.vars, v, w)
	return node
}
