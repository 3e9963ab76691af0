package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A generator is the top layer: it generates one kernel, with its functions and its body.
type generator struct{ controlFlow }

// Random returns the kernel of a seed, with about size statements.
func Random(seed uint64, size int) *Kernel { return random(seed, size, false) }

// RandomWild is Random for kernels with accesses out of bounds.
func RandomWild(seed uint64, size int) *Kernel { return random(seed, size, true) }

func random(seed uint64, size int, wild bool) *Kernel {
	g := &generator{}
	g.source, g.left, g.rounds = newSource(seed, wild), size, 1
	g.k = &Kernel{Seed: seed, Options: g.standard, Even: g.even}
	g.launch()
	// With work-groups of the launch's choice, only one dimension has a defined order of work-items.
	g.prints = g.style == mixed && g.chance(6) && (g.k.Local != nil || len(g.k.Global) == 1)
	g.program()
	if g.wild {
		g.shorten()
	}
	return g.k
}

// program generates the whole text.
func (g *generator) program() {
	top := []any{"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"}
	for range g.IntN(3) {
		top = append(top, g.record())
	}
	if g.chance(3) {
		top = append(top, g.table())
	}
	if g.chance(4) {
		top = append(top, g.programScope())
	}
	if g.style == mixed {
		for range g.IntN(3) - g.IntN(2) {
			top = append(top, g.function())
		}
		if len(g.recs) > 0 && g.chance(3) {
			top = append(top, g.recordFunction())
		}
	}
	g.kernel = true
	g.list = fixed()
	g.params()
	lin := variable{name: "lin", typ: Type{oneOf(g, numeric.I32, numeric.I32, numeric.U32, numeric.I64, numeric.U64), 1}, fixed: true, below: g.items}
	body := append(g.begin, fmt.Sprintf("  %s lin = %s;\n", lin.typ, g.linear()))
	g.vars = append(g.vars, lin)
	returns := 8
	if g.style == cooperative {
		returns = g.IntN(8)      // 0, 1: some work-items return before all barriers, or after those at the start
		g.numbers = returns == 6 // without returns before it: two work-items might get one number then, and race
	}
	if returns == 0 {
		body = append(body, g.earlyReturn())
	}
	if g.barriers {
		body = append(body, g.declareLocals())
		if g.numbers {
			body = append(body, g.numbering())
		}
	}
	if returns == 1 {
		body = append(body, g.earlyReturn())
	}
	if g.wild && g.groups && g.chance(3) {
		body = append(body, g.localEdge()...)
	}
	g.uniform = true
	for range 2 + g.IntN(3) {
		if g.style == mixed {
			body = append(body, g.declare())
		} else if g.chance(2) {
			body = append(body, g.declareValue())
		}
	}
	if !g.numbers {
		body = append(body, g.statements(nest))
	}
	if len(g.tickets) > 0 {
		body = append(body, g.useTickets())
	}
	if g.prints {
		body = append(body, g.print())
	}
	if g.barriers && !g.numbers && g.chance(3) { // after the last barrier work-items may return
		g.barriers, g.left = false, 2
		body = append(body, g.statements(nest))
	}
	for i := range g.outs {
		body = append(body, g.storeOut(&g.outs[i]))
	}
	top = append(top, "kernel ", attribute(g.k), "void k(", g.list, ") {\n")
	top = append(top, body...)
	top = append(top, "}\n")
	g.k.tree = fixed(top...)
}

// function generates a callable function.
func (g *generator) function() *node {
	f := function{name: g.name("f"), result: g.typ()}
	outer := g.names
	s := ""
	for i := range 1 + g.IntN(3) {
		v := variable{name: g.name("p"), typ: g.typ()}
		ptr := g.chance(5)
		if i > 0 {
			s += ", "
		}
		if ptr {
			s += fmt.Sprintf("private %s* %s", v.typ, v.name)
			v.name = "(*" + v.name + ")"
		} else {
			s += fmt.Sprintf("%s %s", v.typ, v.name)
		}
		g.vars = append(g.vars, v)
		f.params, f.ptr = append(f.params, v.typ), append(f.ptr, ptr)
	}
	g.result = f.result
	left := g.left
	g.left = min(4, left/3)
	body := fixed(g.declare(), g.statements(2))
	g.left = left - 4
	end := fixed("  return ", g.expr(f.result, 2), ";\n")
	g.names = outer
	g.funcs = append(g.funcs, f)
	return statement(g.specifier(), fmt.Sprintf("%s %s(%s) {\n", f.result, f.name, s), body, end, "}\n")
}

// recordFunction generates a function that takes and returns a struct.
func (g *generator) recordFunction() *node {
	r := &g.recs[g.IntN(len(g.recs))]
	r.through = g.name("f")
	outer := g.names
	g.fields(*r, "p.")
	body := fixed(g.assign(), g.assign(), g.assign())
	g.names = outer
	return fixed(fmt.Sprintf("%sstruct %s %s(struct %s p) {\n", g.specifier(), r.name, r.through, r.name), body, "  return p;\n}\n")
}
