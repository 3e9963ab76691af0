package kerneltest

import "fmt"

// A whole is a variable of a struct type.
type whole struct {
	name string
	record
}

// programScope declares a constant that is no array of numbers.
func (g *generator) programScope() *node {
	if len(g.recs) > 0 && g.chance(2) {
		r := g.recs[g.IntN(len(g.recs))]
		name := g.name("t")
		s := fmt.Sprintf("constant struct %s %s = {", r.name, name)
		for _, f := range r.fields {
			if f.below > 0 {
				s += "{" + g.literal(f.typ) + "}, "
				g.arrays = append(g.arrays, array{name: name + "." + f.name, typ: f.typ, n: f.below, fixed: true, noaddr: true})
			} else {
				s += g.literal(f.typ) + ", "
				g.vars = append(g.vars, variable{name: name + "." + f.name, typ: f.typ, fixed: true, noaddr: true})
			}
		}
		return statement(s + "};\n")
	}
	t, name := g.typ(), g.name("t")
	if g.chance(2) {
		g.vars = append(g.vars, variable{name: name, typ: t, fixed: true, noaddr: true})
		return statement(fmt.Sprintf("constant %s %s = %s;\n", t, name, g.literal(t)))
	}
	rows, n := 2+g.IntN(3), 1+g.IntN(4)
	space := "constant"
	if g.generic && g.chance(3) {
		space = "global" // it is never written
	}
	s := fmt.Sprintf("%s %s %s[%d][%d] = {", space, t, name, rows, n)
	for i := range rows {
		s += "{"
		for range n {
			s += g.literal(t) + ", "
		}
		s += "}, "
		g.arrays = append(g.arrays, array{name: fmt.Sprintf("%s[%d]", name, i), typ: t, n: n, fixed: true, noaddr: true})
	}
	for i := range n {
		g.arrays = append(g.arrays, array{name: name, typ: t, n: rows, fixed: true, noaddr: true, member: fmt.Sprintf("[%d]", i)})
	}
	return statement(s + "};\n")
}

// recordFunction generates a function that takes and returns a struct.
func (g *generator) recordFunction() *node {
	r := &g.recs[g.IntN(len(g.recs))]
	r.through = g.name("f")
	vars, arrays, records := g.vars, g.arrays, g.whole
	g.fields(*r, "p.")
	body := fixed(g.assign(), g.assign(), g.assign())
	g.vars, g.arrays, g.whole = vars, arrays, records
	return fixed(fmt.Sprintf("%sstruct %s %s(struct %s p) {\n", g.specifier(), r.name, r.through, r.name), body, "  return p;\n}\n")
}

// recordWhole copies a struct, or passes it by value. It returns nil if there is none.
func (g *generator) recordWhole() *node {
	if len(g.whole) == 0 {
		return nil
	}
	s := g.whole[g.IntN(len(g.whole))]
	from := s
	for _, o := range g.whole {
		if o.record.name == s.record.name && g.chance(2) {
			from = o
		}
	}
	x := from.name
	for _, r := range g.recs {
		if r.name == s.record.name && r.through != "" && g.chance(2) {
			x = fmt.Sprintf("%s(%s)", r.through, x)
		}
	}
	if g.chance(3) {
		c := whole{g.name("s"), s.record}
		n := statement(fmt.Sprintf("  struct %s %s = %s;\n", s.record.name, c.name, x))
		g.fields(c.record, c.name+".")
		g.whole = append(g.whole, c)
		return n
	}
	return statement(fmt.Sprintf("  %s = %s;\n", s.name, x))
}
