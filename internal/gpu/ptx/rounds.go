package ptx

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A short innermost loop without a fast copy is emitted several times, one copy behind the other, each with the loop's test.
// Only the last counts the loop's back edges: the count, and the convergence of threads behind it, cost as much as the work
// of such a loop.

// Limits of loops that are emitted several times.
const (
	fourRounds = 24 // elements of values of a loop that is emitted four times
	twoRounds  = 60 // of one that is emitted twice
)

// maxBrief is the greatest number of iterations of loops that do not count them.
const maxBrief = 1 << 12

// brief reports whether the loop of a header ends after a few iterations, whose number is constant, and contains no other:
// it need not poll the host.
func (g *versions) brief(header *ssa.Block) bool {
	l := g.flow.Loops.Of(header)
	if g.flow.Loops.Irreducible || l == nil || l.Header != header {
		return false
	}
	for _, b := range l.Blocks {
		if g.flow.Loops.Of(b) != l {
			return false
		}
	}
	t, ok := g.tripTest(l)
	if !ok || t.ne || t.equal || !t.bound.IsConst() || t.expr.Op != ssa.OpPhi {
		return false
	}
	if t.expr.Block != header || t.expr.Type != t.bound.Type {
		return false
	}
	bound := signedConst(t.bound)
	if !t.expr.Type.K.Num().Signed() && (bound < 0 || t.step < -1) {
		return false // it may wrap
	}
	for i, p := range header.Preds {
		if g.flow.Loops.Contains(l, p) {
			continue
		}
		first := t.expr.Args[i]
		if !first.IsConst() {
			return false
		}
		n := signedConst(first)
		if max(n, -n, bound, -bound) > maxBrief || (n > bound) == (t.step > 0) || n < 0 && !t.expr.Type.K.Num().Signed() {
			return false
		}
	}
	return true
}

func roundLabel(n int, b *ssa.Block) string { return fmt.Sprint("$U", n, "_", b.ID) }

// rounds returns how often a loop is emitted.
func (g *versions) rounds(l *ssa.Loop) int {
	size, accesses := 0, 0
	for _, b := range l.Blocks {
		if g.flow.Loops.Of(b) != l {
			return 1
		}
		for _, v := range b.Values {
			size += int(max(v.Type.N, 1))
			if v.Op.Has(ssa.Convergent) || v.Op == ssa.OpPrintf {
				return 1
			}
			if v.Op == ssa.OpLoad || v.Op == ssa.OpStore {
				accesses++
			}
		}
	}
	switch {
	case accesses >= minBlockAccesses || size > twoRounds: // whose blocks may have fast copies
		return 1
	case size > fourRounds:
		return 2
	}
	return 4
}

// unrolled returns the loop of a header that is emitted several times, nil if it is not one.
func (g *versions) unrolled(header *ssa.Block) *ssa.Loop {
	l := g.flow.Loops.Of(header)
	if g.flow.Loops.Irreducible || g.masks != nil || l == nil || l.Header != header || g.rounds(l) == 1 {
		return nil
	}
	return l
}

// emitRounds emits a loop several times; next is the block that follows.
func (g *generator) emitRounds(l *ssa.Loop, blocks []*ssa.Block, next *ssa.Block) {
	n := g.rounds(l)
	g.chain = &roundChain{l.Header, roundLabel(1, l.Header)}
	g.emitBlocks(blocks, nil, nil)
	for i := 1; i < n; i++ {
		follows := (*ssa.Block)(nil)
		if g.chain.to = roundLabel(i+1, l.Header); i == n-1 {
			g.chain.to, follows = "", next
		}
		g.copyFast(&fastCopy{loop: true, round: i}, blocks, follows)
	}
	g.chain = nil
}
