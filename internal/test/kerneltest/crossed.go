package kerneltest

import "fmt"

// crossing is a loop over products of elements of a work-item's row of one buffer and of its column, or another row, of
// another; nil where the buffers are too small.
func (g *simpleStatements) crossing() *node {
	id := func(d int) (string, int) {
		return fmt.Sprintf("(%s)get_global_id(%d)", oneOf(g, "int", "int", "uint", "size_t"), d), g.ids(d)
	}
	v, i := variable{name: g.name("v"), typ: g.scalar()}, g.name("i")
	length := oneOf(g, 1, 4, 8, 16, 17, 24, 40)
	read := func(d int) *node {
		b := &g.ins[g.IntN(len(g.ins))]
		at, n := id(d)
		for length > 1 && length*n > b.n {
			length /= 2
		}
		if length*n > b.n {
			return nil
		}
		place := fmt.Sprintf("%s * %s + %s", at, g.number(length), i)
		if g.chance(2) {
			place = fmt.Sprintf("%s * %s + %s", i, g.number(n), at)
		}
		b.most = max(b.most, length*n-1)
		return g.wrap2(v.typ, b.typ, fmt.Sprintf("%s[%s]", b.name, place))
	}
	x, y := read(1), read(0)
	if x == nil || y == nil {
		return nil
	}
	n := fixed()
	if g.chance(3) { // rows part
		at, most := id(1)
		n.parts = append(n.parts, fmt.Sprintf("  if (%s %s %s) return;\n", at, oneOf(g, ">=", "==", "<"), g.parameter(g.IntN(most+1))))
	}
	n.parts = append(n.parts, statement(fmt.Sprintf("  %s %s = ", v.typ, v.name), g.leaf(v.typ), fmt.Sprintf(";\n  for (%s %s = 0; %s < %s; %s++) %s = ", oneOf(g, "int", "int", "uint", "long"), i, i, g.number(length), i, v.name),
		g.combine(v.typ, value(v.typ, v.name), g.combine(v.typ, x, y)), ";\n"))
	g.vars = append(g.vars, v)
	return n
}
