package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// peel puts a copy of a loop before it for gangs whose lanes all stay in the loop. When they no longer agree,
// those that stay continue in the original loop. It reports whether it did.
//
// It covers loops that lanes leave at the header only. The header's condition is recomputed in the original
// loop from its phis.
func (g *versions) peel(l *ssa.Loop) bool {
	h := l.Header
	if g.touched[h] {
		return false
	}
	before := entering(g.Plan, l)
	t := h.Term()
	if g.done[h] || !g.Split[h.ID] || t.Op != ssa.OpBranch || g.apart[before] || len(before.Succs) != 1 {
		return false
	}
	stay := 0
	if !g.Loops.Contains(l, h.Succs[0]) {
		stay = 1
	}
	all, none := g.agree(t.Args[0])
	if g.Loops.Contains(l, h.Succs[1-stay]) || !(all && stay == 0 || none && stay == 1) {
		return false
	}
	size, ok := g.peelable(l)
	if !ok || size > g.budget {
		return false
	}
	g.budget -= size
	for _, b := range l.Blocks {
		g.touched[b] = true
	}
	g.done[h] = true
	c := g.copyBlocks(l.Blocks)
	nh := c.blocks[h]
	before.Succs = before.Succs[:0]
	c.edge(before, before, h)
	for _, b := range l.Blocks {
		if b == h {
			continue
		}
		c.finish(b)
	}
	// The entering edge of the original loop now comes from the copy's header.
	at := slices.Index(h.Preds, before)
	h.Preds = slices.Delete(h.Preds, at, at+1)
	for _, v := range h.Phis() {
		v.Args = slices.Delete(v.Args, at, at+1)
	}
	some := func(from *ssa.Block) {
		for _, v := range h.Phis() {
			v.Args = append(slices.Clip(v.Args), c.values[v])
		}
		from.Link(h)
	}
	onto := func(i int, likely bool) func(*ssa.Block) {
		if !likely {
			return some
		}
		return func(from *ssa.Block) { c.edge(from, h, h.Succs[i]) }
	}
	c.decide(nh, t.Args[0], onto(0, all), onto(1, none), some)
	c.repair()
	g.Forms |= Peeled
	return true
}

// peelable reports whether a loop can be copied and accesses memory, and its number of values. Its blocks must
// not be copied yet, divergent lanes must reconverge in it, and its header must have no effects.
func (g *versions) peelable(l *ssa.Loop) (size int, gain bool) {
	h := l.Header
	for _, b := range l.Blocks {
		if g.touched[b] {
			return 0, false
		}
		size += len(b.Values)
		for _, v := range b.Values {
			gain = gain || v.Op.Has(ssa.Reads) || v.Op.Has(ssa.Writes)
			if b == h && v.Op != ssa.OpPhi && !v.Op.Has(ssa.Pure) && v != h.Term() {
				return 0, false
			}
		}
		if b == h || !g.Split[b.ID] {
			continue
		}
		for _, r := range g.u.RegionOf(b) {
			if !g.Loops.Contains(l, r) {
				return 0, false
			}
		}
	}
	return size, gain
}
