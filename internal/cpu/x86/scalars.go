package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Operations on scalars in general registers, which are zero-extended.

// scalarEach selects an operation on scalars. It returns 0 if there are no instructions for it.
func (s *elements) scalarEach(i *gang.Inst) reg {
	t, from := s.f.Type(i.Dst), s.f.Type(i.Args[0])
	k := from.K.Num()
	sz := k.Size()
	w := asm.Width(max(sz, 4))
	arg := func(n int) reg { return s.scalar(i.Args[n]) }
	switch i.Each {
	case ssa.OpCopy, ssa.OpBitcast, ssa.OpPtrCast:
		return arg(0)
	case ssa.OpAdd:
		if sz >= 4 {
			return s.sum(i.Args[0], i.Args[1], w)
		}
		return s.two(i)
	case ssa.OpSub, ssa.OpAnd, ssa.OpOr, ssa.OpXor:
		return s.two(i)
	case ssa.OpMul:
		if _, ok := s.bits(i.Args[0]); ok {
			i.Args = []gang.Reg{i.Args[1], i.Args[0]}
		}
		if x, ok := s.small(i.Args[1]); ok {
			d, a := s.g(), arg(0)
			s.timesConst(d, a, x, w)
			s.normal(d, sz)
			return d
		}
		return s.two(i)
	case ssa.OpNot, ssa.OpNeg:
		return s.scalarNot(i)
	case ssa.OpPtrAdd:
		return s.movePointer(arg(0), arg(1))
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
		j := s.compareScalars(i.Each, i.Args[0], i.Args[1])
		d := s.g()
		s.setcc(setOf[j], d)
		return d
	case ssa.OpMin, ssa.OpMax:
		if sz < 4 {
			return 0
		}
		a, b := arg(0), arg(1)
		d := s.copyG(a)
		s.cmp(w, b, a)
		s.op2(exchanges[i.Each == ssa.OpMax][k.Signed()], w, d, b)
		return d
	case ssa.OpMulHi:
		if sz > 4 {
			return 0
		}
		a, b := arg(0), arg(1)
		if k.Signed() {
			a, b = s.signExtend(a, sz), s.signExtend(b, sz)
		}
		d := s.copyG(a)
		s.op2(asm.IMUL, 8, d, b)
		s.opi(asm.SHRIMM, 8, d, int64(8*sz))
		s.normal(d, sz)
		return d
	case ssa.OpShl, ssa.OpShr, ssa.OpRotl:
		return s.scalarShift(i, sz, k.Signed())
	case ssa.OpDiv, ssa.OpRem:
		if sz < 4 {
			return 0
		}
		return s.scalarDivide(i, w, k.Signed())
	case ssa.OpSelect:
		return s.scalarSelect(i)
	case ssa.OpConvert:
		sat, _ := ssa.ConvParts(i.Aux)
		if sat && t.K != ssa.Bool && from.K != ssa.Bool && k != t.K.Num() {
			return 0
		}
		return s.scalarConvert(t.K, arg(0), s.g(), sz, k.Signed())
	}
	return 0
}

// scalarNot selects the complement or the negation of a scalar.
func (s *elements) scalarNot(i *gang.Inst) reg {
	k := s.f.Type(i.Args[0]).K
	sz := k.Num().Size()
	w := asm.Width(max(sz, 4))
	d := s.copyG(s.scalar(i.Args[0]))
	switch {
	case k == ssa.Bool:
		s.opi(asm.XORIMM, 4, d, 1)
	case i.Each == ssa.OpNot:
		s.opi(asm.NOT, w, d, 0)
	default:
		s.opi(asm.NEG, w, d, 0)
	}
	s.normal(d, sz)
	return d
}

// sum adds scalars of 4 or 8 bytes.
func (s *elements) sum(a, b gang.Reg, w asm.Width) reg {
	if _, ok := s.small(a); ok {
		a, b = b, a
	}
	m := mem{on: true, base: s.scalar(a)}
	if x, ok := s.small(b); ok {
		m.disp = int32(x)
	} else if d, scale := s.scaled(b, 1); scale != 0 && w == 8 {
		m.index, m.scale = s.scalar(d), scale
	} else {
		m.index, m.scale = s.scalar(b), 1
	}
	return s.result(cG, inst{op: asm.LEA, w: w, m: m})
}

// scaled returns the factor of a product and the other factor, if it is 2, 4 or 8 and only so many instructions read the product,
// none of which needs it then.
func (s *elements) scaled(product gang.Reg, reads int32) (of gang.Reg, scale uint8) {
	d := s.def[product]
	if d == nil || d.Op != gang.OpEach || d.Each != ssa.OpMul || s.reads[product] != reads || s.f.Type(product).Size() != 8 || s.defs[d.Args[0]] != 1 {
		return 0, 0
	}
	switch x, _ := s.small(d.Args[1]); x {
	case 2, 4, 8:
		return d.Args[0], uint8(x)
	}
	return 0, 0
}

// generalOps are the instructions that overwrite their first operand, by operation, and those with an immediate.
var generalOps = [ssa.NumOps]struct{ op, imm asm.Op }{ssa.OpAdd: {asm.ADD, asm.ADDIMM}, ssa.OpSub: {asm.SUB, asm.SUBIMM}, ssa.OpMul: {op: asm.IMUL},
	ssa.OpAnd: {asm.AND, asm.ANDIMM}, ssa.OpOr: {asm.OR, asm.ORIMM}, ssa.OpXor: {asm.XOR, asm.XORIMM}}

// two selects an operation of generalOps.
func (s *elements) two(i *gang.Inst) reg {
	op, imm := generalOps[i.Each].op, generalOps[i.Each].imm
	sz := s.f.Type(i.Args[0]).Size()
	w := asm.Width(max(sz, 4))
	a, d := s.scalar(i.Args[0]), s.g()
	if x, ok := s.small(i.Args[1]); ok && imm != asm.NoOp {
		s.mov(d, a)
		s.opi(imm, w, d, x)
	} else {
		b := s.scalar(i.Args[1])
		s.mov(d, a)
		s.op2(op, w, d, b)
	}
	if s.f.Type(i.Args[0]).K != ssa.Bool {
		s.normal(d, sz)
	}
	return d
}

// compareScalars sets the flags and returns the jump for "true".
func (s *elements) compareScalars(op ssa.Op, a, b gang.Reg) asm.Op {
	k := s.f.Type(a).K.Num()
	sz := k.Size()
	w := asm.Width(max(sz, 4))
	if s.testScalars(op, a, b) {
		return jumps[op].of(false)
	}
	x := s.scalar(a)
	if imm, ok := s.small(b); ok && !(k.Signed() && sz < 4) {
		s.cmpi(w, x, imm)
	} else {
		y := s.scalar(b)
		if k.Signed() && sz < 4 {
			op := movsx[sz]
			s.emit(inst{op: op, w: 4, fl: fDefReg, reg: rAX, rm: x})
			s.emit(inst{op: op, w: 4, fl: fDefReg, reg: rCX, rm: y})
			x, y = rAX, rCX
		}
		s.cmp(w, x, y)
	}
	return jumps[op].of(k.Signed())
}

// testScalars sets the flags for a comparison of some bits of a with b = 0. It reports false for others.
func (s *elements) testScalars(op ssa.Op, a, b gang.Reg) bool {
	zero, known := s.bits(b)
	d := s.foldableDef(a)
	if op != ssa.OpEq && op != ssa.OpNe || !known || zero != 0 || d == nil || d.Each != ssa.OpAnd {
		return false
	}
	imm, ok := s.small(d.Args[1])
	if ok {
		s.emit(inst{op: asm.TESTIMM, w: asm.Width(max(s.f.Type(a).Size(), 4)), rm: s.scalar(d.Args[0]), imm: imm})
	}
	return ok
}

func (s *elements) scalarShift(i *gang.Inst, sz int, signed bool) reg {
	w := asm.Width(max(sz, 4))
	arith := i.Each == ssa.OpShr && signed
	n, known := s.bits(i.Args[1])
	if i.Each == ssa.OpRotl && (sz < 4 || !known) {
		return 0
	}
	src := s.scalar(i.Args[0])
	if arith && sz < 4 {
		src = s.result(cG, inst{op: movsx[sz], w: 4, rm: src})
	}
	d := s.g()
	op, by := asm.SHLIMM, asm.SHLX
	switch {
	case arith:
		op, by = asm.SARIMM, asm.SARX
	case i.Each == ssa.OpShr:
		op, by = asm.SHRIMM, asm.SHRX
	case i.Each == ssa.OpRotl:
		op = asm.ROLIMM
	}
	if known {
		s.mov(d, src)
		if x := int64(n & uint64(8*sz-1)); x != 0 {
			s.opi(op, w, d, x)
		}
		s.normal(d, sz)
		return d
	}
	count := s.scalar(i.Args[1])
	if sz < 4 {
		count = s.copyG(count)
		s.opi(asm.ANDIMM, 4, count, int64(8*sz-1))
	}
	s.emit(inst{op: by, w: w, fl: fDefReg, reg: d, v: count, rm: src})
	s.normal(d, sz)
	return d
}

// scalarDivide divides; a power of two needs no division, and zero and -1 as divisors are handled apart from the
// instruction.
func (s *elements) scalarDivide(i *gang.Inst, w asm.Width, signed bool) reg {
	rem := i.Each == ssa.OpRem
	a, d := s.scalar(i.Args[0]), s.g()
	if x, ok := s.bits(i.Args[1]); ok && !signed && x != 0 && x&(x-1) == 0 && (!rem || x <= 1<<31) {
		if s.mov(d, a); rem {
			s.opi(asm.ANDIMM, w, d, int64(x-1))
		} else {
			s.opi(asm.SHRIMM, w, d, int64(bits.TrailingZeros64(x)))
		}
		return d
	}
	b := s.scalar(i.Args[1])
	zero, minus, end := s.blockHere(), s.blockHere(), s.blockHere()
	zero.cold, minus.cold = true, true
	s.emit(inst{op: asm.TEST, w: w, fl: fUseReg, reg: b, rm: b})
	s.jcc(asm.JE, zero)
	if signed {
		s.cmpi(w, b, -1)
		s.jcc(asm.JE, minus)
	}
	s.mov(rAX, a)
	if signed {
		s.emit(inst{op: asm.CDQ, w: w})
		s.emit(inst{op: asm.IDIV, w: w, rm: b})
	} else {
		s.movi(rDX, 0)
		s.emit(inst{op: asm.DIV, w: w, rm: b})
	}
	if rem {
		s.mov(d, rDX)
	} else {
		s.mov(d, rAX)
	}
	s.jump(end)
	if signed {
		s.place(minus)
		if rem {
			s.movi(d, 0)
		} else {
			s.mov(d, a)
			s.opi(asm.NEG, w, d, 0)
		}
		s.jump(end)
	}
	s.place(zero)
	s.movi(d, 0)
	s.place(end)
	return d
}

// scalarSelect selects one of two scalars.
func (s *elements) scalarSelect(i *gang.Inst) reg {
	a, b := s.scalar(i.Args[1]), s.scalar(i.Args[2])
	d := s.g()
	if c := s.def[i.Args[0]]; c != nil && c.Op == gang.OpEach && compares(c.Each) && isGeneral(s.f.Type(c.Args[0])) && s.stable(c) {
		s.mov(d, b)
		j := s.compareScalars(c.Each, c.Args[0], c.Args[1])
		s.op2(cmovOf[j], 8, d, a)
		return d
	}
	c := s.scalar(i.Args[0])
	s.mov(d, b)
	s.emit(inst{op: asm.TEST, w: 4, fl: fUseReg, reg: c, rm: c})
	s.op2(asm.CMOVNE, 8, d, a)
	return d
}

func compares(op ssa.Op) bool {
	return op == ssa.OpEq || op == ssa.OpNe || op == ssa.OpLt || op == ssa.OpLe
}

// exchanges maps a maximum (or minimum) and a signed type to the conditional move.
var exchanges = map[bool]map[bool]asm.Op{false: {false: asm.CMOVB, true: asm.CMOVL}, true: {false: asm.CMOVA, true: asm.CMOVG}}

// timesConst sets d to a times a constant.
func (l *arithmetic) timesConst(d, a reg, x int64, w asm.Width) {
	if x <= 0 || x&(x-1) != 0 {
		l.emit(inst{op: asm.IMULIMM, w: w, fl: fDefReg, reg: d, rm: a, imm: x})
		return
	}
	l.mov(d, a)
	if n := bits.TrailingZeros64(uint64(x)); n > 0 {
		l.opi(asm.SHLIMM, w, d, int64(n))
	}
}

// cmovOf and setOf map a jump to the conditional move and the instruction that sets a byte.
var cmovOf = map[asm.Op]asm.Op{asm.JE: asm.CMOVE, asm.JNE: asm.CMOVNE, asm.JL: asm.CMOVL, asm.JLE: asm.CMOVLE, asm.JB: asm.CMOVB, asm.JBE: asm.CMOVBE}
var setOf = map[asm.Op]asm.Op{asm.JE: asm.SETE, asm.JNE: asm.SETNE, asm.JL: asm.SETL, asm.JLE: asm.SETLE, asm.JB: asm.SETB, asm.JBE: asm.SETBE}

// jumps are the jumps for "x op y" after a comparison of x with y.
var jumps = map[ssa.Op]pair{ssa.OpEq: {asm.JE, asm.JE}, ssa.OpNe: {asm.JNE, asm.JNE}, ssa.OpLt: {asm.JL, asm.JB}, ssa.OpLe: {asm.JLE, asm.JBE}}
