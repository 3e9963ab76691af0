package kerneltest

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// simpleStatements writes statements in which no others are nested, except steps of one pattern: declarations,
// assignments, atomic operations, loops over elements. It knows neither barriers nor which work-items are active.
type simpleStatements struct{ expressions }

const (
	depth = 3 // of expressions in statements
	nest  = 3 // of nested statements in a kernel
)

func (g *simpleStatements) assign() *node {
	x, t := g.target()
	if x == nil {
		return statement()
	}
	if t.N > 1 && g.chance(3) {
		x, t = g.part(x, t)
	}
	switch {
	case t.Kind.IsInt() && g.chance(8):
		if g.chance(2) {
			return statement("  ", x, oneOf(g, "++", "--"), ";\n")
		}
		return statement("  ", oneOf(g, "++", "--"), x, ";\n")
	case g.chance(3):
		op := oneOf(g, "+", "-", "*")
		if t.Kind.IsInt() {
			op = oneOf(g, "+", "-", "*", "&", "|", "^", "<<", ">>")
		}
		return statement("  ", x, " "+op+"= ", g.expr(t, depth), ";\n")
	}
	return statement("  ", x, " = ", g.expr(t, depth), ";\n")
}

// atomic returns an atomic operation on a counter, whose result does not depend on the order.
func (g *simpleStatements) atomic(c counter, name string) *node {
	suffix := "atomic_"
	if c.typ.Kind.Size() == 8 {
		suffix = "atom_"
	}
	if c.op == "inc" || c.op == "dec" {
		return statement(fmt.Sprintf("  %s%s(&%s[", suffix, c.op, name), g.index(c.n, 2), "]);\n")
	}
	return statement(fmt.Sprintf("  %s%s(&%s[", suffix, c.op, name), g.index(c.n, 2), "], ", g.expr(c.typ, 2), ");\n")
}

// walk reads an array through a pointer that advances.
func (g *simpleStatements) walk() *node {
	i, p := g.name("i"), g.name("q")
	v := g.addressable(Type{oneOf(g, numeric.I32, numeric.F32, numeric.U8, numeric.I64), 1})
	if v == "" || !g.kernel || len(g.ins) == 0 {
		return nil
	}
	b := g.ins[g.IntN(len(g.ins))]
	if !b.plain {
		return nil
	}
	to := g.typeOf(v)
	n := min(b.n, oneOf(g, 1, 3, 4, 9))
	return statement(fmt.Sprintf("  {\n  global const %s* %s = %s + ", b.typ, p, b.name), g.index(b.n-n+1, 1), fmt.Sprintf(";\n  for (int %s = 0; %s < %d; %s++) { %s += %s; %s++; }\n  }\n", i, i, n, i, v, g.adapt("(*"+p+")", b.typ, to), p))
}

// sweep reads a buffer from the work-item's linear id on, with a constant stride.
func (g *simpleStatements) sweep() *node {
	v := g.addressable(Type{oneOf(g, numeric.I32, numeric.F32, numeric.U16, numeric.F64), 1})
	if v == "" || !g.kernel {
		return nil
	}
	b := g.ins[g.IntN(len(g.ins))]
	i, to := variable{name: g.name("i"), typ: Type{numeric.I32, 1}, fixed: true, below: b.n}, g.typeOf(v)
	from := oneOf(g, "lin", "lin", "lin - 3", "(lin & 3)", fmt.Sprint(g.IntN(b.n)))
	g.vars = append(g.vars, i)
	n := statement(fmt.Sprintf("  for (int %s = max((int)(%s), 0); %s < %d; %s += %d) ", i.name, from, i.name, b.n, i.name, 1+b.n/oneOf(g, 1, 2, 4, 9)),
		fmt.Sprintf("%s = ", v), g.expr(to, 2), oneOf(g, " + ", " - ", " * "), g.adapt(b.name+"["+i.name+"]", b.typ, to), ";\n")
	g.vars = g.vars[:len(g.vars)-1]
	return n
}

// fill writes all own elements of a buffer.
func (g *simpleStatements) fill() *node {
	if !g.kernel {
		return nil
	}
	b := &g.outs[g.IntN(len(g.outs))]
	i := variable{name: g.name("i"), typ: Type{numeric.I32, 1}, fixed: true, below: b.each}
	place := fmt.Sprintf("%s[lin * %d + %s]", b.name, b.each, i.name)
	switch {
	case b.place != "":
		return nil
	case b.soa:
		place = fmt.Sprintf("%s[lin + %d * %s]", b.name, g.items, i.name)
	}
	g.vars = append(g.vars, i)
	n := statement(fmt.Sprintf("  for (int %s = 0; %s < %d; %s++) %s = ", i.name, i.name, b.each, i.name, place), g.expr(b.typ, 2), ";\n")
	g.vars = g.vars[:len(g.vars)-1]
	return n
}

// switchArrays walks through an array with a pointer that may switch to another array on the way.
func (g *simpleStatements) switchArrays() *node {
	var list []array
	for _, a := range g.arrays {
		if !a.fixed && !a.noaddr && a.member == "" && a.n > 1 && a.name[0] != '(' {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		return nil
	}
	a := list[g.IntN(len(list))]
	b := a
	for _, x := range list {
		if x.typ == a.typ && (b.name == a.name || g.chance(2)) {
			b = x
		}
	}
	n := min(a.n, b.n)
	i, q := variable{name: g.name("i"), typ: Type{numeric.I32, 1}, fixed: true, below: n}, g.name("q")
	parts := []any{fmt.Sprintf("  {\n  %s%s* %s = %s;\n  for (int %s = 0; %s < %d; %s++, %s++) {\n", g.private(), a.typ, q, a.name, i.name, i.name, n, i.name, q)}
	g.vars = append(g.vars, i, variable{name: "(*" + q + ")", typ: a.typ, noaddr: true})
	if b.name != a.name || g.chance(2) {
		parts = append(parts, "  if (", g.cond(2), fmt.Sprintf(") %s = %s + %s;\n", q, b.name, i.name))
	}
	parts = append(parts, fmt.Sprintf("  *%s = ", q), g.expr(a.typ, 2), ";\n")
	g.vars = g.vars[:len(g.vars)-2]
	return statement(append(parts, "  }\n  }\n")...)
}

// sumToBound sums elements of a buffer up to a bound that is in memory as well.
func (g *simpleStatements) sumToBound() *node {
	v := g.addressable(Type{oneOf(g, numeric.I32, numeric.F32, numeric.U16, numeric.F64), 1})
	if v == "" || !g.kernel {
		return nil
	}
	ends, b := g.ins[g.IntN(len(g.ins))], g.ins[g.IntN(len(g.ins))]
	i, to := g.name("i"), g.typeOf(v)
	end := g.adapt(fmt.Sprintf(oneOf(g, "%s[lin %% %du]", "%s[(lin + 1) %% %du]"), ends.name, ends.n), ends.typ, Type{numeric.U32, 1})
	return statement(fmt.Sprintf("  for (uint %s = 0; %s < %s %% %du; %s++) %s = %s %s ", i, i, end, min(b.n, 11)+1, i, v, v, oneOf(g, "+", "-", "*")), g.adapt(b.name+"["+i+"]", b.typ, to), ";\n")
}

// windows adds up products in windows of a buffer that overlap from one iteration to the next. It returns nil if no buffer
// has enough elements.
func (g *simpleStatements) windows() *node {
	rounds, width := oneOf(g, 3, 8, 13, 16), oneOf(g, 4, 6, 9)
	k := slices.IndexFunc(g.ins, func(b buffer) bool { return b.typ.N == 1 && b.n >= rounds+width })
	if k < 0 || !g.kernel {
		return nil
	}
	b, i := g.ins[k], g.name("i")
	v := variable{name: g.name("v"), typ: Type{oneOf(g, numeric.I32, numeric.F32, numeric.U16, numeric.F64), 1}}
	parts := []any{fmt.Sprintf("  %s %s = %s;\n  for (int %s = 0; %s < %d; %s++) %s = %s", v.typ, v.name, g.literal(v.typ), i, i, rounds, i, v.name, v.name)}
	for at := range width {
		x := g.adapt(fmt.Sprintf("%s[(int)(lin %% %du) + %s + %d]", b.name, b.n-rounds-width+1, i, at), b.typ, v.typ)
		parts = append(parts, oneOf(g, " + ", " + ", " - "), x)
		if g.chance(2) {
			parts = append(parts, " * ", g.literal(v.typ))
		}
	}
	g.vars = append(g.vars, v)
	return statement(append(parts, ";\n")...)
}

// vstore returns a vstore to own elements.
func (g *simpleStatements) vstore() *node {
	for _, k := range g.Perm(len(g.outs)) {
		b := &g.outs[k]
		if b.typ.N != 1 || b.soa || b.place != "" {
			continue
		}
		n := oneOf(g, 2, 3, 4, 8)
		if n > b.each {
			n = 1
		}
		t := Type{b.typ.Kind, n}
		dest := fmt.Sprintf("%s + lin * %d", b.name, b.each)
		switch {
		case b.typ.Kind == numeric.F16 && g.chance(2):
			x := g.expr(Type{oneOf(g, numeric.F32, numeric.F64), n}, depth)
			name := "vstore_half"
			if n > 1 {
				name += fmt.Sprint(n)
			}
			return statement("  "+name+oneOf(g, "", "_rte", "_rtz", "_rtp", "_rtn")+"(", x, ", 0, "+dest+");\n")
		case n == b.each && n > 1 && g.chance(2):
			return statement(fmt.Sprintf("  vstore%d(", n), g.expr(t, depth), fmt.Sprintf(", lin, %s);\n", b.name))
		case n > 1:
			return statement(fmt.Sprintf("  vstore%d(", n), g.expr(t, depth), ", 0, "+dest+" + ", g.index(b.each-n+1, 1), ");\n")
		}
	}
	return g.assign()
}

// storeOut stores a computed value to a buffer.
func (g *simpleStatements) storeOut(b *buffer) *node {
	return statement("  ", g.own(b, 1), " = ", g.expr(b.typ, 2), ";\n")
}

// writePicture writes the work-item's pixel.
func (g *simpleStatements) writePicture() *node {
	p := g.drawn[g.IntN(len(g.drawn))]
	return statement(fmt.Sprintf("  write_image%s(%s, (int2)((int)lin %% %d, (int)lin / %d), ", p.suffix(), p.name, p.size[0], p.size[0]), g.expr(p.typ, 2), ");\n")
}

// useTickets executes a ticket's operation conditionally, once or several times.
func (g *simpleStatements) useTickets() *node {
	switch g.IntN(3) {
	case 0:
		return statement("  if (", g.cond(2), ")", g.useTicket())
	case 1:
		i := g.name("i")
		return statement(fmt.Sprintf("  for (uint %s = 0; %s < (", i, i), g.expr(Type{numeric.U32, 1}, 2), fmt.Sprintf(" & 3); %s++)", i), g.useTicket())
	}
	return g.useTicket()
}

// atomicResult uses the result of an atomic operation on the work-item's own memory.
func (g *simpleStatements) atomicResult() *node {
	var t Type
	var at *node
	space := ""
	for _, k := range g.Perm(4) {
		t = Type{[]numeric.Kind{numeric.I32, numeric.U32, numeric.I64, numeric.U64}[k], 1}
		for _, s := range g.sites(t) {
			if s.space != "private" && at == nil {
				at, space = s.at, s.space
			}
		}
		if at != nil {
			break
		}
	}
	if at == nil {
		return nil
	}
	v := variable{name: g.name("v"), typ: t}
	prefix := "atomic_"
	if t.Kind.Size() == 8 {
		prefix = "atom_"
	}
	parts := []any{fmt.Sprintf("  %s %s = ", t, v.name)}
	switch k := g.IntN(6); {
	case k == 0:
		parts = append(parts, prefix, oneOf(g, "inc", "dec"), "(&", at, ");\n")
	case k == 1:
		parts = append(parts, prefix, "cmpxchg(&", at, ", ", g.expr(t, 1), ", ", g.expr(t, 2), ");\n")
	case k == 2 && g.standard != opencl12:
		parts = append(parts, "atomic_fetch_", oneOf(g, "add", "sub", "or", "xor", "and", "min", "max"), fmt.Sprintf("_explicit((volatile %s atomic_%s*)&", space, t), at, ", ", g.expr(t, 2), ", memory_order_relaxed, memory_scope_device);\n")
	default:
		parts = append(parts, prefix, oneOf(g, "add", "sub", "xchg", "min", "max", "and", "or", "xor"), "(&", at, ", ", g.expr(t, 2), ");\n")
	}
	g.vars = append(g.vars, v)
	return statement(parts...)
}

// ownAtomic returns an atomic operation on the work-item's own memory, whose result is unused.
func (g *simpleStatements) ownAtomic() *node {
	list := []numeric.Kind{numeric.I32, numeric.U32, numeric.I64, numeric.U64, numeric.F32, numeric.F64, numeric.F16}
	modern := g.standard != opencl12
	if !modern {
		list = list[:2]
	}
	for _, k := range g.Perm(len(list)) {
		t := Type{list[k], 1}
		sites := g.sites(t)
		sites = slices.DeleteFunc(sites, func(s site) bool { return s.space == "private" })
		if len(sites) == 0 {
			continue
		}
		s := sites[0]
		if !modern || t.Kind.IsInt() && t.Kind.Size() == 4 && g.chance(3) {
			return statement("  atomic_", oneOf(g, "add", "sub", "xchg", "min", "max", "and", "or", "xor"), "(&", s.at, ", ", g.expr(t, 1), ");\n")
		}
		n := statement()
		p := fixed(fmt.Sprintf("(volatile %s atomic_%s*)&", s.space, t), s.at)
		if len(sites) > 1 && g.chance(2) { // the address space varies
			q := g.name("q")
			n.parts = append(n.parts, fixed(fmt.Sprintf("  %s* %s = &", t, q), s.at, ";\n"), statement("  if (", g.cond(1), fmt.Sprintf(") %s = &", q), sites[1].at, ";\n"))
			p = fixed(fmt.Sprintf("(volatile atomic_%s*)%s", t, q))
		}
		const where = ", memory_order_relaxed, memory_scope_device)"
		ops := []string{"exchange", "store", "fetch_add", "fetch_sub", "fetch_min", "fetch_max"}
		if t.Kind.IsInt() {
			ops = append(ops, "fetch_and", "fetch_or", "fetch_xor")
		} else if g.standard != "-cl-std=CL3.0" {
			ops = ops[:2]
		}
		if g.chance(4) {
			v := variable{name: g.name("v"), typ: t}
			n.parts = append(n.parts, fmt.Sprintf("  %s %s = atomic_load_explicit(", t, v.name), p, where+";\n")
			g.vars = append(g.vars, v)
			return n
		}
		n.parts = append(n.parts, fmt.Sprintf("  atomic_%s_explicit(", oneOf(g, ops...)), p, ", ", g.expr(t, 1), where+";\n")
		return n
	}
	return nil
}
