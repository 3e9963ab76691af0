package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// maxOperands bounds the operands of a chain.
const maxOperands = 256

// reassociate reorders chains of floating-point sums and products whose flags permit that. Loop-invariant operands
// come together, outermost loops first, so that licm moves their sum or product out of the loop. Equal operands become
// a multiple or a power. The value of the previous iteration comes last, so that iterations overlap.
//
// Ranks order the operands, as in P. Briggs and K. Cooper, "Effective Partial Redundancy Elimination", 1994.
//
// Requires: gvn (equal operands are one value). Breaks: simplify, gvn, dce.
func reassociate(s *state) {
	r := reassociation{s: s}
	for _, b := range s.f.Blocks {
		for _, v := range b.Values {
			if chained(v) {
				r.block(b)
				break
			}
		}
	}
	if r.found {
		s.f.ReplaceCopies()
		s.dirty, s.merged = true, false
	}
}

// chained reports whether v may be part of a chain.
func chained(v *ssa.Value) bool {
	return (v.Op == ssa.OpAdd || v.Op == ssa.OpSub || v.Op == ssa.OpMul) && v.Flags&ssa.Reassoc != 0 && v.Type.K.Num().IsFloat()
}

type reassociation struct {
	s     *state
	found bool
	uses  []int32
	loops *ssa.Loops
	at    map[*ssa.Value]int // the positions of the block's chained values
}

// An operand is an operand of a chain, count times. A sum subtracts it if count is negative.
type operand struct {
	v     *ssa.Value
	count int
	rank  int
	at    int // position of the operation that uses it
}

// block rewrites the chains of a block.
func (r *reassociation) block(b *ssa.Block) {
	if r.loops == nil {
		r.uses = r.s.f.UseCounts(nil)
		r.loops = r.s.f.Loops(r.s.dom())
	}
	r.at = map[*ssa.Value]int{}
	within := map[*ssa.Value]bool{} // operations of a chain other than its last
	for i, v := range b.Values {
		if !chained(v) {
			continue
		}
		r.at[v] = i
		for _, x := range v.Args {
			if r.links(x, v) {
				within[x] = true
			}
		}
	}
	made := map[int][]*ssa.Value{} // new values by the position before which they belong
	for _, v := range b.Values {
		if chained(v) && !within[v] {
			r.chain(v, made)
		}
	}
	if len(made) == 0 {
		return
	}
	r.found = true
	values := make([]*ssa.Value, 0, len(b.Values)+len(made))
	for i, v := range b.Values {
		for _, x := range made[i] {
			x.Block = b
			values = append(values, x)
		}
		values = append(values, v)
	}
	b.Values = values
}

// links reports whether x, an argument of v, is an operation of the same chain.
func (r *reassociation) links(x, v *ssa.Value) bool {
	if _, ok := r.at[x]; !ok || r.uses[x.ID] != 1 || x.Type != v.Type {
		return false
	}
	return (x.Op == ssa.OpMul) == (v.Op == ssa.OpMul)
}

// chain rewrites the chain that ends at v if that gains something.
func (r *reassociation) chain(v *ssa.Value, made map[int][]*ssa.Value) {
	list, ok := r.operands(v)
	if !ok || !r.gains(v, list) {
		return
	}
	slices.SortStableFunc(list, func(a, b operand) int { return a.rank - b.rank })
	m := chainMaker{f: r.s.f, of: v, made: made}
	acc := m.several(list[0])
	for _, x := range list[1:] {
		acc = m.combine(acc, m.several(x))
	}
	if acc.count < 0 && v.Op != ssa.OpMul {
		acc.v = m.add(acc.at, ssa.OpNeg, acc.v)
	}
	v.Op, v.Flags = ssa.OpCopy, 0
	v.SetArgs(acc.v)
}

// operands lists the operands of the chain that ends at v. It fails for one operation only, and if an operand cancels
// itself out, because it may be infinite.
func (r *reassociation) operands(v *ssa.Value) (list []operand, ok bool) {
	type link struct {
		v    *ssa.Value
		sign int
	}
	work := []link{{v, 1}}
	index := map[*ssa.Value]int{}
	steps := 0
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		steps++
		// The first argument is looked at first.
		for i := len(x.v.Args) - 1; i >= 0; i-- {
			a, sign := x.v.Args[i], x.sign
			if x.v.Op == ssa.OpSub && i == 1 {
				sign = -sign
			}
			if r.links(a, x.v) {
				work = append(work, link{a, sign})
				continue
			}
			k, seen := index[a]
			if !seen {
				k = len(list)
				index[a] = k
				list = append(list, operand{v: a, rank: r.rank(a, v.Block)})
			}
			list[k].count += sign
			list[k].at = max(list[k].at, r.at[x.v])
		}
		if len(list) > maxOperands {
			return nil, false
		}
	}
	// The operands in the order of their use.
	slices.SortStableFunc(list, func(a, b operand) int { return a.at - b.at })
	cancels := slices.ContainsFunc(list, func(x operand) bool { return x.count == 0 })
	return list, steps > 1 && !cancels
}

// rank orders operands by the loop around b in which they change: constants first, then invariants of all loops; last
// the phis at the header of b's loop.
func (r *reassociation) rank(v *ssa.Value, b *ssa.Block) int {
	if v.Source().IsConst() {
		return -1
	}
	for l := r.loops.Of(b); l != nil; l = l.Parent {
		if r.loops.Contains(l, v.Block) {
			if v.Op == ssa.OpPhi && v.Block == l.Header && l == r.loops.Of(b) {
				return 2*l.Depth + 1
			}
			return 2 * l.Depth
		}
	}
	return 0
}

// gains reports whether a chain that ends at v should be reordered: it has several operands that change in an outer
// loop only, the same operand three times, or more operations after the last iteration's value than one.
func (r *reassociation) gains(v *ssa.Value, list []operand) bool {
	here := 0
	if l := r.loops.Of(v.Block); l != nil {
		here = 2 * l.Depth
	}
	outer := 0
	for _, x := range list {
		n := max(x.count, -x.count)
		switch {
		case n > 2:
			return true
		case x.rank < here:
			outer += n
		case x.rank > here && n == 1 && x.at < r.at[v]:
			return true
		}
	}
	return outer > 1
}

// A chainMaker makes the operations of a new chain.
type chainMaker struct {
	f    *ssa.Func
	of   *ssa.Value // the last operation of the old chain
	made map[int][]*ssa.Value
}

// add makes an operation before position at of the block.
func (m *chainMaker) add(at int, op ssa.Op, args ...*ssa.Value) *ssa.Value {
	x := m.f.NewValue(op, m.of.Type, m.of.Pos, args...)
	x.Flags = m.of.Flags
	m.made[at] = append(m.made[at], x)
	return x
}

// combine returns the sum or product of two operands.
func (m *chainMaker) combine(a, b operand) operand {
	at := max(a.at, b.at)
	switch {
	case m.of.Op == ssa.OpMul:
		return operand{v: m.add(at, ssa.OpMul, a.v, b.v), count: 1, at: at}
	case a.count == b.count:
		return operand{v: m.add(at, ssa.OpAdd, a.v, b.v), count: a.count, at: at}
	case a.count < 0:
		a, b = b, a
	}
	return operand{v: m.add(at, ssa.OpSub, a.v, b.v), count: 1, at: at}
}

// several returns the multiple or power of an operand that a chain has count times. Its count is 1 or -1.
func (m *chainMaker) several(x operand) operand {
	n := max(x.count, -x.count)
	if n > 1 {
		if m.of.Op == ssa.OpMul {
			x.v = m.power(x.at, x.v, n)
		} else {
			c := m.f.InsertEntry(m.f.NewConst(m.of.Type, bitsOf(float64(n), m.of.Type.K)))
			x.v = m.add(x.at, ssa.OpMul, x.v, c)
		}
		x.count /= n
	}
	return x
}

// power returns x to the power n by squaring.
func (m *chainMaker) power(at int, x *ssa.Value, n int) (p *ssa.Value) {
	for {
		if n&1 != 0 {
			if p == nil {
				p = x
			} else {
				p = m.add(at, ssa.OpMul, p, x)
			}
		}
		if n >>= 1; n == 0 {
			return p
		}
		x = m.add(at, ssa.OpMul, x, x)
	}
}
