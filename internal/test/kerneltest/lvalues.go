package kerneltest

// A site is memory that only this work-item changes between barriers.
type site struct {
	space string
	at    *node // an lvalue
	typ   Type
}

// sites returns memory of type t in the address spaces, in random order.
func (g *expressions) sites(t Type) (list []site) {
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

// place returns an lvalue whose address may be taken, nil if there is none.
func (g *expressions) place(t Type) *node {
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

// target returns an assignable lvalue and its type.
func (g *expressions) target() (*node, Type) {
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
func (g *expressions) part(x *node, t Type) (*node, Type) {
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
