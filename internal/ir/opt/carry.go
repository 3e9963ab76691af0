package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Limits of carry.
const (
	maxCarriedEdges = 6 // edges to a loop's header
	maxCarriedTest  = 4 // operations of its test
	maxCarriedSteps = 8 // blocks, and nested operations, that the search for a value visits
	maxCarriedLoops = 4 // loops of a function
)

// carry passes the element of a private array that each iteration of a loop reads first, such as the top of a stack, from one
// iteration to the next in a value, if some iterations end with a store to that element. The other iterations load it at
// their end. So that this load happens only if the next iteration begins, each edge to the loop gets its own copy of the
// loop's test.
//
// Requires: gvn (equal addresses are one value). Breaks: simplify and cfg (tests with known results), dce.
func carry(s *state) {
	if s.cfg.KeepAccesses || !s.mem.allocas {
		return
	}
	for range maxCarriedLoops {
		loops := s.f.Loops(s.dom())
		if loops.Irreducible {
			return
		}
		var c *carrier
		for _, x := range loops.All {
			if c = newCarrier(s, loops, x); c != nil {
				break
			}
		}
		if c == nil {
			return
		}
		c.transform()
		s.changed()
		s.dirty, s.merged = true, false
	}
}

// A carrier transforms a loop. Its header only tests whether the next iteration begins, in block body.
type carrier struct {
	s          *state
	head, body *ssa.Block
	stay       int          // the index of body among head's successors
	load       *ssa.Value   // in body
	known      []*ssa.Value // by edge to head: the element's value, nil if it must be loaded

	test  []*ssa.Block                // by edge: the copy of head
	value []map[*ssa.Value]*ssa.Value // by edge: the values of head in test
	phi   map[*ssa.Value]*ssa.Value   // the values of head in body
	left  map[*ssa.Value]*ssa.Value   // the same after the loop
}

// newCarrier returns a carrier for a loop, nil if the loop cannot be transformed or would gain nothing.
func newCarrier(s *state, loops *ssa.Loops, x *ssa.Loop) *carrier {
	h := x.Header
	if h.Term().Op != ssa.OpBranch || len(x.Latches) < 2 || len(h.Preds) > maxCarriedEdges || len(h.Values)-len(h.Phis())-1 > maxCarriedTest || h.Unroll != 0 {
		return nil
	}
	c := &carrier{s: s, head: h}
	if !loops.Contains(x, h.Succs[0]) {
		c.stay = 1
	}
	c.body = h.Succs[c.stay]
	exit := h.Succs[1-c.stay]
	if c.body == h || !loops.Contains(x, c.body) || loops.Contains(x, exit) || len(c.body.Preds) != 1 || len(exit.Preds) == 1 && len(exit.Phis()) > 0 {
		return nil
	}
	for i, p := range h.Preds {
		if slices.Contains(h.Preds[:i], p) || p == h {
			return nil
		}
	}
	for _, v := range h.Values[len(h.Phis()) : len(h.Values)-1] {
		if !s.pure(v) {
			return nil
		}
	}
	if c.findLoad(); c.load == nil || !c.usesKnown(exit) {
		return nil
	}
	gains, loads := false, 0
	for k, p := range h.Preds {
		v, stored := c.available(k)
		c.known = append(c.known, v)
		if slices.Contains(x.Latches, p) {
			gains = gains || stored
			if v == nil {
				loads++
			}
		}
	}
	if !gains || loads > 1 {
		return nil
	}
	return c
}

// findLoad finds the first load of an element of a private array whose index changes, in front of all writes.
func (c *carrier) findLoad() {
	for _, v := range c.body.Values {
		switch p := v; {
		case v.Op == ssa.OpLoad && v.Flags&ssa.Volatile == 0:
			if p = v.Args[0]; p.Op == ssa.OpPtrAdd && p.Args[0].Op == ssa.OpAlloca && c.changes(p.Args[1], maxCarriedSteps) {
				c.load = v
				return
			}
		case !c.s.pure(v):
			return
		}
	}
}

// changes reports whether v is an operation on phis of the header that [carrier.at] can repeat.
func (c *carrier) changes(v *ssa.Value, depth int) bool {
	switch {
	case v.Block == c.head:
		return v.Op == ssa.OpPhi
	case v.Block != c.body || depth == 0 || !plainOperation(v):
		return false
	}
	for _, a := range v.Args {
		if a.Block != c.head && a.Block != c.body {
			continue // it does not change in the loop, or only with the block's operations
		}
		if !c.changes(a, depth-1) {
			return false
		}
	}
	return slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return a.Block == c.head || a.Block == c.body })
}

// plainOperation reports whether Op, Type, Aux, Flags and the arguments determine v.
func plainOperation(v *ssa.Value) bool {
	return v.Op.Has(ssa.Pure) && v.Op != ssa.OpPhi && v.Op != ssa.OpUndef && v.Sym == nil && v.Bits == nil && v.Lanes == nil
}

// usesKnown reports whether all uses of the header's values are in the loop or only reached by the header's exit.
func (c *carrier) usesKnown(exit *ssa.Block) bool {
	t := c.s.dom()
	for _, b := range t.Order {
		for _, v := range b.Values {
			for i, a := range v.Args {
				if a.Block != c.head || b == c.head && v.Op != ssa.OpPhi {
					continue
				}
				at := b
				if v.Op == ssa.OpPhi {
					at = b.Preds[i]
				}
				if !t.Dominates(c.body, at) && !(at == c.head && b == exit) && !(len(exit.Preds) == 1 && t.Dominates(exit, at)) {
					return false
				}
			}
		}
	}
	return true
}

// same reports whether a, an operation of the loop's next iteration after edge k, has the value b.
func (c *carrier) same(a, b *ssa.Value, k, depth int) bool {
	switch {
	case a.Block == c.head && a.Op == ssa.OpPhi:
		return a.Args[k].Source() == b
	case a.Block != c.body:
		return a == b
	case depth == 0 || !plainOperation(b) || a.Op != b.Op || a.Type != b.Type || a.Aux != b.Aux || a.Flags != b.Flags || len(a.Args) != len(b.Args):
		return false
	}
	for i, x := range a.Args {
		if !c.same(x.Source(), b.Args[i].Source(), k, depth-1) {
			return false
		}
	}
	return true
}

// available returns the element's value at the end of edge k, nil if it is unknown, and whether it was stored.
func (c *carrier) available(k int) (v *ssa.Value, stored bool) {
	p, array := c.load.Args[0], c.load.Args[0].Args[0].Sym
	b := c.head.Preds[k]
	for range maxCarriedSteps {
		for _, w := range slices.Backward(b.Values) {
			switch {
			case w.Flags&ssa.Volatile != 0:
				return nil, false
			case w.Op == ssa.OpLoad:
				if w.Type == c.load.Type && c.same(p, w.Args[0], k, maxCarriedSteps) {
					return w, false
				}
			case w.Op == ssa.OpStore:
				q := w.Args[0]
				if kind := q.Type.K; kind != ssa.PtrPrivate && kind != ssa.PtrGeneric {
					continue
				}
				if x := variableOf(q); x != nil && x != array {
					continue
				}
				if w.Args[1].Type == c.load.Type && c.same(p, q, k, maxCarriedSteps) {
					return w.Args[1].Source(), true
				}
				return nil, false
			case w.Op.Has(ssa.Writes), w.Op == ssa.OpFence, w.Op == ssa.OpAtomicLoad:
				return nil, false
			}
		}
		if len(b.Preds) != 1 || b == c.body {
			return nil, false
		}
		b = b.Preds[0]
	}
	return nil, false
}

// transform replaces the header by its copies and the load by a phi.
func (c *carrier) transform() {
	f, h, b := c.s.f, c.head, c.body
	exit := h.Succs[1-c.stay]
	if len(exit.Preds) > 1 {
		exit = f.SplitEdge(h, 1-c.stay)
	}
	b.Preds, exit.Preds = nil, nil
	x := f.NewValue(ssa.OpPhi, c.load.Type, c.load.Pos)
	var args []*ssa.Value
	for k, p := range h.Preds {
		t := c.copyTest(k)
		p.Succs[slices.Index(p.Succs, h)] = t
		t.Preds = append(t.Preds, p)
		next, v := b, c.known[k]
		if v == c.load {
			v = x
		}
		if v == nil {
			next = f.NewBlock("")
			v = f.NewValue(ssa.OpLoad, c.load.Type, c.load.Pos, c.at(next, c.load.Args[0], k))
			v.Aux, v.Flags, v.Sym = c.load.Aux, c.load.Flags, c.load.Sym
			next.Append(v)
			next.Append(f.NewValue(ssa.OpJump, ssa.TVoid, h.Term().Pos))
			next.Link(b)
		}
		args = append(args, v)
		to := [2]*ssa.Block{exit, exit}
		to[c.stay] = next
		t.Link(to[0])
		t.Link(to[1])
	}
	h.Preds = nil
	c.phi, c.left = c.phis(b), c.phis(exit)
	x.SetArgs(args...)
	b.InsertAt(0, x)
	c.replaceUses()
	c.load.BecomeCopy(x)
	f.RemoveUnreachable()
	f.ReplaceCopies()
}

// copyTest copies the header for edge k.
func (c *carrier) copyTest(k int) *ssa.Block {
	f := c.s.f
	t, m := f.NewBlock(""), map[*ssa.Value]*ssa.Value{}
	for _, v := range c.head.Values {
		if v.Op == ssa.OpPhi {
			m[v] = v.Args[k]
			continue
		}
		w := f.NewValue(v.Op, v.Type, v.Pos)
		w.Aux, w.Flags, w.Sym, w.Bits, w.Lanes = v.Aux, v.Flags, v.Sym, v.Bits, v.Lanes
		w.SetArgs(v.Args...)
		for i, a := range w.Args {
			if r := m[a]; r != nil {
				w.Args[i] = r
			}
		}
		m[v] = t.Append(w)
	}
	c.test, c.value = append(c.test, t), append(c.value, m)
	return t
}

// at repeats an operation of the body on edge k, in block to.
func (c *carrier) at(to *ssa.Block, a *ssa.Value, k int) *ssa.Value {
	switch {
	case a.Block == c.head:
		return c.value[k][a]
	case a.Block != c.body:
		return a
	}
	w := c.s.f.NewValue(a.Op, a.Type, a.Pos)
	w.Aux, w.Flags = a.Aux, a.Flags
	args := make([]*ssa.Value, len(a.Args))
	for i, x := range a.Args {
		args[i] = c.at(to, x, k)
	}
	w.SetArgs(args...)
	return to.Append(w)
}

// phis makes phis of the header's values in a block that all copies of the header lead to.
func (c *carrier) phis(b *ssa.Block) map[*ssa.Value]*ssa.Value {
	made := map[*ssa.Value]*ssa.Value{}
	for _, v := range c.head.Values {
		if v.Type.K == ssa.Void {
			continue
		}
		phi := c.s.f.NewValue(ssa.OpPhi, v.Type, v.Pos)
		args := make([]*ssa.Value, len(c.value))
		for k := range c.value {
			args[k] = c.value[k][v]
		}
		phi.SetArgs(args...)
		b.InsertAt(0, phi)
		made[v] = phi
	}
	return made
}

// replaceUses replaces the uses of the header's values by phis of the body or, after the loop, of its exit.
func (c *carrier) replaceUses() {
	c.s.changed()
	t := c.s.dom()
	for _, b := range t.Order {
		for _, v := range b.Values {
			for i, a := range v.Args {
				if a.Block != c.head {
					continue
				}
				at := b
				if v.Op == ssa.OpPhi {
					at = b.Preds[i]
				}
				if t.Dominates(c.body, at) {
					v.Args[i] = c.phi[a]
				} else {
					v.Args[i] = c.left[a]
				}
			}
		}
	}
}
