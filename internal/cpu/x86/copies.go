package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Copies: sums of many elements, as in a histogram. If the lanes change elements of their own, the operands are collected
// in a copy of the object that belongs to the worker, by plain instructions. The launch decides whether a worker
// has a copy, sets all its elements to the neutral one, and applies them to the object when the worker has ended. Bounds are those of
// the object.
//
// Lanes that change one element wait for each other's stores. Small objects therefore have several copies, which
// the lanes use in turn.
//
// The elements of an object begin at multiples of their size. Operations at other addresses change the object itself.

// Offsets from Sum.At of a sum with elements.
const (
	SumSpare  = 0  // distance in bytes from a copy to its spare bytes, which inactive lanes change
	SumCopies = 64 // [MaxCopies]uint64: the copies' addresses; the first is 0 without copies
	// MaxCopies is the greatest number of copies of an object.
	MaxCopies = 4
	// SpareBytes are the spare bytes of a copy.
	SpareBytes = 8 * maxInline
)

// copied selects an operation on a copy of its object, where the launch has one. Otherwise f selects it. It reports false
// if there are never copies.
func (s *selector) copied(i *gang.Inst, st *stub, k ssa.Kind, f func()) bool {
	if i.Sum == 0 || s.n > maxInline || s.large(int(i.Root)) {
		return false
	}
	sum := &s.out.Sums[i.Sum-1]
	idx, scale := s.laneOffsets(i, st.size)
	aligned := scale%st.size == 0 && i.Imm%int64(scale) == 0
	if i.Shape == gang.Gather && !aligned || i.Imm != int64(int32(i.Imm)) {
		return false
	}
	sum.Copied = true
	first := s.fetch(8, ctxAt(int32(sum.At+SumCopies)))
	s.emit(inst{op: asm.TEST, w: 8, fl: fUseReg, reg: first, rm: first})
	join, direct := s.blockHere(), s.newBlock(s.cur.depth)
	s.jcc(asm.JE, direct)
	if i.Shape == gang.Contiguous {
		t := s.g()
		s.lea(t, s.place0(i))
		s.misaligned(t, st.size)
		s.jcc(asm.JNE, direct)
	}
	s.changeCopies(i, st, k, idx, scale)
	s.aside(direct, func() {
		f()
		s.jump(join)
	})
	s.place(join)
	return true
}

// changeCopies changes the elements that idx numbers, in units of scale bytes.
func (s *selector) changeCopies(i *gang.Inst, st *stub, k ssa.Kind, idx vec, scale int) {
	sum := &s.out.Sums[i.Sum-1]
	m := s.mask(i.Mask)
	if i.Shape == gang.Contiguous && m == nil {
		q := s.place0(i)
		q.base = s.fetch(8, ctxAt(int32(sum.At+SumCopies)))
		op := changeOp(st.rmw, st.size, k.Num().Signed())
		s.storeParts(q, s.each2(st.size, op, s.loadParts(q, st.size), s.vector(i.Args[1])), st.size)
		return
	}
	by, es := i.Imm/int64(scale), 4
	if by != 0 {
		idx = s.each2(4, asm.VPADDD, idx, s.constV(4, uint64(uint32(by))))
	} else if r, n := s.narrowIndices(i); r != 0 {
		idx, es = s.vector(r), n
	}
	if m != nil {
		spare := s.fetch(4, ctxAt(int32(sum.At+SumSpare)))
		if scale > 1 {
			s.opi(asm.SHRIMM, 4, spare, int64(bits.TrailingZeros(uint(scale))))
		}
		idx = s.choose(m, idx, s.each2(4, asm.VPADDD, s.broadcast(4, spare), s.arithmetic.ramp(4, int64(max(1, st.size/scale)))), 4)
	}
	x, same := s.uniformOperand(i.Args[1])
	if !same {
		s.storeParts(ctxAt(CtxVals), s.vector(i.Args[1]), st.size)
		x = 0
	}
	var places [MaxCopies]mem
	for c := range places {
		places[c] = at(s.fetch(8, ctxAt(int32(sum.At+SumCopies+8*c))), 0)
	}
	each := *st
	each.scale = uint8(scale)
	s.changeEach(&each, k, places[:], idx, es, x)
}
