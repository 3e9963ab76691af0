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
	// Counter is a phi of that header, or nil. PollMask selects [PollBits] of its bits: the loop polls in iterations in
	// which they are zero.
	Counter  *ssa.Value
	PollMask int64
	To       []Target // by edge; for Splits a single one
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
		if x.Poll = p.Pos[b.Succs[0].ID] <= p.Pos[b.ID]; x.Poll {
			x.Counter, x.PollMask = p.counter(b.Succs[0])
		}
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

// PollBits is the number of bits of a loop's counter that are zero when the loop polls.
const PollBits = 10

// counter returns a uniform counter of an innermost loop, and the mask of its bits for [Exit]. Other loops poll in each
// iteration, so that the time between two polls does not depend on the depth of nests.
func (p *Plan) counter(header *ssa.Block) (*ssa.Value, int64) {
	l := p.Loops.Of(header)
	if l == nil || l.Header != header || slices.ContainsFunc(l.Blocks, func(b *ssa.Block) bool { return p.Loops.Of(b) != l }) {
		return nil, 0
	}
	for _, v := range header.Phis() {
		if p.Varying[v.ID] || v.Type.N != 1 || !isInt(v.Type.K) || v.Type.K.Num().Size() < 4 {
			continue
		}
		for _, a := range v.Args {
			if a.Op != ssa.OpAdd || a.Args[0] != v || !a.Args[1].IsConst() || !p.Loops.Contains(l, a.Block) {
				continue
			}
			if step := a.Args[1].ConstElem(0); step != 0 && step&(step-1) == 0 && step < 1<<16 {
				return v, int64(step * (1<<PollBits - 1))
			}
		}
	}
	return nil, 0
}
