package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// maxRounds bounds the product of the trip counts of nested counted loops.
const maxRounds = 48

// counted returns a loop whose counter changes by a constant, and which accesses elements of buffers.
func (g *controlFlow) counted(in int) *node {
	j := variable{name: g.name("i"), typ: Type{oneOf(g, numeric.I32, numeric.I32, numeric.U32, numeric.I64, numeric.U64, numeric.I16, numeric.U8), 1}, fixed: true}
	step, from := oneOf(g, 1, 1, 1, 2, 4, 8, 3), oneOf(g, 0, 0, 0, 1, 2, 5)
	rounds := min(oneOf(g, 0, 1, 2, 3, 5, 8, 13, 20), maxRounds/g.rounds)
	to := from + rounds*step
	j.below = max(1, to)
	first, end := g.number(from), g.number(to)
	if g.chance(2) {
		end = g.parameter(to)
	}
	same := true // all work-items have the same bounds
	if !g.even && g.chance(6) {
		first, same = fmt.Sprintf("(%s)(lin & 7)", j.typ), false
	} else if !g.even && g.chance(5) {
		end, same = fmt.Sprintf("min((uint)(%s), (uint)%s)", g.position(64).text, end), false
	}
	i := j.name
	up := fmt.Sprintf("for (%s %s = %s; %s < %s; %s += %d) ", j.typ, i, first, i, end, i, step)
	switch k := g.IntN(8); {
	case k == 0 && step == 1 && same: // exit by inequality
		up = fmt.Sprintf("for (%s %s = %s; %s != %s; %s++) ", j.typ, i, first, i, end, i)
	case k == 1 && j.typ.Kind.Signed():
		up = fmt.Sprintf("for (%s %s = %s; %s <= (%s)(%s) - 1; %s += %d) ", j.typ, i, first, i, j.typ, end, i, step)
	case k == 2 && j.typ.Kind.Signed(): // downwards
		up = fmt.Sprintf("for (%s %s = (%s)(%s) - 1; %s >= (%s)%s; %s -= %d) ", j.typ, i, j.typ, end, i, j.typ, first, i, step)
	case k == 3 && step == 1:
		up = fmt.Sprintf("for (%s %s = %s; %s-- > (%s)%s; ) ", j.typ, i, end, i, j.typ, first)
	case k == 4 && same && rounds > 0: // the test stands at the end
		body := g.countedBody(in, j, to, rounds)
		return statement(fmt.Sprintf("  {\n  %s %s = %s;\n  do ", j.typ, i, first), body, fmt.Sprintf("  while ((%s += %d) < %s);\n  }\n", i, step, end))
	}
	return statement("  "+up, g.countedBody(in, j, to, rounds))
}

// countedBody returns the body of a counted loop whose counter is less than to.
func (g *controlFlow) countedBody(in int, j variable, to, rounds int) *node {
	vars := len(g.vars)
	g.vars = append(g.vars, j)
	g.loops = append(g.loops, loop{})
	uniform, around := g.uniform, g.rounds
	g.uniform, g.rounds = false, g.rounds*max(1, rounds)
	n := fixed("{\n")
	if x, t := g.target(); x != nil && g.chance(3) { // a single assignment
		n.parts = append(n.parts, statement("  ", x, oneOf(g, " += ", " -= ", " = "), g.rounded(t, j), ";\n"))
	} else {
		for range 1 + g.IntN(3) {
			n.parts = append(n.parts, g.countedStep(in, j, to))
		}
	}
	n.parts = append(n.parts, "  }\n")
	g.loops = g.loops[:len(g.loops)-1]
	g.vars, g.uniform, g.rounds = g.vars[:vars], uniform, around
	return n
}

func (g *controlFlow) countedStep(in int, j variable, to int) *node {
	switch k := g.IntN(10); {
	case k == 0 && in > 0:
		return g.block(in-1, false)
	case k == 1 && in > 0:
		return g.counted(in - 1)
	case k == 2 && !g.even:
		return g.leave()
	case k == 3:
		return statement(fmt.Sprintf("  if (%s == %d) %s;\n", j.name, g.IntN(to+1), oneOf(g, "break", "continue")))
	case k < 7:
		if n := g.ownRound(j, to); n != nil {
			return n
		}
	}
	x, t := g.target()
	if x == nil {
		return statement()
	}
	read := g.rounded(t, j)
	if g.chance(3) {
		return statement("  ", x, " = ", g.combine(t, value(t, x), read), ";\n")
	}
	return statement("  ", x, oneOf(g, " += ", " -= ", " = "), read, ";\n")
}
