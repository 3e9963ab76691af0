package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Loads hoisted from loops. An innermost loop of scalar code that loads from addresses that it does not change, and
// writes nothing, gets a copy for the case that all these loads are in bounds. An [ssa.OpInside] tests that before
// the loop; then they are executed once, before the copy. Otherwise the original loop runs, whose loads report each
// time that they are out of bounds. A bound of the loop that is loaded from memory, as in products of sparse matrices,
// is then known before the loop, so that the bounds checks of its other accesses can be hoisted too (inside.go).

// hoistLoads makes such copies, and reports whether it made any.
func (g *versions) hoistLoads() bool { return !g.Unfolded && g.eachLoop(g.hoistFrom) }

// hoistFrom makes a copy of a loop without its invariant loads.
func (g *versions) hoistFrom(l *ssa.Loop) bool {
	before := entering(g.Plan, l)
	list, size := g.invariantLoads(l)
	if len(list) == 0 || size > g.budget || len(before.Succs) != 1 {
		return false
	}
	g.budget -= size
	for _, b := range l.Blocks {
		g.cold[b] = true
	}
	f, h := g.F, l.Header
	pos := h.Term().Pos
	once := f.NewBlock(h.Name)
	g.wide[once] = true
	before.Values = before.Values[:len(before.Values)-1]
	one := before.Append(f.NewConst(ssa.TI64, 1))
	inside := before.Append(f.NewValue(ssa.OpInside, ssa.TBool, pos, one))
	inside.Aux = ssa.InsideBlock
	before.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, pos, inside))
	c := g.copyBlocks(l.Blocks)
	for _, v := range list {
		w := once.Append(g.copyValue(v))
		w.SetArgs(v.Args...)
		w.Flags |= ssa.InBounds
		c.values[v].BecomeCopy(w)
		c.values[v] = w
	}
	f.ReplaceCopies()
	once.Append(f.NewValue(ssa.OpJump, ssa.TVoid, pos))
	c.edge(once, before, h)
	before.Link(once)
	before.Succs[0], before.Succs[1] = before.Succs[1], before.Succs[0]
	for _, b := range l.Blocks {
		c.finish(b)
	}
	c.repair()
	g.Forms |= Hoisted
	return true
}

// invariantLoads returns the loads of an innermost loop whose addresses it does not change, and the number of values
// of the loop. The list is empty if the loop may write memory or wait for other work-items.
func (g *versions) invariantLoads(l *ssa.Loop) (list []*ssa.Value, size int) {
	for _, b := range l.Blocks {
		if g.Loops.Of(b) != l {
			return nil, 0
		}
		size += len(b.Values)
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpLoad && v.Flags&ssa.Volatile == 0:
				if tested(g, v.Args[0], l) {
					list = append(list, v)
				}
			case v.Op == ssa.OpVote, v.Op == ssa.OpAny, v.Op == ssa.OpInside, v.Op == ssa.OpAlloca:
				return nil, 0
			case v.Op != ssa.OpLoad && !v.Op.Has(ssa.Pure) && !v.Op.Has(ssa.Terminator):
				return nil, 0
			}
		}
	}
	return list, size
}

// tested reports whether an address is known before the loop, in a form that an [ssa.OpInside] can test.
func tested(g *versions, p *ssa.Value, l *ssa.Loop) bool {
	stays := func(v *ssa.Value) bool { return v.Block == nil || !g.Loops.Contains(l, v.Block) }
	s, ok := lanes.LinearOf(p)
	return ok && stays(p) && !slices.ContainsFunc(s.Terms, func(t lanes.Term) bool {
		return slices.ContainsFunc(t.Parts.All(), func(v *ssa.Value) bool { return !stays(v) || !lanes.Scalar(v.Type.K) })
	})
}
