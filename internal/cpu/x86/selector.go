package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Selection from gang functions.

// A selector translates the instructions of a gang function to machine instructions.
type selector struct {
	*objects
	to   []*mblock // by gang block
	next *mblock   // of the block that follows in the layout
}

func newSelector(l *lowerer) *selector {
	e := &elements{operands: newOperands(l), recip: map[gang.Reg]reciprocal{}}
	o := &objects{elements: e, flips: map[flipKey]reg{}, runs: map[gang.Reg]*runAccess{}, wants: map[gang.Reg]widening{}, sources: map[gang.Reg]reg{}, compactions: map[*gang.Inst]compaction{}}
	s := &selector{objects: o}
	for _, b := range l.f.Blocks {
		s.foldTerminator(b)
		if b.Cold {
			s.foldLoads(b)
			s.foldPointers(b)
		}
	}
	s.findTaken()
	s.findSeparate()
	s.findWants()
	s.findSources()
	return s
}

// run selects instructions for all blocks.
func (s *selector) run() {
	l := s.lowerer
	l.survey()
	s.layoutLocalCopies()
	l.pre = l.newBlock(0)
	l.once = true
	l.place(l.pre)
	if s.f.Groups {
		l.spillBase = rCtx
		l.spillFrom = int32(l.out.CtxSize+63) &^ 63
		l.out.CtxSize = int(l.spillFrom)
	}
	back := make([]bool, len(s.f.Blocks))
	for k, b := range s.f.Blocks {
		for _, t := range b.Succs {
			if t.ID <= k {
				back[t.ID] = true
			}
		}
	}
	s.to = make([]*mblock, 0, len(s.f.Blocks))
	for k, b := range s.f.Blocks {
		depth := b.Depth
		if k == s.group() && s.f.Groups {
			depth = 1
		}
		m := l.newBlock(depth)
		m.cold, m.align = b.Cold, back[k] && !b.Cold
		s.to = append(s.to, m)
	}
	for k, b := range s.f.Blocks {
		l.from, l.once = b, k == 0
		l.place(s.to[k])
		if s.next = nil; k+1 < len(s.to) {
			s.next = s.to[k+1]
		}
		s.block.begin(b)
		for n := range b.Insts {
			if l.regs.NumRegs() > maxRegisters {
				gang.Refuse("more than %d virtual registers", maxRegisters)
			}
			i := &b.Insts[n]
			s.block.n = n
			s.wholeRegisters(i)
			if i.Pos.IsValid() {
				l.pos = i.Pos
			}
			switch {
			case s.folds[i.Dst] && i.Op != gang.OpLoadPtr:
			case i.Op.IsTerminator():
				s.terminator(b, i)
			default:
				instructions[i.Op](s, i)
				s.where[i.Dst] = place{s.cur, len(s.cur.insts)}
			}
		}
	}
	l.from = nil
	l.mergeInserts()
}

// group returns the number of the first block of each work-group.
func (s *selector) group() int {
	if s.f.Once {
		return 1
	}
	return 0
}

// wholeRegisters refuses operations on elements side by side that do not fill registers: their number in a lane must be a power
// of two. Structures of other numbers of elements are loaded, copied, taken apart, joined and stored.
func (s *selector) wholeRegisters(i *gang.Inst) {
	switch i.Op {
	case gang.OpEach, gang.OpSplat, gang.OpShuffle, gang.OpInsert, gang.OpVote, gang.OpAny:
		for _, r := range i.Args {
			s.wholeRegister(i, r)
		}
		s.wholeRegister(i, i.Dst)
	}
}

func (s *selector) wholeRegister(i *gang.Inst, r gang.Reg) {
	if n := s.f.Type(r).N; n&(n-1) != 0 {
		gang.Refuse("%v of %d elements in a lane", i.Op, n)
	}
}

// instructions selects the instructions for gang instructions that are no terminators.
var instructions = [...]func(s *selector, i *gang.Inst){
	gang.OpConst:    (*selector).constInst,
	gang.OpCopy:     (*selector).copyInst,
	gang.OpEach:     (*selector).each,
	gang.OpSplat:    (*selector).splat,
	gang.OpRamp:     (*selector).ramp,
	gang.OpFirst:    (*selector).first,
	gang.OpPart:     (*selector).part,
	gang.OpShuffle:  (*selector).shuffle,
	gang.OpInsert:   (*selector).insert,
	gang.OpJoin:     (*selector).join,
	gang.OpActive:   func(s *selector, i *gang.Inst) { s.setK(i.Dst, s.gangMask()) },
	gang.OpVote:     (*selector).vote,
	gang.OpPermute:  (*selector).permute,
	gang.OpExchange: (*selector).subGroup,
	gang.OpBallot:   (*selector).subGroup,
	gang.OpRank:     (*selector).rank,
	gang.OpCount:    (*selector).countBits,
	gang.OpParam:    (*selector).query,
	gang.OpQuery:    (*selector).query,
	gang.OpIDEnd:    (*selector).query,
	gang.OpRoot:     (*selector).query,
	gang.OpObject:   (*selector).query,
	gang.OpInside:   (*selector).inside,
	gang.OpLoad:     (*selector).access,
	gang.OpStore:    (*selector).access,
	gang.OpLoadPtr:  (*selector).loadPtr,
	gang.OpStorePtr: (*selector).storePtr,
	gang.OpCopyPtr:  (*selector).copyOrZero,
	gang.OpZeroPtr:  (*selector).copyOrZero,
	gang.OpAtomic:   (*selector).atomic,
	gang.OpAtomicAt: (*selector).atomicAt,
	gang.OpLeave:    func(s *selector, _ *gang.Inst) { s.leaveRows() },
	gang.OpClear:    func(s *selector, _ *gang.Inst) { s.clear(at(s.privateMemory(), 0), s.out.Private*s.f.Lanes) },
	gang.OpZeroOwn:  (*selector).zeroOwn,
	gang.OpPrefetch: prefetch,
	gang.OpFence:    func(s *selector, _ *gang.Inst) { s.emit(inst{op: asm.MFENCE}) },
	gang.OpCall:     (*selector).hostCall,
	gang.OpBegin:    func(s *selector, i *gang.Inst) { s.st(frameAt(FrameGlobal), 8, s.scalar(i.Args[0])) },
	gang.OpPoll:     (*selector).pollLoop,
	gang.OpBarrier:  func(s *selector, i *gang.Inst) { s.emit(inst{kind: kBarrier, imm: i.Imm + 1}) },
}

// query selects what the context or the frame has.
func (s *selector) query(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	w := asm.Width(t.Size())
	var m mem
	switch q := ssa.WorkItemQuery(i.Imm); {
	case i.Op == gang.OpParam:
		m = ctxAt(int32(s.out.Params[i.Imm][0] + 8*int(i.Aux)))
	case i.Op == gang.OpRoot:
		m = rootAt(int(i.Root), RootPtr)
	case i.Op == gang.OpObject:
		m = rootAt(int(i.Root), [...]int{ssa.ObjectBytes: RootLen, ssa.ObjectWritable: RootWrites, ssa.ObjectAddress: RootBase}[i.Imm])
	case i.Op == gang.OpIDEnd:
		m = ctxAt(CtxIDEnd)
	case q == ssa.GlobalID:
		m = frameAt(FrameGlobal + 8*int32(i.Aux))
	case q == ssa.LocalID:
		m = frameAt(FrameLocal + 8*int32(i.Aux))
	default:
		m = ctxAt(int32(CtxQueries + 8*(3*i.Imm+min(i.Aux, 2))))
	}
	switch {
	case !isGeneral(t):
		var d reg
		s.insertAt(s.pre, -1, func() { d = s.rematerialise(s.vload(vbroadcast[t.Size()], s.lv.VL, m)) })
		s.setV(i.Dst, vec{d})
	case i.Op == gang.OpParam, w == 8 && (i.Op == gang.OpRoot || i.Op == gang.OpObject): // the same in all gangs
		var d reg
		s.insertAt(s.pre, -1, func() { d = s.rematerialise(s.fetch(8, m)) })
		s.setG(i.Dst, d)
	default:
		s.setG(i.Dst, s.fetch(w, m))
	}
}
