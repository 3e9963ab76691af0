package spmd

import "github.com/purecl/purecl/internal/ssa"

// peel puts a copy of a loop before it that all lanes of a gang go through together, as
// long as they agree to stay. When they no longer do, those that stay go on in the loop
// itself. It reports whether it did.
//
// This is for loops that lanes leave at the header only; its condition is then computed
// again at the loop, from the phis.
func (g *versions) peel(l *ssa.Loop) bool {
	h := l.Header
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
	size, gain := 0, false
	for _, b := range l.Blocks {
		if g.touched[b] {
			return false
		}
		size += len(b.Values)
		for _, v := range b.Values {
			gain = gain || v.Op.Has(ssa.Reads) || v.Op.Has(ssa.Writes)
			if b == h && v.Op != ssa.OpPhi && !v.Op.Has(ssa.Pure) && v != t {
				return false
			}
		}
		if b != h && g.Split[b.ID] {
			for _, r := range g.u.regionOf(b) {
				if !g.Loops.Contains(l, r) {
					return false
				}
			}
		}
	}
	if !gain || size > g.left {
		return false
	}
	g.left -= size
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
		c.end(b)
		for _, s := range b.Succs {
			c.edge(c.blocks[b], b, s)
		}
	}
	// The loop itself is now entered from the copy's header.
	sw := g.vote(nh, c.value(t.Args[0]))
	nh.Link(h)
	at := 0
	for i, p := range h.Preds {
		if p == before {
			at = i
		}
	}
	h.Preds = h.Preds[:len(h.Preds)-1]
	h.Preds[at] = nh
	for _, v := range h.Phis() {
		v.Args[at] = c.values[v]
	}
	for i, s := range h.Succs {
		if i == 0 && all {
			sw.Bits = append(sw.Bits, ssa.VoteAll)
			c.edge(nh, h, s)
		}
		if i == 1 && none {
			sw.Bits = append(sw.Bits, ssa.VoteNone)
			c.edge(nh, h, s)
		}
	}
	c.repair()
	return true
}
