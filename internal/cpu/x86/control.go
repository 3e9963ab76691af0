package x86

import (
	"math"
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The ends of blocks.

// foldTerminator notes the instructions of a block that its terminator does by itself: a comparison, or the test of a compaction.
func (s *selector) foldTerminator(b *gang.Block) {
	t := b.Term()
	s.block.at, s.block.n = b, len(b.Insts)-1
	if c, ok := s.compactionAfter(b, t); ok {
		s.compactions[t], s.compactions[c.store] = c, c
		s.folds[c.inside.Dst], s.folds[c.not.Dst] = true, true
		if c.numbers != nil {
			for _, r := range c.numbers.steps {
				s.folds[r] = true
			}
		}
	}
	if t.Op != gang.OpBranch || t.Each != ssa.OpNe || s.f.Type(t.Args[0]).K != ssa.Bool {
		return
	}
	if x, ok := s.bits(t.Args[1]); !ok || x != 0 {
		return
	}
	if d := s.foldableDef(t.Args[0]); d != nil && compares(d.Each) && isGeneral(s.f.Type(d.Args[0])) {
		s.folds[d.Dst] = true
	}
}

// only returns r's definition if it is in a block and serves one use, else nil.
func (s *operands) only(r gang.Reg, b *gang.Block) *gang.Inst {
	if d := s.def[r]; d != nil && s.reads[r] == 1 && s.home[r] == int32(b.ID) {
		return d
	}
	return nil
}

// terminator ends a block.
func (s *selector) terminator(b *gang.Block, i *gang.Inst) {
	to := make([]*mblock, len(b.Succs))
	for k, t := range b.Succs {
		to[k] = s.to[t.ID]
	}
	if len(s.localCopies.list) > 0 && i.Op != gang.OpJump && i.Op != gang.OpNext {
		defer s.clearBetween(b, to)()
	}
	switch i.Op {
	case gang.OpReturn:
		s.end()
	case gang.OpNext:
		s.nextFrame(to[0])
		s.addCopies(b.Succs[0])
		s.clearCopies(b.Succs[1])
		s.goOn(to[1])
	case gang.OpJump:
		s.clearCopies(b.Succs[0])
		s.goOn(to[0])
	case gang.OpBranch:
		s.branch(b, i, to)
	case gang.OpAny:
		if c, ok := s.compactions[i]; ok {
			if c.numbers != nil {
				s.storeNumbered(c, i, to[0])
			} else {
				s.compact(c, i, to[0])
			}
			s.goOn(to[1])
			return
		}
		s.within(s.n*int(s.f.Type(i.Args[0]).N), func() {
			m := s.mask(i.Args[0])
			if i.Mask != 0 {
				m = s.andMask(m, s.mask(i.Mask))
			}
			s.testMask(m)
		})
		s.goes(b, asm.JNE, to)
	case gang.OpSwitch:
		s.switches(i, to)
	case gang.OpCheck:
		s.check(b, i, to)
	case gang.OpDisjoint:
		s.testOverlap(int(i.Root), int(i.Aux), to[1])
		s.goOn(to[0])
	case gang.OpRuns:
		if i.Scale == 0 || !s.lv.Target().Runs.Has(int(i.Size)) {
			panic("x86: runs that the target does not have")
		}
		es, vl := int(i.Size), int(s.lv.VL)
		x := &runAccess{root: int(i.Root), write: i.Write, es: es, w: asm.Width(4 * vl / es), per: vl / es}
		s.findRun(x, s.vector(i.Args[0]), int(i.Scale), to[1])
		s.runs[i.Args[0]] = x
		s.goOn(to[0])
	}
}

// goOn continues at a block: by falling through if that follows.
func (s *selector) goOn(to *mblock) {
	if to != s.next {
		s.jump(to)
	}
}

// goes jumps to the first of two blocks on a condition, else to the second. The block that follows is reached by
// falling through.
func (s *selector) goes(b *gang.Block, op asm.Op, to []*mblock) {
	yes, no := to[0], to[1]
	if yes != no && b.Succs[0].ID == b.ID+1 {
		op, yes, no = inverse[op], no, yes
	}
	s.jcc(op, yes)
	s.goOn(no)
}

// end ends the gangs of a row, a gang, or a work-group.
func (s *selector) end() {
	switch {
	case s.f.Groups:
		s.endGroups(s.to[s.group()])
	case s.f.Waits:
		s.emit(inst{kind: kGoto, imm: stubGangDone})
	default:
		s.keepSums()
		s.emit(inst{kind: kGoto, imm: s.stub(stub{kind: sRow, whole: s.f.Full, rows: s.out.RowsAtOnce})})
	}
}

// negated maps the comparison "x op y" to the op of "y op x" that is true if it is false.
var negated = [ssa.NumOps]ssa.Op{ssa.OpLt: ssa.OpLe, ssa.OpLe: ssa.OpLt}

// branch selects a comparison and branch.
func (s *selector) branch(b *gang.Block, i *gang.Inst, to []*mblock) {
	if d := s.def[i.Args[0]]; d != nil && s.folds[d.Dst] {
		i = d
	}
	if t := s.f.Type(i.Args[0]); !isGeneral(t) {
		s.within(int(s.lv.VL), func() { s.testMask(s.boolEach(i, 0)) })
		s.goes(b, asm.JNE, to)
		return
	}
	if x, ok := s.bits(i.Args[1]); ok && x == 0 && s.f.Type(i.Args[0]).K == ssa.Bool && i.Each == ssa.OpNe {
		g := s.scalar(i.Args[0])
		s.emit(inst{op: asm.TEST, w: 4, fl: fUseReg, reg: g, rm: g})
		s.goes(b, asm.JNE, to)
		return
	}
	if _, ok := s.small(i.Args[0]); ok && negated[i.Each] != 0 { // the second operand may be an immediate
		s.goes(b, inverse[s.compareScalars(negated[i.Each], i.Args[1], i.Args[0])], to)
		return
	}
	s.goes(b, s.compareScalars(i.Each, i.Args[0], i.Args[1]), to)
}

func (s *selector) switches(i *gang.Inst, to []*mblock) {
	w := asm.Width(max(s.f.Type(i.Args[0]).Size(), 4))
	g := s.scalar(i.Args[0])
	for k, x := range i.Cases {
		if w == 4 || int64(int32(x)) == int64(x) {
			s.cmpi(w, g, int64(int32(x)))
		} else {
			s.movi(rAX, x)
			s.cmp(w, g, rAX)
		}
		s.jcc(asm.JE, to[k+1])
	}
	s.goOn(to[0])
}

// vote selects how the lanes agree, as a number.
func (s *selector) vote(i *gang.Inst) {
	p, m := s.mask(i.Args[0]), s.mask(i.Mask)
	d, none, all := s.g(), s.g(), s.g()
	s.movi(d, ssa.VoteSome)
	s.movi(none, ssa.VoteNone)
	s.movi(all, ssa.VoteAll)
	s.testMask(s.andMask(p, m))
	s.op2(asm.CMOVE, 8, d, none)
	s.testMask(s.andNotMask(p, m))
	s.op2(asm.CMOVE, 8, d, all)
	s.setG(i.Dst, d)
}

// check selects a bounds check.
func (s *selector) check(b *gang.Block, i *gang.Inst, to []*mblock) {
	r, size := &s.f.Roots[i.Root], int(i.Size)
	jump := asm.JB
	switch x, known := s.bits(i.Args[0]); {
	case s.opts.NoBounds:
		s.goOn(to[0])
		return
	case r.Kind == gang.RootPrivate && r.Size < size:
		s.goOn(to[1])
		return
	case r.Kind == gang.RootPrivate:
		s.cmpi(8, s.scalar(i.Args[0]), int64(r.Size-size))
		jump = asm.JBE
	case i.Scale != 0:
		s.cmp(8, s.scalar(i.Args[0]), s.elementsIn(int(i.Root), size, i.Write, bits.TrailingZeros(uint(i.Scale))))
	case i.Mask != 0:
		s.checkActive(i, s.limit(int(i.Root), size, i.Write), to)
		return
	case known && int64(x) < 0:
		s.goOn(to[1])
		return
	case known && x <= math.MaxInt32:
		s.cmpi(8, s.limit(int(i.Root), size, i.Write), int64(x))
		jump = asm.JA
	default:
		limit := s.limit(int(i.Root), size, i.Write)
		s.cmp(8, s.scalar(i.Args[0]), limit)
	}
	s.goes(b, jump, to)
}

// pollLoop selects a poll in a loop, with a counter one in some iterations.
func (s *selector) pollLoop(i *gang.Inst) {
	if len(i.Args) > 0 {
		s.pollRarely(s.scalar(i.Args[0]), i.Imm)
	} else {
		s.poll()
	}
}

// checkActive checks the elements between the first and the last active lane.
func (s *selector) checkActive(i *gang.Inst, limit reg, to []*mblock) {
	off := s.scalar(i.Args[0])
	s.maskBits(s.mask(i.Mask))
	for _, op := range []asm.Op{asm.TZCNT, asm.LZCNT} {
		d := s.g()
		s.emit(inst{op: op, w: 8, fl: fDefReg, reg: d, rm: rAX})
		if op == asm.LZCNT {
			s.opi(asm.XORIMM, 8, d, 63)
		}
		s.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: d, rm: d, imm: int64(i.Size)})
		s.op2(asm.ADD, 8, d, off)
		s.cmp(8, d, limit)
		s.jcc(asm.JAE, to[1])
	}
	s.goOn(to[0])
}

// Functions of the work-group (gang.Func.Groups). The code loops over work-groups and, in each part, over
// the gangs. Outside of parts the frame is that of the first gang. No register carries a value that differs
// between gangs from one part to another, so that spill slots are in the context.

// endGroups continues with the next work-group and clears local memory for it. After the last one of a row it continues with
// the first one of the next row.
func (l *lowerer) endGroups(first *mblock) {
	done, row, begin := l.newBlock(0), l.newBlock(1), l.newBlock(1)
	l.countInContext(asm.DEC, CtxGroups)
	l.jcc(asm.JE, done)
	l.poll()
	l.countInContext(asm.DEC, CtxRowGroups)
	l.jcc(asm.JE, row)
	n := l.fetch(8, ctxAt(CtxGroupSize))
	next := l.newBlock(2)
	l.place(next)
	l.moveID(0, asm.ADD, n)
	if len(l.f.FirstIDs) == 0 { // unfolded code reads only the first gang's frame
		l.nextFrame(next)
	}
	l.countInContext(asm.INC, groupID(0))
	l.place(begin)
	if !l.f.Fills {
		l.clearLocals()
	}
	l.jump(first)
	l.cur = nil
	l.place(row)
	l.nextGroupRow()
	l.jump(begin)
	l.cur = nil
	l.place(done)
	l.emit(inst{op: asm.MOVIMM, w: 8, m: ctxAt(CtxStatus), imm: StatusDone})
	l.emit(inst{kind: kLeave})
}

// nextGroupRow sets the ids for the first work-group of the next row. All frames have them: findings read each gang's.
func (l *lowerer) nextGroupRow() {
	l.st(ctxAt(CtxRowGroups), 8, l.fetch(8, ctxAt(CtxRowLength)))
	back, step := l.fetch(8, ctxAt(CtxRowBack)), l.fetch(8, ctxAt(CtxRowStep))
	frame := l.newBlock(2)
	l.place(frame)
	l.moveID(0, asm.SUB, back)
	l.moveID(1, asm.ADD, step)
	l.nextFrame(frame)
	l.emit(inst{op: asm.MOVIMM, w: 8, m: ctxAt(groupID(0))})
	l.countInContext(asm.INC, groupID(1))
}

// groupID returns the offset of the work-group's id in a dimension.
func groupID(d int) int32 { return int32(CtxQueries + 8*(3*int(ssa.GroupID)+d)) }

// countInContext increments or decrements a number in the context.
func (l *lowerer) countInContext(op asm.Op, at int32) { l.emit(inst{op: op, w: 8, m: ctxAt(at)}) }

// moveID adds n to the frame's global ids in a dimension, or subtracts it.
func (l *lowerer) moveID(d int, op asm.Op, n reg) {
	at := frameAt(int32(FrameGlobal + 8*d))
	id := l.fetch(8, at)
	l.op2(op, 8, id, n)
	l.st(at, 8, id)
}

// clearLocals clears local memory.
func (l *lowerer) clearLocals() {
	p, end := l.fetch(8, ctxAt(CtxLocal)), l.fetch(8, ctxAt(CtxLocalWords))
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
