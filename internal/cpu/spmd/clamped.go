package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Clamped indices during the symbolic execution of a work-group (evaluate.go): a stencil takes the element at
// max(i-1, low) beside its own, where low is unknown. Work-items that are inside, low <= i, access element i-1 or i. The
// mask of their access has that comparison, so both elements are loaded and one is chosen.

// A symbol is open if its lanes follow from known lanes and clamps. It has an op, but no known lanes. A clamp is a minimum
// or maximum of known lanes and a value.
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

// clamp returns a clamp from which an open symbol follows, and its arguments.
func (x *symbol) clamp() (c, known, u *symbol) {
	for i, a := range x.args {
		switch {
		case a.open():
			return a.clamp()
		case a.known == nil:
			return x, x.args[1-i], a
		}
	}
	return nil, nil, nil
}

// replaced returns an open symbol with a clamp replaced by known lanes.
func (s *symbols) replaced(x, c, by *symbol) *symbol {
	switch {
	case x == c:
		return by
	case !x.open():
		return x
	}
	args := make([]*symbol, len(x.args))
	for i, a := range x.args {
		args[i] = s.replaced(a, c, by)
	}
	return s.apply(x.op, args)
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
	c, known, u := p.clamp()
	var bound *symbol
	if c != nil {
		bound = e.bound(c, known, u, m)
	}
	if bound == nil {
		e.keep(p.root)
		return nil
	}
	least := &ssa.Value{Op: ssa.OpLt, Type: ssa.TBool}
	x, y := e.loadAt(e.replaced(p, c, bound), t, m), e.loadAt(e.replaced(p, c, known), t, m)
	if x == nil || y == nil {
		return nil
	}
	e.forms |= Clamped
	if c.op.Op == ssa.OpMin {
		return e.chosen(e.apply(least, []*symbol{u, known}), x, y)
	}
	return e.chosen(e.apply(least, []*symbol{known, u}), x, y)
}

// bound returns the bound of u in a mask if the clamp of u to known lanes can only be the bound or these lanes, else nil.
func (e *evaluation) bound(c, known, u *symbol, m mask) *symbol {
	if m.val == nil {
		return nil
	}
	v, size := e.value(u), sizeMask(c.t.K)
	for _, test := range conjuncts(m.val, nil) {
		if test.Op != ssa.OpLt && test.Op != ssa.OpLe || test.Args[0].Type != c.t {
			continue
		}
		low, high, by := test.Args[0], test.Args[1], ^uint64(0) // v < high: v <= high - 1
		if c.op.Op == ssa.OpMin {
			low, high, by = high, low, 1
		}
		k := e.knowns[high]
		if low != v || k == nil {
			continue
		}
		b := &symbol{t: c.t, known: e.newWords()}
		near := true
		for i := range b.known {
			if b.known[i] = k.known[i]; test.Op == ssa.OpLt {
				b.known[i] = (b.known[i] + by) & size
			}
			step := b.known[i] - known.known[i]
			if c.op.Op == ssa.OpMin {
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

// conjuncts appends the Bools to list of which c is the conjunction.
func conjuncts(c *ssa.Value, list []*ssa.Value) []*ssa.Value {
	if c.Op != ssa.OpAnd {
		return append(list, c)
	}
	return conjuncts(c.Args[1], conjuncts(c.Args[0], list))
}
