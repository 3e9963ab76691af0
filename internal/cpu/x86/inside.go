package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Bounds checks hoisted from loops (package spmd, inside.go). If a register holds an access's offset, and the
// loop advances it by the same amount in each iteration, the access is in bounds in all iterations if it is in
// the first and in the last: nothing wraps between two offsets in an object. A separate argument shows that the
// register equals the access's offset in each iteration (reduce.go).

// An insideTest is an OpInside under construction. Its result is true if all accesses added so far are in bounds.
type insideTest struct {
	good   reg // 1 if all are in bounds, else 0
	rounds reg // iterations minus 1, less than 2^31
}

// beginInside starts the test with the number of iterations.
func (l *addresses) beginInside(v *ssa.Value) {
	t := &insideTest{l.g(), l.g()}
	l.lea(t.rounds, at(l.G(v.Args[0], 0), -1))
	l.mov(rAX, t.rounds)
	l.opi(asm.SHRIMM, 8, rAX, 31)
	l.setcc(asm.SETE, t.good)
	l.vals[v.ID].g = []reg{t.good}
	l.insides[v] = t
}

// checkedBefore adds an access to the test before its loop and returns the access's operand. It fails if no
// register of the loop holds the offset.
func (l *addresses) checkedBefore(a *access, c *lanes.Check) (m mem, ok bool) {
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
			// Both factors fit 32 bits, so that the product fits 64.
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
