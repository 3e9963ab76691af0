package kerneltest

import (
	"fmt"
	"math/bits"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// blocks lets the work-items of a group read and write a block of a matrix whose rows and columns are bits of their
// number in the group, and so wide that the launch decides. The columns may be several elements apart.
func (g *cooperation) blocks() *node {
	if !g.kernel || !g.barriers || g.k.Offset != nil {
		return nil
	}
	t := oneOf(g, Type{numeric.I32, 1}, Type{numeric.U32, 1}, Type{numeric.F32, 1}, Type{numeric.F32, 2}, Type{numeric.F32, 4}, Type{numeric.I64, 1}, Type{numeric.U8, 1}, Type{numeric.U8, 4}, Type{numeric.I16, 1}, Type{numeric.F64, 1})
	const most = 7 // how much wider a matrix may be
	columns := 1 << (1 + g.IntN(4))
	rows := (g.group + columns - 1) / columns
	groups, at := 1, ""
	for d, n := range g.k.Global {
		groups *= (n + g.k.Local[d] - 1) / g.k.Local[d]
		if at = fmt.Sprintf("%s + get_group_id(%d)", at, d); d+1 < len(g.k.Global) {
			at = fmt.Sprintf("(%s) * get_num_groups(%d)", at, d+1)
		}
	}
	apart := 1 + len(g.vars)%4
	b, wide := g.name("net"), columns*apart+most
	g.argument(fmt.Sprintf("global %s* %s", t, b), Arg{Name: b, Type: t.String(), Elem: t.size(), Data: randomData(g.Rand, t, groups*rows*wide)})
	integer := oneOf(g, "int", "uint", "long", "ulong")
	w, row, column, i := g.name("n"), g.name("n"), g.name("n"), g.name("i")
	c, r := fmt.Sprintf("lid & %d", columns-1), fmt.Sprintf("lid >> %d", bits.TrailingZeros(uint(columns)))
	if g.chance(3) {
		c, r = fmt.Sprintf("lid %% %d", columns), fmt.Sprintf("lid / %d", columns)
	}
	width := fmt.Sprintf("%d + (%s & %d)", columns*apart, g.same(), most)
	if g.chance(3) {
		width = fmt.Sprint(columns*apart + g.IntN(most+1))
	}
	v := variable{name: g.name("v"), typ: t}
	some := ""
	if g.chance(3) {
		some = fmt.Sprintf("if (%s %s %d) ", oneOf(g, column, row, "lid"), oneOf(g, "<", ">=", "!="), g.IntN(columns))
	}
	n := statement(fmt.Sprintf("  %s %s = %s, %s = %s, %s = %s, %s = (%s)(%s) * %d + %s * %s + %s * %d;\n", integer, w, width, column, c, row, r, i, integer, at, rows*wide, row, w, column, apart),
		fmt.Sprintf("  %s %s = %s[%s];\n  %s%s[%s] = ", t, v.name, b, i, some, b, i), g.combine(t, value(t, v.name), g.leaf(t)), ";\n")
	g.vars = append(g.vars, v)
	return n
}
