package kerneltest

import "fmt"

// stencil returns steps of a stencil in local memory, by the work-items between two bounds. Indices of neighbours are
// clamped to the bounds.
func (g *cooperation) stencil(l local) *node {
	x, low, high, i, next := g.name("n"), g.name("n"), g.name("n"), g.name("i"), variable{name: g.name("v"), typ: l.typ}
	bound := func() string {
		return oneOf(g, g.number(g.IntN(3)), fmt.Sprintf("%s %% lsz", g.same()), fmt.Sprintf("%s %% 4 %% lsz", g.same()))
	}
	first, last := bound(), oneOf(g, "lsz - 1", "lsz - 1 - "+bound()+" % lsz")
	if g.chance(2) { // constants in most groups
		first = fmt.Sprintf(oneOf(g, "max((int)(%[1]s %% lsz) - %[2]d, 0)", "(int)(%[1]s %% lsz) < %[2]d ? 0 : (int)(%[1]s %% lsz) - %[2]d"), g.same(), 1+g.IntN(3))
		last = fmt.Sprintf("min((int)(lsz + %s %% 8) - %d, (int)lsz - 1)", g.same(), 1+g.IntN(4))
	}
	inside := fmt.Sprintf(oneOf(g, "%[1]s >= %[2]s && %[1]s <= %[3]s", "%[2]s <= %[1]s && %[3]s >= %[1]s", "!(%[1]s < %[2]s || %[3]s < %[1]s)"), x, low, high)
	if !g.chance(8) {
		inside += fmt.Sprintf(" && %s >= %s + 1 && %s < (int)lsz - %s - 1", x, i, x, i)
	}
	far := oneOf(g, 1, 1, 1, 1, 1, 1, 1, 2)
	left := fmt.Sprintf(oneOf(g, "max(%[1]s - %[3]d, %[2]s)", "%[1]s - %[3]d < %[2]s ? %[2]s : %[1]s - %[3]d"), x, low, far)
	right := fmt.Sprintf(oneOf(g, "min(%[1]s + %[3]d, %[2]s)", "%[1]s + %[3]d > %[2]s ? %[2]s : %[1]s + %[3]d"), x, high, far)
	steps := g.number(1 + g.IntN(4))
	out := ""
	if g.chance(2) {
		out = fmt.Sprintf("  if (%s == %s - 1) break;\n", i, steps)
	}
	at := func(index string) *node { return value(l.typ, fmt.Sprintf("%s[%s]", l.name, index)) }
	return statement(fenceLocal, fmt.Sprintf("  {\n  int %s = lid, %s = %s, %s = %s;\n  for (int %s = 0; %s < %s; %s++) {\n  %s %s = %s[lid];\n  if (%s) %s = ", x, low, first, high, last, i, i, steps, i, l.typ, next.name, l.name, inside, next.name),
		g.combine(l.typ, at(left), g.combine(l.typ, value(l.typ, next.name), at(right))), ";\n", fenceLocal, out, fmt.Sprintf("  %s[lid] = %s;\n", l.name, next.name), fenceLocal, "  }\n  }\n")
}
