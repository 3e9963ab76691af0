package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// hoistNumbers moves uniform integers and conditions that are the same in all iterations of a loop before the loop, and reports
// whether it moved any. Earlier passes compute such values in front of an inner loop: for example, the first and the last iteration
// without clamped indices. The loops around the inner loop need not compute them again. Innermost loops keep their values: package opt
// has moved those of the source, and registers matter there.
func hoistNumbers(g *versions) (changed bool) {
	if g.waits() {
		return false
	}
	apart := g.versionable()
	for _, l := range g.Loops.All { // inner loops come before those around them
		before := entering(g.Plan, l)
		if apart.has(l.Header) || g.Rare(l.Header) || len(before.Succs) != 1 || slices.ContainsFunc(before.Preds, endsInside) || g.innermost(l) {
			continue
		}
		h := hoister{versions: g, l: l, moved: map[*ssa.Value]bool{}}
		for _, v := range h.find(apart) {
			v.Block.Remove(v)
			before.InsertBeforeTerm(v)
			changed = true
		}
	}
	return changed
}

// innermost reports whether a loop has no inner loops.
func (g *versions) innermost(l *ssa.Loop) bool {
	return !slices.ContainsFunc(l.Blocks, func(b *ssa.Block) bool { return g.Loops.Of(b) != l })
}

// A hoister chooses values of a loop to be moved before it.
type hoister struct {
	*versions
	l     *ssa.Loop
	moved map[*ssa.Value]bool
}

// find returns the values to be moved, in order. A simple operation stays if its arguments stay: it costs no more
// than to reload its result in the loop.
func (h *hoister) find(apart blockSet) (list []*ssa.Value) {
	latch := h.l.Header.Preds[0]
	if !h.Loops.Contains(h.l, latch) {
		latch = h.l.Header.Preds[1]
	}
	for _, b := range h.Order {
		if h.Loops.Of(b) != h.l || apart.has(b) || h.Rare(b) || !h.Dom.Dominates(b, latch) {
			continue
		}
		for _, v := range b.Values {
			if h.invariant(v) {
				h.moved[v], list = true, append(list, v)
			}
		}
	}
	inside := map[*ssa.Value]bool{} // used by values that stay in the loop
	for _, b := range h.l.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				inside[a] = inside[a] || !h.moved[v]
			}
		}
	}
	needed := map[*ssa.Value]bool{} // by values that move
	for _, v := range slices.Backward(list) {
		uses := needed
		if inside[v] && !needed[v] && simple(v) && !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return h.moved[a] }) {
			delete(h.moved, v)
			uses = inside
		}
		for _, a := range v.Args {
			uses[a] = true
		}
	}
	return slices.DeleteFunc(list, func(v *ssa.Value) bool { return !h.moved[v] })
}

// invariant reports whether v, a value of the loop, is a uniform integer or condition that follows from values before the loop and from
// moved ones.
func (h *hoister) invariant(v *ssa.Value) bool {
	switch {
	case v.Op == ssa.OpEnd:
	case v.Op == ssa.OpConst || v.Op == ssa.OpDiv || v.Op == ssa.OpRem || !h.uniform(v) || !h.movable(v, nil):
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !a.IsConst() && h.Loops.Contains(h.l, a.Block) && !h.moved[a] })
}
