package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Functions of the work-group (gang.Func.Groups). The code loops over work-groups and, in each part, over
// the gangs. Outside of parts the frame is that of the first gang. No register carries a value that differs
// between gangs from one part to another, so that spill slots are in the context.

// endGroups continues with the next work-group and clears local memory for it.
func (l *lowerer) endGroups(first *mblock) {
	count := func(op asm.Op, at int32) { l.emit(inst{op: op, w: 8, m: ctxAt(at)}) }
	done := l.newBlock(0)
	count(asm.DEC, CtxGroups)
	l.jcc(asm.JE, done)
	l.poll()
	n := l.fetch(8, ctxAt(CtxGroupSize))
	next := l.newBlock(2)
	l.place(next)
	id := l.fetch(8, frameAt(FrameGlobal))
	l.op2(asm.ADD, 8, id, n)
	l.st(frameAt(FrameGlobal), 8, id)
	if len(l.f.FirstIDs) == 0 { // unfolded code reads only the first gang's frame
		l.nextFrame(next)
	}
	count(asm.INC, int32(CtxQueries+8*3*int(ssa.GroupID)))
	if !l.f.Fills {
		l.clearLocals()
	}
	l.jump(first)
	l.cur = nil
	l.place(done)
	l.sti(ctxAt(CtxStatus), 8, StatusDone)
	l.leave()
}

// clearLocals clears local memory.
func (l *lowerer) clearLocals() {
	p, end := l.g(), l.g()
	l.ld(p, 8, ctxAt(CtxLocal))
	l.ld(end, 8, ctxAt(CtxLocalWords))
	l.lea(end, mem{on: true, base: p, index: end, scale: 8})
	z := l.constV(1, 0)[0]
	clear := l.newBlock(2)
	l.place(clear)
	l.vstore(asm.VMOVUPSST, l.lv.VL, at(p, 0), z, 0)
	l.opi(asm.ADDIMM, 8, p, int64(l.lv.VL))
	l.cmp(8, p, end)
	l.jcc(asm.JB, clear)
}

// nextFrame continues at loop with the next gang. After the last gang the frame is the first gang's again.
func (l *lowerer) nextFrame(loop *mblock) {
	ctx := func(op asm.Op, fl instFlags, at int32) { l.emit(inst{op: op, w: 8, fl: fl, reg: rFrame, m: ctxAt(at)}) }
	ctx(asm.ADD, fDefReg|fUseReg, CtxStride)
	ctx(asm.CMP, fUseReg, CtxEnd)
	l.jcc(asm.JB, loop)
	ctx(asm.MOVL, fDefReg, CtxFirst)
}
