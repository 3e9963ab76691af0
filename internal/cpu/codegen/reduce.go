package codegen

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Strength reduction of addresses: an offset that grows by the same amount in each round
// of a loop has a register of its own, which the loop's end advances.
//
// Such a register may differ from the offset where a narrower sum has wrapped. It is out
// of bounds then, because objects are smaller than MaxObject, and the slow path computes
// the offset anew. Of larger objects there are no such registers.

// A loop is what is known of an SSA loop while its code is made.
type loop struct {
	*ssa.Loop
	in      int // number of the entering edge among the header's
	latch   *ssa.Block
	before  *ssa.Block
	steps   map[*ssa.Value]step
	offsets []reducedOffset
	inside  *insideTest // whether all rounds are in bounds is known before
	entry   *ssa.Block  // where what the loop begins with is computed
}

// A step is by how much a value grows in each round: k, or k times v. It is narrow if
// the value was extended from fewer bits, in which it may have wrapped.
type step struct {
	ok     bool
	narrow bool
	k      int64
	v      *ssa.Value
}

// maxNarrow bounds what may be added to a narrow value: so little that a sum within an
// object has not wrapped.
const maxNarrow = 1 << 24

type reducedOffset struct {
	offs   []*ssa.Value
	r      reg
	narrow bool // it may differ
	k      int64
	by     reg // by how much it grows in each round; 0: k
}

// A place is where code may be inserted: before instruction at of a block.
type place struct {
	block *mblock
	at    int
}

// loopOf returns the innermost loop around the current block.
func (l *lowerer) loopOf(b *ssa.Block) *loop {
	x := l.plan.Loops.Of(b)
	if x == nil {
		return nil
	}
	if p, ok := l.loops[x]; ok {
		return p
	}
	p := &loop{Loop: x, steps: map[*ssa.Value]step{}}
	l.loops[x] = p
	if len(x.Header.Preds) != 2 || len(x.Latches) != 1 {
		p.latch = nil
		return p
	}
	p.latch = x.Latches[0]
	if x.Header.Preds[0] == p.latch {
		p.in = 1
	}
	p.before = x.Header.Preds[p.in]
	p.entry = p.before
	l.findInside(p)
	return p
}

// invariant reports whether v is the same in all rounds of the loop.
func (l *lowerer) invariant(v *ssa.Value, p *loop) bool {
	return v.IsConst() || v.Block == nil || !l.plan.Loops.Contains(p.Loop, v.Block)
}

// stepOf returns by how much v, a uniform value or an affine one's first lane, grows.
func (l *lowerer) stepOf(v *ssa.Value, p *loop) (s step) {
	if l.invariant(v, p) {
		return step{ok: true}
	}
	if s, ok := p.steps[v]; ok {
		return s
	}
	p.steps[v] = step{} // of a cycle
	defer func() { p.steps[v] = s }()
	if l.plan.Varying[v.ID] && !l.vals[v.ID].affine || v.Type.N != 1 || !inGeneral(v.Type.K) {
		return step{}
	}
	switch v.Op {
	case ssa.OpPhi:
		if v.Block != p.Header || size(v.Type.K) < 4 {
			return step{}
		}
		next := v.Args[1-p.in]
		if by := growth(v, next); by != nil && l.invariant(by, p) && !l.plan.Varying[by.ID] {
			return l.scaled(by, next.Op == ssa.OpSub)
		}
	case ssa.OpAdd, ssa.OpSub, ssa.OpPtrAdd:
		a, b := l.stepOf(v.Args[0], p), l.stepOf(v.Args[1], p)
		if v.Op == ssa.OpSub {
			b.k = -b.k
		}
		if size(v.Type.K) == 8 && (a.narrow && !smallNarrow(v.Args[1]) || b.narrow && !smallNarrow(v.Args[0])) {
			return step{}
		}
		return a.plus(b)
	case ssa.OpMul, ssa.OpShl:
		a, by := v.Args[0], v.Args[1]
		if v.Op == ssa.OpMul && l.invariant(a, p) {
			a, by = by, a
		}
		if !l.invariant(by, p) || l.plan.Varying[by.ID] {
			return step{}
		}
		s := l.stepOf(a, p)
		switch {
		case !s.ok:
			return step{}
		case by.IsConst():
			f := int64(by.ConstElem(0))
			if by.Type.K.Num().Size() == 4 {
				f = int64(int32(f))
			}
			if v.Op == ssa.OpShl {
				f = 1 << (f & 63)
			}
			if f > maxDisp || f < -maxDisp {
				return step{}
			}
			s.k *= f
			return s.bounded()
		case v.Op == ssa.OpMul && s.v == nil:
			return step{ok: true, narrow: s.narrow, k: s.k, v: by}
		}
	case ssa.OpCopy, ssa.OpBitcast:
		if inGeneral(v.Args[0].Type.K) && size(v.Args[0].Type.K) == size(v.Type.K) {
			return l.stepOf(v.Args[0], p)
		}
	case ssa.OpConvert:
		a := v.Args[0]
		if sat, _ := ssa.ConvParts(v.Aux); sat || !a.Type.K.Num().IsInt() || !v.Type.K.Num().IsInt() || size(a.Type.K) < 4 || size(v.Type.K) < size(a.Type.K) {
			return step{}
		}
		s := l.stepOf(a, p)
		if size(v.Type.K) > size(a.Type.K) && s.k != 0 {
			s.narrow = true
			// Below 0 an unsigned index is large, but what grows downwards would not be.
			if !a.Type.K.Num().Signed() && s.k < 0 {
				return step{}
			}
		}
		return s
	}
	return step{}
}

// scaled is the step by an invariant value.
func (l *lowerer) scaled(v *ssa.Value, negative bool) step {
	s := step{ok: true, k: 1, v: v}
	if v.IsConst() {
		s.k, s.v = int64(v.ConstElem(0)), nil
		if size(v.Type.K) == 4 {
			s.k = int64(int32(s.k))
		}
	}
	if negative {
		s.k = -s.k
	}
	return s.bounded()
}

func (s step) bounded() step {
	s.ok = s.ok && s.k <= maxDisp && s.k >= -maxDisp
	return s
}

func (s step) plus(t step) step {
	switch {
	case !s.ok || !t.ok:
		return step{}
	case s.k == 0:
		return t
	case t.k == 0:
		return s
	case s.v == t.v:
		s.k += t.k
		s.narrow = s.narrow || t.narrow
		return s.bounded()
	}
	return step{}
}

// reduced returns a register that holds the sum of offs in each round of the loop
// around; an exact one if that is asked for.
func (l *lowerer) reduced(offs []*ssa.Value, exact bool) (r reducedOffset, ok bool) {
	p := l.loopOf(l.block)
	if p == nil || p.latch == nil || l.tails[p.latch.ID].block != nil {
		return r, false
	}
	for _, r := range p.offsets {
		if slices.Equal(r.offs, offs) && !(exact && r.narrow) {
			return r, true
		}
	}
	sum := step{ok: true}
	for _, o := range offs {
		sum = sum.plus(l.stepOf(o, p))
	}
	// With another term beside it, an index that has wrapped might be in bounds again.
	if !sum.ok || sum.k == 0 || sum.narrow && (exact || len(offs) > 1) {
		return r, false
	}
	if sum.v != nil && size(sum.v.Type.K) < 4 {
		return r, false
	}
	r = reducedOffset{slices.Clone(offs), l.g(), sum.narrow, sum.k, 0}
	t := l.tails[p.entry.ID]
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
	if sum.v != nil {
		r.by = l.g()
		l.insertAt(t.block, t.at, func() {
			g := l.G(sum.v, 0)
			if size(sum.v.Type.K) == 4 {
				op := asm.MOVL
				w := asm.Width(4)
				if sum.v.Type.K.Num().Signed() {
					op, w = asm.MOVSXD, 8
				}
				d := l.g()
				l.emit(inst{op: op, w: w, fl: fDefReg, reg: d, rm: g})
				g = d
			}
			l.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: r.by, rm: g, imm: sum.k})
		})
	}
	p.offsets = append(p.offsets, r)
	l.latches[p.latch.ID] = append(l.latches[p.latch.ID], func() {
		if r.by != 0 {
			l.op2(asm.ADD, 8, r.r, r.by)
		} else {
			l.opi(asm.ADDIMM, 8, r.r, r.k)
		}
	})
	return r, true
}

// growth returns what next, the value of phi v after a round, adds to it, or nil.
func growth(v, next *ssa.Value) *ssa.Value {
	switch next.Op {
	case ssa.OpAdd, ssa.OpPtrAdd, ssa.OpSub:
		if next.Args[0] == v {
			return next.Args[1]
		}
		if next.Op == ssa.OpAdd && next.Args[1] == v {
			return next.Args[0]
		}
	}
	return nil
}

func smallNarrow(v *ssa.Value) bool {
	return v.IsConst() && int64(v.ConstElem(0)) <= maxNarrow && int64(v.ConstElem(0)) >= -maxNarrow
}
