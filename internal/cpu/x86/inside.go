package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Accesses of a loop that are checked before it (package spmd, inside.go). An offset that
// a register of its own holds, which the loop's end advances by the same amount in each
// round, is in bounds in all of them if it is in the first and in the last: nothing wraps
// between two offsets in an object. Whether it then is what the access asks for is a
// question of each round (reduce.go), with the same answer.

// An insideTest is an OpInside: whether there are in bounds those accesses that have been
// found so far.
type insideTest struct {
	good   reg // 1 or 0
	rounds reg // but one, less than 2^31
}

// beginInside begins the test with the number of rounds.
func (l *addresses) beginInside(v *ssa.Value) {
	t := &insideTest{l.g(), l.g()}
	l.lea(t.rounds, at(l.G(v.Args[0], 0), -1))
	l.mov(rAX, t.rounds)
	l.opi(asm.SHRIMM, 8, rAX, 31)
	l.setcc(asm.SETE, t.good)
	l.vals[v.ID].g = []reg{t.good}
	l.insides[v] = t
}

// checkedBefore returns the operand for an access in a loop with such a test, which becomes about it too, if the
// loop has a register for its offset.
func (l *addresses) checkedBefore(a *way, c *lanes.Check) (m mem, ok bool) {
	r, ok := l.reduced(a.Terms, l.large(a.root))
	if !ok {
		return m, false
	}
	disp := int32(a.Disp + a.Low)
	l.out.Forms |= spmd.Unchecked
	l.noteChecked(a, "before the loop")
	m = mem{base: l.rootBaseReg(a.root), index: r.r, scale: 1, disp: disp}
	if l.opts.NoBounds {
		return m, true
	}
	limit := l.limit(a.root, int(a.Bytes), a.Write)
	test := l.insides[c.Loop.Test]
	t := l.tails[c.Loop.Entry.ID]
	l.insertAt(t.block, t.at, func() {
		unless := func(bad asm.Op) {
			l.movi(rAX, 0)
			l.op2(bad, 8, test.good, rAX)
		}
		first, last := l.g(), l.g()
		l.lea(first, at(r.r, disp))
		if r.by == 0 {
			l.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: last, rm: test.rounds, imm: r.k})
		} else {
			// Of 32 bits: the product has less than 64.
			l.emit(inst{op: asm.MOVSXD, w: 8, fl: fDefReg, reg: last, rm: r.by})
			l.cmp(8, last, r.by)
			unless(asm.CMOVNE)
			l.op2(asm.IMUL, 8, last, test.rounds)
		}
		l.op2(asm.ADD, 8, last, first)
		for _, off := range []reg{first, last} {
			l.cmp(8, off, limit)
			unless(asm.CMOVAE)
		}
	})
	return m, true
}
