package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Votes: branches by how the lanes agree on a condition.

// findVotes counts the uses of values in votes.
func (b *values) findVotes() {
	b.voted = make([]int32, b.p.F.NumValues())
	for v := range b.p.Facts.Values() {
		if v.Op == ssa.OpVote {
			b.voted[v.Args[0].ID]++
		}
	}
}

// votedByBranch reports whether the switch at the end of its block is the only user of a vote.
func (b *values) votedByBranch(v *ssa.Value) bool {
	t := v.Block.Term()
	return t.Op == ssa.OpSwitch && t.Args[0] == v && b.uses[v.ID] == 1
}

// testedByBranch reports whether the branch at the end of its block is the only user of an OpAny of a varying
// argument.
func (b *values) testedByBranch(v *ssa.Value) bool {
	t := v.Block.Term()
	return t.Op == ssa.OpBranch && t.Args[0] == v && b.uses[v.ID] == 1 && !b.p.Varying[v.ID] && b.vals[v.Args[0].ID].varies
}

// anyElement returns a predicate and a mask: an OpAny is true if an element of a lane of the mask is set.
func (b *values) anyElement(v *ssa.Value) (p, m Reg) {
	a := v.Args[0]
	if p := b.vals[a.ID].whole; p != 0 {
		return p, 0 // in idle lanes too: an OpAny may be true without reason
	}
	p = b.vector(a, 0)
	for c := 1; c < int(a.Type.N); c++ {
		p = b.each(ssa.OpOr, predicate, 0, p, b.vector(a, c))
	}
	return p, b.mask(b.src)
}

// voteBranch ends a block with the switch t by a vote.
func (b *accesses) voteBranch(t *ssa.Value, to []*Block) {
	c := t.Args[0].Args[0]
	var exits voteExits
	for k, result := range t.Bits {
		exits[result] = to[k+1]
	}
	if len(c.Args) != 2 || !b.voteByEnds(c.Op, c.Args[0], c.Args[1], exits) {
		p, m := b.vector(c, 0), b.mask(b.src)
		leave(b, exits[ssa.VoteAll], check{Inst{Op: OpAny, Args: b.regs(b.each(ssa.OpNot, predicate, 0, p)), Mask: m}, 1})
		leave(b, exits[ssa.VoteNone], check{Inst{Op: OpAny, Args: b.regs(p), Mask: m}, 1})
	}
	b.jump(to[0])
}

// voteExits are the blocks at which control goes on by the result of a vote. Where one is nil, it goes on in the block of the vote.
type voteExits [3]*Block

// leave ends a block: control goes to exit, if there is one, if the check fails.
func leave(b *accesses, exit *Block, c check) {
	if exit != nil {
		b.unless(c, exit)
	}
}

// voteByEnds decides a vote on the comparison of x and y by the first and the last lane if they decide it for all lanes.
func (b *accesses) voteByEnds(op ssa.Op, of, with *ssa.Value, exits voteExits) bool {
	v, ok := b.p.Facts.VoteByEnds(op, of, with, b.o.Lanes)
	if !ok || b.gang != 0 || !b.vals[v.X.ID].affine {
		return false
	}
	x, y, k := b.scalar(v.X, 0), b.scalar(v.Y, 0), v.X.Type.K.Num()
	if v.Op == ssa.OpEq || v.Op == ssa.OpNe {
		result := uint64(ssa.VoteNone)
		if v.Op == ssa.OpNe {
			result = ssa.VoteAll
		}
		from := Type{Scalar, unsigned(k.Size()), 1}
		after := b.each(ssa.OpSub, b.f.Type(x), 0, y, x)
		if b.f.Type(after) != from {
			after = b.each(ssa.OpBitcast, from, 0, after)
		}
		leave(b, exits[result], check{Inst{Op: OpBranch, Each: ssa.OpLt, Args: b.regs(b.constant(from, uint64(v.Span)), after)}, 0})
		return true
	}
	// In 64 bits nothing wraps.
	wide, most := Type{Scalar, ssa.U64, 1}, uint64(1)<<32-1
	if k.Signed() {
		wide.K, most = ssa.I64, 1<<31-1
	}
	if !v.MayWrap {
		wide.K = v.X.Type.K
	}
	widened := func(r Reg) Reg {
		if b.f.Type(r) == wide {
			return r
		}
		return b.each(ssa.OpConvert, wide, 0, r)
	}
	first, bound := widened(x), widened(y)
	last := b.plus(wide, first, v.Span)
	test := func(end Reg, result uint64, truth bool) {
		if exits[result] == nil {
			return
		}
		args, bad := b.regs(end, bound), 1
		if v.Swapped {
			slices.Reverse(args)
		}
		if truth {
			bad = 0
		}
		// If the last lane exceeds its type, lanes have wrapped and the first lane decides nothing.
		wrapped := b.newBlock(b.cur.Depth, b.cur.Cold)
		guarded := end == first && v.MayWrap
		if guarded {
			b.unless(check{Inst{Op: OpBranch, Each: ssa.OpLt, Args: b.regs(b.constant(wide, most), last)}, 0}, wrapped)
		}
		leave(b, exits[result], check{Inst{Op: OpBranch, Each: v.Op, Args: args}, bad})
		if guarded {
			b.jump(wrapped)
			b.place(wrapped)
		}
	}
	least, likely := last, first
	if v.Swapped {
		least, likely = first, last
	}
	test(least, ssa.VoteAll, true)
	test(likely, ssa.VoteNone, false)
	return true
}
