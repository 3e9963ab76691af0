package kerneltest

import "fmt"

// These accesses cross the ends of their objects by some bytes, or lie beyond them, at any alignment.

// within returns an integer from from to from+n that is a constant, uniform or varying.
func (g *simpleStatements) within(from, n int) string {
	switch g.IntN(4) {
	case 0:
		return fmt.Sprintf("(%d)", from+g.IntN(n+1))
	case 1:
		return fmt.Sprintf("(%d + (int)(get_global_size(0) %% %d))", from, n+1)
	case 2:
		return fmt.Sprintf("(%d - (int)(lin %% %d))", from+n, n+1)
	}
	return fmt.Sprintf("(%d + (int)(lin %% %d))", from, n+1)
}

// far returns a byte offset from an object of size bytes at which an access of type t usually crosses the object's
// beginning or end.
func (g *simpleStatements) far(t Type, size int) string {
	n := t.size()
	switch g.IntN(4) {
	case 0:
		return g.within(-n-1, n+2)
	case 1:
		return g.within(-n-1, n+size+2)
	}
	return g.within(size-n-1, n+2)
}

// storeAt returns a write of a value of type t through a byte pointer p to an address space.
func (g *simpleStatements) storeAt(space string, t Type, p string) *node {
	x := g.expr(t, 1)
	if t.N > 1 && g.chance(2) {
		return statement(fmt.Sprintf("  vstore%d(", t.N), x, fmt.Sprintf(", 0, (%s%s*)(%s));\n", space, t.elem(), p))
	}
	return statement(fmt.Sprintf("  *(%s%s*)(%s) = ", space, t, p), x, ";\n")
}

// edge returns a read at the end of a buffer, or accesses at the ends of a private array.
func (g *simpleStatements) edge() *node {
	g.k.Wild = true
	n := statement()
	declare := func(t Type, x string) {
		v := variable{name: g.name("v"), typ: t}
		n.parts = append(n.parts, fmt.Sprintf("  %s %s = %s;\n", t, v.name, x))
		g.vars = append(g.vars, v)
	}
	if t := g.typ(); g.chance(2) {
		b := g.ins[g.IntN(len(g.ins))]
		space := "constant "
		if b.global {
			space = "global const "
		}
		declare(t, g.loadAt(space, t, fmt.Sprintf("(%suchar*)%s + %s", space, b.name, g.far(t, b.n*b.typ.size()))))
		return n
	}
	a := array{name: g.name("e"), typ: g.typ(), n: 1 + g.IntN(6)}
	n.parts = append(n.parts, fmt.Sprintf("  %s %s[%d] = {", a.typ, a.name, a.n))
	for range a.n {
		n.parts = append(n.parts, g.literal(a.typ)+", ")
	}
	n.parts = append(n.parts, "};\n")
	// Whole elements may be interleaved across work-items by the compiler; other accesses prevent that.
	if plain := g.chance(2); plain {
		t := Type{a.typ.Kind, oneOf(g, 1, 1, 2, 3, 4, 8)}
		all := a.n * a.typ.size() / t.Kind.Size()
		at := func() string {
			return fmt.Sprintf("(private uchar*)((private %s*)%s + %s)", t.elem(), a.name, g.within(max(-2, all-t.N-1), t.N+2))
		}
		for range 1 + g.IntN(2) {
			n.parts = append(n.parts, g.storeAt("private ", t, at()))
		}
		declare(t, g.loadAt("private ", t, at()))
		return n
	}
	size := a.n * a.typ.size()
	for range 1 + g.IntN(2) {
		t := g.typ()
		n.parts = append(n.parts, g.storeAt("private ", t, fmt.Sprintf("(private uchar*)%s + %s", a.name, g.far(t, size))))
	}
	t := g.typ()
	declare(t, g.loadAt("private ", t, fmt.Sprintf("(private uchar*)%s + %s", a.name, g.far(t, size))))
	return n
}
