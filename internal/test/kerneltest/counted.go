package kerneltest

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// maxRounds bounds the product of the trip counts of nested counted loops.
const maxRounds = 48

// counted returns a loop whose counter changes by a constant, and which accesses elements of buffers.
func (g *generator) counted(in int) *node {
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
func (g *generator) countedBody(in int, j variable, to, rounds int) *node {
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

func (g *generator) countedStep(in int, j variable, to int) *node {
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

// rounded reads elements of a buffer at indices that depend on a loop's counter.
func (g *generator) rounded(t Type, j variable) *node {
	for range 4 {
		b := &g.ins[g.IntN(len(g.ins))]
		if j.below > b.n {
			continue
		}
		p := affine{text: j.name, most: j.below - 1}
		if k := (b.n - 1) / max(1, p.most); k > 1 && g.chance(3) {
			f := 1 + g.IntN(min(k, 64))
			p = affine{fmt.Sprintf("%s * %s", j.name, g.number(f)), p.most * f, f}
		}
		if rows := b.n / (p.most + 1); rows > 1 && g.chance(3) { // each work-item reads a row of its own
			row := oneOf(g, "lin %% %d", "%[1]d - 1 - lin %% %[1]d", "(lin * 7 + 3) %% %d")
			p.text = fmt.Sprintf("(("+row+") * %s + %s)", rows, g.number(p.most+1), p.text)
			p.most, p.row = rows*(p.most+1)-1, 0
		}
		if q := g.position(b.n - p.most); !g.chance(4) {
			p = affine{q.text + " + " + p.text, q.most + p.most, max(q.row, p.row)}
		}
		list := g.distances(b.n-1-p.most, p.row)
		if g.chance(2) {
			list = list[:1]
		}
		return g.combined(t, b, p, list)
	}
	return g.leaf(t)
}

// ownRound writes one of the work-item's own elements in each iteration. It returns nil if no buffer has enough of
// them.
func (g *generator) ownRound(j variable, to int) *node {
	for _, k := range g.Perm(len(g.outs)) {
		b := &g.outs[k]
		if b.each < j.below || b.backward || j.below < 2 {
			continue
		}
		place := fmt.Sprintf("%s[lin * %d + %s]", b.name, b.each, j.name)
		if b.soa {
			place = fmt.Sprintf("%s[lin + %s * %s]", b.name, g.number(g.items), j.name)
		}
		x := g.rounded(b.typ, j)
		if g.chance(3) {
			x = g.combine(b.typ, value(b.typ, place), x)
		}
		return statement("  "+place+" = ", x, ";\n")
	}
	return nil
}

// chain returns a chain of dependent operations.
func (g *generator) chain() *node {
	t := g.scalar()
	if g.chance(4) {
		t.N = oneOf(g, 2, 3, 4)
	}
	v := variable{name: g.name("v"), typ: t}
	n := fixed(fmt.Sprintf("  %s %s = ", t, v.name), g.nearby(t), ";\n")
	for range 2 + oneOf(g, 0, 1, 2, 3, 4, 8) {
		x := value(t, v.name)
		var y *node
		switch g.IntN(5) {
		case 0:
			y = g.builtin(t, 1)
		case 1: // through another type
			u := t.with(g.kind())
			y = g.combine(u, value(u, g.convert(v.name, t.Kind, u)), g.leaf(u))
			y = g.wrap(t, func(s string) string { return g.convert(s, u.Kind, t) }, y)
		case 2:
			y = g.combine(t, x, g.nearby(t))
		}
		if y == nil {
			y = g.combine(t, x, g.leaf(t))
		}
		n.parts = append(n.parts, statement("  "+v.name+" = ", y, ";\n"))
	}
	g.vars = append(g.vars, v)
	return n
}

// vectorChain loads a vector, changes all or some of its components, and stores it. It returns nil if no buffer has
// such elements.
func (g *generator) vectorChain() *node {
	for _, k := range g.Perm(len(g.outs)) {
		o := &g.outs[k]
		t := o.typ
		if t.N < 2 || t.N == 3 {
			continue
		}
		v := variable{name: g.name("v"), typ: t}
		read := func() *node {
			for _, i := range g.Perm(len(g.ins)) {
				if b := &g.ins[i]; b.typ == t && b.n >= g.items {
					return value(t, g.element(b, affine{text: "lin"}, g.IntN(b.n-g.items+1)))
				}
			}
			return value(t, g.ownAt(o, g.IntN(o.each)))
		}
		x := func() *node { return value(t, v.name) }
		n := fixed(fmt.Sprintf("  %s %s = ", t, v.name), read(), ";\n")
		for range 1 + g.IntN(5) {
			y := read()
			if g.chance(3) {
				y = g.leaf(t)
			}
			switch g.IntN(6) {
			case 0: // a permutation of components
				n.parts = append(n.parts, statement("  "+v.name+" = ", x(), g.order(t.N, t.N), ";\n"))
				continue
			case 1: // components of two vectors
				y = value(t, fmt.Sprintf("(%s)(", t), fixed(x(), g.order(t.N/2, t.N)), ", ", fixed("(", y, ")", g.order(t.N/2, t.N)), ")")
			case 2:
				n.parts = append(n.parts, statement(fmt.Sprintf("  %s.s%c = ", v.name, componentNames[g.IntN(t.N)]), g.leaf(t.elem()), ";\n"))
				continue
			case 3:
				y = value(t, "select(", x(), ", ", y, ", ", value(t.with(t.Kind.SignedInt()), "(", x(), g.relation(t), read(), ")"), ")")
			case 4:
				u := t.with(g.kind())
				z := g.combine(u, value(u, g.convert(v.name, t.Kind, u)), g.literalNode(u))
				y = g.wrap(t, func(s string) string { return g.convert(s, u.Kind, t) }, z)
			default:
				y = g.combine(t, x(), y)
			}
			n.parts = append(n.parts, statement("  "+v.name+" = ", y, ";\n"))
		}
		n.parts = append(n.parts, statement("  "+g.ownAt(o, g.IntN(o.each))+" = ", x(), ";\n"))
		g.vars = append(g.vars, v)
		return n
	}
	return nil
}

// order returns a component suffix such as ".s31": n components of a vector of that many.
func (g *generator) order(n, of int) string {
	s := ".s"
	for range n {
		s += string(componentNames[g.IntN(of)])
	}
	return s
}

// row writes several of the work-item's own elements at constant distances, some after reads of others.
func (g *generator) row() *node {
	b := &g.outs[g.IntN(len(g.outs))]
	n := fixed()
	for i := range min(b.each, oneOf(g, 2, 3, 4, 8)) {
		c := i
		if g.chance(4) {
			c = g.IntN(b.each)
		}
		x := g.expr(b.typ, 1)
		if g.chance(3) {
			x = g.combine(b.typ, value(b.typ, g.ownAt(b, g.IntN(b.each))), x)
		}
		if g.chance(8) && !g.even {
			n.parts = append(n.parts, statement("  if (", g.cond(1), ") ", g.ownAt(b, c), " = ", x, ";\n"))
			continue
		}
		n.parts = append(n.parts, statement("  ", g.ownAt(b, c), " = ", x, ";\n"))
	}
	return n
}

// ownAt returns element c of the work-item's own elements, as an lvalue.
func (g *generator) ownAt(b *buffer, c int) string {
	lin := "lin"
	if b.backward {
		lin = fmt.Sprintf("(%d - lin)", g.items-1)
	}
	if b.soa {
		return fmt.Sprintf("%s[%s + %d]", b.name, lin, g.items*c)
	}
	return fmt.Sprintf("%s[%s * %d + %d]", b.name, lin, b.each, c)
}

// rowLoop returns a loop in which each work-item reads successive elements of a row of its own, in one buffer or
// two. It returns nil if a buffer has fewer than two rows.
func rowLoop(g *generator) *node {
	length := oneOf(g, 4, 8, 16, 17, 24, 40)
	if g.chance(3) {
		return rowWalk(g, length)
	}
	v, i := variable{name: g.name("v"), typ: g.scalar()}, g.name("i")
	read := func() *node {
		b := &g.ins[g.IntN(len(g.ins))]
		rows := b.n / length
		if rows < 2 {
			return nil
		}
		row := oneOf(g, "lin %% %d", "(%[1]d - 1 - lin %% %[1]d)", "(lin * 7 + 3) %% %d")
		row = fmt.Sprintf(row, rows)
		return g.wrap2(v.typ, b.typ, fmt.Sprintf("%s[%s * %s + %s]", b.name, row, g.number(length), i))
	}
	x := read()
	if x == nil {
		return nil
	}
	if y := read(); y != nil && g.chance(2) {
		x = g.combine(v.typ, x, y)
	}
	begin, end := countingLoop(g, i, g.number(length), length)
	n := statement(fmt.Sprintf("  %s %s = ", v.typ, v.name), g.leaf(v.typ), fmt.Sprintf(";\n  %s%s = ", begin, v.name), g.combine(v.typ, value(v.typ, v.name), x), ";"+end+"\n")
	g.vars = append(g.vars, v)
	return n
}

// countingLoop returns the text before and after the statement of a loop whose counter i takes the values in [0, length), or some
// of them, in one direction or the other; n is the length in the kernel.
func countingLoop(g *generator, i, n string, length int) (begin, end string) {
	t, signed := oneOf(g, "int", "int", "uint", "long", "ulong", "short", "ushort", "uchar"), oneOf(g, "int", "long", "short", "char")
	switch g.IntN(8) {
	case 0:
		return fmt.Sprintf("for (%s %s = (%s)(%s) - 1; %s >= 0; %s--) ", signed, i, signed, n, i, i), ""
	case 1:
		return fmt.Sprintf("for (%s %s = %s; %s-- %s 0; ) ", t, i, n, i, oneOf(g, ">", "!=")), ""
	case 2:
		return fmt.Sprintf("for (%s %s = 0; %s <= (%s)(%s) - 1; %s++) ", signed, i, i, signed, n, i), ""
	case 3:
		if length > 0 {
			return fmt.Sprintf("{ %s %s = 0; do ", t, i), fmt.Sprintf(" while (++%s < %s); }", i, n)
		}
	case 4:
		return fmt.Sprintf("for (%s %s = 0; %s < %s; %s += %d) ", t, i, i, n, i, oneOf(g, 2, 4)), ""
	}
	return fmt.Sprintf("for (%s %s = 0; %s < %s; %s++) ", t, i, i, n, i), ""
}

// rowWalk is rowLoop with an index or a pointer that begins and ends at different elements in each work-item.
func rowWalk(g *generator, length int) *node {
	b := &g.ins[g.IntN(len(g.ins))]
	rows := b.n / length
	if rows < 2 || !b.plain {
		return nil
	}
	row := "lin"
	if rows < g.items {
		row = fmt.Sprintf(oneOf(g, "(lin %% %d)", "(%[1]d - 1 - lin %% %[1]d)"), rows)
	}
	v, i, n := variable{name: g.name("v"), typ: g.scalar()}, g.name("i"), g.number(length)
	end := oneOf(g, fmt.Sprintf("%s * %s + %s", row, n, n), fmt.Sprintf("(%s + 1) * %s", row, n), fmt.Sprintf("%s * %s + %s - %d", row, n, n, g.IntN(length+1)))
	loop := fmt.Sprintf("for (%s %s = %s * %s; %s < %s; %s++)", oneOf(g, "int", "int", "uint", "long"), i, row, n, i, end, i)
	x := b.name + "[" + i + "]"
	if g.chance(2) {
		e := g.name("e")
		loop = fmt.Sprintf("for (global const %s *%s = %s + %s * %s, *%s = %s + %s; %s %s %s; %s++)", b.typ, i, b.name, row, n, e, i, n, i, oneOf(g, "<", "!="), e, i)
		x = "(*" + i + ")"
	}
	s := statement(fmt.Sprintf("  %s %s = ", v.typ, v.name), g.leaf(v.typ), fmt.Sprintf(";\n  %s %s = ", loop, v.name), g.combine(v.typ, value(v.typ, v.name), g.wrap2(v.typ, b.typ, x)), ";\n")
	g.vars = append(g.vars, v)
	return s
}

// sumToBound sums elements of a buffer up to a bound that is in memory as well.
func sumToBound(g *generator) *node {
	v := g.addressable(Type{oneOf(g, numeric.I32, numeric.F32, numeric.U16, numeric.F64), 1})
	if v == "" || !g.kernel {
		return nil
	}
	ends, b := g.ins[g.IntN(len(g.ins))], g.ins[g.IntN(len(g.ins))]
	i, to := g.name("i"), g.typeOf(v)
	end := g.adapt(fmt.Sprintf(oneOf(g, "%s[lin %% %du]", "%s[(lin + 1) %% %du]"), ends.name, ends.n), ends.typ, Type{numeric.U32, 1})
	return statement(fmt.Sprintf("  for (uint %s = 0; %s < %s %% %du; %s++) %s = %s %s ", i, i, end, min(b.n, 11)+1, i, v, v, oneOf(g, "+", "-", "*")), g.adapt(b.name+"["+i+"]", b.typ, to), ";\n")
}

// rowFill writes the work-item's own elements of a buffer in a loop, from others of them, a row of another buffer
// and the last iteration's value. It returns nil if no buffer has long enough rows.
func rowFill(g *generator) *node {
	k := slices.IndexFunc(g.outs, func(b buffer) bool { return b.each >= 8 && !b.soa && !b.backward })
	if k < 0 || !g.kernel {
		return nil
	}
	b := &g.outs[k]
	i, d := g.name("i"), oneOf(g, 0, 0, 1, 1, 2, 5)
	at := func(d int) string { return fmt.Sprintf("%s[lin * %d + %s + %d]", b.name, b.each, i, d) }
	x := g.leaf(b.typ)
	if a := &g.ins[g.IntN(len(g.ins))]; a.n >= 2*b.each && !g.chance(4) {
		x = g.wrap2(b.typ, a.typ, fmt.Sprintf("%s[lin %% %d * %s + %s]", a.name, a.n/b.each, g.number(b.each), i))
	}
	v := variable{name: g.name("v"), typ: b.typ}
	for _, y := range []*node{value(b.typ, v.name), value(b.typ, at(oneOf(g, 0, d)))} {
		if g.chance(2) {
			x = g.combine(b.typ, x, y)
		}
	}
	begin, end := countingLoop(g, i, fmt.Sprint(b.each-d), b.each-d)
	n := statement(fmt.Sprintf("  %s %s = ", v.typ, v.name), g.leaf(v.typ), fmt.Sprintf(";\n  %s%s = %s = ", begin, at(oneOf(g, 0, d)), v.name), x, ";"+end+"\n")
	g.vars = append(g.vars, v)
	return n
}

// fieldwise writes some of the work-item's own elements of a buffer, each by the same expression of one of them, as
// kernels do with fields of structures. It returns nil if no buffer has such elements.
func fieldwise(g *generator) *node {
	k := slices.IndexFunc(g.outs, func(b buffer) bool { return b.each >= 2 && b.each&(b.each-1) == 0 && !b.soa && !b.backward })
	if k < 0 || !g.kernel {
		return nil
	}
	b := &g.outs[k]
	at := func(c int) string { return fmt.Sprintf("%s[lin * %d + %d]", b.name, b.each, c) }
	v := variable{name: g.name("v"), typ: b.typ}
	form := oneOf(g, "%s + %s", "%s * %[2]s - %[1]s", "%[2]s", "%s - %s * %[2]s", "(%[1]s) + (%[1]s) * %[2]s")
	from, text := g.IntN(b.each), ";\n"
	for i, c := range g.Perm(b.each)[:2+g.IntN(b.each-1)] {
		text += fmt.Sprintf("  %s = ", at(c)) + fmt.Sprintf(form, at((c+from)%b.each), v.name) + oneOf(g, ";\n", ";\n", ";\n", ";\n", fmt.Sprintf(" + (%s)%d;\n", b.typ, i))
	}
	n := statement(fmt.Sprintf("  %s %s = ", v.typ, v.name), g.leaf(v.typ), text)
	g.vars = append(g.vars, v)
	return n
}
