package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// unclamp makes a version of the rest of a block for gangs in which no index is clamped or wrapped, and reports
// whether it did.
//
// In that version the lanes' indices are consecutive, so that one access serves all of them. Indices such as
// max(x - 1, 0), min(x + 1, w - 1), x == w - 1 ? 0 : x + 1 and x < 0 ? x + w : x are not in general. The block first
// tests each index for its usual case.
func (g *versions) unclamp(d *ssa.Block) bool {
	if g.done[d] || g.touched[d] {
		return false
	}
	from := slices.IndexFunc(d.Values, func(v *ssa.Value) bool { return g.mostly(v) != nil })
	if from < 0 {
		return false
	}
	end := len(d.Values) - 1
	if t := d.Values[end]; t.Op == ssa.OpSwitch && t.Args[0].Op == ssa.OpVote {
		end-- // a vote and the computation of its condition stay with its switch
		if from = g.computeBefore(d, from, end, t.Args[0].Args[0]); from >= end {
			return false
		}
	}
	rest := slices.Clone(d.Values[from:end])
	var clamps []*ssa.Value
	reach := map[*ssa.Value]bool{} // values that depend on clamped values
	gain := false
	known := map[*ssa.Value]bool{} // whether a value of the rest can be computed before it
	for _, v := range rest {
		known[v] = g.movable(v, known)
		reached := slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return reach[a] })
		switch v.Op {
		case ssa.OpLoad, ssa.OpStore:
			gain = gain || reach[v.Args[0]]
		case ssa.OpMin, ssa.OpMax, ssa.OpSelect, ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpShl, ssa.OpConvert, ssa.OpBitcast, ssa.OpPtrAdd, ssa.OpPtrCast:
			reach[v] = reached
			if g.mostly(v) != nil && known[v] {
				clamps = append(clamps, v)
				reach[v] = true
			}
		}
	}
	if !gain || len(clamps) == 0 || len(clamps) > 12 || len(rest) > g.budget {
		return false
	}
	g.budget -= len(rest)
	g.touched[d] = true
	f, pos := g.F, d.Term().Pos
	general, join := g.cutOut(d, from, end)
	c := g.copyBlocks([]*ssa.Block{general})
	fast := c.blocks[general]
	for _, b := range []*ssa.Block{general, fast} {
		b.Append(f.NewValue(ssa.OpJump, ssa.TVoid, pos))
		b.Link(join)
	}
	m := &mover{g, d, known, map[*ssa.Value]*ssa.Value{}}
	var conds []*ssa.Value
	var wanted []uint64
	for _, v := range clamps {
		cond, result := m.holds(v)
		conds, wanted = append(conds, cond), append(wanted, result)
		c.values[v].BecomeCopy(c.value(g.mostly(v)))
	}
	at := d
	for i, cond := range conds {
		sw := g.vote(at, cond)
		sw.Bits = []uint64{wanted[i]}
		at.Link(general)
		next := fast
		if i+1 < len(conds) {
			next = f.NewBlock("")
		}
		at.Link(next)
		at = next
	}
	for _, v := range clamps {
		if v.Op == ssa.OpSelect && v.Args[0].Block != general {
			v.Args[0] = recomputeIn(g, general, v.Args[0])
		}
	}
	c.repair()
	f.ReplaceCopies()
	g.Forms |= Unclamped
	return true
}

// cutOut moves the values [from, end) of d to a block of their own, the general version, and the values after
// them to a block that gets d's successors. Neither has predecessors yet.
func (g *versions) cutOut(d *ssa.Block, from, end int) (general, join *ssa.Block) {
	general, join = g.F.NewBlock(""), g.F.NewBlock("")
	g.done[general], g.cold[general] = true, true
	values := slices.Clone(d.Values)
	for _, v := range values[from:end] {
		general.Append(v)
	}
	for _, v := range values[end:] {
		join.Append(v)
	}
	d.Values = d.Values[:from]
	join.Succs, d.Succs = slices.Clone(d.Succs), nil
	for _, s := range join.Succs {
		s.ReplacePred(d, join)
	}
	return general, join
}

// computeBefore moves v to index from of block b, with the values in [from, end) that v depends on. It returns the index
// after the moved values, or end if v cannot be moved.
func (g *versions) computeBefore(b *ssa.Block, from, end int, v *ssa.Value) int {
	rest := b.Values[from:end]
	if !slices.Contains(rest, v) {
		return from
	}
	known := map[*ssa.Value]bool{}
	for _, w := range rest {
		known[w] = g.movable(w, known)
	}
	if !known[v] {
		return end
	}
	needed := map[*ssa.Value]bool{v: true}
	for _, w := range slices.Backward(rest) {
		if needed[w] {
			for _, a := range w.Args {
				needed[a] = true
			}
		}
	}
	slices.SortStableFunc(rest, func(a, b *ssa.Value) int {
		switch {
		case needed[a] == needed[b]:
			return 0
		case needed[a]:
			return -1
		}
		return 1
	})
	return from + slices.IndexFunc(append(slices.Clip(rest), nil), func(w *ssa.Value) bool { return !needed[w] })
}

// recomputeIn recomputes a condition at the start of b, which d dominates, so that d need only test it.
func recomputeIn(g *versions, b *ssa.Block, c *ssa.Value) *ssa.Value {
	if !g.isCondition(c) {
		return c
	}
	w := g.copyValue(c)
	w.SetArgs(c.Args...)
	b.InsertAt(0, w)
	for i, a := range w.Args {
		w.Args[i] = recomputeIn(g, b, a)
	}
	return w
}

// vote ends b with a switch on the vote of the lanes on cond.
func (g *versions) vote(b *ssa.Block, cond *ssa.Value) *ssa.Value {
	v := b.Append(g.F.NewValue(ssa.OpVote, ssa.TI32, cond.Pos, cond))
	return b.Append(g.F.NewValue(ssa.OpSwitch, ssa.TVoid, cond.Pos, v))
}

// mostly returns the argument that an index usually equals and that grows along the lanes, or nil.
func (g *versions) mostly(v *ssa.Value) *ssa.Value {
	if int(v.ID) >= len(g.shapes) || v.Type.N != 1 || !isInt(v.Type.K) {
		return nil
	}
	args := v.Args
	switch v.Op {
	case ssa.OpMin, ssa.OpMax:
	case ssa.OpSelect:
		args = args[1:]
	default:
		return nil
	}
	k := -1
	for i, a := range args {
		if g.shape(a) == affineShape && g.shape(args[1-i]) == uniformShape {
			k = i
		}
	}
	if k < 0 {
		if v.Op == ssa.OpSelect && g.shape(args[0]) == affineShape && g.shape(args[1]) == affineShape {
			return usually(g, v)
		}
		return nil
	}
	if v.Op == ssa.OpSelect {
		all, none := g.agree(v.Args[0])
		if k == 0 && !all || k == 1 && !none {
			return nil
		}
	}
	return args[k]
}

// usually returns the argument of a select of two indices, as x < 0 ? x + n : x, that is chosen inside of an object:
// where an index is not below a small constant, and below any other bound.
func usually(g *versions, v *ssa.Value) *ssa.Value {
	c := v.Args[0]
	if c.Op != ssa.OpLt && c.Op != ssa.OpLe {
		return nil
	}
	x, bound, below := c.Args[0], c.Args[1], true
	if g.shape(x) == uniformShape {
		x, bound, below = bound, x, false
	}
	if x.Type.N != 1 || !isInt(x.Type.K) || g.shape(x) != affineShape || g.shape(bound) != uniformShape {
		return nil
	}
	if bound.IsConst() && signed(bound) < minRun {
		below = !below
	}
	if below {
		return v.Args[1]
	}
	return v.Args[2]
}

// movable reports whether v, a value of the rest, is an integer or condition that can be computed before the
// rest; known has the answers for its arguments in the rest.
func (g *versions) movable(v *ssa.Value, known map[*ssa.Value]bool) bool {
	switch v.Op {
	case ssa.OpConst, ssa.OpWorkItem, ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpRem, ssa.OpShl, ssa.OpShr, ssa.OpAnd, ssa.OpOr, ssa.OpNot, ssa.OpMin, ssa.OpMax,
		ssa.OpConvert, ssa.OpBitcast, ssa.OpCopy, ssa.OpSelect, ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
	default:
		return false
	}
	if v.Type.N != 1 || v.Type.K.IsPtr() || !v.Type.K.Num().IsInt() && v.Type.K != ssa.Bool {
		return false
	}
	for _, a := range v.Args {
		if ok, in := known[a]; in && !ok {
			return false
		}
	}
	return true
}

// A mover recomputes values of the rest before it, as they are if no index is clamped.
type mover struct {
	*versions
	to   *ssa.Block
	rest map[*ssa.Value]bool
	memo map[*ssa.Value]*ssa.Value
}

func (m *mover) value(v *ssa.Value) *ssa.Value {
	if w := m.memo[v]; w != nil {
		return w
	}
	w := v
	if m.rest[v] {
		if a := m.mostly(v); a != nil {
			w = m.value(a)
		} else {
			w = m.copyValue(v)
			w.SetArgs(v.Args...)
			for i, a := range w.Args {
				w.Args[i] = m.value(a)
			}
			m.to.Append(w)
		}
	}
	m.memo[v] = w
	return w
}

// holds builds the test whether v is in its usual case: the lanes must agree on cond with that result.
func (m *mover) holds(v *ssa.Value) (cond *ssa.Value, result uint64) {
	keep := m.mostly(v)
	if v.Op == ssa.OpSelect {
		if keep == v.Args[1] {
			return m.value(v.Args[0]), ssa.VoteAll
		}
		return m.value(v.Args[0]), ssa.VoteNone
	}
	less, more := keep, v.Args[0]
	if more == keep {
		more = v.Args[1]
	}
	if v.Op == ssa.OpMax {
		less, more = more, less
	}
	less, more = m.value(less), m.value(more)
	return m.to.Append(m.F.NewValue(ssa.OpLe, ssa.TBool, v.Pos, less, more)), ssa.VoteAll
}
