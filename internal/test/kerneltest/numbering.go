package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// numbering numbers the work-items of a group for which a condition holds, by a prefix sum in local memory, and writes elements at
// these numbers. All work-items of the group must execute it, at the top of the kernel: it declares local memory.
func (g *cooperation) numbering() *node {
	g.k.required = g.k.required || g.chance(2)
	t, on, s, u := g.name("l"), g.name("on"), g.name("s"), oneOf(g, "uint", "uint", "int")
	bit := []any{"(", g.cond(2), ") ? 1 : 0"}
	if g.chance(3) {
		bit = []any{"(uint)(", g.expr(Type{numeric.U32, 1}, 2), fmt.Sprintf(") >> %d & 1", g.IntN(32))}
	}
	parts := append([]any{fmt.Sprintf("  local %s %s[%d];\n  %s %s = ", u, t, g.group, u, on)}, bit...)
	parts = append(parts, fmt.Sprintf(", %s = %s;\n  %s[lid] = %s;\n", s, on, t, s), fenceLocal,
		fmt.Sprintf("  for (uint d = 1; d < %s; d <<= 1) {\n  %s m = lid >= d ? %s[lid - d] : 0;\n", oneOf(g, "lsz", "lsz", fmt.Sprint(g.group)), u, t), fenceLocal,
		fmt.Sprintf("  %s += m;\n  %s[lid] = %s;\n", s, t, s), fenceLocal, "  }\n")
	number := fmt.Sprintf("%s - 1", s)
	if g.chance(3) {
		e := g.name("s")
		parts = append(parts, fmt.Sprintf("  %s %s = lid ? %s[lid - 1] : 0;\n", u, e, t))
		number = e
	}
	x := oneOf(g, Type{numeric.U32, 1}, Type{numeric.F32, 1}, Type{numeric.I32, 1}, Type{numeric.U16, 1})
	v := variable{name: g.name("v"), typ: x}
	switch k := g.name("l"); g.IntN(3) {
	case 0: // both parts in local memory
		parts = append(parts, fmt.Sprintf("  local %s %s[%d];\n  %s n%s = %s[lsz - 1];\n  %s[%s ? %s - 1 : n%s + lid - %s] = ", x, k, g.group, u, t, t, k, on, s, t, s), g.expr(x, 1), ";\n", fenceLocal,
			fmt.Sprintf("  %s %s = %s[lid];\n", x, v.name, k))
	case 1: // a segment of a buffer for each group
		b := g.name("part")
		groups, at := 1, "0"
		for d := range g.k.Global {
			n := (g.k.Global[d] + g.k.Local[d] - 1) / g.k.Local[d]
			at, groups = fmt.Sprintf("(%s) * %d + get_group_id(%d)", at, n, d), groups*n
		}
		n := groups * g.group
		if g.wild {
			g.k.Wild, n = true, n-g.IntN(g.group+1)+1
		}
		g.argument(fmt.Sprintf("global %s* %s", x, b), Arg{Name: b, Type: x.String(), Elem: x.size(), Data: randomData(g.Rand, x, max(n, 1))})
		parts = append(parts, fmt.Sprintf("  if (%s) %s[(%s)(%s) * %d + %s] = ", on, b, oneOf(g, "uint", "int", "ulong"), at, g.group, number), g.expr(x, 1), fmt.Sprintf(";\n  %s %s = (%s)%s;\n", x, v.name, x, s))
	default:
		parts = append(parts, fmt.Sprintf("  %s %s = (%s)(%s);\n", x, v.name, x, oneOf(g, s, number, fmt.Sprintf("%s + %s", s, on), fmt.Sprintf("%s[lsz - 1] - %s", t, s))))
	}
	parts = append(parts, fenceLocal)
	g.vars = append(g.vars, v)
	return fixed(parts...)
}
