package spmd

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// maxCopied bounds the values copied in a kernel.
const maxCopied = 600

// maxNear bounds the values copied for gangs whose lanes have two quotients.
const maxNear = 150

// versions makes copies of parts of a kernel for gangs whose lanes stay together there: the copies need no
// masks. Nearly every kernel begins with a test of an id against a size, or tests for borders, and the lanes of
// nearly all gangs agree on it.
type versions struct {
	*Plan
	u        *uniform.Analysis
	surveyed *Plan   // the plan for which the following three are valid
	shapes   []shape // by value ID: shape + 1 if known
	apart    blockSet
	touched  map[*ssa.Block]bool // changed since the analysis
	done     map[*ssa.Block]bool // not to be copied again
	cold     map[*ssa.Block]bool // for gangs that do not agree
	blocked  map[*ssa.Block]bool // headers of loops that compute several columns (nests.go)
	wide     map[*ssa.Block]bool // whose accesses have a test already: of loops that read rows in pieces, or of hoisted loads

	hoistedTo *ssa.Block // the block for which hoisted is valid
	hoisted   map[*ssa.Value]bool

	record int // most bytes of a structure that lanes may access as a vector; 0: no such accesses
	rows   int // rows of the range that a gang covers
	budget int // values that may still be copied

	nearBudget int // values that may still be copied for gangs whose lanes have two quotients
}

// findRare marks the blocks for gangs that do not agree, the blocks executed if an OpAny is true, and blocks
// reached only through such blocks.
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

// A blockSet is a set of the blocks that existed when it was made, by block ID.
type blockSet []bool

func (s blockSet) has(b *ssa.Block) bool { return int(b.ID) < len(s) && s[b.ID] }

// regions returns the blocks after divergent branches, up to the reconvergence of all lanes.
func (g *versions) regions() blockSet {
	if len(g.u.Splits) == 0 {
		return nil
	}
	apart := make(blockSet, g.F.NumBlocks())
	for _, d := range g.u.Splits {
		for _, b := range g.u.RegionOf(d) {
			apart[b.ID] = true
		}
	}
	return apart
}

// survey computes the analysis that the transformations of a plan share. They change the function, but use the
// state at the start of the round: a round that has changed something ends with a new plan.
func (g *versions) survey() {
	if g.surveyed != g.Plan {
		g.surveyed = g.Plan
		g.shapes = make([]shape, g.F.NumValues())
		g.apart, g.touched = g.regions(), map[*ssa.Block]bool{}
		if g.Unfolded {
			g.facts() // of the current function
		}
	}
}

// quotientsAll makes versions of the code after divisions of ids.
func (g *versions) quotientsAll() (changed bool) {
	if g.Unfolded {
		return false // its ids are known exactly
	}
	for _, d := range g.Order {
		if !g.apart.has(d) {
			changed = g.quotients(d) || changed
		}
	}
	return changed
}

// quotientsApart makes versions of the code after divisions of ids where lanes have parted and no guard can keep them together: after
// tests of data. All lanes have ids, so that the first and the last one decide there too.
func quotientsApart(g *versions) (changed bool) {
	if g.Unfolded || len(g.u.Splits) == 0 {
		return false
	}
	lasting := map[*ssa.Block]bool{}
	for _, d := range g.u.Splits {
		if mayAgree(g, d) {
			continue
		}
		for _, b := range g.u.RegionOf(d) {
			lasting[b] = true
		}
	}
	for _, d := range g.Order {
		if lasting[d] && !g.cold[d] {
			changed = g.quotients(d) || changed
		}
	}
	return changed
}

// mayAgree reports whether the lanes of a gang are likely to agree on the branch of b.
func mayAgree(g *versions, b *ssa.Block) bool {
	t := b.Term()
	if t.Op != ssa.OpBranch {
		return false
	}
	all, none := g.agree(t.Args[0])
	return all || none
}

// peelAll peels all loops that it can, outer ones first.
func (g *versions) peelAll() (changed bool) {
	for i := len(g.Loops.All) - 1; i >= 0; i-- {
		changed = g.peel(g.Loops.All[i]) || changed
	}
	return changed
}

// guardAll guards all divergent branches that it can.
func (g *versions) guardAll() (changed bool) {
	for _, d := range g.Order {
		if g.Split[d.ID] && !g.apart.has(d) {
			changed = g.guard(d) || changed
		}
	}
	return changed
}

// unclampAll makes versions of all blocks with clamped indices that it can.
func (g *versions) unclampAll() (changed bool) {
	for _, d := range g.Order {
		if !g.apart.has(d) {
			changed = g.unclamp(d) || changed
		}
	}
	return changed
}
