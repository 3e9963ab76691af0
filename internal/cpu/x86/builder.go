package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A builder emits code at the end, in the prologue, or at earlier positions.
type builder struct {
	*code
	opts    Options
	lanes   int     // of vectors: of the gang, but in scalar code as in a register
	n       int     // lanes of the values under construction (see within)
	oneItem bool    // a gang is one work-item
	pre     *mblock // the prologue
	pool    *pool
	consts  map[constKey]reg
}

// poll leaves the code if the launch must end. The stub preserves all live registers, so that the allocator can
// treat the cold block as one without return.
func (l *builder) poll() {
	stop := l.testStop()
	back := l.cur
	l.aside(stop, func() { l.stopped(back) })
}

// pollRarely polls when none of the bits of mask is set in a register.
func (l *builder) pollRarely(r reg, mask int64) {
	look := l.newBlock(0)
	l.emit(inst{op: asm.TESTIMM, w: 4, rm: r, imm: mask})
	l.jcc(asm.JE, look)
	back := l.cur
	l.aside(look, func() {
		stop := l.testStop()
		endBlock(l.code, inst{kind: kBack}, back)
		l.aside(stop, func() { l.stopped(back) })
	})
}

// testStop jumps to the block that it returns if the byte at CtxStop is set.
func (l *builder) testStop() (stop *mblock) {
	stop = l.newBlock(0)
	l.ld(rAX, 8, ctxAt(CtxStop))
	l.emit(inst{op: asm.TESTIMM, w: 4, m: at(rAX, 0), imm: 0xFF})
	l.jcc(asm.JNE, stop)
	return stop
}

// stopped calls the stub for a launch that may have to end, and goes back.
func (l *builder) stopped(back *mblock) {
	l.emit(inst{kind: kCall, imm: stubPoll})
	endBlock(l.code, inst{kind: kBack}, back)
}

// insertAt inserts the straight-line code that f emits at an earlier position; at = -1 is the end of the prologue.
func (l *builder) insertAt(blk *mblock, at int, f func()) {
	if at < 0 {
		at = len(blk.insts)
	}
	saved := l.cur
	tmp := l.newBlock(blk.depth)
	l.cur = tmp
	f()
	l.cur = saved
	if len(tmp.inserts) > 0 {
		panic("x86: nested insert")
	}
	blk.inserts = append(l.work.inserts.Extend(blk.inserts, 1), insert{at, tmp.insts})
}

// aside emits the code of f in a cold block, and continues in the current one.
func (l *builder) aside(cold *mblock, f func()) {
	cold.cold = true
	saved := l.cur
	l.cur = nil
	l.place(cold)
	f()
	l.cur = saved
}

// apart emits the code of f in a cold block, which executes if cond holds. It returns the block at which control
// joins the following code.
func (l *builder) apart(cond asm.Op, f func()) (join *mblock) {
	cold, join := l.newBlock(l.cur.depth), l.blockHere()
	l.jcc(cond, cold)
	l.aside(cold, func() {
		f()
		l.jump(join)
	})
	return join
}

// copyG returns a copy of a general register.
func (l *builder) copyG(a reg) reg {
	d := l.g()
	l.mov(d, a)
	return d
}

// movePointer adds an offset to a pointer within its object.
func (l *builder) movePointer(p, off reg) reg {
	d := l.copyG(p)
	l.op2(asm.ADD, 8, d, off)
	l.op2(asm.XOR, 8, d, p)
	l.op2(asm.AND, 8, d, l.generalConst(ssa.OffsetMask))
	l.op2(asm.XOR, 8, d, p)
	return d
}

// movsx are the moves that extend integers with their sign.
var movsx = bySize{1: asm.MOVSX8, 2: asm.MOVSX16, 4: asm.MOVSXD}

// signExtend returns the integer of sz bytes in a as one of 64 bits.
func (l *builder) signExtend(a reg, sz int) reg {
	return l.result(cG, inst{op: movsx[sz], w: 8, rm: a})
}

// scalarConvert converts between integers, pointers and Bools without saturation.
func (l *builder) scalarConvert(to ssa.Kind, a, d reg, sz int, signed bool) reg {
	ds := size(to)
	switch {
	case to == ssa.Bool:
		l.emit(inst{op: asm.TEST, w: 8, fl: fUseReg, reg: a, rm: a})
		l.setcc(asm.SETNE, d)
	case ds < sz && ds == 4:
		l.emit(inst{op: asm.MOVL, w: 4, fl: fDefReg, reg: d, rm: a})
	case ds < sz:
		l.mov(d, a)
		l.normal(d, ds)
	case ds == sz || !signed:
		return a
	default:
		l.emit(inst{op: movsx[sz], w: asm.Width(max(ds, 4)), fl: fDefReg, reg: d, rm: a})
		l.normal(d, ds)
	}
	return d
}

// normal zero-extends the low bytes of a general register.
func (l *builder) normal(d reg, size int) {
	if size < 4 {
		l.emit(inst{op: loadOf[size], w: 4, fl: fDefReg, reg: d, rm: d})
	}
}

// A place is a position for later insertion: before instruction number at of a block.
type place struct {
	block *mblock
	at    int
}
