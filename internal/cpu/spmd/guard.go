package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// guard makes a fast copy of the region after a divergent branch for gangs whose lanes agree, and reports
// whether it did.
//
// At d all lanes vote. If they agree, they run through the copy together. Branches in the copy that the lanes
// will probably agree on vote again; if the vote fails, control moves to the same branch of the original
// region. Each block therefore has at most two copies.
func (g *versions) guard(d *ssa.Block) bool {
	join := g.u.PostDom.Idom(d)
	if join == nil || g.done[d] || !g.asks(d, d) {
		return false
	}
	region := slices.Clone(g.u.RegionOf(d))
	if g.u.Fresh {
		return false // the next round analyses those blocks
	}
	for _, b := range append(region, d) {
		if g.touched[b] {
			return false
		}
	}
	list, size, gain := g.agreeing(d, join)
	if !gain || size > g.budget || !joins(g, d, list) {
		return false
	}
	g.budget -= size
	for _, b := range append(region, d) {
		g.touched[b] = true
		g.cold[b] = b != d
	}
	asking := []*ssa.Block{d}
	for _, b := range list {
		if g.asks(b, d) {
			asking = append(asking, b)
		}
	}
	for _, b := range asking[1:] {
		g.operands(b.Term().Args[0], func(v *ssa.Value) { g.hoist(v, d) })
	}
	c := g.copyBlocks(list)
	tails := map[*ssa.Block]*ssa.Block{}
	for _, b := range asking {
		tails[b] = g.F.NewBlock("")
		g.done[tails[b]] = true
		g.cold[tails[b]] = true
	}
	for _, b := range list {
		if tails[b] == nil {
			c.finish(b)
		}
	}
	for _, b := range asking {
		g.ask(c, b, tails[b])
	}
	c.repair()
	g.Forms |= Guarded
	return true
}

// agreeing returns the blocks after d and before join that are executed if lanes agree, the number of their
// values, and whether they access memory. The list ends early if it becomes too long.
func (g *versions) agreeing(d, join *ssa.Block) (list []*ssa.Block, size int, gain bool) {
	in := map[*ssa.Block]bool{join: true}
	var visit func(b *ssa.Block)
	succs := func(b *ssa.Block) {
		all, none := true, true
		if g.asks(b, d) {
			all, none = g.agree(b.Term().Args[0])
		}
		for i, s := range b.Succs {
			if i > 0 && none || i == 0 && all {
				visit(s)
			}
		}
	}
	visit = func(b *ssa.Block) {
		if in[b] || size > g.budget {
			return
		}
		in[b] = true
		list = append(list, b)
		size += len(b.Values)
		for _, v := range b.Values {
			gain = gain || v.Op.Has(ssa.Reads) || v.Op.Has(ssa.Writes)
		}
		succs(b)
	}
	succs(d)
	return list, size, gain
}

// maxParted is the greatest number of accesses, for each one that all lanes execute together, that a copy may have.
const maxParted = 16

// joins reports whether the lanes execute enough of the blocks in the list, a copy for lanes that agree after d, together. Tests of
// data may part them there: a long copy then gains too little.
func joins(g *versions, d *ssa.Block, list []*ssa.Block) bool {
	parted := map[*ssa.Block]bool{}
	for _, b := range list {
		if g.Split[b.ID] && !g.asks(b, d) {
			for _, c := range g.u.RegionOf(b) {
				parted[c] = true
			}
		}
	}
	all, together := 0, 0
	for _, b := range list {
		for _, v := range b.Values {
			if v.Op.Has(ssa.Reads) || v.Op.Has(ssa.Writes) {
				if all++; !parted[b] {
					together++
				}
			}
		}
	}
	return all <= maxParted*max(together, 1)
}

// asks reports whether b, at or after d, ends in a divergent branch that lanes will probably agree on. b must
// not be in a loop after d, because control cannot leave the copy into the middle of a loop.
func (g *versions) asks(b, d *ssa.Block) bool {
	t := b.Term()
	if !g.Split[b.ID] || t.Op != ssa.OpBranch || g.Loops.Of(b) != g.Loops.Of(d) {
		return false
	}
	if all, none := g.agree(t.Args[0]); !all && !none {
		return false
	}
	if g.hoistedTo != d {
		g.hoistedTo, g.hoisted = d, map[*ssa.Value]bool{}
	}
	ok := true
	g.operands(t.Args[0], func(v *ssa.Value) { ok = ok && g.hoistable(v, d) })
	return ok
}

// ask ends the copy of b with a vote. If the lanes agree they continue in the copy, else at tail, which takes
// over b's branch. The block before the copy, d, votes itself.
func (g *versions) ask(c *copier, b, tail *ssa.Block) {
	t := b.Term()
	cond := t.Args[0]
	all, none := g.agree(cond)
	nb := c.blocks[b]
	if nb == nil {
		nb = b
	}
	succs := slices.Clone(b.Succs)
	b.Values, b.Succs = b.Values[:len(b.Values)-1], nil
	t.SetArgs(g.recompute(cond, tail))
	tail.Append(t)
	if nb != b {
		b.Append(g.F.NewValue(ssa.OpJump, ssa.TVoid, t.Pos))
		b.Link(tail)
	}
	some := func(from *ssa.Block) { from.Link(tail) }
	yes, no := some, some
	if all {
		yes = func(from *ssa.Block) { c.edge(from, b, succs[0]) }
	}
	if none {
		no = func(from *ssa.Block) { c.edge(from, b, succs[1]) }
	}
	c.decide(nb, cond, yes, no, some)
	tail.Succs = succs
	for _, s := range succs {
		s.ReplacePred(b, tail)
	}
}

// decide ends the block nb with votes on a condition: all lanes continue at yes if it holds in all of them, at
// no if it holds in none, and at some if they do not agree or it is not known. Each function adds an edge from
// its argument.
func (c *copier) decide(nb *ssa.Block, cond *ssa.Value, yes, no, some func(from *ssa.Block)) {
	f := c.F
	switch {
	case !c.Varying[cond.ID]:
		nb.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, cond.Pos, c.value(cond)))
		yes(nb)
		no(nb)
		return
	case cond.Op == ssa.OpNot:
		c.decide(nb, cond.Args[0], no, yes, some)
		return
	case cond.Op == ssa.OpAnd, cond.Op == ssa.OpOr:
		var next *ssa.Block
		follow := func(from *ssa.Block) {
			if next == nil {
				next = f.NewBlock("")
			}
			from.Link(next)
		}
		if cond.Op == ssa.OpAnd {
			c.decide(nb, cond.Args[0], follow, no, some)
		} else {
			c.decide(nb, cond.Args[0], yes, follow, some)
		}
		if next != nil {
			c.decide(next, cond.Args[1], yes, no, some)
		}
		return
	}
	sw := c.vote(nb, c.value(cond))
	some(nb)
	all, none := c.agree(cond)
	if all {
		sw.Bits = append(sw.Bits, ssa.VoteAll)
		yes(nb)
	}
	if none {
		sw.Bits = append(sw.Bits, ssa.VoteNone)
		no(nb)
	}
}

// recompute recomputes a condition at the end of b, so that its first computation needs no masks for this use.
func (g *versions) recompute(c *ssa.Value, b *ssa.Block) *ssa.Value {
	if !g.isCondition(c) {
		return c
	}
	w := g.copyValue(c)
	w.SetArgs(c.Args...)
	for i, a := range w.Args {
		w.Args[i] = g.recompute(a, b)
	}
	return b.Append(w)
}

// hoistable reports whether v is available at the end of d or can be computed there cheaply from available
// values.
func (g *versions) hoistable(v *ssa.Value, d *ssa.Block) bool {
	if g.Dom.Dominates(v.Block, d) {
		return true
	}
	if ok, known := g.hoisted[v]; known {
		return ok
	}
	ok := g.mayHoist(v, d)
	g.hoisted[v] = ok
	return ok
}

func (g *versions) mayHoist(v *ssa.Value, d *ssa.Block) bool {
	switch v.Op {
	case ssa.OpConst, ssa.OpWorkItem, ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpRem, ssa.OpShl, ssa.OpShr, ssa.OpMin, ssa.OpMax, ssa.OpConvert, ssa.OpBitcast, ssa.OpCopy:
	default:
		return false
	}
	if v.Type.N != 1 || !isInt(v.Type.K) || !g.Dom.Dominates(d, v.Block) {
		return false
	}
	for _, a := range v.Args {
		if !g.hoistable(a, d) {
			return false
		}
	}
	return true
}

// hoist moves v and its operands to the end of d.
func (g *versions) hoist(v *ssa.Value, d *ssa.Block) {
	if g.Dom.Dominates(v.Block, d) {
		return
	}
	for _, a := range v.Args {
		g.hoist(a, d)
	}
	v.Block.Remove(v)
	d.InsertBeforeTerm(v)
}
