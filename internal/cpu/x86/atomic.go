package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Atomic operations. Stubs execute them lane by lane, in the order of the lanes. If the object is known, bounds
// are checked once for the gang; otherwise the object table gives each lane's bounds. Local memory belongs to the
// worker that runs the work-group, so plain instructions suffice there. If all lanes access one address, their
// operands are combined in a register and memory is changed once. If the addresses are consecutive and results are
// unused, one instruction changes two elements of 4 bytes.
//
// An address that is not a multiple of the element's size gets no locked instruction: across two cache lines that
// takes thousands of cycles, and some systems end a process for it. A lock (exec.Unaligned) serialises such
// operations. The test uses the address in memory, because a buffer may begin anywhere.

// The operations of stubs, in addition to those of package ssa.
const (
	rmwCAS = ssa.NumRMW + iota
	rmwLoad
)

// rmwOps has, by atomic operation, the operation that computes the new value, and the instructions that change memory without and
// with a lock, if there are such. The locked subtraction adds the negative operand.
var rmwOps = [rmwLoad + 1]struct {
	op        ssa.Op
	mem, lock asm.Op
}{
	ssa.RMWAdd: {ssa.OpAdd, asm.ADDST, asm.LOCKADD},
	ssa.RMWSub: {ssa.OpSub, asm.SUBST, asm.LOCKADD},
	ssa.RMWAnd: {ssa.OpAnd, asm.ANDST, asm.LOCKAND},
	ssa.RMWOr:  {ssa.OpOr, asm.ORST, asm.LOCKOR},
	ssa.RMWXor: {ssa.OpXor, asm.XORST, asm.LOCKXOR},
	ssa.RMWMin: {op: ssa.OpMin},
	ssa.RMWMax: {op: ssa.OpMax},
}

// countAt adds or subtracts x at q, which is in bounds, as often as there are lanes in m.
func (l *memory) countAt(q mem, x reg, m mask, local bool, slow stub) {
	w := asm.Width(slow.size)
	n := l.g()
	if m == nil {
		l.movi(n, uint64(l.n))
	} else {
		l.maskBits(m)
		l.emit(inst{op: asm.POPCNT, w: 8, fl: fDefReg, reg: n, rm: rAX})
	}
	l.op2(asm.IMUL, w, n, x)
	l.changeBy(q, n, local, slow)
}

// changeBy applies an operand to memory at q, which is in bounds, by an instruction.
func (l *memory) changeBy(q mem, n reg, local bool, slow stub) {
	w := asm.Width(slow.size)
	if slow.rmw == ssa.RMWSub {
		l.emit(inst{op: asm.NEG, w: w, fl: fDefRM | fUseReg, rm: n})
		slow.rmw = ssa.RMWAdd
	}
	row := &rmwOps[slow.rmw]
	if local {
		l.emit(inst{op: generalOps[row.op].op, w: w, fl: fDefReg | fUseReg, reg: n, m: q})
		l.st(q, w, n)
		return
	}
	t := l.g()
	l.lea(t, q)
	l.misaligned(t, slow.size)
	join := l.apart(asm.JNE, func() { l.chainOne(at(t, 0), n, slow) })
	l.emit(inst{op: row.lock, w: w, fl: fUseReg, reg: n, m: at(t, 0)})
	l.place(join)
}

// misaligned clears the zero flag if an address is not a multiple of an element's size.
func (l *memory) misaligned(address reg, es int) {
	l.emit(inst{op: asm.TESTIMM, w: 4, rm: address, imm: int64(es - 1)})
}

// chainOne changes memory at q, which is in bounds, by a stub with one operand n.
func (l *memory) chainOne(q mem, n reg, s stub) {
	l.st(ctxAt(CtxVals), 8, n)
	l.lea(rDX, q)
	l.movi(rAX, 1)
	l.emit(inst{kind: kCall, imm: l.stub(stub{kind: sChain, size: s.size, rmw: s.rmw, elem: s.elem})})
}

// changeOnce applies the operands of all lanes to memory at q, which is in bounds.
func (l *memory) changeOnce(k ssa.Kind, local bool, q mem, p vec, slow stub) {
	es, signed := size(k), k.Num().Signed()
	op, _ := lanesOp(slow.rmw, es, signed)
	n := l.reduce(op, p, es)
	if rmwOps[slow.rmw].lock != asm.NoOp {
		l.changeBy(q, n, local, slow)
		return
	}
	// A minimum or maximum usually changes nothing.
	done := l.blockHere()
	w := asm.Width(es)
	old := l.fetch(w, q)
	l.cmp(w, old, n)
	unchanged := jumps[ssa.OpLe].of(signed)
	if slow.rmw == ssa.RMWMax {
		unchanged = inverse[jumps[ssa.OpLt].of(signed)]
	}
	l.jcc(unchanged, done)
	if local {
		l.st(q, w, n)
	} else {
		l.chainOne(q, n, slow)
	}
	l.place(done)
}

// reduce combines the elements of all lanes into a general register.
func (l *memory) reduce(op asm.Op, p vec, es int) reg {
	r := p[0]
	for _, x := range p[1:] {
		r = l.rvm(op, l.lv.VL, r, x)
	}
	if l.lv.VL == 64 {
		r = l.rvm(op, 32, r, l.mr(asm.VEXTRACTI64X4, 64, r, 1))
	}
	r = l.rvm(op, 16, r, l.mr(asm.VEXTRACTI128, 32, r, 1))
	r = l.rvm(op, 16, r, l.rmi(asm.VPSHUFD, 16, r, 0x4E))
	if es == 4 {
		r = l.rvm(op, 16, r, l.rmi(asm.VPSHUFD, 16, r, 0xB1))
	}
	return l.low(r, es)
}

// Stubs. Operands and the expected values of a compare-and-exchange are at CtxVals, the new values CtxArgSize
// bytes later, the results CtxResult bytes later: 8 bytes for each lane.

// operandAt returns the place of a lane's operand; the lane is in RCX.
func operandAt(off int) asm.Mem { return asm.AtIndex(asm.R15, asm.RCX, 8, int32(CtxVals+off)) }

// floats reports whether s computes with floats.
func (s *stub) floats() bool { return s.elem == ssa.F16 || s.elem == ssa.F32 || s.elem == ssa.F64 }

// combine computes into R9 the new value from the old value and the operand in R8. It clobbers the vector
// registers 0 to 2.
func (e *emitter) combine(s *stub, old asm.Reg) {
	w := asm.Width(s.size)
	if s.floats() {
		e.combineFloats(s, old)
		return
	}
	switch s.rmw {
	case ssa.RMWXchg:
		e.rr(asm.MOVL, 8, asm.R9, asm.R8)
	case rmwCAS:
		e.rm(asm.MOVL, w, asm.R9, operandAt(CtxArgSize))
		e.rr(asm.CMP, w, old, asm.R8)
		e.rr(asm.CMOVNE, w, asm.R9, old)
	case ssa.RMWMin, ssa.RMWMax:
		e.rr(asm.MOVL, 8, asm.R9, asm.R8)
		e.rr(asm.CMP, w, old, asm.R8)
		e.rr(exchanges[s.rmw == ssa.RMWMax][s.elem.Num().Signed()], w, asm.R9, old)
	default:
		e.rr(asm.MOVL, 8, asm.R9, old)
		e.rr(generalOps[rmwOps[s.rmw].op].op, w, asm.R9, asm.R8)
	}
}

// combineFloats computes in float for halfs. The sum of two halfs has the correct bits after both roundings,
// because float has at least 2·11+2 bits of precision; a minimum or maximum is one of the operands, bit for bit.
func (e *emitter) combineFloats(s *stub, old asm.Reg) {
	x, y, z := asm.V(0), asm.V(1), asm.V(2)
	rvm := func(op asm.Op, d, a, b asm.Reg, imm int64) {
		e.raw(asm.Inst{Op: op, W: 16, Reg: d, V: a, RM: b, Imm: imm})
	}
	half, size := s.size == 2, max(s.size, 4)
	in, compare := vmovd[size], vcmp[size]
	out := func(r asm.Reg) { e.raw(asm.Inst{Op: vlow[size], W: 16, Reg: r, V: asm.NoReg, RM: asm.R9}) }
	e.rr(in, 16, x, old)
	e.rr(in, 16, y, asm.R8)
	if half {
		e.rr(asm.VCVTPH2PS, 16, x, x)
		e.rr(asm.VCVTPH2PS, 16, y, y)
	}
	limit, a, b := limiters[s.rmw == ssa.RMWMax][size], y, x // a half minimum is the operand in R8 if a < b
	if s.rmw == ssa.RMWMax {
		a, b = x, y
	}
	switch limits := s.rmw == ssa.RMWMin || s.rmw == ssa.RMWMax; {
	case limits && half:
		rvm(compare, z, a, b, cmpLT)
		rvm(compare, x, x, x, cmpUNORD)
		rvm(asm.VPOR, z, z, x, 0)
		out(z)
		e.rr(asm.XOR, 4, asm.R8, old)
		e.rr(asm.AND, 4, asm.R9, asm.R8)
		e.rr(asm.XOR, 4, asm.R8, old)
		e.rr(asm.XOR, 4, asm.R9, old)
		return
	case limits: // the semantics of package numeric
		rvm(compare, z, x, x, cmpUNORD)
		rvm(limit, x, y, x, 0)
		rvm(asm.VPBLENDVB, x, x, y, int64(z))
	default:
		rvm(e.lv.selected(rmwOps[s.rmw].op, ofFloats, size).ops[size], x, x, y, 0)
	}
	if half {
		e.raw(asm.Inst{Op: asm.VCVTPS2PH, W: 16, Reg: x, V: asm.NoReg, RM: x}) // to nearest even
	}
	out(x)
}

// jumpAligned jumps to ok if an address is a multiple of the element's size.
func (e *emitter) jumpAligned(s *stub, address asm.Reg, ok asm.Label) {
	e.ri(asm.TESTIMM, 4, address, int64(s.size-1))
	e.a.Jump(asm.JE, ok)
}

// lock acquires the lock for misaligned operations. It clobbers RBX and R9.
func (e *emitter) lock() {
	again, wait := e.a.NewLabel(), e.a.NewLabel()
	e.rm(asm.MOVL, 8, asm.RBX, ctx(CtxUnaligned))
	e.a.Jump(asm.JMP, again)
	e.a.Bind(wait)
	e.a.Bytes([]byte{0xF3, 0x90}) // pause
	e.a.Bind(again)
	e.ri(asm.MOVIMM, 4, asm.R9, 1)
	e.rm(asm.XCHG, 4, asm.R9, asm.At(asm.RBX, 0))
	e.testRegs(4, asm.R9, asm.R9, asm.JNE, wait)
}

// unlock releases the lock for misaligned operations. It clobbers RBX.
func (e *emitter) unlock() {
	e.rm(asm.MOVL, 8, asm.RBX, ctx(CtxUnaligned))
	e.raw(asm.Inst{Op: asm.MOVIMM, W: 4, Reg: asm.NoReg, V: asm.NoReg, RM: asm.NoReg, HasMem: true, Mem: asm.At(asm.RBX, 0)})
}

// shared performs an operation on memory at [RDI] that other threads may access. It clobbers RAX, RBX, R8 and R9.
func (e *emitter) shared(s *stub) {
	e.byAlignment(s, func() { e.plain(s) }, func() { e.locked(s) })
}

// byAlignment emits the code for an aligned address in RDI, and that for other addresses, which it executes under the lock. It
// clobbers RBX and R9.
func (e *emitter) byAlignment(s *stub, other, aligned func()) {
	ok, done := e.a.NewLabel(), e.a.NewLabel()
	e.jumpAligned(s, asm.RDI, ok)
	e.lock()
	other()
	e.unlock()
	e.a.Jump(asm.JMP, done)
	e.a.Bind(ok)
	aligned()
	e.a.Bind(done)
}

// laneAddress sets RDI to RDX plus the offset at CtxPtrs of the lane in RCX.
func (e *emitter) laneAddress(s *stub) {
	e.rm(asm.MOVSXD, 8, asm.RDI, asm.AtIndex(asm.R15, asm.RCX, 4, CtxPtrs))
	e.rm(asm.LEA, 8, asm.RDI, asm.AtIndex(asm.RDX, asm.RDI, s.scale, 0))
}

// locked performs an operation on memory at [RDI], an aligned address, that other threads may access. It clobbers
// RAX, R8 and R9.
func (e *emitter) locked(s *stub) {
	w := asm.Width(s.size)
	at := asm.At(asm.RDI, 0)
	e.rm(asm.MOVL, w, asm.R8, operandAt(0))
	result := asm.R8
	switch {
	case s.rmw == ssa.RMWXchg:
		e.rm(asm.XCHG, w, asm.R8, at)
	case (s.rmw == ssa.RMWAdd || s.rmw == ssa.RMWSub) && !s.floats():
		if s.rmw == ssa.RMWSub {
			e.ri(asm.NEG, w, asm.R8, 0)
		}
		e.rm(asm.LOCKXADD, w, asm.R8, at)
	case s.rmw == rmwCAS:
		e.rr(asm.MOVL, 8, asm.RAX, asm.R8)
		e.rm(asm.MOVL, w, asm.R9, operandAt(CtxArgSize))
		e.rm(asm.LOCKCMPXCHG, w, asm.R9, at)
		result = asm.RAX
	default:
		e.rm(asm.MOVL, w, asm.RAX, at)
		again := e.a.NewLabel()
		e.a.Bind(again)
		e.combine(s, asm.RAX)
		e.rm(asm.LOCKCMPXCHG, w, asm.R9, at)
		e.a.Jump(asm.JNE, again)
		result = asm.RAX
	}
	if s.used {
		e.rm(asm.MOV, w, result, operandAt(CtxResult))
	}
}

// plain performs an operation on memory at [RDI] that no other thread accesses. It clobbers RBX, R8 and R9.
func (e *emitter) plain(s *stub) {
	w := asm.Width(s.size)
	at := asm.At(asm.RDI, 0)
	e.rm(asm.MOVL, w, asm.R8, operandAt(0))
	if s.used || s.rmw != ssa.RMWXchg {
		e.rm(asm.MOVL, w, asm.RBX, at)
	}
	e.combine(s, asm.RBX)
	e.rm(asm.MOV, w, asm.R9, at)
	if s.used {
		e.rm(asm.MOV, w, asm.RBX, operandAt(CtxResult))
	}
}

// saving emits a stub: it saves registers, and the vector registers that combine uses, executes f, restores the registers
// and returns.
func (e *emitter) saving(s *stub, saved []asm.Reg, f func()) {
	vectors := func(op asm.Op) {
		for i := 0; i < 3 && s.floats(); i++ {
			e.rm(op, e.lv.VL, asm.V(i), ctx(int32(CtxArgs+i*int(e.lv.VL))))
		}
	}
	for _, r := range saved {
		e.push(r)
	}
	vectors(asm.VMOVUPSST)
	f()
	vectors(asm.VMOVUPS)
	for _, r := range slices.Backward(saved) {
		e.pop(r)
	}
	e.raw(asm.Inst{Op: asm.RET})
}

// eachLane emits a loop over the lanes in RAX, or over all lanes. f finds the lane in RCX. It must preserve RCX,
// and RAX unless the stub is for all lanes.
func (e *emitter) eachLane(s *stub, f func()) {
	loop, done := e.a.NewLabel(), e.a.NewLabel()
	if s.all > 0 {
		e.ri(asm.MOVIMM, 4, asm.RCX, 0)
		e.a.Bind(loop)
		f()
		e.ri(asm.ADDIMM, 4, asm.RCX, 1)
		e.ri(asm.CMPIMM, 4, asm.RCX, int64(s.all))
		e.a.Jump(asm.JB, loop)
		return
	}
	e.a.Bind(loop)
	e.nextLane(asm.RAX, asm.RBX, done)
	f()
	e.a.Jump(asm.JMP, loop)
	e.a.Bind(done)
}

// nextLane removes the first lane from the mask left and sets RCX to it. If the mask is empty, it jumps to done.
// It clobbers scratch.
func (e *emitter) nextLane(left, scratch asm.Reg, done asm.Label) {
	e.testRegs(8, left, left, asm.JE, done)
	e.rr(asm.TZCNT, 8, asm.RCX, left)
	e.rm(asm.LEA, 8, scratch, asm.At(left, -1))
	e.rr(asm.AND, 8, left, scratch)
}

// inPairs reports whether one instruction can perform the operations of two lanes at consecutive addresses.
func (s *stub) inPairs() bool {
	return s.kind == sAtomic && s.size == 4 && !s.alone && !s.used && rmwOps[s.rmw].mem != asm.NoOp && !s.floats()
}

// atomicPairs performs the operations of lanes at consecutive addresses. One compare-and-exchange of 8 bytes
// changes the elements of two lanes if they form an aligned word.
func (e *emitter) atomicPairs(s *stub) {
	loop, single, again, done := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.saving(s, []asm.Reg{asm.RBX, asm.RSI, asm.RDI, asm.R8, asm.R9, asm.R10}, func() {
		e.rr(asm.MOVL, 8, asm.R10, asm.RAX) // the remaining lanes
		if s.all > 0 {
			e.ri(asm.MOVIMM64, 8, asm.R10, int64(1<<s.all-1))
		}
		e.a.Bind(loop)
		e.nextLane(asm.R10, asm.RSI, done)
		e.laneAddress(s)
		e.ri(asm.TESTIMM, 4, asm.RDI, 7)
		e.a.Jump(asm.JNE, single)
		e.ri(asm.MOVIMM, 4, asm.RSI, 2) // the next lane
		e.ri(asm.SHLCL, 8, asm.RSI, 0)
		e.testRegs(8, asm.RSI, asm.R10, asm.JE, single)
		e.rr(asm.XOR, 8, asm.R10, asm.RSI)
		// One addition of 64 bits adds the operands of this lane and of the next one.
		e.rm(asm.MOVL, 4, asm.R8, operandAt(0))
		e.rm(asm.MOVL, 4, asm.RBX, operandAt(8))
		if s.rmw == ssa.RMWSub {
			e.ri(asm.NEG, 4, asm.R8, 0)
			e.ri(asm.NEG, 4, asm.RBX, 0)
		}
		e.ri(asm.SHLIMM, 8, asm.RBX, 32)
		e.rr(asm.OR, 8, asm.RBX, asm.R8)
		e.rm(asm.MOVL, 8, asm.RAX, asm.At(asm.RDI, 0))
		e.a.Bind(again)
		e.combinePair(s)
		e.rm(asm.LOCKCMPXCHG, 8, asm.RSI, asm.At(asm.RDI, 0))
		e.a.Jump(asm.JNE, again)
		e.a.Jump(asm.JMP, loop)
		e.a.Bind(single)
		e.shared(s)
		e.a.Jump(asm.JMP, loop)
		e.a.Bind(done)
	})
}

// combinePair computes into RSI the new values from the operands in RBX and the old elements in RAX. It clobbers
// R8 and R9.
func (e *emitter) combinePair(s *stub) {
	e.rr(asm.MOVL, 8, asm.RSI, asm.RAX)
	if s.rmw != ssa.RMWAdd && s.rmw != ssa.RMWSub {
		e.rr(generalOps[rmwOps[s.rmw].op].op, 8, asm.RSI, asm.RBX)
		return
	}
	// The top bits are added separately, so that no carry reaches the other element.
	e.ri(asm.MOVIMM64, 8, asm.R9, -1<<63|1<<31)
	e.rr(asm.MOVL, 8, asm.R8, asm.RAX)
	e.rr(asm.XOR, 8, asm.R8, asm.RBX)
	e.rr(asm.AND, 8, asm.R8, asm.R9)
	e.ri(asm.NOT, 8, asm.R9, 0)
	e.rr(asm.AND, 8, asm.RSI, asm.R9)
	e.rr(asm.AND, 8, asm.R9, asm.RBX)
	e.rr(asm.ADD, 8, asm.RSI, asm.R9)
	e.rr(asm.XOR, 8, asm.RSI, asm.R8)
}

// atomicLanes performs the operation for each lane in RAX, at RDX plus the offset of the lane at CtxPtrs.
func (e *emitter) atomicLanes(s *stub) {
	if s.row {
		e.atomicPairs(s)
		return
	}
	e.saving(s, []asm.Reg{asm.RBX, asm.RDI, asm.R8, asm.R9}, func() {
		e.eachLane(s, func() {
			e.laneAddress(s)
			switch {
			case s.rmw == rmwLoad:
				e.rm(asm.MOVL, asm.Width(s.size), asm.R8, asm.At(asm.RDI, 0))
				e.rm(asm.MOV, asm.Width(s.size), asm.R8, operandAt(0))
			case s.alone:
				e.plain(s)
			case s.all > 0:
				e.shared(s)
			default:
				e.push(asm.RAX)
				e.shared(s)
				e.pop(asm.RAX)
			}
		})
	})
}

// atomicChain performs the operations of all lanes in RAX at the address RDX, in order.
func (e *emitter) atomicChain(s *stub) {
	w := asm.Width(s.size)
	at := asm.At(asm.RDX, 0)
	e.saving(s, []asm.Reg{asm.RBX, asm.RDI, asm.R8, asm.R9, asm.R10, asm.R11}, func() {
		again, ok, none := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
		if s.all == 0 {
			e.testRegs(8, asm.RAX, asm.RAX, asm.JE, none)
			e.rr(asm.MOVL, 8, asm.R11, asm.RAX)
		}
		if !s.alone {
			e.jumpAligned(s, asm.RDX, again)
			e.lock()
		}
		e.a.Bind(again)
		e.rm(asm.MOVL, w, asm.R10, at)
		e.rr(asm.MOVL, 8, asm.RDI, asm.R10)
		e.eachLane(s, func() {
			e.rm(asm.MOVL, w, asm.R8, operandAt(0))
			e.combine(s, asm.RDI)
			if s.used {
				e.rm(asm.MOV, w, asm.RDI, operandAt(CtxResult))
			}
			e.rr(asm.MOVL, 8, asm.RDI, asm.R9)
		})
		if s.alone {
			e.rm(asm.MOV, w, asm.RDI, at)
		} else {
			e.jumpAligned(s, asm.RDX, ok)
			e.rm(asm.MOV, w, asm.RDI, at)
			e.unlock()
			e.a.Jump(asm.JMP, none)
			e.a.Bind(ok)
			e.rr(asm.MOVL, 8, asm.RAX, asm.R10)
			e.rm(asm.LOCKCMPXCHG, w, asm.RDI, at)
			if s.all == 0 {
				e.rr(asm.MOVL, 8, asm.RAX, asm.R11)
			}
			e.a.Jump(asm.JNE, again)
		}
		e.a.Bind(none)
	})
}
