package arm64

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Scalar integers are zero-extended from their width.

// width returns the bytes of the general registers for a kind.
func width(k numeric.Kind) uint8 {
	if k.Size() == 8 {
		return 8
	}
	return 4
}

// cut zero-extends an integer of a kind narrower than 32 bits.
func (s *elements) cut(k numeric.Kind, x reg) reg {
	if k.Size() >= 4 {
		return x
	}
	d := s.g()
	s.emit(inst{op: UBFM, w: 4, d: d, n: x, imm2: int64(8*k.Size() - 1)})
	return d
}

// extended sign-extends a signed integer narrower than 32 bits, for operations that depend on the high bits.
func (s *elements) extended(k numeric.Kind, x reg) reg {
	if !k.Signed() || k.Size() >= 4 {
		return x
	}
	d := s.g()
	s.emit(inst{op: SBFM, w: 4, d: d, n: x, imm2: int64(8*k.Size() - 1)})
	return d
}

// g3 emits an instruction on general registers with three operands.
func (s *elements) g3(o op, w uint8, n, m reg) reg {
	d := s.g()
	s.emit(inst{op: o, w: w, d: d, n: n, m: m})
	return d
}

// arithmetic selects a sum, product or quotient of integers of one kind.
func (s *elements) arithmetic(each ssa.Op, k numeric.Kind, a, b reg) reg {
	w := width(k)
	switch each {
	case ssa.OpAdd:
		return s.cut(k, s.g3(ADD, w, a, b))
	case ssa.OpSub:
		return s.cut(k, s.g3(SUB, w, a, b))
	case ssa.OpMul:
		return s.cut(k, s.g3(MUL, w, a, b))
	}
	o := UDIV
	if k.Signed() {
		o = SDIV
		a, b = s.extended(k, a), s.extended(k, b)
	}
	q := s.g3(o, w, a, b) // for x/0 it is 0
	if each == ssa.OpDiv {
		return s.cut(k, q)
	}
	rest, d := s.g(), s.g()
	s.emit(inst{op: MSUB, w: w, d: rest, n: q, m: b, a: a})
	s.emit(inst{op: CMPI, w: w, n: b})
	s.emit(inst{op: CSEL, w: w, d: d, n: rZero, m: rest, imm: condEQ})
	return s.cut(k, d)
}

// scalar selects an operation on scalar integers. It returns 0 if the machine has no instructions for it.
func (s *selector) scalar(i *gang.Inst, t, from gang.Type) reg {
	k := from.K.Num()
	w := width(k)
	arg := func(n int) reg { return s.use(i.Args[n])[0] }
	logic := map[ssa.Op]op{ssa.OpAnd: AND, ssa.OpOr: ORR, ssa.OpXor: EOR}
	switch i.Each {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpRem:
		return s.arithmetic(i.Each, k, arg(0), arg(1))
	case ssa.OpAnd, ssa.OpOr, ssa.OpXor:
		return s.g3(logic[i.Each], 8, arg(0), arg(1))
	case ssa.OpNot:
		if from.K == ssa.Bool {
			return s.g3(EOR, 4, arg(0), s.number(1))
		}
		return s.cut(k, s.g3(ORN, w, rZero, arg(0)))
	case ssa.OpNeg:
		return s.cut(k, s.g3(SUB, w, rZero, arg(0)))
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
		c := s.compared(i.Each, k, arg(0), arg(1))
		d := s.g()
		s.emit(inst{op: CSINC, w: 4, d: d, n: rZero, m: rZero, imm: int64(c ^ 1)})
		return d
	case ssa.OpMin, ssa.OpMax:
		each, d := ssa.OpLt, s.g()
		a, b := arg(0), arg(1)
		c := s.compared(each, k, a, b)
		if i.Each == ssa.OpMax {
			a, b = b, a
		}
		s.emit(inst{op: CSEL, w: 8, d: d, n: a, m: b, imm: int64(c)})
		return d
	case ssa.OpSelect:
		d := s.g()
		s.emit(inst{op: CMPI, w: 4, n: arg(0)})
		s.emit(inst{op: CSEL, w: 8, d: d, n: arg(1), m: arg(2), imm: condNE})
		return d
	case ssa.OpShl, ssa.OpShr:
		return s.shifted(i, k, arg(0), arg(1))
	case ssa.OpBitcast, ssa.OpPtrCast:
		d := s.g()
		s.moveG(d, arg(0))
		return d
	case ssa.OpPtrAdd: // within the object
		sum, high, object, off := s.g3(ADD, 8, arg(0), arg(1)), s.g(), s.g(), s.g()
		s.emit(inst{op: UBFM, w: 8, d: high, n: arg(0), imm: ssa.ObjectShift, imm2: 63})
		s.emit(inst{op: UBFM, w: 8, d: object, n: high, imm: 64 - ssa.ObjectShift, imm2: 63 - ssa.ObjectShift})
		s.emit(inst{op: UBFM, w: 8, d: off, n: sum, imm2: ssa.ObjectShift - 1})
		return s.g3(ORR, 8, object, off)
	case ssa.OpConvert:
		return s.converted(i, t, from)
	case ssa.OpAbs:
		if !k.Signed() || k.Size() < 4 {
			break
		}
		d, neg := s.g(), s.g3(SUB, w, rZero, arg(0))
		s.emit(inst{op: CMPI, w: w, n: arg(0)})
		s.emit(inst{op: CSEL, w: w, d: d, n: neg, m: arg(0), imm: condLT})
		return d
	}
	return 0
}

// compared emits a comparison and returns the condition under which it is true.
func (s *elements) compared(each ssa.Op, k numeric.Kind, a, b reg) int {
	a, b = s.extended(k, a), s.extended(k, b)
	s.emit(inst{op: CMP, w: width(k), n: a, m: b})
	switch {
	case each == ssa.OpEq:
		return condEQ
	case each == ssa.OpNe:
		return condNE
	case each == ssa.OpLt && k.Signed():
		return condLT
	case each == ssa.OpLt:
		return condLO
	case k.Signed():
		return condLE
	}
	return condLS
}

// shifted selects a shift; only the low bits of the count matter.
func (s *selector) shifted(i *gang.Inst, k numeric.Kind, a, n reg) reg {
	if k.Size() < 4 { // the machine takes counts modulo 32
		n = s.g3(AND, 4, n, s.number(uint64(8*k.Size()-1)))
	}
	o := LSL
	if i.Each == ssa.OpShr {
		if o = LSR; k.Signed() {
			o, a = ASR, s.extended(k, a)
		}
	}
	return s.cut(k, s.g3(o, width(k), a, n))
}

// converted selects a conversion between integers without saturation.
func (s *selector) converted(i *gang.Inst, t, from gang.Type) reg {
	k, d := from.K.Num(), t.K.Num()
	x := s.use(i.Args[0])[0]
	sat, _ := ssa.ConvParts(i.Aux)
	switch {
	case t.K == ssa.Bool:
		s.emit(inst{op: CMPI, w: 8, n: x})
		r := s.g()
		s.emit(inst{op: CSINC, w: 4, d: r, n: rZero, m: rZero, imm: condEQ})
		return r
	case from.K == ssa.Bool, sat && k == d:
	case sat:
		return 0
	case d.Size() > k.Size() && k.Signed():
		r := s.g()
		s.emit(inst{op: SBFM, w: 8, d: r, n: x, imm2: int64(8*k.Size() - 1)})
		if d.Size() == 8 {
			return r
		}
		x = r
		fallthrough
	case d.Size() < 8:
		r := s.g()
		s.emit(inst{op: UBFM, w: 8, d: r, n: x, imm2: int64(8*d.Size() - 1)})
		return r
	}
	r := s.g()
	s.moveG(r, x)
	return r
}

// branchInst selects a comparison and branch.
func (s *selector) branchInst(i *gang.Inst, to []*block) {
	t := s.f.Type(i.Args[0])
	if isGeneral(t) {
		c := s.compared(i.Each, t.K.Num(), s.use(i.Args[0])[0], s.use(i.Args[1])[0])
		s.branch(inst{op: BCOND, imm: int64(c)}, to[0])
	} else {
		p := s.compares(i, t)
		s.branch(inst{op: CBNZ, w: 4, n: s.across(VUMINV, p[0])}, to[0])
	}
	s.jump(to[1])
}
