package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Additions of a uniform number at varying addresses, in global memory or with results. Conflict detection gives, for
// each lane, the set of earlier lanes with the same address; its size is the number of additions before this one.
//
// In local memory, which no other thread changes, a gather, an addition and a scatter of all lanes suffice: the
// last lane of each address wins. Without results an instruction for each lane is faster (changeEach). In global memory
// the last lane of each address adds for all of them with one locked instruction.

// apartFrom returns idx with a unique negative index in each inactive lane. Indices of active lanes are not
// negative, so that inactive lanes conflict with none.
func (l *memory) apartFrom(idx vec, m mask) vec {
	if m == nil {
		return idx
	}
	others := l.each2(4, asm.VPXOR, l.ramp(4, 1), l.constV(4, ones(32)))
	return l.choose(m, idx, others, 4)
}

// addBins performs the additions in memory that no other thread accesses, one register after the other. It returns
// each lane's old value, as if the lanes executed in order.
func (l *memory) addBins(x vec, one bool, q mem, idx vec, m mask, rmw ssa.RMW) (old vec) {
	op := changeOp(rmw, 4, false)
	keys := l.apartFrom(idx, m)
	if m == nil {
		m = l.allMask()
	}
	for i, r := range idx {
		l.within(l.lv.Lanes, func() {
			before := l.each1(4, asm.VPOPCNTD, l.each1(4, asm.VPCONFLICTD, keys[i:i+1]))
			if !one {
				before = l.each2(4, asm.VPMULLD, before, x)
			}
			lanes := mask{m[i]}
			was := l.each2(4, op, l.gatherWords(q, vec{r}, 4, lanes), before)
			l.scatter32(q, vec{r}, l.each2(4, op, was, x), 4, lanes)
			old = append(old, was...)
		})
	}
	return old
}

// lockBins performs the additions in memory that other threads may access.
func (l *memory) lockBins(x, base reg, idx vec, m mask, s stub) {
	before := l.each1(4, asm.VPCONFLICTD, l.apartFrom(idx, m))
	earlier := l.reduce(asm.VPOR, before, 4) // lanes whose address occurs in a later lane
	l.opi(asm.NOT, 8, earlier, 0)
	l.storeOffsets(idx)
	l.storeParts(ctxAt(CtxVals), before, 4)
	l.st(ctxAt(CtxVals+CtxArgSize), 8, x)
	l.maskBits(m)
	l.op2(asm.AND, 8, rAX, earlier)
	l.mov(rDX, base)
	l.emit(inst{kind: kCall, imm: l.stub(s)})
}

// bins executes, for each lane in RAX, the addition at RDX plus the lane's offset at CtxPtrs. It adds the
// number after CtxVals once, and once more for each bit set at CtxVals.
func (e *emitter) bins(s *stub) {
	w := asm.Width(s.size)
	e.saving(s, []asm.Reg{asm.RBX, asm.RDI, asm.R8, asm.R9}, func() {
		e.eachLane(s, func() {
			e.laneAddress(s)
			e.rm(asm.POPCNT, 4, asm.R8, asm.AtIndex(asm.R15, asm.RCX, 4, CtxVals))
			e.ri(asm.ADDIMM, 4, asm.R8, 1)
			e.rm(asm.IMUL, 8, asm.R8, asm.At(asm.R15, CtxVals+CtxArgSize))
			if s.rmw == ssa.RMWSub {
				e.ri(asm.NEG, 8, asm.R8, 0)
			}
			at := asm.At(asm.RDI, 0)
			e.byAlignment(s, func() {
				e.rm(asm.ADD, w, asm.R8, at)
				e.rm(asm.MOV, w, asm.R8, at)
			}, func() { e.rm(asm.LOCKADD, w, asm.R8, at) })
		})
	})
}
