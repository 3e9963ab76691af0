package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Clamped indices during the symbolic execution of a work-group (evaluate.go): a stencil takes the element at
// max(i-1, low) beside its own, where low is unknown. Work-items that are inside, low <= i, access element i-1 or i. The
// mask of their access has that comparison, so both elements are loaded and one is chosen.

// A symbol is open if its lanes follow from known lanes and clamps. It has an op, but no known lanes.
func (x *symbol) open() bool { return x.known == nil && x.op != nil }

// following returns x, the symbol of an operation on arguments, as an open symbol if it is one.
func (s *symbols) following(x *symbol, v *ssa.Value, args []*symbol) *symbol {
	if x.known != nil || x.parts != nil || v.Type.N != 1 || !isInt(v.Type.K) || slices.Contains(args, x) {
		return x
	}
	known, open := 0, 0
	for _, a := range args {
		switch {
		case a.known != nil && a.root == nil:
			known++
		case a.open():
			open++
		}
	}
	clamp := (v.Op == ssa.OpMin || v.Op == ssa.OpMax) && known == 1 && open == 0
	if !clamp && (open == 0 || known+open < len(args)) {
		return x
	}
	y := *x
	y.op, y.args = v, args
	return &y
}

// A clamp is an open symbol that is the minimum or maximum of known lanes and u.
type clamp struct{ of, known, u *symbol }

// clamps returns the clamps from which an open symbol follows, the last operations first.
func (x *symbol) clamps() []clamp { return x.addClamps(nil, map[*symbol]bool{}) }

func (x *symbol) addClamps(list []clamp, seen map[*symbol]bool) []clamp {
	seen[x] = true
	if op := x.op.Op; op == ssa.OpMin || op == ssa.OpMax {
		if i := slices.IndexFunc(x.args, func(a *symbol) bool { return a.known != nil }); i >= 0 {
			list = append(list, clamp{x, x.args[i], x.args[1-i]})
		}
	}
	for _, a := range x.args {
		if a.open() && !seen[a] {
			list = a.addClamps(list, seen)
		}
	}
	return list
}

// replaced returns an open symbol with a clamp replaced by known lanes.
func (s *symbols) replaced(x, c, by *symbol) *symbol {
	return s.replace(x, map[*symbol]*symbol{c: by})
}

// replace replaces the symbols that done has, and adds the others to done.
func (s *symbols) replace(x *symbol, done map[*symbol]*symbol) *symbol {
	if y := done[x]; y != nil {
		return y
	}
	if !x.open() {
		return x
	}
	args := make([]*symbol, len(x.args))
	for i, a := range x.args {
		args[i] = s.replace(a, done)
	}
	done[x] = s.apply(x.op, args)
	return done[x]
}

// loadAt returns what lanes in a mask load from an address in an array. It returns nil if the array must be in memory.
func (e *evaluation) loadAt(p *symbol, t ssa.Type, m mask) *symbol {
	if p.known != nil {
		a, at := e.arrayOf(p, t, m.maybe)
		if a == nil {
			return nil
		}
		return e.load(a, at, t, m.maybe)
	}
	var c clamp
	var bound *symbol
	if p.open() {
		for _, c = range p.clamps() {
			if bound = e.bound(c, m); bound != nil {
				break
			}
		}
	}
	if bound == nil {
		e.keep(p.root)
		return nil
	}
	least := &ssa.Value{Op: ssa.OpLt, Type: ssa.TBool}
	x, y := e.loadAt(e.replaced(p, c.of, bound), t, m), e.loadAt(e.replaced(p, c.of, c.known), t, m)
	if x == nil || y == nil {
		return nil
	}
	e.forms |= Clamped
	if c.of.op.Op == ssa.OpMin {
		return e.chosen(e.apply(least, []*symbol{c.u, c.known}), x, y)
	}
	return e.chosen(e.apply(least, []*symbol{c.known, c.u}), x, y)
}

// bound returns the bound of c.u in a mask if the clamp can only be the bound or the known lanes, else nil.
func (e *evaluation) bound(c clamp, m mask) *symbol {
	if m.val == nil {
		return nil
	}
	v, t, size := e.value(c.u), c.of.t, sizeMask(c.of.t.K)
	for _, test := range conjuncts(m.val, nil) {
		if test.Op != ssa.OpLt && test.Op != ssa.OpLe || test.Args[0].Type != t {
			continue
		}
		low, high, by := test.Args[0], test.Args[1], ^uint64(0) // v < high: v <= high - 1
		if c.of.op.Op == ssa.OpMin {
			low, high, by = high, low, 1
		}
		k := e.knowns[high]
		if low != v || k == nil {
			continue
		}
		b := &symbol{t: t, known: e.newWords()}
		near := true
		for i := range b.known {
			if b.known[i] = k.known[i]; test.Op == ssa.OpLt {
				b.known[i] = (b.known[i] + by) & size
			}
			step := b.known[i] - c.known.known[i]
			if c.of.op.Op == ssa.OpMin {
				step = -step
			}
			near = near && (step&size <= 1 || m.maybe>>i&1 == 0)
		}
		if near {
			return b
		}
	}
	return nil
}

// conjuncts appends the terms of the conjunction c to list: c is true where all of them are.
func conjuncts(c *ssa.Value, list []*ssa.Value) []*ssa.Value {
	if c.Op != ssa.OpAnd {
		return append(list, c)
	}
	return conjuncts(c.Args[1], conjuncts(c.Args[0], list))
}
