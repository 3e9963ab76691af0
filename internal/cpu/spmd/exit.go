package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// The ends of blocks, common to all machines: the masks to clear, and the next block.

// A Target is the next block to execute. Test says that its mask must be tested first, because it may have no
// lanes.
type Target struct {
	Block *ssa.Block
	Test  bool
}

// An ExitKind classifies the end of a block.
type ExitKind uint8

// The kinds of exits, with their actions in order.
const (
	Returns   ExitKind = iota // the work-items end
	Continues                 // pass the one edge, clear masks, continue
	Splits                    // clear masks, pass all edges, each for its lanes, then continue
	Branches                  // clear masks, take one edge and pass it
)

// An Exit describes the end of a block. To pass an edge is to add the lanes that take it to the successor's
// mask, and to give the successor's phis their values.
type Exit struct {
	Kind ExitKind
	Zero []*ssa.Block // blocks whose masks to clear, unless an edge overwrites them
	Poll bool         // for Continues: the edge goes back to a loop header
	To   []Target     // by edge; for Splits a single one
	// Direct says that control goes directly to the successors.
	Direct bool
}

// Exit returns the end of a block.
func (p *Plan) Exit(b *ssa.Block) (x Exit) {
	x.Zero = p.Zero[b.ID]
	switch t := b.Term(); {
	case t.Op == ssa.OpReturn || t.Op == ssa.OpUnreachable:
		return Exit{}
	case p.Split[b.ID]:
		x.Kind = Splits
		x.Zero = slices.DeleteFunc(slices.Clone(x.Zero), func(s *ssa.Block) bool { return slices.Contains(b.Succs, s) && p.Plain(b, s) })
		x.To = []Target{p.Enter(p.Next[b.ID][0])}
		return x
	case t.Op == ssa.OpJump:
		x.Kind = Continues
		x.Poll = p.Pos[b.Succs[0].ID] <= p.Pos[b.ID]
	default:
		x.Kind = Branches
	}
	x.Direct = p.ContinuesDirectly(b)
	for i, s := range b.Succs {
		if x.Direct {
			x.To = append(x.To, Target{Block: s})
		} else {
			x.To = append(x.To, p.Enter(p.Next[b.ID][i]))
		}
	}
	return x
}

// Enter returns the target for a block that control may enter without lanes.
func (p *Plan) Enter(b *ssa.Block) Target { return Target{b, p.Test[b.ID]} }
