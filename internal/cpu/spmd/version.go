package spmd

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// maxCopied is how many values of a kernel are copied at most.
const maxCopied = 600

// versions gives parts of a kernel that lanes mostly go through together a second form,
// which they only go through together: it needs no masks. Nearly every kernel begins with
// a test of an id against a size, or tests for borders, and for nearly all gangs all
// lanes agree.
type versions struct {
	*Plan
	u       *uniform.Analysis
	shapes  []shape // by value ID: shape + 1 where known
	apart   map[*ssa.Block]bool
	touched map[*ssa.Block]bool // changed since the analysis
	done    map[*ssa.Block]bool // not to be copied again
	cold    map[*ssa.Block]bool // for gangs that do not agree
	wide    map[*ssa.Block]bool // of loops that read pieces of rows: with checks of their own

	hoistedTo *ssa.Block // what hoisted is about
	hoisted   map[*ssa.Value]bool

	record int // bytes of a structure that lanes may access as a vector, at most; 0: they do not
	rows   int // that a gang does at once
	left   int // values that may still be copied
}

// findRare marks the blocks for gangs that do not agree, what runs where OpAny finds an
// element, and what is reached through such blocks only.
func (p *Plan) findRare() {
	p.rare = make([]bool, p.F.NumBlocks())
	for _, b := range p.Order {
		cold := len(b.Preds) > 0
		for _, q := range b.Preds {
			if p.Pos[q.ID] < p.Pos[b.ID] {
				t := q.Term()
				found := t.Op == ssa.OpBranch && t.Args[0].Op == ssa.OpAny && q.Succs[0] == b && q.Succs[1] != b
				cold = cold && (p.rare[q.ID] || found)
			}
		}
		p.rare[b.ID] = cold || p.cold[b]
	}
}

// regions returns the blocks behind divergent branches, up to where all lanes are together
// again.
func (g *versions) regions() map[*ssa.Block]bool {
	apart := map[*ssa.Block]bool{}
	for _, d := range g.u.Splits {
		for _, b := range g.u.RegionOf(d) {
			apart[b] = true
		}
	}
	return apart
}

// begin begins a round: what the last one found of the function is stale.
func (g *versions) begin() { g.shapes, g.apart, g.touched = nil, nil, nil }

// survey finds what the transformations of a round share: they change the function, and look
// at it as it was when the round began.
func (g *versions) survey() {
	if g.shapes == nil {
		g.shapes = make([]shape, g.F.NumValues())
		g.apart, g.touched = g.regions(), map[*ssa.Block]bool{}
		if g.Unfolded {
			g.facts() // of the function as it is now
		}
	}
}

// quotientsAll gives what follows divisions of ids a second form, where it can.
func (g *versions) quotientsAll() (changed bool) {
	if g.Unfolded {
		return false // ids are known better there
	}
	for _, d := range g.Order {
		if !g.apart[d] {
			changed = g.quotients(d) || changed
		}
	}
	return changed
}

// peelAll peels the loops that it can, inner ones last.
func (g *versions) peelAll() (changed bool) {
	for i := len(g.Loops.All) - 1; i >= 0; i-- {
		changed = g.peel(g.Loops.All[i]) || changed
	}
	return changed
}

// guardAll guards the divergent branches that it can.
func (g *versions) guardAll() (changed bool) {
	for _, d := range g.Order {
		if g.Split[d.ID] && !g.apart[d] {
			changed = g.guard(d) || changed
		}
	}
	return changed
}

// unclampAll gives the blocks with clamped indices that it can a second form.
func (g *versions) unclampAll() (changed bool) {
	for _, d := range g.Order {
		if !g.apart[d] {
			changed = g.unclamp(d) || changed
		}
	}
	return changed
}
