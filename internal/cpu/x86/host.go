package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Accesses through the lanes' pointers, and operations of the launch.

// callLanes calls a stub for the lanes of a predicate, whose pointers are given.
func (s *selector) callLanes(i *gang.Inst, ptr gang.Reg, st stub) {
	if s.f.Rows > 1 {
		s.leaveRows()
		return
	}
	s.inGang(i, func() { s.callStub(i, ptr, st) })
}

// inGang generates code with the frame of an instruction's gang.
func (s *selector) inGang(i *gang.Inst, f func()) {
	if i.Gang == 0 {
		f()
		return
	}
	s.inFrame(int(i.Gang), s.f.FirstIDs[i.Gang], f)
}

func (s *selector) callStub(i *gang.Inst, ptr gang.Reg, st stub) {
	s.pointers(ptr)
	m := s.mask(i.Mask)
	n := s.n
	for st.from = 0; st.from < n; st.from += mostMasked {
		s.within(min(n-st.from, mostMasked), func() {
			part := m
			if m != nil {
				part = m[st.from/s.lv.Lanes:][:s.granules()]
			}
			s.maskBits(part)
		})
		s.movi(rDX, uint64(s.opts.First+int(i.Access)*s.opts.Step)) // its number in records of violations
		s.emit(inst{kind: kCall, imm: s.stub(st)})
	}
}

// foldLoads notes the loads through pointers from which only the first lane's elements are taken, and the instructions that
// take an element out of each lane: the first lane's elements are read where the stub has put them.
func (s *selector) foldLoads(b *gang.Block) {
	for k := range b.Insts {
		i := &b.Insts[k]
		if i.Op != gang.OpLoadPtr || s.defs[i.Dst] != 1 {
			continue
		}
		taken, part, end := int32(0), (*gang.Inst)(nil), k+1
	follow:
		for ; end < len(b.Insts); end++ {
			switch x := &b.Insts[end]; {
			case x.Op == gang.OpPart && part == nil && x.Args[0] == i.Dst && s.defs[x.Dst] == 1 && s.reads[x.Dst] == 1:
				part = x
				continue
			case x.Op != gang.OpFirst || x.Mask != i.Mask:
			case part != nil && x.Args[0] == part.Dst, part == nil && x.Args[0] == i.Dst:
				part = nil
				taken++
				continue
			}
			break follow
		}
		if taken == 0 || taken != s.reads[i.Dst] {
			continue
		}
		s.folds[i.Dst] = true
		for _, x := range b.Insts[k+1 : end] {
			if x.Op == gang.OpPart {
				s.folds[x.Dst] = true
			}
		}
	}
}

// foldPointers notes the instructions of a rarely executed block that compute equidistant pointers for one access: a stub
// does that, to keep code small.
func (s *selector) foldPointers(b *gang.Block) {
	for k := range b.Insts {
		i := &b.Insts[k]
		switch i.Op {
		case gang.OpLoadPtr, gang.OpStorePtr, gang.OpAtomic:
		case gang.OpCopyPtr, gang.OpZeroPtr:
			if i.Size > MaxStep { // the launch does it, from pointers in registers
				continue
			}
		default:
			continue
		}
		for _, a := range i.Args {
			d := s.only(a, b)
			if d == nil || d.Op != gang.OpRamp && d.Op != gang.OpSplat || !s.f.Type(a).K.IsPtr() || s.defs[d.Args[0]] != 1 {
				continue
			}
			s.folds[a] = true
			if sum := s.only(d.Args[0], b); sum != nil && d.Op == gang.OpRamp && sum.Op == gang.OpEach && sum.Each == ssa.OpPtrAdd && s.defs[sum.Args[0]] == 1 && s.defs[sum.Args[1]] == 1 {
				s.folds[sum.Dst] = true
			}
		}
	}
}

// pointers stores the lanes' pointers for the stubs.
func (s *selector) pointers(r gang.Reg) {
	d := s.def[r]
	if d == nil || !s.folds[r] {
		s.storeParts(ctxAt(CtxPtrs), s.vector(r), 8)
		return
	}
	set := func(d, x reg) { s.emit(inst{op: asm.MOVL, w: 8, fl: fDefReg, reg: d, rm: x}) }
	if sum := s.def[d.Args[0]]; sum != nil && s.folds[sum.Dst] {
		base, off := s.scalar(sum.Args[0]), s.scalar(sum.Args[1])
		set(rDX, off)
		set(rAX, base)
	} else {
		set(rAX, s.scalar(d.Args[0]))
		s.movi(rDX, 0)
	}
	s.movi(rCX, uint64(d.Imm)) // 0 of a splat
	s.emit(inst{kind: kCall, imm: s.stub(stub{kind: sSpread, size: s.n})})
}

// stepOf returns the distance of lanes' values in the memory of the stubs.
func stepOf(t gang.Type) int {
	if t.N == 3 {
		return 4 * t.Size()
	}
	return t.Size() * int(t.N)
}

func (s *selector) loadPtr(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	es, n := t.Size(), int(t.N)
	s.callLanes(i, i.Args[0], stub{kind: sLoad, size: es * n, step: stepOf(t)})
	if s.folds[i.Dst] {
		s.block.firstAt = s.firstLane(s.mask(i.Mask), stepOf(t))
		return
	}
	if n != 3 {
		s.setLoaded(i.Dst, ctxAt(CtxVals))
		return
	}
	raw := s.rawVec(es, 4)
	s.loadRaw(raw, ctxAt(CtxVals), es, 4)
	s.setParts(i.Dst, s.components(raw, es, 4)[:n])
}

func (s *selector) storePtr(i *gang.Inst) {
	t := s.f.Type(i.Args[1])
	s.storeValues(i.Args[1])
	s.callLanes(i, i.Args[0], stub{kind: sStore, size: t.Size() * int(t.N), step: stepOf(t)})
}

// copyOrZero selects the copying and zeroing of blocks of memory.
func (s *selector) copyOrZero(i *gang.Inst) {
	n := int(i.Size)
	if n > MaxStep {
		s.hostCall(i)
		return
	}
	step := (n + 7) &^ 7
	if i.Op == gang.OpCopyPtr {
		s.callLanes(i, i.Args[1], stub{kind: sLoad, size: n, step: step})
	} else {
		z := s.constV(1, 0)[0]
		for at := 0; at < step*s.n; at += 16 {
			s.storeLow(ctxAt(int32(CtxVals+at)), z, 16)
		}
	}
	s.callLanes(i, i.Args[0], stub{kind: sStore, size: n, step: step})
}

// hostCall selects an operation of the launch.
func (s *selector) hostCall(i *gang.Inst) {
	s.inGang(i, func() { s.callHost(i) })
}

func (s *selector) callHost(i *gang.Inst) {
	slot := func(n int) mem { return ctxAt(int32(s.out.Area + 8*s.n*(1+n))) }
	for n, a := range i.Args {
		if t := s.f.Type(a); t.Class == gang.Predicate {
			s.maskBits(s.mask(a))
			s.st(slot(n), 8, rAX)
		} else {
			s.storeParts(slot(n), s.vector(a), t.Size())
		}
	}
	s.maskBits(s.mask(i.Mask))
	s.st(ctxAt(int32(s.out.Area)), 8, rAX)
	s.yield(HostOp{Access: &s.f.Accesses[i.Access], Pos: i.Pos})
	if i.Dst == 0 {
		return
	}
	es := s.f.Type(i.Dst).Size()
	s.loadEach(i.Dst, slot(0), 8*s.n, func(q mem) vec { return s.loadParts(q, es) })
}

// Host calls: operations that the launch executes in Go for the active lanes. They are copies of large blocks,
// images, printf, and pure operations without instructions. Code.Ops lists them. Memory at Code.Area in the
// context holds the bits of the active lanes, then the arguments in order: 8 bytes per lane and component.
// Elements of smaller types are packed, and a Bool has one bit per lane. Results overwrite the first arguments.

// layoutHostCalls reserves memory in the context for the operands of host calls.
func (l *lowerer) layoutHostCalls() {
	slots := 0
	for _, i := range l.f.Insts() {
		if i.Op == gang.OpCall || (i.Op == gang.OpCopyPtr || i.Op == gang.OpZeroPtr) && i.Size > MaxStep {
			slots = max(slots, 1+len(i.Args), 1+int(l.f.Type(i.Dst).N))
		}
	}
	l.out.Area = (l.out.CtxSize + 63) &^ 63
	if slots > 0 {
		l.out.CtxSize = l.out.Area + 8*l.n*slots
	}
}

// yield has the launch execute an operation.
func (l *lowerer) yield(o HostOp) {
	l.emit(inst{kind: kYield, imm: int64(len(l.out.Ops))})
	l.out.Ops = append(l.out.Ops, o)
}
