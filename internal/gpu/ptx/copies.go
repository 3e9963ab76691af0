package ptx

import (
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A fastCopy is a loop or block that is emitted for the second time.
type fastCopy struct {
	in     map[*ssa.Block]bool
	loop   bool                      // the copy is a loop: back edges lead to it
	skips  map[*ssa.Value]bool       // accesses without checks
	places map[*ssa.Value]groupPlace // of accesses of groups
	first  map[*ssa.Value]bool       // values that both copies share
	round  int                       // of a loop that is emitted several times, from 1 on
	fours  *foursCopy                // of the copy for four iterations
}

// copyFast emits the fast copy of blocks that have just been emitted; next is the block that follows in the text.
// Values that later code uses are moved to the registers of the first copy.
func (g *generator) copyFast(x *fastCopy, blocks []*ssa.Block, next *ssa.Block) {
	x.in = map[*ssa.Block]bool{}
	for _, b := range blocks {
		x.in[b] = true
	}
	live := g.liveOut(x)
	kept := map[*ssa.Value][]string{}
	for _, b := range blocks {
		for _, v := range b.Values {
			if v.Op != ssa.OpPhi && !x.first[v] {
				kept[v] = g.vals[v.ID]
			}
		}
	}
	g.fast = x
	g.emitBlocks(blocks, next, func(v *ssa.Value) {
		c := classOf(v.Type.K)
		for i, to := range kept[v] {
			if from := g.vals[v.ID][i]; live[v] && from != to && strings.HasPrefix(to, "%") {
				g.emit("mov.%s %s, %s", classTypes[c], to, from)
			}
		}
	})
	g.fast = nil
	for v, list := range kept {
		g.vals[v.ID] = list
	}
}

// liveOut returns the values of the copied blocks that later code may use. Operands of pure values count as used,
// because addresses are computed again from the operands of their pointers.
func (g *generator) liveOut(x *fastCopy) map[*ssa.Value]bool {
	live := map[*ssa.Value]bool{}
	var mark func(v *ssa.Value)
	mark = func(v *ssa.Value) {
		if live[v] || v.Block == nil || !x.in[v.Block] {
			return
		}
		live[v] = true
		if v.Op != ssa.OpPhi && v.Op.Has(ssa.Pure) {
			for _, a := range v.Args {
				mark(a)
			}
		}
	}
	for _, b := range g.flow.Order {
		for _, v := range b.Values {
			for i, a := range v.Args {
				at := b
				if v.Op == ssa.OpPhi {
					at = b.Preds[i]
				}
				if !x.in[at] {
					mark(a)
				}
			}
		}
	}
	return live
}
