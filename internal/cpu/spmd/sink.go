package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// sink moves integers and conditions that only one block for rare gangs uses to that block, and reports whether it
// did: the index of an element beyond the end of a ring is computed where lanes leave the ring.
func sink(g *versions) (changed bool) {
	if len(g.cold) == 0 || g.Unfolded {
		return false
	}
	several := &ssa.Block{}
	users := make([]*ssa.Block, g.F.NumValues()) // by value ID: the block with all uses, or several
	use := func(v *ssa.Value, b *ssa.Block) {
		if users[v.ID] == nil || users[v.ID] == b {
			users[v.ID] = b
		} else {
			users[v.ID] = several
		}
	}
	for _, b := range g.Order { // a loop's phis come before the values that its iterations leave to them
		for _, v := range b.Phis() {
			for _, a := range v.Args {
				users[a.ID] = several
			}
		}
	}
	for _, b := range slices.Backward(g.Order) {
		for _, v := range slices.Backward(slices.Clone(b.Values)) {
			at := b
			if to := users[v.ID]; to != nil && to != b && !g.cold[b] && g.cold[to] && v.Op != ssa.OpConst && g.movable(v, nil) &&
				g.Loops.Of(to) == g.Loops.Of(b) && !slices.ContainsFunc(to.Preds, endsInside) {
				b.Remove(v)
				to.InsertAt(len(to.Phis()), v)
				at, changed = to, true
			}
			for _, a := range v.Args {
				use(a, at)
			}
		}
	}
	return changed
}

// endsInside reports whether b ends with a test of accesses in the next block, for which their addresses must be known.
func endsInside(b *ssa.Block) bool {
	t := b.Term()
	return t.Op == ssa.OpBranch && t.Args[0].Op == ssa.OpInside
}
