package kerneltest

import (
	"fmt"
	"slices"
)

// nested returns a nest of loops over the work-item's own elements of a buffer: a sum for each element, in either
// order of the loops, or one element in a loop. The sums read a row of one buffer and a matrix in another. It
// returns nil if no buffer has long enough rows.
func (g *simpleStatements) nested() *node {
	k := slices.IndexFunc(g.outs, func(b buffer) bool { return b.each >= 8 && !b.soa && b.place == "" })
	if k < 0 || !g.kernel {
		return nil
	}
	to := &g.outs[k]
	rounds := oneOf(g, 3, 8, 8, 9, 12, 16)
	i, j := g.name("i"), g.name("i")
	index := oneOf(g, "int", "int", "uint", "long")
	read := func(columns bool) *node {
		b := &g.ins[g.IntN(len(g.ins))]
		at := fmt.Sprintf("lin %% %d * %s + %s", max(1, b.n/rounds), g.number(rounds), i)
		switch {
		case columns && b.n >= rounds*to.each:
			at = oneOf(g, fmt.Sprintf("%s * %s + %s", i, g.number(to.each), j), fmt.Sprintf("%s * %s + %s", j, g.number(rounds), i))
		case columns && b.n >= rounds+to.each:
			at = fmt.Sprintf("%s + %s", i, j)
		case b.n < rounds:
			return g.leaf(to.typ)
		}
		return g.wrap2(to.typ, b.typ, fmt.Sprintf("%s[%s]", b.name, at))
	}
	own := func(at string) string { return fmt.Sprintf("%s[lin * %d + %s]", to.name, to.each, at) }
	loopFrom := func(begin, i string, n int) string {
		return fmt.Sprintf("for (%s %s = %s; %s < %s; %s++) ", index, i, begin, i, g.number(n), i)
	}
	loop := func(i string, n int) string { return loopFrom("0", i, n) }
	s := g.name("s")
	declare := func(x any) []any { return []any{fmt.Sprintf("%s %s = ", to.typ, s), x, ";\n    "} }
	step := func(cell string, x, y *node) *node {
		return g.combine(to.typ, value(to.typ, cell), g.combine(to.typ, x, y))
	}
	switch g.IntN(3) {
	case 0:
		parts := append([]any{"  " + loop(i, rounds) + "{\n    "}, declare(read(false))...)
		return statement(append(parts, loop(j, to.each)+own(j)+" = ", step(own(j), value(to.typ, s), read(true)), ";\n  }\n")...)
	case 1:
		// Columns may begin at an id, and be written twice.
		begin := oneOf(g, "0", "0", "get_local_id(0)", "lin")
		parts := append([]any{"  " + loopFrom(begin, j, to.each) + "{\n    "}, declare(g.leaf(to.typ))...)
		parts = append(parts, loop(i, rounds)+s+" = ", step(s, read(false), read(true)), ";\n    "+own(j)+" = "+s+";\n")
		if g.IntN(3) == 0 {
			parts = append(parts, fmt.Sprintf("    %s = %s;\n", own(fmt.Sprintf("%d - %s", to.each-1, j)), s))
		}
		return statement(append(parts, "  }\n")...)
	}
	cell := own(fmt.Sprint(g.IntN(to.each)))
	return statement("  "+loop(i, rounds)+cell+" = ", step(cell, read(false), read(false)), ";\n")
}
