package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Atomic operations.

// atomicStub returns the stub for an atomic operation through the lanes' pointers, and the kind of its elements.
func (s *selector) atomicStub(i *gang.Inst) (st stub, k ssa.Kind) {
	t := s.f.Type(i.Args[len(i.Args)-1])
	if i.Dst != 0 {
		t = s.f.Type(i.Dst)
	}
	es := t.Size()
	if t.N != 1 || es != 2 && es != 4 && es != 8 {
		gang.Refuse("an atomic operation on %v", t.K)
	}
	st = stub{kind: sRMW, size: es, step: 8, used: true}
	switch i.Each {
	case ssa.OpAtomicLoad:
		st = stub{kind: sLoad, size: es, step: 8, whole: true}
	case ssa.OpAtomicStore:
		st.rmw = ssa.RMWXchg
	case ssa.OpAtomicRMW:
		st.rmw, _, _ = ssa.AtomicParts(i.Aux)
		switch st.rmw {
		case ssa.RMWMin, ssa.RMWMax, ssa.RMWAdd, ssa.RMWSub:
			st.elem = t.K
		}
	case ssa.OpAtomicCAS:
		st.rmw = rmwCAS
	}
	return st, t.K
}

// atomicOperands stores the operands for the stubs.
func (s *selector) atomicOperands(i *gang.Inst, es int) {
	for k, a := range i.Args[1:] {
		p := s.vector(a)
		if es < 8 {
			p = s.extend(es, 8, false, p)
		}
		s.storeParts(ctxAt(int32(CtxVals+k*CtxArgSize)), p, 8)
	}
}

// atomicResult takes the results of the stubs.
func (s *selector) atomicResult(i *gang.Inst, es int) {
	if i.Dst == 0 || s.reads[i.Dst] == 0 && s.defs[i.Dst] == 1 {
		return
	}
	result := CtxVals + CtxResult
	if i.Each == ssa.OpAtomicLoad {
		result = CtxVals
	}
	s.setV(i.Dst, s.truncate(8, es, s.loadParts(ctxAt(int32(result)), 8)))
}

// atomic selects an atomic operation through the lanes' pointers, lane after lane.
func (s *selector) atomic(i *gang.Inst) {
	st, _ := s.atomicStub(i)
	s.atomicOperands(i, st.size)
	s.callLanes(i, i.Args[0], st)
	s.atomicResult(i, st.size)
}

// uniformOperand returns the general register of a vector with one integer in all lanes.
func (s *selector) uniformOperand(r gang.Reg) (g reg, ok bool) {
	if x, ok := s.bits(r); ok {
		return s.generalConst(x), true
	}
	if d := s.def[r]; d != nil && d.Op == gang.OpSplat && isGeneral(s.f.Type(d.Args[0])) && (s.defs[d.Args[0]] == 1) {
		return s.scalar(d.Args[0]), true
	}
	return 0, false
}

// atomicAt selects an atomic operation on a known object, in bounds.
func (s *selector) atomicAt(i *gang.Inst) {
	st, k := s.atomicStub(i)
	fast := st
	fast.step, fast.used = 0, i.Dst != 0
	if i.Mask == 0 {
		fast.all = s.n
	}
	if i.Each == ssa.OpAtomicLoad {
		fast.rmw = rmwLoad
	}
	fast.alone = s.f.Roots[i.Root].Local
	switch {
	case i.Shape == gang.Uniform:
		s.atomicOnce(i, st, fast, k)
	default:
		direct := func() {
			if !s.atomicBins(i, st, k) {
				s.atomicLanes(i, fast, k)
			}
		}
		if !s.copied(i, &st, k, direct) {
			direct()
		}
	}
}

// atomicOnce selects an operation at one address.
func (s *selector) atomicOnce(i *gang.Inst, st, fast stub, k ssa.Kind) {
	q, m := s.place0(i), s.mask(i.Mask)
	if i.Each == ssa.OpAtomicLoad {
		s.setV(i.Dst, s.everywhere(s.vload(vbroadcast[st.size], s.lv.VL, q), st.size))
		return
	}
	if i.Dst == 0 && i.Each == ssa.OpAtomicRMW {
		switch x, same := s.uniformOperand(i.Args[1]); {
		case i.Sum != 0:
			s.sumAt(int(i.Sum)-1, k, q, s.vector(i.Args[1]), m, st)
			return
		case same && (st.rmw == ssa.RMWAdd || st.rmw == ssa.RMWSub) && !k.Num().IsFloat():
			s.countAt(q, x, m, fast.alone, st)
			return
		case s.lv.Target().Combines(st.rmw, k):
			s.changeOnce(k, fast.alone, q, s.operandsOf(k, st.rmw, s.vector(i.Args[1]), m), st)
			return
		}
	}
	s.atomicOperands(i, st.size)
	fast.kind = sChain
	s.lea(rDX, q)
	s.stubCall(m, fast)
	s.atomicResult(i, st.size)
}

// laneOffsets returns the lanes' 32-bit offsets of an atomic operation.
func (s *selector) laneOffsets(i *gang.Inst, es int) (idx vec, scale int) {
	if i.Shape == gang.Gather {
		return s.offsetsOf(i, int(i.Root), false)
	}
	first := s.broadcast(4, s.scalar(i.Args[0]))
	idx = s.each2(4, asm.VPADDD, first, s.arithmetic.ramp(4, int64(es)))
	if s.large(int(i.Root)) {
		idx = s.each2(4, asm.VPXOR, idx, s.constV(4, largeMiddle))
	}
	return idx, 1
}

// baseOf returns the address of the lanes' offsets of an atomic operation.
func (s *selector) baseOf(i *gang.Inst) reg {
	base := s.gatherBase(int(i.Root), false)
	if i.Imm == 0 {
		return base
	}
	return s.result(cG, inst{op: asm.LEA, w: 8, m: at(base, int32(i.Imm))})
}

// atomicLanes selects an operation of the lanes one after the other.
func (s *selector) atomicLanes(i *gang.Inst, st stub, k ssa.Kind) {
	st.kind = sAtomic
	idx, scale := s.laneOffsets(i, st.size)
	st.scale = uint8(scale)
	if s.changesAll(i, &st, k, idx) {
		return
	}
	st.row = st.inPairs() && i.Shape == gang.Contiguous
	s.atomicOperands(i, st.size)
	s.storeOffsets(idx)
	s.mov(rDX, s.baseOf(i))
	s.stubCall(s.mask(i.Mask), st)
	s.atomicResult(i, st.size)
}

// changesAll selects a commutative operation of all lanes on local memory without use of the results, if it needs no stub.
// Inactive lanes change elements at the start of the object, by the neutral operand.
func (s *selector) changesAll(i *gang.Inst, st *stub, k ssa.Kind, idx vec) bool {
	if !st.alone || st.used || i.Each != ssa.OpAtomicRMW || rmwOps[st.rmw].op == ssa.OpInvalid || st.floats() || s.n > maxInline || i.Imm != 0 && i.Shape == gang.Gather { // else no index is negative
		return false
	}
	m := s.mask(i.Mask)
	x, same := s.uniformOperand(i.Args[1])
	if m != nil {
		g := s.f.Roots[i.Root].Var
		if g == nil || g.Size < int64(s.n*st.size) || i.Imm != 0 {
			return false
		}
		idx = s.choose(m, idx, s.arithmetic.ramp(4, int64(st.size)/int64(st.scale)), 4)
		same = false
	}
	if !same {
		s.storeParts(ctxAt(CtxVals), s.operandsOf(k, st.rmw, s.vector(i.Args[1]), m), st.size)
		x = 0
	}
	places := s.places(i, s.baseOf(i))
	r, es := s.narrowIndices(i)
	switch {
	case same && s.sources[r] != 0:
		for lane := range s.n {
			q := places[lane%len(places)]
			q.index, q.scale = s.g(), st.scale
			s.emit(inst{op: loadOf[es], w: 4, fl: fDefReg, reg: q.index, m: at(s.sources[r], int32(es*lane))})
			s.change(st, k, q, x)
		}
		return true
	case r != 0: // general registers take more of the narrow indices at once
		idx = s.vector(r)
	default:
		es = 4
	}
	s.changeEach(st, k, places, idx, es, x)
	return true
}

// maxInline is the greatest number of lanes whose operations are in the code, without a call of a stub.
const maxInline = 16

// changeEach changes memory at the lanes' indices, which are unsigned integers of es bytes. The lanes use the places that the
// indices count from in turn. The operand is x, or that at CtxVals if x is 0.
func (s *selector) changeEach(st *stub, k ssa.Kind, places []mem, idx vec, es int, x reg) {
	s.eachIndex(idx, es, false, func(lane int, index reg) {
		by := x
		if by == 0 {
			by = s.fetch(asm.Width(st.size), ctxAt(int32(CtxVals+st.size*lane)))
		}
		q := places[lane%len(places)]
		q.index, q.scale = index, st.scale
		s.change(st, k, q, by)
	})
}

// change applies a commutative operation to memory that no other thread accesses.
func (s *selector) change(st *stub, k ssa.Kind, q mem, x reg) {
	w := asm.Width(st.size)
	if op := rmwOps[st.rmw].mem; op != asm.NoOp {
		s.emit(inst{op: op, w: w, fl: fUseReg, reg: x, m: q})
		return
	}
	old := s.fetch(w, q)
	s.cmp(w, x, old)
	s.op2(exchanges[st.rmw == ssa.RMWMax][k.Num().Signed()], w, old, x)
	s.st(q, w, old)
}

// atomicBins selects the addition of one number at varying addresses. It reports false where the lanes one after the
// other are better.
func (s *selector) atomicBins(i *gang.Inst, st stub, k ssa.Kind) bool {
	if !s.lv.Conflicts || i.Each != ssa.OpAtomicRMW || st.rmw != ssa.RMWAdd && st.rmw != ssa.RMWSub || k.Num().IsFloat() || i.Shape != gang.Gather || s.large(int(i.Root)) {
		return false
	}
	x, same := s.uniformOperand(i.Args[1])
	local, used := s.f.Roots[i.Root].Local, i.Dst != 0
	switch {
	case !same:
		return false
	case local:
		if !used || !s.lv.BitCounts || st.size != 4 { // no population count instruction
			return false
		}
	case used || s.n != s.lv.Lanes:
		return false
	}
	s.out.Binned = append(s.out.Binned, i.Access)
	idx, scale := s.laneOffsets(i, st.size)
	base, m := s.baseOf(i), s.mask(i.Mask)
	if !local {
		s.lockBins(x, base, idx, m, stub{kind: sBins, size: st.size, rmw: st.rmw, scale: uint8(scale)})
		return true
	}
	q := at(base, 0)
	q.scale = uint8(scale)
	one, known := s.constant(i.Args[1])
	old := s.addBins(s.vector(i.Args[1]), known && one == 1, q, idx, m, st.rmw)
	if used {
		s.setV(i.Dst, old)
	}
	return true
}
