package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// Work-items that return before a barrier, as after a test of the global id against the size of the data. In a
// function of the work-group they go on to the barrier like the others, but execute nothing after it: a Bool, alive,
// says which work-items have not returned, and a branch on it is around each part. Each barrier with such returns before
// it has a Bool of its own, which is false where an earlier one is.

// mostReturns is the most barriers with returns of their own before them.
const mostReturns = 8

// joinAllReturns makes work-items that return before a barrier join the others there. It returns the Bools alive, in order.
// ok is false if it cannot; the function is then unusable.
func joinAllReturns(f *ssa.Func) (alive []*ssa.Value, ok bool) {
	for range mostReturns {
		p, u := analyse(f, Options{GroupUniform: true, group: true})
		if !p.apartAtBarriers(u) {
			break
		}
		x, ok := joinReturns(f, p, u)
		if !ok {
			return nil, false
		}
		if x == nil {
			break
		}
		alive = append(alive, x)
	}
	return alive, true
}

// joinReturns makes work-items that return before the first barrier join the others there, or, if all do that, those
// that return before the next one. It returns the Bool alive, nil if no work-item returns early.
func joinReturns(f *ssa.Func, p *Plan, u *uniform.Analysis) (alive *ssa.Value, ok bool) {
	var split *ssa.Block // of the returns between barriers: the first branch to one
	at := beforeBarriers(p, func(b *ssa.Block) bool { return true })
	end := p.Order[slices.IndexFunc(p.Order, func(b *ssa.Block) bool { return b.Term().Op == ssa.OpReturn })]
	before := func(q *ssa.Block) bool {
		return !p.Dom.Dominates(at, q) && (split == nil || p.Dom.Dominates(split, q))
	}
	if at != nil && !slices.ContainsFunc(end.Preds, before) {
		i := slices.IndexFunc(p.Order, func(b *ssa.Block) bool {
			return p.Split[b.ID] && slices.ContainsFunc(u.RegionOf(b), hasBarrier)
		})
		if i < 0 {
			return nil, true
		}
		split = p.Order[i]
		region := u.RegionOf(split)
		at = beforeBarriers(p, func(b *ssa.Block) bool { return slices.Contains(region, b) })
	}
	if at == nil || split != nil && (at == split || !p.Dom.Dominates(split, at)) {
		return nil, true
	}
	early := slices.DeleteFunc(slices.Clone(end.Preds), func(q *ssa.Block) bool { return !before(q) })
	switch {
	case len(early) == 0:
		return nil, true
	case len(early) == len(end.Preds), slices.ContainsFunc(early, func(q *ssa.Block) bool { return p.Loops.Of(q) != nil }):
		return nil, false
	}
	from := at
	for _, q := range early {
		for !p.Dom.Dominates(from, q) {
			from = p.Dom.Idom(from)
		}
	}
	i := slices.IndexFunc(at.Values, func(v *ssa.Value) bool { return v.Op == ssa.OpBarrier })
	if i < 0 {
		i = len(at.Values) - 1
	}
	next := splitBlock(at, i)
	for _, q := range early {
		end.RemovePred(slices.Index(end.Preds, q))
		q.Succs[slices.Index(q.Succs, end)] = next
		next.Preds = append(next.Preds, q)
	}
	yes, no := f.InsertEntry(f.NewConst(ssa.TBool, 1)), f.InsertEntry(f.NewConst(ssa.TBool, 0))
	args := []*ssa.Value{yes}
	for range early {
		args = append(args, no)
	}
	alive = next.InsertAt(0, f.NewValue(ssa.OpPhi, ssa.TBool, 0, args...))
	within := func(b *ssa.Block) bool {
		return b != next && b != from && p.Dom.Dominates(from, b) && (b == at || !p.Dom.Dominates(at, b))
	}
	_, ok = joinValues(f, within, from, next)
	return alive, ok
}

// beforeBarriers returns the last block outside of loops that dominates all barriers of some blocks, or nil.
func beforeBarriers(p *Plan, of func(b *ssa.Block) bool) (at *ssa.Block) {
	for _, b := range p.Order {
		if !hasBarrier(b) || !of(b) {
			continue
		}
		if at == nil {
			at = b
		}
		for !p.Dom.Dominates(at, b) {
			at = p.Dom.Idom(at)
		}
	}
	for at != nil && p.Loops.Of(at) != nil {
		at = p.Dom.Idom(at)
	}
	return at
}

// joinValues makes values of a region available at and after block at, whose first edge comes from the region and whose
// others come from ways around it. Pure values move to the end of block from, before the region; others get phis, which
// are 0 on the other ways. It returns the phis, and false for a pointer that would need one.
func joinValues(f *ssa.Func, within func(b *ssa.Block) bool, from, at *ssa.Block) (phis []*ssa.Value, ok bool) {
	j := joiner{within, from}
	made := map[*ssa.Value]*ssa.Value{}
	for _, b := range slices.Clone(f.Blocks) {
		if within(b) {
			continue
		}
		for _, w := range slices.Clone(b.Values) {
			for i, v := range w.Args {
				if !within(v.Block) || w.Op == ssa.OpPhi && within(b.Preds[i]) || j.hoist(v) {
					continue
				}
				if v.Type.K.IsPtr() || v.Type.K == ssa.Handle {
					return nil, false
				}
				if made[v] == nil {
					zero := f.InsertEntry(f.NewConst(v.Type, 0))
					args := []*ssa.Value{v}
					for range at.Preds[1:] {
						args = append(args, zero)
					}
					made[v] = at.InsertAt(0, f.NewValue(ssa.OpPhi, v.Type, v.Pos, args...))
					phis = append(phis, made[v])
				}
				w.Args[i] = made[v]
			}
		}
	}
	return phis, true
}

// A joiner moves pure values of a region before it.
type joiner struct {
	within func(b *ssa.Block) bool
	from   *ssa.Block
}

// hoist moves v, and what it needs, to the end of from, and reports whether it could.
func (j *joiner) hoist(v *ssa.Value) bool {
	if !j.within(v.Block) {
		return true
	}
	if !v.Op.Has(ssa.Pure) || v.Op.Has(ssa.Convergent) || v.Op == ssa.OpPhi || ssa.Ops[v.Op].Cost == ssa.CostDivide {
		return false
	}
	for _, a := range v.Args {
		if !j.hoist(a) {
			return false
		}
	}
	v.Block.Remove(v)
	j.from.InsertBeforeTerm(v)
	return true
}

// aroundAll puts a branch around each part that follows one of the Bools alive: on the last of these. It returns false if
// it cannot.
func (g *gangs) aroundAll(alive []*ssa.Value) bool {
	dom := g.f.Dominators()
	after := make([][]*part, len(alive))
	for _, c := range g.parts {
		for i := len(alive) - 1; i >= 0; i-- {
			if c != g.of[alive[i].Block] && dom.Dominates(alive[i].Block, c.entry) {
				if slices.ContainsFunc(c.blocks, g.works) {
					after[i] = append(after[i], c)
				}
				break
			}
		}
	}
	// A branch around the part that computes the next Bool makes it false where it is not computed. The branches on it
	// must exist then.
	for i := len(alive) - 1; i >= 0; i-- {
		if !g.around(alive[i], after[i]) {
			return false
		}
	}
	return true
}

// around puts a branch on alive around each of some parts. It returns false if it cannot.
func (g *gangs) around(alive *ssa.Value, parts []*part) bool {
	for _, c := range parts {
		if len(c.entry.Phis()) > 0 {
			return false
		}
		f := g.f
		inside := slices.Clone(c.blocks)
		test, none, end := f.NewBlock(""), f.NewBlock(""), f.NewBlock("")
		outside := slices.IndexFunc(c.entry.Preds, func(b *ssa.Block) bool { return g.of[b] != c })
		before := c.entry.Preds[outside]
		before.Succs[slices.Index(before.Succs, c.entry)] = test
		test.Preds = append(test.Preds, before)
		c.entry.Preds[outside] = test
		test.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, 0, alive))
		test.Succs = append(test.Succs, c.entry)
		test.Link(none)
		none.Append(f.NewValue(ssa.OpJump, ssa.TVoid, 0))
		last := slices.IndexFunc(c.exit.Succs, func(b *ssa.Block) bool { return g.of[b] != c })
		to := c.exit.Succs[last]
		c.exit.Succs[last] = end
		end.Preds = append(end.Preds, c.exit)
		none.Link(end)
		end.Append(f.NewValue(ssa.OpJump, ssa.TVoid, 0))
		end.Succs = append(end.Succs, to)
		to.ReplacePred(c.exit, end)
		for _, b := range []*ssa.Block{test, none, end} {
			g.take(c, b)
		}
		phis, ok := joinValues(f, func(b *ssa.Block) bool { return slices.Contains(inside, b) }, test, end)
		for _, v := range phis {
			ok = ok && g.differs(v.Args[0])
			g.varies = append(g.varies, make([]bool, f.NumValues()-len(g.varies))...)
			g.varies[v.ID] = true
		}
		if !ok {
			return false
		}
		c.entry, c.exit = test, end
	}
	return true
}
