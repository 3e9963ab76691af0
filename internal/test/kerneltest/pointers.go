package kerneltest

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A site is memory that only this work-item changes between barriers.
type site struct {
	space string
	at    *node // an lvalue
	typ   Type
}

// sites returns memory of type t in the address spaces, in random order.
func (g *generator) sites(t Type) (list []site) {
	if !g.kernel {
		return nil
	}
	for i := range g.outs {
		if b := &g.outs[i]; b.typ == t {
			list = append(list, site{"global", g.own(b, 1), t})
		}
	}
	for _, l := range g.locals {
		if l.typ == t {
			list = append(list, site{"local", fixed(l.name + "[lid]"), t})
		}
	}
	if x := g.place(t); x != nil {
		list = append(list, site{"private", x, t})
	}
	g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// declareGeneric declares a pointer to one of several sites, of any address spaces.
func (g *generator) declareGeneric() *node {
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

// atomicResult uses the result of an atomic operation on the work-item's own memory.
func (g *generator) atomicResult() *node {
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
	case k == 2 && g.k.Options != "-cl-std=CL1.2":
		parts = append(parts, "atomic_fetch_", oneOf(g, "add", "sub", "or", "xor", "and", "min", "max"), fmt.Sprintf("_explicit((volatile %s atomic_%s*)&", space, t), at, ", ", g.expr(t, 2), ", memory_order_relaxed, memory_scope_device);\n")
	default:
		parts = append(parts, prefix, oneOf(g, "add", "sub", "xchg", "min", "max", "and", "or", "xor"), "(&", at, ", ", g.expr(t, 2), ");\n")
	}
	g.vars = append(g.vars, v)
	return statement(parts...)
}

// ownAtomic returns an atomic operation on the work-item's own memory, whose result is unused.
func (g *generator) ownAtomic() *node {
	list := []numeric.Kind{numeric.I32, numeric.U32, numeric.I64, numeric.U64, numeric.F32, numeric.F64, numeric.F16}
	modern := g.k.Options != "-cl-std=CL1.2"
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
		} else if g.k.Options != "-cl-std=CL3.0" {
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

// switchArrays walks through an array with a pointer that may switch to another array on the way.
func (g *generator) switchArrays() *node {
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
