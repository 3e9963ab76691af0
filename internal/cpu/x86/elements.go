package x86

import (
	"math"
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Elementwise operations on vectors, predicates and scalar floats.

// elements selects elementwise operations, and operations that move elements.
type elements struct {
	*operands
	recip map[gang.Reg]reciprocal // by divisor that is the same in all lanes
}

// each selects an elementwise operation.
func (s *elements) each(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	if isGeneral(t) && !slices.ContainsFunc(i.Args, func(a gang.Reg) bool { return !isGeneral(s.f.Type(a)) }) {
		if d := s.scalarEach(i); d != 0 {
			s.setG(i.Dst, d)
			return
		}
	}
	switch {
	case t.Class == gang.Scalar:
		s.within(int(s.lv.VL), func() { s.scalarByVector(i, t) })
	case t.Class == gang.Predicate:
		s.within(s.n*int(t.N), func() { s.setK(i.Dst, s.boolEach(i, memoryOrder)) })
	case i.Each == ssa.OpBitcast && t.N != s.f.Type(i.Args[0]).N:
		s.setV(i.Dst, s.inOrder(i.Args[0]))
	case i.Each == ssa.OpSelect && i.Dst == i.Args[2] && s.defs[i.Dst] > 1 && t.N == 1:
		s.blendTo(s.variable(i.Dst).v[0], s.vector(i.Args[1]), s.boolOperand(i.Args[0]), t.Size())
	case t.N != 3 && !slices.ContainsFunc(i.Args, func(a gang.Reg) bool { return s.f.Type(a).N != t.N }):
		var p vec
		s.within(s.n*int(t.N), func() { p = s.vectorEach(i, memoryOrder) })
		s.setV(i.Dst, p)
	default:
		ps := make([]vec, t.N)
		for c := range ps {
			ps[c] = s.vectorEach(i, c)
		}
		s.setParts(i.Dst, ps)
	}
}

// scalarByVector selects an operation on scalars in vector registers.
func (s *elements) scalarByVector(i *gang.Inst, t gang.Type) {
	switch {
	case t.K == ssa.Bool:
		s.setG(i.Dst, s.firstOf(s.boolEach(i, 0)))
	case isGeneral(t):
		s.setG(i.Dst, s.lowElement(s.vectorEach(i, 0)[0], t.Size()))
	default:
		s.setV(i.Dst, s.vectorEach(i, 0)[:1])
	}
}

// operand returns element c of an argument in vector registers.
func (s *elements) operand(r gang.Reg, c int) vec {
	t := s.f.Type(r)
	if x, ok := s.bits(r); ok {
		return s.constV(t.Size(), x)
	}
	switch {
	case isGeneral(t):
		return s.broadcast(t.Size(), s.scalar(r))
	case t.Class == gang.Scalar:
		return s.everywhere(s.floatScalar(r), t.Size())
	case c == memoryOrder:
		var f vec
		s.within(s.lanes, func() { f = s.inOrder(r) })
		return f
	case t.N > 1:
		return s.parts(r)[c]
	}
	return s.vector(r)
}

// boolOperand returns an argument of kind bool in all lanes under construction.
func (s *elements) boolOperand(r gang.Reg) mask {
	if s.f.Type(r).Class == gang.Scalar {
		return s.maskOfBool(r)
	}
	return s.mask(r)
}

// boolEach selects an operation whose result is a bool.
func (s *elements) boolEach(i *gang.Inst, c int) mask {
	from := s.f.Type(i.Args[0])
	if from.K == ssa.Bool {
		return s.boolOfBools(i)
	}
	k := from.K.Num()
	sz := k.Size()
	if i.Each == ssa.OpConvert {
		p := s.operand(i.Args[0], c)
		if !k.IsFloat() {
			return s.cmpInt(predNE, sz, false, p, s.constV(sz, 0))
		}
		if sz == 2 && !s.lv.HalfMath {
			p, sz = s.fromHalf(p), 4
		}
		return s.cmpFloat(cmpNE, sz, p, s.constV(sz, 0))
	}
	if m := s.testedBits(i, c); m != nil {
		return m
	}
	if !compares(i.Each) {
		gang.Refuse("%v giving a Bool", i.Each)
	}
	p, q := s.operand(i.Args[0], c), s.operand(i.Args[1], c)
	pred := predicates[i.Each]
	if !k.IsFloat() {
		return s.cmpInt(pred.ints, sz, k.Signed(), p, q)
	}
	if sz == 2 && !s.lv.HalfMath {
		p, q, sz = s.fromHalf(p), s.fromHalf(q), 4
	}
	return s.cmpFloat(pred.floats, sz, p, q)
}

// predicates are those of comparisons.
var predicates = map[ssa.Op]struct{ ints, floats int64 }{
	ssa.OpEq: {predEQ, cmpEQ}, ssa.OpNe: {predNE, cmpNE}, ssa.OpLt: {predLT, cmpLT}, ssa.OpLe: {predLE, cmpLE},
}

// testedBits compares a & b with 0 by one instruction. It returns nil for another operation.
func (s *elements) testedBits(i *gang.Inst, c int) mask {
	x := s.def[i.Args[0]]
	if x == nil || x.Op != gang.OpEach || x.Each != ssa.OpAnd || s.f.Type(i.Args[0]).Class != gang.Vector || i.Each != ssa.OpEq && i.Each != ssa.OpNe || !s.lv.MaskRegs || !s.stable(x) {
		return nil
	}
	sz := s.f.Type(i.Args[0]).Size()
	op := vptest[i.Each == ssa.OpNe][sz]
	if zero, known := s.bits(i.Args[1]); op == asm.NoOp || !known || zero != 0 {
		return nil
	}
	w := s.width(sz)
	return s.compareParts(sz, s.operand(x.Args[0], c), s.operand(x.Args[1], c), func(a, b reg) reg {
		return s.krvm(op, w, a, b, 0)
	})
}

// maxDistance is how far behind an instruction stable looks for assignments.
const maxDistance = 64

// stable reports whether the operands of an earlier instruction are known to have the same values now: they are assigned once,
// or not between that instruction and this one, in the block under construction.
func (s *elements) stable(i *gang.Inst) bool {
	if !slices.ContainsFunc(i.Args, func(a gang.Reg) bool { return s.defs[a] != 1 }) {
		return true
	}
	before := s.block.at.Insts[:s.block.n]
	for k := len(before) - 1; k >= max(0, len(before)-maxDistance); k-- {
		if i == &before[k] {
			return true
		}
		if slices.Contains(i.Args, before[k].Dst) {
			return false
		}
	}
	return false
}

func (s *elements) boolOfBools(i *gang.Inst) mask {
	a := s.boolOperand(i.Args[0])
	switch i.Each {
	case ssa.OpNot:
		return s.notMask(a)
	case ssa.OpCopy, ssa.OpConvert, ssa.OpBitcast:
		return a
	}
	b := s.boolOperand(i.Args[1])
	switch i.Each {
	case ssa.OpAnd:
		if d := s.def[i.Args[0]]; d != nil && d.Op == gang.OpEach && d.Each == ssa.OpNot && s.stable(d) && s.f.Type(i.Args[0]).Class == gang.Predicate {
			return s.andNotMask(s.boolOperand(d.Args[0]), b)
		}
		return s.andMask(a, b)
	case ssa.OpOr:
		return s.maskOp(asm.KORW, asm.VPOR, a, b)
	case ssa.OpXor, ssa.OpNe:
		return s.maskOp(asm.KXORW, asm.VPXOR, a, b)
	case ssa.OpEq:
		if s.lv.MaskRegs {
			return s.maskOp(asm.KXNORW, asm.NoOp, a, b)
		}
		return s.notMask(s.maskOp(asm.KXORW, asm.VPXOR, a, b))
	case ssa.OpSelect:
		d := s.newMask()
		if i.Dst == i.Args[2] && s.defs[i.Dst] > 1 {
			d = s.variable(i.Dst).k
		} else {
			s.copyMask(d, s.boolOperand(i.Args[2]))
		}
		s.mergeMask(d, b, a)
		return d
	}
	gang.Refuse("%v of Bools", i.Each)
	return nil
}

// vectorEach selects an operation on element c of each lane, or on all in memory order.
func (s *elements) vectorEach(i *gang.Inst, c int) vec {
	t, from := s.f.Type(i.Dst), s.f.Type(i.Args[0])
	k := from.K.Num()
	arg := func(n int) vec { return s.operand(i.Args[n], c) }
	var p vec
	switch {
	case i.Each == ssa.OpSelect:
		return s.selectEach(i, c, t)
	case i.Each == ssa.OpCopy, i.Each == ssa.OpPtrCast, i.Each == ssa.OpBitcast && t.Size() == from.Size():
		return arg(0)
	case i.Each == ssa.OpPtrAdd:
		return s.ptrAdd(arg(0), arg(1))
	case i.Each == ssa.OpConvert:
		p = s.convertEach(i, c)
	case i.Each == ssa.OpDot:
		return s.dotProduct(i.Aux, arg(0), arg(1), arg(2), s.sameInLanes(i.Args[0]))
	case k.IsInt() && len(i.Args) == 2 && t.Class == gang.Vector:
		if p = s.maskedProduct(i); p != nil {
			return p
		}
		if p = s.mergeMasked(i); p != nil {
			return p
		}
		fallthrough
	case k.IsFloat() || k.IsInt():
		args := make([]vec, max(2, len(i.Args)))
		for n := range i.Args {
			args[n] = arg(n)
		}
		switch limits := i.Each == ssa.OpMin || i.Each == ssa.OpMax; {
		case k.IsInt():
			p = s.intEach(i, c, k, args)
		case limits && (k.Size() > 2 || s.lv.HalfMath):
			p = s.minMaxFloat(i, k.Size(), args[0], args[1])
		default:
			p = s.floatOp(i.Each, k.Size(), args)
		}
	}
	if p == nil {
		p = s.evaluated(i, c)
	}
	return p
}

// sameInLanes reports whether a vector is known to have the same elements in all lanes.
func (s *operands) sameInLanes(r gang.Reg) bool {
	d := s.def[r]
	return d != nil && (d.Op == gang.OpConst || d.Op == gang.OpSplat)
}

// isNumber reports whether it is known that no element is a NaN, from operations up to a depth.
func (s *elements) isNumber(r gang.Reg, depth int) bool {
	d := s.def[r]
	if d == nil {
		return false
	}
	switch {
	case d.Op == gang.OpConst:
		return !isNaN(uint64(d.Imm), s.f.Type(r).Size())
	case d.Op == gang.OpSplat:
		return s.isNumber(d.Args[0], depth)
	case d.Op != gang.OpEach:
	case d.Each == ssa.OpConvert:
		return !s.f.Type(d.Args[0]).K.Num().IsFloat()
	case d.Each == ssa.OpMin, d.Each == ssa.OpMax: // a NaN where both operands are
		return depth > 0 && (s.isNumber(d.Args[0], depth-1) || s.isNumber(d.Args[1], depth-1))
	}
	return false
}

func (s *elements) selectEach(i *gang.Inst, c int, t gang.Type) vec {
	if p := s.lesser(i, c, t); p != nil {
		return p
	}
	a, b := s.operand(i.Args[1], c), s.operand(i.Args[2], c)
	return s.choose(s.boolOperand(i.Args[0]), a, b, t.Size())
}

// lesser selects the choice by a comparison of the same floats, as in a < b ? a : b. The instructions of a minimum and a
// maximum do just that: the result is the second operand if one is a NaN, or if both are zero. It returns nil for another choice.
func (s *elements) lesser(i *gang.Inst, c int, t gang.Type) vec {
	d := s.def[i.Args[0]]
	if d == nil || d.Op != gang.OpEach || d.Each != ssa.OpLt && d.Each != ssa.OpLe || !t.K.Num().IsFloat() || t.Size() == 2 && !s.lv.HalfMath || !s.stable(d) {
		return nil
	}
	x, y := i.Args[1], i.Args[2]
	greater := d.Args[0] == y && d.Args[1] == x
	if !greater && (d.Args[0] != x || d.Args[1] != y) {
		return nil
	}
	if d.Each == ssa.OpLe && !s.isDistinct(d.Args[0]) && !s.isDistinct(d.Args[1]) {
		return nil
	}
	return s.each2(t.Size(), limiters[greater][t.Size()], s.operand(x, c), s.operand(y, c))
}

// isDistinct reports whether a register is known to hold a number that equals only its own bits: no NaN, no zero, and no subnormal number,
// which may count as zero.
func (s *elements) isDistinct(r gang.Reg) bool {
	x, ok := s.constant(r)
	size := s.f.Type(r).Size()
	return ok && !isNaN(x, size) && x&infinities[size] != 0
}

// minMaxFloat selects the minimum or maximum of two floats. If one operand is a NaN, the result is the other one; of two
// zeros it is a. The instruction's result is its second source in both cases.
func (s *elements) minMaxFloat(i *gang.Inst, size int, a, b vec) vec {
	op := limiters[i.Each == ssa.OpMax][size]
	if s.isDistinct(i.Args[1]) {
		return s.each2(size, op, a, b)
	}
	m := s.each2(size, op, b, a)
	if s.isNumber(i.Args[0], 3) {
		return m
	}
	return s.choose(s.cmpFloat(cmpUNORD, size, a, a), b, m, size)
}

// intEach selects an operation on integers. It returns nil if the level has no instructions.
func (s *elements) intEach(i *gang.Inst, c int, k numeric.Kind, args []vec) vec {
	a, b := args[0], args[1]
	size, signed := k.Size(), k.Signed()
	var x uint64
	known := false
	if len(i.Args) > 1 {
		x, known = s.constant(i.Args[1])
	}
	switch i.Each {
	case ssa.OpAnd, ssa.OpOr, ssa.OpXor:
		if p := s.ternaryEach(i, c); p != nil {
			return p
		}
	case ssa.OpAddSat, ssa.OpSubSat:
		if p := s.dotSaturated(i, c); p != nil && i.Each == ssa.OpAddSat {
			return p
		}
	case ssa.OpMul:
		if known {
			if p := s.times(size, a, x); p != nil {
				return p
			}
		}
		if p := s.shortProduct(i, size, a, b); p != nil {
			return p
		}
	case ssa.OpDiv, ssa.OpRem:
		if size == 4 && !known {
			if r, ok := s.reciprocalOf(i.Args[1], signed); ok {
				return s.divideBy(i.Each == ssa.OpRem, signed, a, b, r)
			}
		}
	case ssa.OpShl, ssa.OpShr, ssa.OpRotl:
		// The count may be of another type; only its low bits matter.
		b = s.resize(b, size, s.f.Type(i.Args[1]).Size(), false)
		return s.shift(i.Each, size, signed, a, b, x, known)
	}
	if p := s.native(i.Each, integers(signed), size, a, b); p != nil {
		return p
	}
	return s.composed(i.Each, size, signed, a, b)
}

// reciprocalOf returns the reciprocal of a divisor that all lanes share, computed where the divisor is known.
func (s *elements) reciprocalOf(r gang.Reg, signed bool) (x reciprocal, ok bool) {
	d := s.def[r]
	if d == nil || d.Op != gang.OpSplat || !isGeneral(s.f.Type(d.Args[0])) || s.f.Type(r).N != 1 {
		return x, false
	}
	if x, ok = s.recip[r]; ok {
		return x, true
	}
	p := s.vector(r)
	one, half, zero := s.constV(8, math.Float64bits(1)), s.constV(8, math.Float64bits(0.5)), s.constV(4, 0)
	s.constV(8, ones52) // of conversions
	s.near(r, func() {
		wide := s.everywhere(emulation{s.arithmetic}.toDouble(p, signed)[0], 8)
		q := s.keep(s.cmpInt(predNE, 4, false, p, zero), s.each2(8, asm.VDIVPD, one, wide), 8)
		x.whole = s.everywhere(q[0], 8)
		x.half = s.each2(8, asm.VMULPD, x.whole, half)
	})
	s.recip[r] = x
	return x, true
}

// foldableDef returns the instruction that computes r if its only reader, in the block under construction, can compute r
// itself: the operands still have their values. Else it returns nil.
func (s *elements) foldableDef(r gang.Reg) *gang.Inst {
	if d := s.only(r, s.block.at); d != nil && d.Op == gang.OpEach && s.stable(d) {
		return d
	}
	return nil
}

// ternaryEach computes an operation whose operands are bitwise functions themselves by one instruction. It returns
// nil for others.
func (s *elements) ternaryEach(i *gang.Inst, c int) vec {
	t := s.f.Type(i.Dst)
	if s.cur.cold || t.Class != gang.Vector || s.defs[i.Dst] != 1 {
		return nil
	}
	if !s.lv.Ternary {
		return s.andNotEach(i, c)
	}
	f, ok := bitwiseOf(i.Dst, nil, func(r gang.Reg) (ssa.Op, []gang.Reg) {
		if r == i.Dst {
			return i.Each, i.Args
		}
		if d := s.foldableDef(r); d != nil && s.f.Type(r) == t {
			return d.Each, d.Args
		}
		return ssa.OpInvalid, nil
	}, 0)
	if !ok || len(f.leaves) < 3 {
		return nil
	}
	var p [3]vec
	for n, r := range f.leaves {
		if s.f.Type(r) != t {
			return nil
		}
		p[n] = s.operand(r, c)
	}
	w := s.width(t.Size())
	return s.arithmetic.each(len(p[0]), func(k int) reg {
		return s.overwrite(asm.VPTERNLOGD, w, p[0][k], p[1][k], p[2][k], int64(f.table))
	})
}

// andNotEach computes a conjunction with a complement by one instruction. It returns nil for other operations.
func (s *elements) andNotEach(i *gang.Inst, c int) vec {
	for n, r := range i.Args {
		if i.Each != ssa.OpAnd {
			return nil
		}
		if d := s.foldableDef(r); d != nil && d.Each == ssa.OpNot && s.f.Type(r) == s.f.Type(i.Dst) {
			return s.each2(s.f.Type(r).Size(), asm.VPANDN, s.operand(d.Args[0], c), s.operand(i.Args[1-n], c))
		}
	}
	return nil
}

// shortProduct multiplies 32-bit integers whose values fit into 16 bits, by an instruction that adds the products of
// both halves. It returns nil for others.
func (s *elements) shortProduct(i *gang.Inst, size int, a, b vec) vec {
	if size != 4 {
		return nil
	}
	x, y := s.rangeOf(i.Args[0]), s.rangeOf(i.Args[1])
	switch {
	case x.Lo < math.MinInt16 || x.Hi > math.MaxInt16 || y.Lo < math.MinInt16 || y.Hi > math.MaxInt16:
		return nil
	case y.Lo >= 0:
	case x.Lo >= 0:
		a, b = b, a
	case s.sameInLanes(i.Args[1]):
		b = s.each2(4, asm.VPAND, b, s.constV(4, 0xFFFF))
	default:
		a = s.each2(4, asm.VPAND, a, s.constV(4, 0xFFFF))
	}
	return s.each2(4, asm.VPMADDWD, a, b)
}

// dotSaturated returns the saturating sum of a number and a dot product of an unsigned and a signed side, nil for
// other operations.
func (s *elements) dotSaturated(i *gang.Inst, c int) vec {
	for n, r := range i.Args {
		d := s.def[r]
		if d == nil || d.Op != gang.OpEach || d.Each != ssa.OpDot || !s.stable(d) || s.f.Type(i.Dst).K != ssa.I32 || !s.lv.Dots || d.Aux != ssa.DotSigned0 && d.Aux != ssa.DotSigned1 {
			continue
		}
		if x, ok := s.bits(d.Args[2]); !ok || x != 0 {
			continue
		}
		a, b := d.Args[0], d.Args[1]
		if d.Aux == ssa.DotSigned0 {
			a, b = b, a
		}
		return s.addProducts(asm.VPDPBUSDS, s.operand(i.Args[1-n], c), s.operand(a, c), s.operand(b, c))
	}
	return nil
}

// convertEach selects a conversion.
func (s *elements) convertEach(i *gang.Inst, c int) vec {
	t, from := s.f.Type(i.Dst), s.f.Type(i.Args[0])
	dk, sk := t.K.Num(), from.K.Num()
	ds, ss := dk.Size(), sk.Size()
	sat, mode := conversionOf(i.Aux, dk)
	if from.K == ssa.Bool {
		one := map[numeric.Kind]uint64{numeric.F16: 0x3c00, numeric.F32: 0x3f800000, numeric.F64: 0x3ff0000000000000}[dk]
		return s.keep(s.boolOperand(i.Args[0]), s.constV(ds, max(one, 1)), ds)
	}
	p := s.operand(i.Args[0], c)
	switch {
	case dk == sk:
		return p
	case dk.IsInt() && sk.IsInt():
		if n := s.valueBits(i.Args[0]); ds < ss && s.packs(p, ss) && (n < 8*ds || n == 8*ds && !(sat && dk.Signed())) {
			return s.pack(p, ds, ss, false)
		}
		return s.intToInt(p, ds, ss, dk.Signed(), sk.Signed(), sat)
	case dk.IsFloat() && sk.IsFloat():
		return s.floatToFloat(p, ds, ss, mode)
	case dk.IsFloat() && ss == 8 && s.valueBits(i.Args[0]) <= 31: // ids, sizes: no machine lacks this
		return s.intToFloat(s.truncate(8, 4, p), ds, 4, true, mode)
	case dk.IsFloat():
		return s.intToFloat(p, ds, ss, sk.Signed(), mode)
	}
	if ss == 2 && (ds == 8 || !s.lv.HalfMath) {
		p, ss = s.fromHalf(p), 4
	}
	return s.floatToInt(p, ds, ss, dk.Signed(), sat, mode, s.positive(i.Args[0]))
}

// evaluated computes an operation in Go.
func (s *elements) evaluated(i *gang.Inst, c int) vec {
	t := s.f.Type(i.Dst)
	if c == memoryOrder {
		var whole vec
		s.within(s.lanes, func() {
			ps := make([]vec, t.N)
			for c := range ps {
				ps[c] = s.evaluated(i, c)
			}
			whole = s.sideBySide(ps, t.Size())
		})
		return whole
	}
	op := HostOp{Each: i.Each, Pos: i.Pos, Kind: t.K, Aux: i.Aux}
	for _, a := range i.Args {
		op.Args = append(op.Args, s.f.Type(a).K)
	}
	if _, ok := ssa.EvalScalar(i.Each, t.K, op.Args[0], i.Aux, make([]uint64, len(i.Args))); !ok {
		gang.Refuse("%v of %v", i.Each, t.K)
	}
	args := make([]vec, len(i.Args))
	for n, a := range i.Args {
		if s.f.Type(a).K != ssa.Bool {
			args[n] = s.operand(a, c)
		}
	}
	var r vec
	f := func() {
		for n, a := range i.Args {
			at := ctxAt(int32(CtxArgs + CtxArgSize*n))
			if args[n] == nil {
				s.maskBits(s.boolOperand(a))
				s.st(at, 8, rAX)
				continue
			}
			sz := s.f.Type(a).Size()
			s.storeParts(at, args[n][:s.numParts(sz)], sz)
		}
		s.yield(op)
		r = s.loadParts(ctxAt(CtxArgs+CtxArgSize*3), t.Size())
	}
	if t.Class != gang.Scalar {
		f()
		return r
	}
	s.within(s.lanes, f) // only one lane counts
	r[0] = s.rmv(vbroadcast[t.Size()], s.lv.VL, r[0])
	return r
}
