package arm64

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A kindSet is the set of element kinds that a row of the selection table supports.
type kindSet uint8

const (
	signed kindSet = 1 << iota
	unsigned
	floats   // of 32 and 64 bits
	integers = signed | unsigned
)

func setOf(k numeric.Kind) kindSet {
	switch {
	case k.IsFloat():
		return floats
	case k.Signed():
		return signed
	}
	return unsigned
}

// A choice is a row of the selection table: one instruction for an operation on vectors.
type choice struct {
	each  ssa.Op
	kinds kindSet
	most  int // bytes of the largest element
	op    op
	nan   bool // the result may be a NaN other than the one required
}

// choices is the selection table; the first row that matches is used.
var choices = []choice{
	{ssa.OpAdd, integers, 8, VADD, false},
	{ssa.OpSub, integers, 8, VSUB, false},
	{ssa.OpMul, integers, 4, VMUL, false},
	{ssa.OpAnd, integers, 8, VAND, false},
	{ssa.OpOr, integers, 8, VORR, false},
	{ssa.OpXor, integers, 8, VEOR, false},
	{ssa.OpNot, integers, 8, VNOT, false},
	{ssa.OpNeg, integers, 8, VNEG, false},
	{ssa.OpMin, signed, 4, VSMIN, false},
	{ssa.OpMin, unsigned, 4, VUMIN, false},
	{ssa.OpMax, signed, 4, VSMAX, false},
	{ssa.OpMax, unsigned, 4, VUMAX, false},
	{ssa.OpAbs, signed, 8, VABS, false},
	{ssa.OpAbsDiff, signed, 4, VSABD, false},
	{ssa.OpAbsDiff, unsigned, 4, VUABD, false},
	{ssa.OpHAdd, signed, 4, VSHADD, false},
	{ssa.OpHAdd, unsigned, 4, VUHADD, false},
	{ssa.OpRHAdd, signed, 4, VSRHADD, false},
	{ssa.OpRHAdd, unsigned, 4, VURHADD, false},
	{ssa.OpAddSat, signed, 8, VSQADD, false},
	{ssa.OpAddSat, unsigned, 8, VUQADD, false},
	{ssa.OpSubSat, signed, 8, VSQSUB, false},
	{ssa.OpSubSat, unsigned, 8, VUQSUB, false},
	{ssa.OpClz, integers, 4, VCLZ, false},
	{ssa.OpPopcount, integers, 1, VCNT, false},
	{ssa.OpAdd, floats, 8, FADD, true},
	{ssa.OpSub, floats, 8, FSUB, true},
	{ssa.OpMul, floats, 8, FMUL, true},
	{ssa.OpDiv, floats, 8, FDIV, true},
	{ssa.OpSqrt, floats, 8, FSQRT, true},
	{ssa.OpFloor, floats, 8, FRINTM, true},
	{ssa.OpCeil, floats, 8, FRINTP, true},
	{ssa.OpTrunc, floats, 8, FRINTZ, true},
	{ssa.OpRint, floats, 8, FRINTN, true},
	{ssa.OpNeg, floats, 8, FNEG, false},
	{ssa.OpFabs, floats, 8, FABS, false},
}

// each selects an elementwise operation. The host evaluates operations without instructions.
func (s *selector) each(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	from := s.f.Type(i.Args[0])
	switch {
	case isGeneral(t) && isGeneral(from):
		if d := s.scalar(i, t, from); d != 0 {
			s.define(i.Dst, []reg{d})
			return
		}
	case t.Class == gang.Predicate && from.Class == gang.Predicate && i.Each != ssa.OpConvert:
		if list := s.predicates(i); list != nil {
			s.define(i.Dst, list)
			return
		}
	default:
		if list := s.vectors(i, t, from); list != nil {
			if t.Class == gang.Scalar {
				list = list[:1]
			}
			s.define(i.Dst, s.asScalar(t, list))
			return
		}
	}
	s.host(i)
}

// predicates selects an operation on predicates. It returns nil if the machine has no instructions for it.
func (s *selector) predicates(i *gang.Inst) (list []reg) {
	a := s.use(i.Args[0])
	ops := map[ssa.Op]op{ssa.OpAnd: VAND, ssa.OpOr: VORR, ssa.OpXor: VEOR, ssa.OpNe: VEOR, ssa.OpNot: VNOT}
	for k := range a {
		switch o, ok := ops[i.Each]; {
		case i.Each == ssa.OpSelect:
			list = append(list, s.tied(VBSL, 0, a[min(k, len(a)-1)], s.use(i.Args[1])[k], s.use(i.Args[2])[k]))
		case !ok:
			return nil
		case len(i.Args) == 1:
			list = append(list, s.v2(o, 0, a[k]))
		default:
			list = append(list, s.v3(o, 0, a[k], s.use(i.Args[1])[k]))
		}
	}
	if i.Each == ssa.OpSelect && len(list) != len(s.use(i.Args[1])) {
		return nil
	}
	return list
}

// operand returns the vector registers of an argument. A scalar is one register with the value in every
// element, a scalar bool a predicate.
func (s *selector) operand(r gang.Reg) []reg {
	t := s.f.Type(r)
	x := s.use(r)
	if !isGeneral(t) {
		return x
	}
	d := s.v()
	if t.K == ssa.Bool {
		s.emit(inst{op: SUB, w: 4, d: rTmp, n: rZero, m: x[0]})
		s.emit(inst{op: VDUP, d: d, n: rTmp})
	} else {
		s.emit(inst{op: VDUP, t: log2(t.Size()), d: d, n: x[0]})
	}
	return []reg{d}
}

// asScalar moves a result in vector registers to a general register if it is a scalar integer.
func (s *elements) asScalar(t gang.Type, list []reg) []reg {
	if !isGeneral(t) {
		return list
	}
	d := s.g()
	s.emit(inst{op: VUMOV, t: log2(t.Size()), d: d, n: list[0]})
	if t.K == ssa.Bool {
		e := s.g()
		s.emit(inst{op: ANDBIT, d: e, n: d})
		d = e
	}
	return []reg{d}
}

// vectors selects an operation on vectors, or on scalars in vector registers. It returns nil if the machine has
// no instructions for it.
func (s *selector) vectors(i *gang.Inst, t, from gang.Type) []reg {
	if t.N > 1 && i.Each != ssa.OpBitcast {
		return nil
	}
	k := from.K.Num()
	switch i.Each {
	case ssa.OpConvert:
		return s.convert(i, t, from)
	case ssa.OpBitcast, ssa.OpPtrCast:
		return s.copied(s.operand(i.Args[0]))
	case ssa.OpSelect:
		return s.selects(i, t)
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
		return s.compares(i, from)
	case ssa.OpPtrAdd:
		return s.ptrAdd(i)
	}
	if k.IsFloat() && k.Size() == 2 {
		return s.halves(i)
	}
	args := make([][]reg, len(i.Args))
	for n, a := range i.Args {
		args[n] = s.operand(a)
	}
	if list := s.chosen(i.Each, k, args); list != nil {
		return list
	}
	switch {
	case k.IsFloat():
		return s.floats(i.Each, log2(k.Size()), args)
	case i.Each == ssa.OpShl || i.Each == ssa.OpShr || i.Each == ssa.OpRotl:
		return s.shifts(i, k, args)
	case (i.Each == ssa.OpMin || i.Each == ssa.OpMax) && k.Size() == 8:
		o := VCMGT
		if !k.Signed() {
			o = VCMHI
		}
		return s.mapped(args, func(x []reg) reg {
			greater, less := x[0], x[1]
			if i.Each == ssa.OpMin {
				greater, less = less, greater
			}
			return s.tied(VBSL, 0, s.v3(o, 3, x[0], x[1]), greater, less)
		})
	case i.Each == ssa.OpAbs:
		return s.copied(args[0])
	case (i.Each == ssa.OpMul || i.Each == ssa.OpDiv || i.Each == ssa.OpRem) && len(args[0]) >= k.Size():
		return s.laneByLane(i.Each, k, args)
	}
	return nil
}

// copied returns copies of registers.
func (s *elements) copied(list []reg) []reg {
	out := make([]reg, len(list))
	for k, x := range list {
		out[k] = s.v()
		s.moveV(out[k], x)
	}
	return out
}

// mapped calls f, for each k, with register k of every argument.
func (s *elements) mapped(args [][]reg, f func(x []reg) reg) []reg {
	list := make([]reg, len(args[0]))
	x := make([]reg, len(args))
	for k := range list {
		for n := range args {
			x[n] = args[n][k]
		}
		list[k] = f(x)
	}
	return list
}

// chosen selects an operation by the table, or returns nil.
func (s *elements) chosen(each ssa.Op, k numeric.Kind, args [][]reg) []reg {
	for _, c := range choices {
		if c.each != each || c.kinds&setOf(k) == 0 || k.Size() > c.most {
			continue
		}
		t := log2(k.Size())
		list := s.mapped(args, func(x []reg) reg {
			if len(x) == 1 {
				return s.v2(c.op, t, x[0])
			}
			return s.v3(c.op, t, x[0], x[1])
		})
		if c.nan {
			s.fixNaNs(t, list, args)
		}
		return list
	}
	return nil
}

// fixNaNs replaces NaN results by the NaN of docs/decisions/0003-nan-results.md: the first NaN operand, quiet,
// else the default NaN.
func (s *elements) fixNaNs(t uint8, list []reg, args [][]reg) {
	numbers := reg(0)
	for _, r := range list {
		if eq := s.v3(FCMEQ, t, r, r); numbers == 0 {
			numbers = eq
		} else {
			numbers = s.v3(VAND, 0, numbers, eq)
		}
	}
	fix, on := &block{cold: true}, &block{depth: s.cur.depth, cold: s.cur.cold}
	s.branch(inst{op: CBZ, w: 4, n: s.across(VUMINV, numbers)}, fix)
	s.jump(on)
	s.place(fix)
	bits := uint(8)<<t - 1
	mantissa := map[uint8]uint{2: 23, 3: 52}[t]
	quiet := s.everywhere(t, 1<<(mantissa-1))
	def := s.everywhere(t, (1<<(bits-mantissa)-1)<<mantissa|1<<bits|1<<(mantissa-1))
	for k, r := range list {
		s.emit(inst{op: FCMEQ, t: t, d: vTmp, n: r, m: r})
		s.emit(inst{op: VBIF, d: r, n: def, m: vTmp})
		for n := len(args) - 1; n >= 0; n-- {
			a := args[n][k]
			s.emit(inst{op: FCMEQ, t: t, d: vTmp, n: a, m: a})
			s.emit(inst{op: VORR, d: vTmp2, n: a, m: quiet})
			s.emit(inst{op: VBIF, d: r, n: vTmp2, m: vTmp})
		}
	}
	s.jump(on)
	s.place(on)
}

// floats selects operations on floats that take several instructions.
func (s *elements) floats(each ssa.Op, t uint8, args [][]reg) []reg {
	sign := uint64(1) << (8<<t - 1)
	switch each {
	case ssa.OpFMA, ssa.OpFMS, ssa.OpFNMA:
		o := FMLA
		if each == ssa.OpFNMA {
			o = FMLS
		}
		list := s.mapped(args, func(x []reg) reg {
			c := x[2]
			if each == ssa.OpFMS {
				c = s.v2(FNEG, t, c)
			}
			return s.tied(o, t, c, x[0], x[1])
		})
		s.fixNaNs(t, list, args)
		return list
	case ssa.OpCopySign:
		mask := s.everywhere(t, sign)
		return s.mapped(args, func(x []reg) reg { return s.tied(VBIT, 0, x[0], x[1], mask) })
	case ssa.OpMin, ssa.OpMax: // the second operand if the first is a NaN or greater (less)
		return s.mapped(args, func(x []reg) reg {
			a, b := x[0], x[1]
			if each == ssa.OpMax {
				a, b = b, a
			}
			second := s.v3(VORN, 0, s.v3(FCMGT, t, a, b), s.v3(FCMEQ, t, x[0], x[0]))
			return s.tied(VBSL, 0, second, x[1], x[0])
		})
	}
	return nil
}

// halves computes in float and rounds again; numeric.Half explains why the result is correct.
func (s *selector) halves(i *gang.Inst) []reg {
	args := make([][]reg, len(i.Args))
	for n, a := range i.Args {
		args[n] = s.operand(a)
	}
	mask := func(bits uint64) []reg {
		m := s.everywhere(1, bits)
		list := make([]reg, len(args[0]))
		for k := range list {
			list[k] = m
		}
		return list
	}
	switch i.Each {
	case ssa.OpNeg:
		return s.mapped([][]reg{args[0], mask(0x8000)}, func(x []reg) reg { return s.v3(VEOR, 0, x[0], x[1]) })
	case ssa.OpFabs:
		return s.mapped([][]reg{args[0], mask(0x7fff)}, func(x []reg) reg { return s.v3(VAND, 0, x[0], x[1]) })
	case ssa.OpCopySign:
		return s.mapped([][]reg{args[0], args[1], mask(0x8000)}, func(x []reg) reg { return s.tied(VBIT, 0, x[0], x[1], x[2]) })
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpSqrt, ssa.OpFloor, ssa.OpCeil, ssa.OpTrunc, ssa.OpRint:
		for n := range args {
			args[n] = s.widenFloat(2, args[n])
		}
		return s.narrowFloat(2, s.chosen(i.Each, numeric.F32, args))
	}
	return nil
}

// compares selects a comparison; its result is a predicate.
func (s *selector) compares(i *gang.Inst, from gang.Type) []reg {
	k := from.K.Num()
	t := log2(k.Size())
	args := [][]reg{s.operand(i.Args[0]), s.operand(i.Args[1])}
	eq, gt, ge := VCMEQ, VCMGT, VCMGE
	switch {
	case k.IsFloat() && k.Size() == 2:
		args[0], args[1], t = s.widenFloat(2, args[0]), s.widenFloat(2, args[1]), 2
		eq, gt, ge = FCMEQ, FCMGT, FCMGE
	case k.IsFloat():
		eq, gt, ge = FCMEQ, FCMGT, FCMGE
	case !k.Signed():
		gt, ge = VCMHI, VCMHS
	}
	list := s.mapped(args, func(x []reg) reg {
		switch i.Each {
		case ssa.OpLt:
			return s.v3(gt, t, x[1], x[0])
		case ssa.OpLe:
			return s.v3(ge, t, x[1], x[0])
		}
		return s.v3(eq, t, x[0], x[1])
	})
	p := s.reduced(list)
	if i.Each == ssa.OpNe {
		p = s.v2(VNOT, 0, p)
	}
	return []reg{p}
}

// reduced returns the predicate of masks of wider elements. One mask register of a scalar has all bytes equal.
func (s *elements) reduced(list []reg) reg {
	t := log2(len(list))
	for len(list) > 1 {
		t--
		half := make([]reg, len(list)/2)
		for k := range half {
			half[k] = s.v3(VUZP1, t, list[2*k], list[2*k+1])
		}
		list = half
	}
	return list[0]
}

// expanded returns a predicate as n registers of masks of elements of 1 << t bytes.
func (s *elements) expanded(p reg, t uint8, n int) []reg {
	list := []reg{p}
	if n == 1 {
		return list // a scalar's predicate
	}
	for from := range t {
		var wide []reg
		for _, x := range list {
			wide = append(wide, s.v2(VSXTL, from, x), s.v2(VSXTL2, from, x))
		}
		list = wide
	}
	return list
}

// selects selects an elementwise choice between two vectors.
func (s *selector) selects(i *gang.Inst, t gang.Type) []reg {
	a, b := s.operand(i.Args[1]), s.operand(i.Args[2])
	p := s.operand(i.Args[0])
	m := s.expanded(p[0], log2(t.Size()), len(a))
	if s.f.Type(i.Args[0]).Class == gang.Scalar {
		for len(m) < len(a) {
			m = append(m, m[0])
		}
	}
	if i.Dst == i.Args[2] && s.defs[i.Dst] > 1 { // only some lanes of the destination change
		for k := range a {
			s.emit(inst{op: VBIT, d: b[k], n: a[k], m: m[k]})
		}
		return b
	}
	return s.mapped([][]reg{m, a, b}, func(x []reg) reg { return s.tied(VBSL, 0, x[0], x[1], x[2]) })
}

// ptrAdd adds offsets to pointers within their objects.
func (s *selector) ptrAdd(i *gang.Inst) []reg {
	args := [][]reg{s.operand(i.Args[0]), s.operand(i.Args[1])}
	mask := s.everywhere(3, ssa.OffsetMask)
	return s.mapped(args, func(x []reg) reg {
		sum := s.v3(VADD, 3, x[0], x[1])
		return s.tied(VBSL, 0, mask, sum, x[0])
	})
}

// shifts selects shifts and rotations.
func (s *selector) shifts(i *gang.Inst, k numeric.Kind, args [][]reg) []reg {
	t := log2(k.Size())
	bits := int64(8 * k.Size())
	if c, ok := s.constant(i.Args[1]); ok {
		n := int64(c) & (bits - 1)
		if n == 0 {
			return s.copied(args[0])
		}
		right := VUSHRI
		if k.Signed() && i.Each == ssa.OpShr {
			right = VSSHRI
		}
		return s.mapped(args[:1], func(x []reg) reg {
			switch i.Each {
			case ssa.OpShl:
				return s.vi(VSHLI, t, x[0], n)
			case ssa.OpShr:
				return s.vi(right, t, x[0], n)
			}
			return s.v3(VORR, 0, s.vi(VSHLI, t, x[0], n), s.vi(VUSHRI, t, x[0], bits-n))
		})
	}
	count := args[1]
	if n := s.f.Type(i.Args[1]).Size(); n != k.Size() {
		count = s.resized(count, log2(n), t, false)
	}
	most := s.everywhere(t, uint64(bits-1))
	return s.mapped([][]reg{args[0], count}, func(x []reg) reg {
		n := s.v3(VAND, 0, x[1], most)
		o := VUSHL
		switch i.Each {
		case ssa.OpShr:
			if k.Signed() {
				o = VSSHL
			}
			return s.v3(o, t, x[0], s.v2(VNEG, t, n))
		case ssa.OpShl:
			return s.v3(o, t, x[0], n)
		}
		back := s.v3(VSUB, t, n, s.everywhere(t, uint64(bits)))
		return s.v3(VORR, 0, s.v3(VUSHL, t, x[0], n), s.v3(VUSHL, t, x[0], back))
	})
}

// laneByLane computes integers one lane at a time in general registers.
func (s *elements) laneByLane(each ssa.Op, k numeric.Kind, args [][]reg) []reg {
	t := log2(k.Size())
	per := 16 / k.Size()
	return s.mapped(args, func(x []reg) reg {
		d := s.v()
		s.emit(inst{op: VMOVI0, d: d})
		for n := range per {
			a, b := s.g(), s.g()
			s.emit(inst{op: VUMOV, t: t, d: a, n: x[0], imm: int64(n)})
			s.emit(inst{op: VUMOV, t: t, d: b, n: x[1], imm: int64(n)})
			s.emit(inst{op: VINS, t: t, d: d, n: s.arithmetic(each, k, a, b), imm: int64(n)})
		}
		return d
	})
}
