package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Strength reduction of addresses: an offset that grows by the same amount in each iteration of a loop has its
// own register, which the end of the loop advances.
//
// Such a register may differ from the offset after a narrower sum has wrapped. It is then out of bounds,
// because objects are smaller than MaxObject, and the slow path computes the exact offset. Larger objects have
// no such registers.

// A loop is the state of an SSA loop during code generation.
type loop struct {
	*lanes.TestedLoop
	offsets []reducedOffset
}

type reducedOffset struct {
	terms  []*ssa.Value
	r      reg
	narrow bool // the register may differ from the offset
	k      int64
	by     reg // growth per iteration; 0: k
}

// A place is a position for later insertion: before instruction number at of a block.
type place struct {
	block *mblock
	at    int
}

// loopOf returns the innermost loop around the current block.
func (l *addresses) loopOf(b *ssa.Block) *loop {
	x := l.patterns.Loop(b)
	if x == nil {
		return nil
	}
	p := l.loops[x]
	if p == nil {
		p = &loop{TestedLoop: x}
		l.loops[x] = p
	}
	return p
}

// reduced returns a register of the loop that holds the sum of offs in each iteration. If exact is set, the
// register never differs from the sum.
func (l *addresses) reduced(offs []*ssa.Value, exact bool) (r reducedOffset, ok bool) {
	p := l.loopOf(l.block)
	if p == nil || p.Latch == nil || l.tails[p.Latch.ID].block != nil {
		return r, false
	}
	for _, r := range p.offsets {
		if slices.Equal(r.terms, offs) && !(exact && r.narrow) {
			return r, true
		}
	}
	sum, ok := p.OffsetStep(offs, exact)
	if !ok {
		return r, false
	}
	r = reducedOffset{slices.Clone(offs), l.g(), sum.Narrow, sum.K, 0}
	t := l.tails[p.Entry.ID]
	l.insertAt(t.block, t.at, func() {
		memo := map[*ssa.Value]reg{}
		for i, o := range offs {
			g := l.scalarHere(o, p, memo)
			if o.Type.K.IsPtr() {
				d := l.g()
				l.mov(d, g)
				l.op2(asm.AND, 8, d, l.offsetMask())
				g = d
			}
			if i == 0 {
				l.mov(r.r, g)
			} else {
				l.op2(asm.ADD, 8, r.r, g)
			}
		}
	})
	if sum.V != nil {
		r.by = l.g()
		l.insertAt(t.block, t.at, func() {
			g := l.G(sum.V, 0)
			if size(sum.V.Type.K) == 4 {
				op := asm.MOVL
				w := asm.Width(4)
				if sum.V.Type.K.Num().Signed() {
					op, w = asm.MOVSXD, 8
				}
				d := l.g()
				l.emit(inst{op: op, w: w, fl: fDefReg, reg: d, rm: g})
				g = d
			}
			l.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: r.by, rm: g, imm: sum.K})
		})
	}
	p.offsets = append(p.offsets, r)
	l.latches[p.Latch.ID] = append(l.latches[p.Latch.ID], func() {
		if r.by != 0 {
			l.op2(asm.ADD, 8, r.r, r.by)
		} else {
			l.opi(asm.ADDIMM, 8, r.r, r.k)
		}
	})
	return r, true
}
