package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

const (
	depth = 3 // of expressions in statements
	nest  = 3 // of nested statements in a kernel
)

// statements returns a list of statements, which may nest in levels deep.
func (g *generator) statements(in int) *node {
	n := statement()
	count := 1 + g.IntN(3)
	if in == nest {
		count = g.left
	}
	for ; count > 0 && g.left > 0; count-- {
		g.left--
		n.parts = append(n.parts, g.statement(in))
	}
	return n
}

// block returns statements in a scope of their own; uniform is set if all work-items execute it together.
func (g *generator) block(in int, uniform bool) *node {
	vars, arrays, records, was := len(g.vars), len(g.arrays), len(g.whole), g.uniform
	g.uniform = g.uniform && uniform
	n := g.statements(in)
	g.vars, g.arrays, g.whole, g.uniform = g.vars[:vars], g.arrays[:arrays], g.whole[:records], was
	return fixed("{\n", n, "  }\n")
}

func (g *generator) statement(in int) *node {
	if g.style == mixed && g.barriers && g.uniform && (g.busy || g.chance(2)) && len(g.locals) > 0 {
		return g.groupStatement(in)
	}
	if g.wild && g.kernel && g.chance(6) {
		return g.edge()
	}
	if g.style != mixed {
		return g.regularStatement(in)
	}
	if in > 0 {
		if n := nestedStatement(g, in-1); n != nil {
			return n
		}
	}
	switch g.IntN(15) {
	case 0, 1, 2:
		return g.declare()
	case 12:
		if g.kernel && len(g.tickets) > 0 {
			return g.useTicket()
		}
	case 13:
		if n := g.recordWhole(); n != nil {
			return n
		}
	case 14:
		if g.kernel && g.prints {
			return g.print()
		}
	case 3:
		if len(g.sums) > 0 {
			c := g.sums[g.IntN(len(g.sums))]
			return g.atomic(c, c.name)
		}
		if n := oneOf(g, g.atomicResult, g.ownAtomic)(); n != nil {
			return n
		}
	case 4:
		if g.kernel && len(g.drawn) > 0 && g.chance(2) {
			return g.writePicture()
		}
		if g.kernel {
			return g.vstore()
		}
	case 5:
		bounded := func() *node { return sumToBound(g) }
		if n := oneOf(g, g.walk, g.sweep, g.fill, g.switchArrays, bounded, bounded)(); n != nil {
			return n
		}
	case 6:
		n, t := g.through(depth)
		if g.chance(2) {
			t = g.typ()
			n = g.call(t, 2, true)
		}
		if n != nil {
			v := variable{name: g.name("v"), typ: t}
			s := statement(fmt.Sprintf("  %s %s = ", t, v.name), n, ";\n")
			g.vars = append(g.vars, v)
			return s
		}
	}
	return g.assign()
}

// nestedStatement returns a statement that contains others, nested at most in levels deep, or nil.
func nestedStatement(g *generator, in int) *node {
	switch g.IntN(15) {
	case 7:
		if g.kernel {
			return g.counted(in)
		}
	case 0, 1:
		return g.branch(in)
	case 2, 3:
		return g.loop(in)
	case 4:
		return g.choice(in)
	case 5:
		if g.chance(2) {
			return g.jump(in)
		}
	case 6:
		if len(g.loops) > 0 || g.chance(4) {
			return g.leave()
		}
	}
	return nil
}

// declare returns a declaration.
func (g *generator) declare() *node {
	switch g.IntN(14) {
	case 0, 1:
		return g.declareArray()
	case 2:
		if len(g.recs) > 0 {
			return g.declareRecord()
		}
	case 3, 4:
		if n := g.declarePointer(); n != nil {
			return n
		}
	case 5:
		if g.chance(2) {
			return g.declareUnion()
		}
	}
	return g.declareValue()
}

// declareValue declares a scalar or vector variable.
func (g *generator) declareValue() *node {
	v := variable{name: g.name("v"), typ: g.typ()}
	n := statement(fmt.Sprintf("  %s %s = ", v.typ, v.name), g.expr(v.typ, depth), ";\n")
	g.vars = append(g.vars, v)
	return n
}

func (g *generator) declareArray() *node {
	a := array{name: g.name("r"), typ: g.typ(), n: oneOf(g, 1, 2, 3, 4, 4, 5, 8, 8, 9, 16)}
	if a.typ.size() > 32 {
		a.n = min(a.n, 4)
	}
	parts := []any{fmt.Sprintf("  %s %s[%d]", a.typ, a.name, a.n)}
	if g.chance(2) {
		i := variable{name: g.name("i"), typ: Type{numeric.I32, 1}, fixed: true, below: a.n}
		parts = append(parts, fmt.Sprintf(";\n  for (int %s = 0; %s < %d; %s++) %s[%s] = ", i.name, i.name, a.n, i.name, a.name, i.name))
		g.vars = append(g.vars, i)
		parts = append(parts, g.expr(a.typ, 2), ";\n")
		g.vars = g.vars[:len(g.vars)-1]
	} else {
		parts = append(parts, " = {")
		for range 1 + g.IntN(a.n) {
			parts = append(parts, g.expr(a.typ, 1), ", ")
		}
		parts = append(parts, "};\n")
	}
	g.arrays = append(g.arrays, a)
	return statement(parts...)
}

// fieldValues returns the initial values of a variable of a struct type.
func (g *generator) fieldValues(r record) *node {
	n := fixed("{")
	for _, f := range r.fields {
		if f.below > 0 {
			n.parts = append(n.parts, "{", g.expr(f.typ, 1), "}, ")
		} else {
			n.parts = append(n.parts, g.expr(f.typ, 1), ", ")
		}
	}
	n.parts = append(n.parts, "}")
	return n
}

// fields adds the fields of a struct called prefix to the scope.
func (g *generator) fields(r record, prefix string) {
	for _, f := range r.fields {
		if f.below > 0 {
			g.arrays = append(g.arrays, array{name: prefix + f.name, typ: f.typ, n: f.below, noaddr: true})
		} else {
			g.vars = append(g.vars, variable{name: prefix + f.name, typ: f.typ, noaddr: r.packed})
		}
	}
}

func (g *generator) declareRecord() *node {
	r := g.recs[g.IntN(len(g.recs))]
	name := g.name("s")
	if g.chance(2) {
		n := statement(fmt.Sprintf("  struct %s %s = ", r.name, name), g.fieldValues(r), ";\n")
		g.fields(r, name+".")
		g.whole = append(g.whole, whole{name, r})
		return n
	}
	size := 1 + g.IntN(4)
	parts := []any{fmt.Sprintf("  struct %s %s[%d] = {", r.name, name, size)}
	for range size {
		parts = append(parts, g.fieldValues(r), ", ")
	}
	parts = append(parts, "};\n")
	if g.chance(2) { // and a pointer into it
		p := g.name("q")
		parts = append(parts, fmt.Sprintf("  %sstruct %s* %s = &%s[", g.private(), r.name, p, name), g.index(size, 1), "];\n")
		g.fields(r, p+"->")
	}
	for _, f := range r.fields {
		if f.below == 0 {
			g.arrays = append(g.arrays, array{name: name, typ: f.typ, n: size, member: "." + f.name, noaddr: r.packed})
		}
	}
	return statement(parts...)
}

// declareUnion declares a union with two members of the same size.
func (g *generator) declareUnion() *node {
	t := Type{kinds[g.IntN(len(kinds))], oneOf(g, 1, 2, 4)}
	u := g.sameSize(t)
	if g.chance(2) && t.N <= 2 && t.Kind.Size() > 1 {
		u = Type{oneOf(g, numeric.U8, numeric.I8), t.N * t.Kind.Size()}
	}
	name := g.name("u")
	n := statement(fmt.Sprintf("  union { %s a; %s b; } %s; %s.a = ", t, u, name, name), g.expr(t, depth), ";\n")
	g.vars = append(g.vars, variable{name: name + ".a", typ: t}, variable{name: name + ".b", typ: u})
	return n
}

// place returns an lvalue whose address may be taken, nil if there is none.
func (g *generator) place(t Type) *node {
	if g.chance(2) {
		for _, i := range g.Perm(len(g.arrays)) {
			if a := g.arrays[i]; a.typ == t && !a.fixed && !a.noaddr {
				return fixed(a.name+"[", g.index(a.n, 1), "]"+a.member)
			}
		}
	}
	if v := g.addressable(t); v != "" {
		return fixed(v)
	}
	return nil
}

// declarePointer declares a pointer to one of two objects, or an array of pointers.
func (g *generator) declarePointer() *node {
	if g.kernel && len(g.outs) > 0 && g.chance(3) {
		return g.declareGeneric()
	}
	name := g.name("q")
	if g.kernel && len(g.outs) > 0 && g.chance(3) { // to own elements
		b := &g.outs[g.IntN(len(g.outs))]
		second := b
		for i := range g.outs {
			if g.outs[i].typ == b.typ {
				second = &g.outs[i]
			}
		}
		var n *node
		if y := g.place(b.typ); y != nil && g.generic {
			n = statement(fmt.Sprintf("  %s* %s = ", b.typ, name), g.cond(1), " ? ", fmt.Sprintf("(%s*)&", b.typ), g.own(b, 1), fmt.Sprintf(" : (%s*)&", b.typ), y, ";\n")
		} else {
			n = statement(fmt.Sprintf("  global %s* %s = ", b.typ, name), g.cond(1), " ? &", g.own(b, 1), " : &", g.own(second, 1), ";\n")
		}
		g.vars = append(g.vars, variable{name: "(*" + name + ")", typ: b.typ, noaddr: true})
		return n
	}
	if len(g.vars) == 0 {
		return nil
	}
	t := g.vars[g.IntN(len(g.vars))].typ
	if len(g.arrays) > 0 && g.chance(2) {
		t = g.arrays[g.IntN(len(g.arrays))].typ
	}
	x, y := g.place(t), g.place(t)
	if x == nil || y == nil {
		return nil
	}
	space := g.private()
	if g.chance(3) {
		z := g.place(t)
		if z == nil {
			return nil
		}
		n := statement(fmt.Sprintf("  %s%s* %s[3] = {&", space, t, name), x, ", &", y, ", &", z, "};\n")
		g.arrays = append(g.arrays, array{name: "(*" + name, typ: t, n: 3, member: ")"})
		return n
	}
	n := statement(fmt.Sprintf("  %s%s* %s = ", space, t, name), g.cond(1), " ? &", x, " : &", y, ";\n")
	g.vars = append(g.vars, variable{name: "(*" + name + ")", typ: t})
	return n
}

// private returns the address space qualifier of private pointers.
func (g *generator) private() string {
	if g.generic {
		return "private "
	}
	return ""
}

// target returns an assignable lvalue and its type.
func (g *generator) target() (*node, Type) {
	for range 8 {
		switch g.IntN(6) {
		case 0:
			if len(g.arrays) > 0 {
				if a := g.arrays[g.IntN(len(g.arrays))]; !a.fixed {
					return fixed(a.name+"[", g.index(a.n, 2), "]"+a.member), a.typ
				}
			}
		case 1:
			if g.kernel && len(g.outs) > 0 {
				b := &g.outs[g.IntN(len(g.outs))]
				return g.own(b, 1), b.typ
			}
		default:
			if len(g.vars) > 0 {
				if v := g.vars[g.IntN(len(g.vars))]; !v.fixed {
					return fixed(v.name), v.typ
				}
			}
		}
	}
	return nil, Type{}
}

// part returns some components of a vector as an lvalue.
func (g *generator) part(x *node, t Type) (*node, Type) {
	if t.N > 1 && t.N != 3 && g.chance(3) {
		return fixed(x, oneOf(g, ".lo", ".hi", ".even", ".odd")), Type{t.Kind, t.N / 2}
	}
	n := oneOf(g, 1, 1, 2, 3, 4)
	for n > t.N {
		n = 1
	}
	s := ".s"
	for _, i := range g.Perm(t.N)[:n] {
		s += string(componentNames[i])
	}
	return fixed(x, s), Type{t.Kind, n}
}

func (g *generator) assign() *node {
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

func (g *generator) branch(in int) *node {
	parts := []any{"  if (", g.cond(2), ") ", g.block(in, false)}
	if g.chance(2) {
		parts = append(parts, "  else ", g.block(in, false))
	}
	return statement(parts...)
}

// atomic returns an atomic operation on a counter, whose result does not depend on the order.
func (g *generator) atomic(c counter, name string) *node {
	suffix := "atomic_"
	if c.typ.Kind.Size() == 8 {
		suffix = "atom_"
	}
	if c.op == "inc" || c.op == "dec" {
		return statement(fmt.Sprintf("  %s%s(&%s[", suffix, c.op, name), g.index(c.n, 2), "]);\n")
	}
	return statement(fmt.Sprintf("  %s%s(&%s[", suffix, c.op, name), g.index(c.n, 2), "], ", g.expr(c.typ, 2), ");\n")
}

// loop returns a loop that terminates.
func (g *generator) loop(in int) *node {
	i := variable{name: g.name("i"), typ: Type{oneOf(g, numeric.I32, numeric.I32, numeric.U32, numeric.I64, numeric.U8), 1}, fixed: true, below: oneOf(g, 1, 2, 3, 4, 7)}
	bound := value(i.typ, fmt.Sprint(i.below))
	if g.chance(2) {
		bound = value(i.typ, "(uint)(", g.expr(intTypes[g.IntN(len(intTypes))], 1), fmt.Sprintf(") %% %d", i.below+1))
	}
	init, limit := fmt.Sprintf("%s %s = 0", i.typ, i.name), g.name("b")
	vars := len(g.vars)
	enter := func(l loop) *node {
		g.vars = append(g.vars, i)
		g.loops = append(g.loops, l)
		n := g.block(in, false)
		g.loops = g.loops[:len(g.loops)-1]
		g.vars = g.vars[:vars]
		return n
	}
	switch g.IntN(5) {
	default:
		return statement("  for (", init, fmt.Sprintf(", %s = ", limit), bound, fmt.Sprintf("; %s < %s; %s++) ", i.name, limit, i.name), enter(loop{}))
	case 0: // downwards
		i.typ = Type{numeric.I32, 1}
		return statement("  for (", fmt.Sprintf("int %s = (int)(", i.name), bound, fmt.Sprintf(") - 1; %s >= 0; %s--) ", i.name, i.name), enter(loop{}))
	case 1:
		i.below++ // the counter is incremented before the body
		return statement("  {\n  ", init, ";\n  while (", fmt.Sprintf("%s < ", i.name), bound, " && ", g.cond(1), ") {\n", fmt.Sprintf("  %s++;\n  ", i.name), enter(loop{}), "  }\n  }\n").bounded(i)
	case 2:
		i.below++
		return statement("  {\n  ", init, ";\n  do {\n", fmt.Sprintf("  %s++;\n  ", i.name), enter(loop{}), fmt.Sprintf("  } while (%s < %d && ", i.name, i.below-1), g.cond(1), ");\n  }\n")
	}
}

// bounded adds a constant bound of i to loop n, whose own bound may change while it runs.
func (n *node) bounded(i variable) *node {
	for k, p := range n.parts {
		if s, ok := p.(string); ok && s == fmt.Sprintf("%s < ", i.name) {
			n.parts[k] = fmt.Sprintf("%s < %d && %s < ", i.name, i.below-1, i.name)
		}
	}
	return n
}

// leave returns a conditional break, continue or return.
func (g *generator) leave() *node {
	out := ""
	if len(g.loops) > 0 {
		switch l := g.loops[len(g.loops)-1]; {
		case l.noBreak:
		case l.label:
			out = "break"
		default:
			out = oneOf(g, "break", "continue", "continue")
		}
	}
	if !g.kernel && (out == "" || g.chance(4)) {
		return statement("  if (", g.cond(2), ") return ", g.expr(g.result, 1), ";\n")
	}
	if g.kernel && !g.barriers && (out == "" || g.chance(4)) {
		out = "return"
	}
	if out == "" {
		return g.assign()
	}
	return statement("  if (", g.cond(2), ") "+out+";\n")
}

// choice returns a switch.
func (g *generator) choice(in int) *node {
	t := oneOf(g, Type{numeric.I32, 1}, Type{numeric.U32, 1}, Type{numeric.I64, 1}, Type{numeric.U8, 1})
	parts := []any{"  switch ((", g.expr(t, 2), fmt.Sprintf(") & %d) {\n", oneOf(g, 3, 7))}
	g.loops = append(g.loops, loop{label: true, noBreak: false})
	for i, c := range g.Perm(8)[:1+g.IntN(4)] {
		label := fmt.Sprintf("  case %d: ", c)
		if i > 0 && g.chance(4) {
			label = "  default: " + label
			parts = dropDefault(parts)
		}
		body := fixed(g.block(in, false))
		end := "  break;\n"
		if g.chance(3) {
			end = ""
		}
		parts = append(parts, statement(label, body, end))
	}
	g.loops = g.loops[:len(g.loops)-1]
	return statement(append(parts, "  }\n")...)
}

// dropDefault removes "default:" from the cases.
func dropDefault(parts []any) []any {
	for _, p := range parts {
		if n, ok := p.(*node); ok && len(n.parts) > 0 {
			if s, ok := n.parts[0].(string); ok && len(s) > 11 && s[:11] == "  default: " {
				n.parts[0] = s[11:]
			}
		}
	}
	return parts
}

// jump returns control flow by goto: out of order, backwards, or into a loop.
func (g *generator) jump(in int) *node {
	a, b, i := g.name("L"), g.name("L"), g.name("i")
	loops := g.loops
	g.loops = nil // break and continue would refer to an enclosing loop
	defer func() { g.loops = loops }()
	part := func() *node { return g.block(in, false) }
	switch g.IntN(4) {
	case 0: // a loop with two entries
		return statement(fmt.Sprintf("  {\n  int %s = 0;\n  if (", i), g.cond(2), ") goto ", b, ";\n", a+":;\n", part(), b+":;\n", part(), fmt.Sprintf("  if (++%s < 4 && ", i), g.cond(2), ") goto ", a, ";\n  }\n")
	case 1:
		return statement(fmt.Sprintf("  {\n  int %s = 0;\n%s:;\n", i, a), part(), "  if (", g.cond(2), ") goto ", b, ";\n", part(), fmt.Sprintf("  if (++%s < 4 && ", i), g.cond(2), ") goto ", a, ";\n", b+":;\n  }\n")
	}
	return statement("  if (", g.cond(2), ") goto ", a, ";\n", part(), "  if (", g.cond(2), ") goto ", b, ";\n", part(), a+":;\n", part(), b+":;\n")
}

// walk reads an array through a pointer that advances.
func (g *generator) walk() *node {
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
func (g *generator) sweep() *node {
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
func (g *generator) fill() *node {
	if !g.kernel {
		return nil
	}
	b := &g.outs[g.IntN(len(g.outs))]
	i := variable{name: g.name("i"), typ: Type{numeric.I32, 1}, fixed: true, below: b.each}
	place := fmt.Sprintf("%s[lin * %d + %s]", b.name, b.each, i.name)
	switch {
	case b.backward:
		return nil
	case b.soa:
		place = fmt.Sprintf("%s[lin + %d * %s]", b.name, g.items, i.name)
	}
	g.vars = append(g.vars, i)
	n := statement(fmt.Sprintf("  for (int %s = 0; %s < %d; %s++) %s = ", i.name, i.name, b.each, i.name, place), g.expr(b.typ, 2), ";\n")
	g.vars = g.vars[:len(g.vars)-1]
	return n
}

// typeOf returns the type of a variable.
func (g *generator) typeOf(name string) Type {
	for _, x := range g.vars {
		if x.name == name {
			return x.typ
		}
	}
	panic("no variable " + name)
}

// vstore returns a vstore to own elements.
func (g *generator) vstore() *node {
	for _, k := range g.Perm(len(g.outs)) {
		b := &g.outs[k]
		if b.typ.N != 1 || b.soa || b.backward {
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
func (g *generator) storeOut(b *buffer) *node {
	return statement("  ", g.own(b, 1), " = ", g.expr(b.typ, 2), ";\n")
}
