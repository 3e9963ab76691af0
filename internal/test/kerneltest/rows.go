package kerneltest

import (
	"fmt"
	"slices"
)

// chain returns a chain of dependent operations.
func (g *simpleStatements) chain() *node {
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
			y = wrap(t, func(s string) string { return g.convert(s, u.Kind, t) }, y)
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
func (g *simpleStatements) vectorChain() *node {
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
				y = wrap(t, func(s string) string { return g.convert(s, u.Kind, t) }, z)
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

// row writes several of the work-item's own elements at constant distances, some after reads of others.
func (g *simpleStatements) row() *node {
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

// ownRound writes one of the work-item's own elements in each iteration. It returns nil if no buffer has enough of
// them.
func (g *simpleStatements) ownRound(j variable, to int) *node {
	for _, k := range g.Perm(len(g.outs)) {
		b := &g.outs[k]
		if b.each < j.below || b.place != "" || j.below < 2 {
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

// rowLoop returns a loop in which each work-item reads successive elements of a row of its own, in one buffer or
// two. It returns nil if a buffer has fewer than two rows.
func (g *simpleStatements) rowLoop() *node {
	length := oneOf(g, 4, 8, 16, 17, 24, 40)
	if g.chance(3) {
		return g.rowWalk(length)
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
		at := i
		switch {
		case g.chance(3):
			at = g.clamped(i, length, true)
		case g.chance(6): // of all work-items' rows together
			return g.wrap2(v.typ, b.typ, fmt.Sprintf("%s[%s]", b.name, g.clamped(fmt.Sprintf("(lin + %s)", i), b.n, false)))
		}
		return g.wrap2(v.typ, b.typ, fmt.Sprintf("%s[%s * %s + %s]", b.name, row, g.number(length), at))
	}
	x := read()
	if x == nil {
		return nil
	}
	if y := read(); y != nil && g.chance(2) {
		x = g.combine(v.typ, x, y)
	}
	begin, end := g.countingLoop(i, g.number(length), length)
	n := statement(fmt.Sprintf("  %s %s = ", v.typ, v.name), g.leaf(v.typ), fmt.Sprintf(";\n  %s%s = ", begin, v.name), g.combine(v.typ, value(v.typ, v.name), x), ";"+end+"\n")
	g.vars = append(g.vars, v)
	return n
}

// clamped returns an index near x that is clamped to [0, n). If near is set, x is in that range, and the index may wrap around
// instead.
func (g *simpleStatements) clamped(x string, n int, near bool) string {
	forms := []string{"clamp(%[1]s, 0, %[2]s - 1)", "min(max(%[1]s, 0), %[2]s - 1)", "(%[1]s < 0 ? 0 : %[1]s >= %[2]s ? %[2]s - 1 : %[1]s)"}
	if near {
		forms = append(forms, "(%[1]s < 0 ? %[1]s + %[2]s : %[1]s >= %[2]s ? %[1]s - %[2]s : %[1]s)", "(%[1]s == %[2]s ? 0 : max(%[1]s, 0) %% %[2]s)")
	}
	return fmt.Sprintf(oneOf(g, forms...), fmt.Sprintf("((int)%s + (%d))", x, g.IntN(7)-3), "(int)"+g.number(n))
}

// countingLoop returns the text before and after the statement of a loop whose counter i takes the values in [0, length), or some
// of them, in one direction or the other; n is the length in the kernel.
func (g *simpleStatements) countingLoop(i, n string, length int) (begin, end string) {
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
func (g *simpleStatements) rowWalk(length int) *node {
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

// rowFill writes the work-item's own elements of a buffer in a loop, from others of them, a row of another buffer
// and perhaps the last iteration's value. It returns nil if no buffer has long enough rows.
func (g *simpleStatements) rowFill() *node {
	k := slices.IndexFunc(g.outs, func(b buffer) bool { return b.each >= 8 && !b.soa && b.place == "" })
	if k < 0 || !g.kernel {
		return nil
	}
	b := &g.outs[k]
	i, d := g.name("i"), oneOf(g, 0, 0, 1, 1, 2, 5)
	at := func(d int) string { return fmt.Sprintf("%s[lin * %d + %s + %d]", b.name, b.each, i, d) }
	x := g.leaf(b.typ)
	if a := &g.ins[g.IntN(len(g.ins))]; a.n >= 2*b.each && !g.chance(4) {
		from := i
		if g.chance(3) {
			from = g.clamped(i, b.each, true)
		}
		x = g.wrap2(b.typ, a.typ, fmt.Sprintf("%s[lin %% %d * %s + %s]", a.name, a.n/b.each, g.number(b.each), from))
	}
	if g.chance(2) { // independent iterations
		if g.chance(2) {
			x = g.combine(b.typ, x, value(b.typ, at(oneOf(g, 0, d))))
		}
		begin, end := g.countingLoop(i, g.number(b.each-d), b.each-d)
		return statement("  "+begin+at(oneOf(g, 0, d))+" = ", x, ";"+end+"\n")
	}
	v := variable{name: g.name("v"), typ: b.typ}
	for _, y := range []*node{value(b.typ, v.name), value(b.typ, at(oneOf(g, 0, d)))} {
		if g.chance(2) {
			x = g.combine(b.typ, x, y)
		}
	}
	begin, end := g.countingLoop(i, fmt.Sprint(b.each-d), b.each-d)
	n := statement(fmt.Sprintf("  %s %s = ", v.typ, v.name), g.leaf(v.typ), fmt.Sprintf(";\n  %s%s = %s = ", begin, at(oneOf(g, 0, d)), v.name), x, ";"+end+"\n")
	g.vars = append(g.vars, v)
	return n
}

// fieldwise writes some of the work-item's own elements of a buffer, as kernels do with fields of structures. Either each gets the
// same expression of one of the elements, or the elements are rotated. fieldwise returns nil if no buffer has such elements.
func (g *simpleStatements) fieldwise() *node {
	k := slices.IndexFunc(g.outs, func(b buffer) bool { return b.each >= 2 && b.each&(b.each-1) == 0 && !b.soa && b.place == "" })
	if k < 0 || !g.kernel {
		return nil
	}
	b := &g.outs[k]
	at := func(c int) string { return fmt.Sprintf("%s[lin * %d + %d]", b.name, b.each, c) }
	v := variable{name: g.name("v"), typ: b.typ}
	form := oneOf(g, "%s + %s", "%s * %[2]s - %[1]s", "%[2]s", "%[1]s", "%s - %s * %[2]s", "(%[1]s) + (%[1]s) * %[2]s")
	from, text := g.IntN(b.each), ";\n"
	written := g.Perm(b.each)[:2+g.IntN(b.each-1)]
	if g.chance(4) {
		text += fmt.Sprintf("  %s = %s;\n", v.name, at(written[0]))
		for i, c := range written[1:] {
			text += fmt.Sprintf("  %s = %s;\n", at(written[i]), at(c))
		}
		text += fmt.Sprintf("  %s = %s;\n", at(written[len(written)-1]), v.name)
		written = nil
	}
	for i, c := range written {
		text += fmt.Sprintf("  %s = ", at(c)) + fmt.Sprintf(form, at((c+from)%b.each), v.name) + oneOf(g, ";\n", ";\n", ";\n", ";\n", fmt.Sprintf(" + (%s)%d;\n", b.typ, i))
	}
	n := statement(fmt.Sprintf("  %s %s = ", v.typ, v.name), g.leaf(v.typ), text)
	g.vars = append(g.vars, v)
	return n
}
