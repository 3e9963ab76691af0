package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Elements by number in scalar code. If the offset of an access is a number times 2, 4 or 8, the instruction multiplies,
// and the bounds check compares the number with the number of elements. Counters of loops are such numbers, so that
// their accesses need no registers of their own.

// A scaled offset is an integer, shifted to the left.
type scaled struct {
	of    *ssa.Value
	shift int
}

// scaledOffset returns the offset of an access as a scaled integer.
func (l *addresses) scaledOffset(a *access) (s scaled, ok bool) {
	if !l.scalar || len(a.Terms) != 1 || a.Order != nil || len(a.Guards) > 0 || l.large(a.root) {
		return s, false
	}
	v := l.real(a.Terms[0])
	if v.Type.K.IsPtr() || v.Type.N != 1 || size(v.Type.K) != 8 || len(v.Args) != 2 || !v.Args[1].IsConst() {
		return s, false
	}
	n := v.Args[1].ConstElem(0)
	switch {
	case v.Op == ssa.OpShl && n >= 1 && n <= 3:
		return scaled{v.Args[0], int(n)}, true
	case v.Op == ssa.OpMul && (n == 2 || n == 4 || n == 8):
		return scaled{v.Args[0], bits.TrailingZeros64(n)}, true
	}
	return s, false
}

// checkScaled is check for a scaled offset. A number whose product wraps counts as out of bounds: slow decides.
func (l *addresses) checkScaled(a *access, slow func(), join *mblock) (m mem, ok bool) {
	s, ok := l.scaledOffset(a)
	if !ok || a.Disp != 0 || a.Low != 0 || l.opts.NoBounds {
		return m, false
	}
	n := l.G(s.of, 0)
	failed := l.newBlock(l.cur.depth)
	l.cmp(8, n, l.elementsIn(a, s.shift))
	l.jcc(asm.JAE, failed)
	l.aside(failed, func() {
		slow()
		l.jump(join)
	})
	return mem{on: true, base: l.rootBaseReg(a.root), index: n, scale: 1 << s.shift}, true
}

// elementsIn returns the number of elements of a root that an access may begin at, 1 << shift bytes apart.
func (l *addresses) elementsIn(a *access, shift int) reg {
	limit := l.limit(a.root, int(a.Bytes), a.Write)
	return l.rootFact(rootKey{what: rootElements, root: a.root, size: int(a.Bytes), unit: 1 << shift, write: a.Write}, func() reg {
		d := l.g()
		l.lea(d, at(limit, 1<<shift-1))
		l.opi(asm.SHRIMM, 8, d, int64(shift))
		return d
	})
}

// checkedBeforeScaled is checkedBefore for a scaled offset.
func (l *addresses) checkedBeforeScaled(a *access, c *lanes.Check) (m mem, ok bool) {
	s, ok := l.scaledOffset(a)
	p := l.loopOf(l.block)
	if !ok || p == nil || p.Latch == nil || c.Sum.V != nil {
		return m, false
	}
	disp := int32(a.Disp + a.Low)
	l.out.Forms |= spmd.Unchecked
	l.noteChecked(a, "before the loop")
	m = mem{on: true, base: l.rootBaseReg(a.root), index: l.G(s.of, 0), scale: 1 << s.shift, disp: disp}
	if l.opts.NoBounds {
		return m, true
	}
	limit := l.limit(a.root, int(a.Bytes), a.Write)
	test := l.insides[c.Loop.Test]
	t := l.tails[c.Loop.Entry.ID]
	l.insertAt(t.block, t.at, func() {
		first, last := l.g(), l.g()
		l.lea(first, at(l.scalarHere(a.Terms[0], p, map[*ssa.Value]reg{}), disp))
		l.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: last, rm: test.rounds, imm: c.Sum.K})
		l.op2(asm.ADD, 8, last, first)
		for _, off := range []reg{first, last} {
			l.cmp(8, off, limit)
			l.movi(rAX, 0)
			l.op2(asm.CMOVAE, 8, test.good, rAX)
		}
	})
	return m, true
}
