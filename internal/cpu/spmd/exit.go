package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// The ends of blocks, as every machine makes them: which masks become zero, and where control goes on.

// A Target is where control goes on: at a block, or at the test before it whether a lane is there.
type Target struct {
	Block *ssa.Block
	Test  bool
}

// An ExitKind says how a block ends.
type ExitKind uint8

// The kinds of exits, with what is done in which order.
const (
	Returns   ExitKind = iota // the work-items are done
	Continues                 // the one edge is passed, masks become zero, and control goes on
	Splits                    // masks become zero, and all edges are passed by their lanes before control goes on
	Branches                  // masks become zero, and control goes on along one edge, which is passed
)

// An Exit is what happens at the end of a block. To pass an edge is to give the successor's mask the lanes that take
// it, and its phis their values.
type Exit struct {
	Kind ExitKind
	Zero []*ssa.Block // whose masks become zero, but for those that an edge overwrites
	Poll bool         // of Continues: control goes back
	To   []Target     // by edge; of Splits one
	// Direct says that control goes straight to the successors.
	Direct bool
}

// Exit says what happens at the end of a block.
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

// Enter is where control goes that may come to a block without lanes.
func (p *Plan) Enter(b *ssa.Block) Target { return Target{b, p.Test[b.ID]} }
