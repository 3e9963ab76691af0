package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// declare returns a declaration.
func (g *simpleStatements) declare() *node {
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
func (g *simpleStatements) declareValue() *node {
	v := variable{name: g.name("v"), typ: g.typ()}
	n := statement(fmt.Sprintf("  %s %s = ", v.typ, v.name), g.expr(v.typ, depth), ";\n")
	g.vars = append(g.vars, v)
	return n
}

func (g *simpleStatements) declareArray() *node {
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
func (g *simpleStatements) fieldValues(r record) *node {
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

func (g *simpleStatements) declareRecord() *node {
	r := g.recs[g.IntN(len(g.recs))]
	name := g.name("s")
	if g.chance(2) {
		n := statement(fmt.Sprintf("  struct %s %s = ", r.name, name), g.fieldValues(r), ";\n")
		g.fields(r, name+".")
		g.structs = append(g.structs, structVar{name, r})
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
func (g *simpleStatements) declareUnion() *node {
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

// declarePointer declares a pointer to one of two objects, or an array of pointers.
func (g *simpleStatements) declarePointer() *node {
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

// declareGeneric declares a pointer to one of several sites, of any address spaces.
func (g *simpleStatements) declareGeneric() *node {
	var types []Type
	for _, b := range g.outs {
		types = append(types, b.typ)
	}
	for _, l := range g.locals {
		types = append(types, l.typ)
	}
	t := types[g.IntN(len(types))]
	list := g.sites(t)
	if len(list) == 0 {
		return nil
	}
	v := variable{name: g.name("q"), typ: t, noaddr: true}
	defer func() {
		v.name = "(*" + v.name + ")"
		g.vars = append(g.vars, v)
	}()
	if !g.generic || g.chance(3) { // all of one space
		s := list[0]
		n := []any{fmt.Sprintf("  %s %s* %s = &", s.space, t, v.name), s.at, ";\n"}
		for _, o := range list[1:] {
			if o.space == s.space {
				n = append(n, "  if (", g.cond(2), fmt.Sprintf(") %s = &", v.name), o.at, ";\n")
			}
		}
		return statement(n...)
	}
	n := []any{fmt.Sprintf("  %s* %s = &", t, v.name), list[0].at, ";\n"}
	for _, o := range list[1:] {
		n = append(n, "  if (", g.cond(2), fmt.Sprintf(") %s = &", v.name), o.at, ";\n")
	}
	return statement(n...)
}

// copyStruct copies a struct, or passes it by value. It returns nil if there is none.
func (g *simpleStatements) copyStruct() *node {
	if len(g.structs) == 0 {
		return nil
	}
	s := g.structs[g.IntN(len(g.structs))]
	from := s
	for _, o := range g.structs {
		if o.typ.name == s.typ.name && g.chance(2) {
			from = o
		}
	}
	x := from.name
	for _, r := range g.recs {
		if r.name == s.typ.name && r.through != "" && g.chance(2) {
			x = fmt.Sprintf("%s(%s)", r.through, x)
		}
	}
	if g.chance(3) {
		c := structVar{g.name("s"), s.typ}
		n := statement(fmt.Sprintf("  struct %s %s = %s;\n", s.typ.name, c.name, x))
		g.fields(c.typ, c.name+".")
		g.structs = append(g.structs, c)
		return n
	}
	return statement(fmt.Sprintf("  %s = %s;\n", s.name, x))
}
