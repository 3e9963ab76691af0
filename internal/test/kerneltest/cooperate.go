package kerneltest

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A cooperation writes what the work-items of a group do together: in local memory between barriers, and by functions
// of work-groups and sub-groups. It does not know whether all of them arrive; the layer above decides that.
type cooperation struct {
	simpleStatements
	counts []counter // targets of atomics in local memory
	square local     // rows of one element for each work-item and one more, for blocks
	side   int       // of these blocks, 0 if there are none
	again  string    // name of a local variable for conditions of a whole group

	numbers bool // the kernel only numbers work-items (numbering.go): other statements would keep local memory out of registers
}

const fenceLocal = "  barrier(CLK_LOCAL_MEM_FENCE);\n"

// declareLocals declares local memory and initialises each work-item's element.
func (g *cooperation) declareLocals() *node {
	parts := []any{}
	n := g.IntN(3)
	if g.style == cooperative {
		n = max(1, n)
	}
	if g.numbers {
		n = 0
	}
	for range n {
		l := local{g.name("l"), g.typ()}
		switch g.IntN(4) { // two for copies between them
		case 0, 1:
			l.typ = g.ins[g.IntN(len(g.ins))].typ
		case 2:
			l.typ = g.outs[g.IntN(len(g.outs))].typ
		}
		g.locals = append(g.locals, l)
		parts = append(parts, fmt.Sprintf("  local %s %s[%d];\n", l.typ, l.name, g.group))
	}
	if (g.style == mixed || g.style == cooperative) && !g.numbers && g.chance(2) {
		c := counter{name: g.name("c"), typ: Type{oneOf(g, numeric.I32, numeric.U32), 1}, n: oneOf(g, 1, 4, 7, 16, 64, 256), op: oneOf(g, "add", "add", "sub", "inc", "dec", "min", "max", "and", "or", "xor")}
		g.counts = append(g.counts, c)
		parts = append(parts, fmt.Sprintf("  local %s %s[%d];\n", c.typ, c.name, c.n))
	}
	if g.chance(2) {
		g.again = g.name("again")
		parts = append(parts, fmt.Sprintf("  local int %s;\n", g.again))
	}
	id, size := "get_local_id(0)", "get_local_size(0)"
	for d := 1; d < len(g.k.Global); d++ {
		id += fmt.Sprintf(" + %s * get_local_id(%d)", size, d)
		size += fmt.Sprintf(" * get_local_size(%d)", d)
	}
	parts = append(parts, fmt.Sprintf("  uint lid = %s, lsz = %s;\n", id, size))
	g.vars = append(g.vars, variable{name: "lid", typ: Type{numeric.U32, 1}, fixed: true, below: g.group}, variable{name: "lsz", typ: Type{numeric.U32, 1}, fixed: true, below: 0})
	fill := g.IntN(12)
	if g.numbers {
		fill = 12
	}
	if fill == 0 {
		parts = append(parts, g.fillAlike())
	}
	for _, l := range g.locals {
		parts = append(parts, fmt.Sprintf("  %s[lid] = ", l.name), g.expr(l.typ, 1), ";\n")
	}
	if fill == 1 {
		parts = append(parts, g.fillAlike())
	}
	for _, l := range g.locals {
		g.vars = append(g.vars, variable{name: l.name + "[lid]", typ: l.typ, noaddr: true})
	}
	if g.style == cooperative && !g.numbers && g.group <= 256 && g.chance(2) {
		g.square, g.side = local{g.name("q"), Type{oneOf(g, numeric.I32, numeric.U32, numeric.F32), 1}}, oneOf(g, 4, 8)
		for _, b := range g.ins {
			if b.typ.N == 1 && b.typ.Kind.Size() == 4 {
				g.square.typ = b.typ
			}
		}
		parts = append(parts, fmt.Sprintf("  local %s %s[%d];\n", g.square.typ, g.square.name, g.side*(g.group+1)))
		for i := range g.side {
			parts = append(parts, fmt.Sprintf("  %s = %s;\n", g.inColumn(i), oneOf(g, "0", "0", "lid")))
		}
	}
	return fixed(parts...)
}

// fillAlike returns loops in which every work-item fills a local array with the same values, a barrier, and a variable with an element.
func (g *cooperation) fillAlike() *node {
	t, f, i, j := Type{oneOf(g, numeric.I32, numeric.U32, numeric.F32, numeric.U8), 1}, g.name("f"), g.name("i"), g.name("i")
	high, wide := 1+g.IntN(6), 3+g.IntN(12)
	row := wide + g.IntN(2)
	x0, y0 := "0", g.IntN(9)-4
	if g.chance(2) {
		x0 = fmt.Sprintf("(int)(get_group_id(0) * get_local_size(0)) - %d", g.IntN(4))
	}
	x1, y1 := fmt.Sprintf("%s + %d", x0, wide), fmt.Sprint(high)
	if g.k.Global[0]%g.k.Local[0] == 0 && !g.chance(3) { // loops that only code for one size of work-groups unrolls
		x1 = fmt.Sprintf("%s + (int)get_local_size(0) + (%d)", x0, wide-g.k.Local[0])
		y1 = fmt.Sprintf("(int)get_local_size(0) + (%d)", high-g.k.Local[0])
	}
	at := func(i, j string) string { return fmt.Sprintf("(%s) * %d + %s", i, row, j) }
	if g.chance(4) {
		at = func(i, j string) string { return fmt.Sprintf("(%s) * %d + %s", j, high, i) }
	}
	v := variable{name: g.name("v"), typ: t}
	n := fixed(fmt.Sprintf("  local %s %s[%d];\n  for (int %s = 0; %s < %s; %s++) for (int %s = %s; %s < %s; %s++)\n", t, f, high*(wide+1), i, i, y1, i, j, x0, j, x1, j),
		fmt.Sprintf("    %s[%s] = (%s)(%s * %d + (%s + %d) * 7 & 127);\n", f, at(i, j+" - ("+x0+")"), t, j, 1+g.IntN(3), i, y0),
		fenceLocal, fmt.Sprintf("  %s %s = %s[%s];\n", t, v.name, f, at(fmt.Sprintf("(lid / %d + %d) %% %d", 1+g.IntN(16), g.IntN(4), high), fmt.Sprintf("(lid * %d + %d) %% %d", 1+g.IntN(2), g.IntN(9), wide))))
	g.vars = append(g.vars, v)
	return n
}

// count returns an atomic operation on a counter in local memory, or a loop of such operations.
func (g *cooperation) count(c counter) *node {
	if g.chance(2) {
		return g.atomic(c, c.name)
	}
	i := variable{name: g.name("i"), typ: Type{numeric.I32, 1}, fixed: true, below: oneOf(g, 3, 17, 40)}
	g.vars = append(g.vars, i)
	n := statement(fmt.Sprintf("  for (int %s = 0; %s < %s; %s++)", i.name, i.name, g.number(i.below), i.name), g.atomic(c, c.name))
	g.vars = g.vars[:len(g.vars)-1]
	return n
}

// counting returns operations on a counter in local memory, and a variable with the result.
func (g *cooperation) counting(fence string) *node {
	c := g.counts[0]
	v := variable{name: g.name("v"), typ: c.typ}
	n := statement(fence, fmt.Sprintf("  for (uint i = lid; i < %d; i += lsz) %s[i] = %s;\n", c.n, c.name, g.literal(c.typ)), fence,
		g.count(c), fence, fmt.Sprintf("  %s %s = %s[", c.typ, v.name, c.name), g.index(c.n, 1), "];\n", fence)
	g.vars = append(g.vars, v)
	return n
}

// inColumn returns an element of a work-item's column of the blocks, and inRow one of its row in its block.
func (g *cooperation) inColumn(i int) string {
	return fmt.Sprintf("%s[%d + lid]", g.square.name, i*(g.group+1))
}

func (g *cooperation) inRow(i int) string {
	return fmt.Sprintf("%s[(lid & %d) * %d + (lid & ~%d) + %d]", g.square.name, g.side-1, g.group+1, g.side-1, i)
}

// transposeBlocks transposes square blocks in local memory, combines the elements of each row, and transposes the blocks again.
func (g *cooperation) transposeBlocks() *node {
	t := g.square.typ
	n, v := fixed(), variable{name: g.name("v"), typ: t}
	if g.chance(2) {
		n.parts = append(n.parts, "  if (", g.cond(2), ") {\n")
	} else {
		n.parts = append(n.parts, "  {\n")
	}
	from := slices.IndexFunc(g.ins, func(b buffer) bool { return b.typ == t })
	for i := range g.side {
		x := g.expr(t, 1)
		if from >= 0 && !g.chance(4) {
			x = value(t, fmt.Sprintf("%s[(lin + %d) %% %d]", g.ins[from].name, i*3, g.ins[from].n))
		}
		n.parts = append(n.parts, fmt.Sprintf("  %s = ", g.inColumn(i)), x, ";\n")
	}
	n.parts = append(n.parts, "  }\n", fenceLocal, fmt.Sprintf("  if ((lid | %d) < lsz) {\n", g.side-1))
	names := make([]string, g.side)
	for i := range names {
		names[i] = g.name("v")
		n.parts = append(n.parts, fmt.Sprintf("  %s %s = %s;\n", t, names[i], g.inRow(i)))
	}
	for i, x := range names {
		n.parts = append(n.parts, fmt.Sprintf("  %s = ", g.inRow(i)), g.combine(t, value(t, x), value(t, names[(i+1)%g.side])), ";\n")
	}
	n.parts = append(n.parts, "  }\n", fenceLocal, fmt.Sprintf("  %s %s = %s;\n", t, v.name, g.inColumn(0)))
	for i := range g.side - 1 {
		n.parts = append(n.parts, fmt.Sprintf("  %s = ", v.name), g.combine(t, value(t, v.name), value(t, g.inColumn(i+1))), ";\n")
	}
	g.vars = append(g.vars, v)
	return n
}

// earlyReturn returns a test by which some work-items of a cooperative kernel return.
func (g *cooperation) earlyReturn() *node {
	some := oneOf(g, "lin >= %[1]d", "lin > %[2]d", "get_global_id(0) >= %[1]d", "get_local_id(0) == %[3]d", "get_local_id(0) > %[3]d && lin > %[2]d")
	some = fmt.Sprintf("  if ("+some+") return; // %[1]d %[2]d %[3]d\n", g.items*3/4, g.IntN(g.items), g.IntN(20))
	if g.chance(3) {
		return statement("  if (", g.cond(2), ") return;\n", some)
	}
	return fixed(some)
}

// localEdge gives each work-item some bytes of local memory. The memory is too short for the last work-items.
func (g *cooperation) localEdge() []any {
	g.k.Wild = true
	t := g.typ()
	name, v := g.name("e"), variable{name: g.name("v"), typ: t}
	each := t.size() + g.IntN(3)
	size := max(1, g.group*each-1-g.IntN(t.size()+2))
	id := "get_local_id(0)"
	if len(g.k.Global) > 1 {
		id += " + get_local_size(0) * get_local_id(1)"
	}
	if len(g.k.Global) > 2 {
		id += " + get_local_size(0) * get_local_size(1) * get_local_id(2)"
	}
	place := fmt.Sprintf("%s + (%s) * %d", name, id, each)
	list := []any{
		fmt.Sprintf("  local uchar %s[%d];\n", name, size), g.storeAt("local ", t, place),
		fmt.Sprintf("  %s %s = %s;\n", t, v.name, g.loadAt("local ", t, place)),
	}
	g.vars = append(g.vars, v)
	return list
}

// readNeighbours combines elements of local memory that belong to other work-items into a variable. The elements may be the
// same for all.
func (g *cooperation) readNeighbours(l local) *node {
	v := variable{name: g.name("v"), typ: l.typ}
	own, same := "lid", len(g.vars)%4 == 3
	if same {
		own = "0"
	}
	n := fixed(fenceLocal, fmt.Sprintf("  %s %s = %s[%s];\n", l.typ, v.name, l.name, own))
	for range 1 + g.IntN(3) {
		d := oneOf(g, 1, 1, 2, 3, 5, 8, 16, 20)
		x, cond := fmt.Sprintf("%d %% lsz", d), ""
		kind := g.IntN(7)
		if same {
			kind = -1
		}
		switch kind {
		case 0:
			x, cond = fmt.Sprintf("lid - %d", d), fmt.Sprintf("lid >= %d", d)
		case 1:
			x, cond = fmt.Sprintf("lid + %d", d), fmt.Sprintf("lid + %d < lsz", d)
		case 2:
			x = fmt.Sprintf("(lid + %d) %% lsz", d)
		case 3:
			x = "lsz - 1 - lid"
		case 4:
			x = fmt.Sprintf("min(lid + %d, lsz - 1)", d)
		case 5:
			x, cond = fmt.Sprintf("lid * %d", d), fmt.Sprintf("lid < lsz / %d", d)
		case 6:
			x, cond = fmt.Sprintf("lid - %d", d), fmt.Sprintf("lid > %d && lid %s %d", d, oneOf(g, "<", ">=", "!="), g.IntN(70))
		}
		read := g.combine(l.typ, value(l.typ, v.name), value(l.typ, fmt.Sprintf("%s[%s]", l.name, x)))
		if cond != "" {
			cond = fmt.Sprintf("if (%s) ", cond)
		}
		n.parts = append(n.parts, statement(fmt.Sprintf("  %s%s = ", cond, v.name), read, ";\n"))
	}
	n.parts = append(n.parts, fenceLocal)
	if g.chance(2) {
		n.parts = append(n.parts, statement(fmt.Sprintf("  %s[lid] = ", l.name), g.combine(l.typ, value(l.typ, v.name), g.leaf(l.typ)), ";\n"))
	}
	g.vars = append(g.vars, v)
	return n
}

// twiddle combines local memory with elements of a buffer that are the same for all work-groups, like the roots of unity in a
// Fourier transform, and moves it to other work-items.
func (g *cooperation) twiddle(l local) *node {
	b := &g.ins[g.IntN(len(g.ins))]
	for _, i := range g.Perm(len(g.ins)) {
		if g.ins[i].typ.Kind.Size() >= 4 {
			b = &g.ins[i]
		}
	}
	step := 1 + g.IntN(4)
	at := fmt.Sprintf("%s[lid %% %d * %d]", b.name, 1+g.IntN(max(1, min(16, b.n/step))), step)
	if b.n <= step*15 {
		at = fmt.Sprintf("%s[lid %% %d]", b.name, b.n)
	}
	from := fmt.Sprintf(oneOf(g, "%s[lid]", "%s[lsz - 1 - lid]", "%s[lid / 4 %% lsz]", "%s[(lid * 4 %% lsz + lid / (lsz / 4 + 1)) %% lsz]", "%s[(lid * 5 + 1) %% lsz]"), l.name)
	v := variable{name: g.name("v"), typ: l.typ}
	n := statement(fenceLocal, fmt.Sprintf("  %s %s = ", l.typ, v.name), g.combine(l.typ, value(l.typ, from), g.wrap2(l.typ, b.typ, at)), ";\n", fenceLocal,
		fmt.Sprintf("  %s[lid] = ", l.name), g.combine(l.typ, value(l.typ, v.name), g.leaf(l.typ)), ";\n", fenceLocal)
	g.vars = append(g.vars, v)
	return n
}

// compareExchange returns steps of a sorting network in local memory: pairs of work-items exchange their elements if these
// compare in a way, as data say, or as bits of the local id do.
func (g *cooperation) compareExchange(l local) *node {
	s, p, x, y := g.name("s"), g.name("p"), g.name("v"), g.name("v")
	pair := oneOf(g, "lid ^ %s", "lid + %s", "lid | %s")
	pair = fmt.Sprintf(pair, s)
	some := oneOf(g, "", "", fmt.Sprintf(" && (lid & %d) == 0", 1<<g.IntN(6)), fmt.Sprintf(" && lid >= %d", g.IntN(20)))
	than := oneOf(g, fmt.Sprintf("%s > %s", x, y), fmt.Sprintf("(%s > %s) == ((lid & %d) == 0)", x, y, 1<<g.IntN(7)), fmt.Sprintf("%s < %s || (lid & %d)", x, y, 1<<g.IntN(5)))
	change := oneOf(g, "%[1]s[lid] = %[4]s; %[1]s[%[2]s] = %[3]s;", "%[1]s[%[2]s] = %[3]s;", "%[1]s[lid] = %[3]s * %[4]s;", "%[1]s[lid] = %[4]s; if (lid & 4) %[1]s[%[2]s] = %[3]s;")
	change = fmt.Sprintf(change+" // %[2]s", l.name, p, x, y)
	return fixed(fmt.Sprintf("  for (uint %s = %d; %s > 0; %s /= 2) {\n", s, 1<<g.IntN(7), s, s), fenceLocal,
		fmt.Sprintf("  uint %s = %s;\n  if ((lid & %s) == 0 && %s < lsz%s) {\n  %s %s = %s[lid], %s = %s[%s];\n  if (%s) { %s\n  }\n  }\n  }\n", p, pair, s, p, some, l.typ, x, l.name, y, l.name, p, than, change), fenceLocal)
}

// halving reduces local memory as a tree: half of the work-items fold the other half's elements, then a quarter,
// and so on, in a loop or unrolled.
func (g *cooperation) halving(l local) *node {
	op := oneOf(g, "+", "-", "*")
	if g.chance(2) {
		return statement(fenceLocal, fmt.Sprintf("  for (uint s = lsz / 2; s > 0; s /= 2) {\n  if (lid < s) %s[lid] = %s[lid] %s %s[lid + s];\n", l.name, l.name, op, l.name), fenceLocal, "  }\n")
	}
	n := fixed(fenceLocal)
	for s := 32; s > 0; s /= oneOf(g, 2, 2, 4) {
		n.parts = append(n.parts, statement(fmt.Sprintf("  if (lid < %d && lid + %d < lsz) %s[lid] = %s[lid] %s %s[lid + %d];\n", s, s, l.name, l.name, op, l.name, s), fenceLocal))
	}
	return n
}

// tile returns a loop in which all work-items fill local memory together, and then each reads several of its
// elements.
func (g *cooperation) tile(l local) *node {
	v, k, j := variable{name: g.name("v"), typ: l.typ}, g.name("i"), g.name("i")
	b := &g.ins[g.IntN(len(g.ins))]
	rounds := 1 + g.IntN(3)
	at := fmt.Sprintf("%s[(lin + %s * %d) %% %d]", b.name, k, 1+g.IntN(30), b.n)
	inner := oneOf(g, "%s", "lid + %s", "lid / 8 * 8 + %s")
	inner = fmt.Sprintf("%s[("+inner+") %% lsz]", l.name, j)
	n := statement(fmt.Sprintf("  %s %s = %s[lid];\n  for (int %s = 0; %s < %d; %s++) {\n", l.typ, v.name, l.name, k, k, rounds, k), fenceLocal,
		fmt.Sprintf("  %s[lid] = ", l.name), g.wrap2(l.typ, b.typ, at), ";\n", fenceLocal,
		fmt.Sprintf("  for (int %s = 0; %s < %d; %s++) %s = ", j, j, oneOf(g, 4, 8), j, v.name), g.combine(l.typ, value(l.typ, v.name), value(l.typ, inner)), ";\n  }\n", fenceLocal)
	g.vars = append(g.vars, v)
	return n
}

// exchange lets pairs of work-items read and write each other's elements, at one distance or at several.
func (g *cooperation) exchange(l local, fence string) *node {
	by, p, v := g.name("n"), g.name("n"), variable{name: g.name("v"), typ: l.typ}
	u := fmt.Sprint(g.IntN(2 * g.group))
	if g.chance(3) {
		u = fmt.Sprintf("%s & %d", g.same(), 2*g.group-1)
	}
	some := oneOf(g, "", fmt.Sprintf(" && %s > lid", p), fmt.Sprintf(" && (lid & %d)", 1+g.IntN(8)))
	step := fixed(fmt.Sprintf("  uint %s = lid ^ %s;\n", p, by), fence, fmt.Sprintf("  %s %s = %s[lid];\n  if (%s < lsz%s) %s = %s[%s];\n  %s += ", l.typ, v.name, l.name, p, some, v.name, l.name, p, v.name), g.expr(l.typ, 2),
		";\n", fence, fmt.Sprintf("  if (%s < lsz%s) %s[%s] = %s;\n", p, some, l.name, p, v.name), fence)
	if g.chance(2) {
		return statement(fmt.Sprintf("  for (uint %s = %s; %s > 0; %s >>= 1) {\n", by, u, by, by), step, "  }\n")
	}
	g.vars = append(g.vars, v)
	return statement(fmt.Sprintf("  uint %s = %s;\n", by, u), step)
}

// tileInside returns the condition, computed from the work-item's own id, that the group's tile lies within a
// number of whole tiles. It is uniform in a group.
func (g *cooperation) tileInside() string {
	d, each := g.IntN(len(g.k.Local)), 1+g.IntN(3)
	tile := 1
	for tile < each*g.k.Local[d] {
		tile *= 2
	}
	g.k.required = true
	t := oneOf(g, "int", "uint", "long", "ulong")
	x, y := fmt.Sprintf("(%s)(get_local_id(%d) * %d + get_group_id(%d) * %d)", t, d, each, d, tile), fmt.Sprintf("(%s)(%s %% %d / %d * %d)", t, g.same(), 5*tile, tile, tile)
	return fmt.Sprintf(oneOf(g, "%s < %s", "!(%s >= %s)", "%s >= %s"), x, y)
}
