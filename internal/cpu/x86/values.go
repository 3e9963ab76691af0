package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// values adds what the code of a whole kernel has: its gang function and the stubs.
type values struct {
	*arithmetic
	f     *gang.Func
	out   *Code
	stubs []*stub
}

// allMask returns the mask of the lanes that have a work-item.
func (l *values) allMask() mask {
	if !l.lv.MaskRegs {
		return l.same(l.constV(4, 0xFFFFFFFF)[0])
	}
	return l.same(l.inPrologue(constKey{kind: keyAll}, func() reg {
		return l.rematerialise(l.kop3(asm.KXNORW, fixed(asm.K(1)), fixed(asm.K(1))))
	}))
}

// leaveRows ends the code of a gang of several rows. The launch executes the gang again, row by row.
func (l *values) leaveRows() { l.emit(inst{kind: kCall, imm: l.stub(stub{kind: sLeave})}) }

// stub returns the number of an equal stub, after adding it if there is none.
func (l *values) stub(s stub) int64 {
	for i, t := range l.stubs {
		if s.label = t.label; *t == s {
			return int64(i)
		}
	}
	l.stubs = append(l.stubs, &s)
	return int64(len(l.stubs) - 1)
}
