package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Strips: in gangs of one work-item a loop with a bounds test before it polls between strips of maxStrip iterations,
// not within its iterations. Such loops are short and many, and the processor predicts their ends worse after a branch
// in each iteration.

// maxStrip bounds the iterations of a strip.
const maxStrip = 1 << spmd.PollBits

// strip makes strips of a tested loop that counts up to a bound. Control enters the rest of the test at first.
func (t *loopTest) strip(b *accesses, first *Block) {
	p := t.ranges[0].loop
	h, latch := b.tails[p.Header.ID].block, b.tails[p.Latch.ID].block
	i, c := h.Term(), p.Header.Term().Args[0]
	if i.Op != OpBranch || i.Each != ssa.OpLt || c.Op != ssa.OpLt || c.Args[0].Op != ssa.OpPhi || c.Args[0].Block != p.Header || !b.p.Loops.Contains(p.Loop, p.Header.Succs[0]) {
		return
	}
	count, bound := i.Args[0], i.Args[1]
	poll := slices.IndexFunc(latch.Insts, func(i Inst) bool { return i.Op == OpPoll && len(i.Args) == 1 && i.Args[0] == count })
	if poll < 0 {
		return
	}
	end := b.f.NewReg(b.f.Type(bound))
	latch.Insts[poll] = Inst{Op: OpConst, Dst: b.f.NewReg(b.f.Type(bound))} // dead

	// A loop of one strip ends at the bound.
	few := t.last.Term().Args[0]
	b.insertAt(t.last, len(t.last.Insts)-1, Inst{Op: OpCopy, Dst: end, Args: b.regs(bound)})
	many, long := b.coldLike(t.last), b.coldLike(t.last)
	t.last.Term().Args = b.regs(few, b.constant(idType, maxStrip))
	t.last.Succs = []*Block{first, many}
	b.cur = many
	b.terminate(Inst{Op: OpBranch, Each: ssa.OpLt, Args: b.regs(few, b.constant(idType, maxRounds))}, long, t.no)
	b.cur = long
	b.addTo(end, b.scalar(c.Args[0].Args[p.In], 0))
	b.jump(first)

	body, exit := h.Succs[0], h.Succs[1]
	rest, next, last := b.newBlock(exit.Depth, exit.Cold), b.coldLike(h), b.coldLike(h)
	rest.Loop = exit.Loop
	i.Args, h.Succs = b.regs(count, end), []*Block{body, rest}
	b.f.Blocks = append(slices.Insert(b.f.Blocks, slices.Index(b.f.Blocks, latch)+1, rest), many, long, next, last)
	b.cur = rest
	b.terminate(Inst{Op: OpBranch, Each: ssa.OpLt, Args: b.regs(count, bound)}, next, exit)
	b.cur = next
	b.emit(Inst{Op: OpPoll})
	b.addTo(end, count)
	left := b.each(ssa.OpSub, b.f.Type(bound), 0, bound, count)
	unsigned := Type{Scalar, ssa.U32, 1}
	if b.f.Type(bound).Size() == 8 {
		unsigned.K = ssa.U64
	}
	left = b.each(ssa.OpBitcast, unsigned, 0, left)
	b.terminate(Inst{Op: OpBranch, Each: ssa.OpLt, Args: b.regs(left, b.constant(unsigned, maxStrip))}, last, body)
	b.cur = last
	b.emit(Inst{Op: OpCopy, Dst: end, Args: b.regs(bound)})
	b.jump(body)
}

// addTo sets end to the end of the strip that begins at a count.
func (b *emitter) addTo(end, count Reg) {
	b.emit(Inst{Op: OpEach, Each: ssa.OpAdd, Dst: end, Args: b.regs(count, b.constant(b.f.Type(end), maxStrip))})
}

// coldLike returns a cold block in the loop of another.
func (b *emitter) coldLike(x *Block) *Block {
	y := b.newBlock(x.Depth, true)
	y.Loop = x.Loop
	return y
}
