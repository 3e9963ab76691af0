package kerneltest

import "fmt"

// cooperativeLaunch picks the range of a cooperative kernel: most groups fill whole gangs.
func (g *generator) cooperativeLaunch() {
	k := g.k
	k.Local = []int{oneOf(g, 16, 32, 32, 32, 64, 64, 48, 24)}
	k.Global = []int{k.Local[0] * (1 + g.IntN(3))}
	if g.chance(2) {
		h := oneOf(g, 1, 2, 3, 4)
		k.Local, k.Global = append(k.Local, h), append(k.Global, h*(1+g.IntN(2)))
	}
	if g.chance(3) { // rows shorter than gangs
		k.Local = []int{oneOf(g, 1, 2, 4, 8, 3), oneOf(g, 4, 8, 8, 16, 6)}
		k.Global = []int{k.Local[0] * (1 + g.IntN(3)), k.Local[1] * (1 + g.IntN(2))}
	}
	if g.chance(8) {
		k.Global[0]++
	}
	if k.Options == "-cl-std=CL1.2" {
		k.Global[0] -= k.Global[0] % k.Local[0]
	}
}

const fenceLocal = "  barrier(CLK_LOCAL_MEM_FENCE);\n"

// cooperate returns a statement of a cooperative kernel.
func (g *generator) cooperate(in int) *node {
	l := g.locals[g.IntN(len(g.locals))]
	switch g.IntN(14) {
	case 11, 12, 13:
		return twiddle(g, l)
	case 9, 10:
		if l.typ.N == 1 {
			return compareExchange(g, l)
		}
	case 0, 1:
		return g.readNeighbours(l)
	case 3:
		if in > 0 {
			return g.uniformLoop(in - 1)
		}
	case 4:
		if in > 0 {
			return g.uniformBranch(in - 1)
		}
	case 5:
		return g.exchange(l, fenceLocal)
	case 6:
		return g.halving(l)
	case 2, 7:
		return g.tile(l)
	case 8:
		if g.chance(2) {
			if n := blocks(g); n != nil {
				return n
			}
		}
		if in > 0 && g.chance(2) {
			return branchOn(g, tileInside(g), in-1)
		}
	}
	return statement(fmt.Sprintf("  %s[lid] = ", l.name), g.expr(l.typ, 2), ";\n", fenceLocal)
}

// readNeighbours combines elements of local memory that belong to other work-items into a variable.
func (g *generator) readNeighbours(l local) *node {
	v := variable{name: g.name("v"), typ: l.typ}
	n := fixed(fenceLocal, fmt.Sprintf("  %s %s = %s[lid];\n", l.typ, v.name, l.name))
	for range 1 + g.IntN(3) {
		d := oneOf(g, 1, 1, 2, 3, 5, 8, 16, 20)
		x, cond := "", ""
		switch g.IntN(7) {
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
func twiddle(g *generator, l local) *node {
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

// earlyReturn returns a test by which some work-items of a cooperative kernel return.
func earlyReturn(g *generator) *node {
	some := oneOf(g, "lin >= %[1]d", "lin > %[2]d", "get_global_id(0) >= %[1]d", "get_local_id(0) == %[3]d", "get_local_id(0) > %[3]d && lin > %[2]d")
	some = fmt.Sprintf("  if ("+some+") return; // %[1]d %[2]d %[3]d\n", g.items*3/4, g.IntN(g.items), g.IntN(20))
	if g.chance(3) {
		return statement("  if (", g.cond(2), ") return;\n", some)
	}
	return fixed(some)
}

// compareExchange returns steps of a sorting network in local memory: pairs of work-items exchange their elements if these
// compare in a way, as data say, or as bits of the local id do.
func compareExchange(g *generator, l local) *node {
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
func (g *generator) halving(l local) *node {
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
func (g *generator) tile(l local) *node {
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
