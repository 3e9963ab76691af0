package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// convert lowers a conversion; ok is false where it is left to the launch.
func (l *values) convert(v *ssa.Value, c int) (p vec, ok bool) {
	a := v.Args[0]
	dk, sk := v.Type.K.Num(), a.Type.K.Num()
	ds, ss := dk.Size(), sk.Size()
	sat, mode := ssa.ConvParts(v.Aux)
	switch {
	case a.Type.K == ssa.Bool:
		one := uint64(1)
		switch dk {
		case numeric.F16:
			one = 0x3c00
		case numeric.F32:
			one = 0x3f800000
		case numeric.F64:
			one = 0x3ff0000000000000
		}
		return l.keep(l.K(a, c), l.constV(ds, one), ds), true
	case dk == sk:
		return l.V(a, c), true
	case dk.IsInt() && sk.IsInt() && ds < ss && l.packs(l.V(a, c), ss) && (l.valueBits(a) < 8*ds || l.valueBits(a) == 8*ds && !(sat && dk.Signed())):
		return l.pack(l.V(a, c), ds, ss, false), true
	case dk.IsInt() && sk.IsInt():
		return l.intToInt(l.V(a, c), ds, ss, dk.Signed(), sk.Signed(), sat), true
	case dk.IsFloat() && sk.IsFloat():
		return l.floatToFloat(l.V(a, c), ds, ss, mode)
	case dk.IsFloat() && ss == 8 && l.facts.Of(a).NonNeg31(): // ids, sizes: no machine lacks this
		return l.intToFloat(l.truncate(8, 4, l.V(a, c)), ds, 4, true, mode)
	case dk.IsFloat():
		return l.intToFloat(l.V(a, c), ds, ss, sk.Signed(), mode)
	}
	if mode == numeric.RoundDefault {
		mode = numeric.RTZ
	}
	x := l.V(a, c)
	if ss == 2 && (ds == 8 || !l.lv.HalfMath) {
		x, ss = l.fromHalf(x), 4
	}
	return l.floatToInt(x, ds, ss, dk.Signed(), sat, mode, l.nonNegative(a))
}

// nativeHalf computes with AVX512-FP16.
func (l *values) nativeHalf(v *ssa.Value, c int, a vec) (p vec, ok bool) {
	two := map[ssa.Op]asm.Op{ssa.OpAdd: asm.VADDPH, ssa.OpSub: asm.VSUBPH, ssa.OpMul: asm.VMULPH, ssa.OpDiv: asm.VDIVPH}
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv:
		return l.each2(2, two[v.Op], a, l.V(v.Args[1], c)), true
	case ssa.OpFMA, ssa.OpFMS, ssa.OpFNMA:
		return l.fusedMulAdd(v.Op, 2, a, l.V(v.Args[1], c), l.V(v.Args[2], c)), true
	case ssa.OpSqrt:
		return l.each1(2, asm.VSQRTPH, a), true
	case ssa.OpFloor, ssa.OpCeil, ssa.OpTrunc, ssa.OpRint:
		imm := map[ssa.Op]int64{ssa.OpRint: 8, ssa.OpFloor: 9, ssa.OpCeil: 10, ssa.OpTrunc: 11}[v.Op]
		return l.eachI(2, asm.VRNDSCALEPH, a, imm), true
	case ssa.OpMin, ssa.OpMax:
		return l.minMaxFloat(v.Op == ssa.OpMin, 2, a, l.V(v.Args[1], c), isNumber(v.Args[0], 3)), true
	}
	return p, false
}

// boolOp computes element c of a Bool in a mask register.
func (l *values) boolOp(v *ssa.Value, c int) mask {
	a := v.Args[0]
	k := a.Type.K.Num()
	if a.Type.K == ssa.Bool {
		x := l.K(a, c)
		switch v.Op {
		case ssa.OpNot:
			return l.notMask(x)
		case ssa.OpCopy, ssa.OpConvert, ssa.OpBitcast:
			return x
		}
		y := l.K(v.Args[1], c)
		switch v.Op {
		case ssa.OpAnd:
			return l.andMask(x, y)
		case ssa.OpOr, ssa.OpXor, ssa.OpNe, ssa.OpEq:
			if v.Op == ssa.OpOr {
				return l.maskOp(asm.KORW, asm.VPOR, x, y)
			}
			if v.Op == ssa.OpEq && l.lv.MaskRegs {
				return l.maskOp(asm.KXNORW, asm.NoOp, x, y)
			}
			d := l.maskOp(asm.KXORW, asm.VPXOR, x, y)
			if v.Op == ssa.OpEq {
				return l.notMask(d)
			}
			return d
		}
		refuse("%v of Bools", v.Op)
	}
	sz := k.Size()
	if m := l.testBits(v, c); m != nil {
		return m
	}
	p := l.V(a, c)
	if v.Op == ssa.OpConvert {
		if !k.IsFloat() {
			return l.cmpInt(predNE, sz, false, p, l.constV(sz, 0))
		}
		if sz == 2 && !l.lv.HalfMath {
			p, sz = l.fromHalf(p), 4
		}
		return l.cmpFloat(cmpNE, sz, p, l.constV(sz, 0))
	}
	q := l.V(v.Args[1], c)
	if k.IsFloat() {
		if sz == 2 && !l.lv.HalfMath {
			p, q, sz = l.fromHalf(p), l.fromHalf(q), 4
		}
		pred, ok := map[ssa.Op]int64{ssa.OpEq: cmpEQ, ssa.OpNe: cmpNE, ssa.OpLt: cmpLT, ssa.OpLe: cmpLE}[v.Op]
		if !ok {
			refuse("%v giving a Bool", v.Op)
		}
		return l.cmpFloat(pred, sz, p, q)
	}
	pred, ok := map[ssa.Op]int64{ssa.OpEq: predEQ, ssa.OpNe: predNE, ssa.OpLt: predLT, ssa.OpLe: predLE}[v.Op]
	if !ok {
		refuse("%v giving a Bool", v.Op)
	}
	return l.cmpInt(pred, sz, k.Signed(), p, q)
}

// testBits compares a & b with 0 by one instruction; nil where v is something else, or
// there is none.
func (l *values) testBits(v *ssa.Value, c int) mask {
	x := l.real(v.Args[0])
	if x.Op != ssa.OpAnd || v.Op != ssa.OpEq && v.Op != ssa.OpNe || !l.lv.MaskRegs || c == memoryOrder {
		return nil
	}
	sz := size(x.Type.K)
	op, ok := vptest[v.Op == ssa.OpNe][sz]
	if zero, known := elemOf(v.Args[1], c); !ok || !known || zero != 0 {
		return nil
	}
	w := l.width(sz)
	return l.compareParts(sz, l.V(x.Args[0], c), l.V(x.Args[1], c), func(a, b reg) reg {
		d := l.kr()
		l.emit(inst{op: op, w: w, fl: fDefReg, reg: d, v: a, rm: b})
		return d
	})
}

// outside computes element c of an op in Go.
func (l *values) outside(v *ssa.Value, c int) vec {
	if c == memoryOrder {
		return nil
	}
	if _, ok := ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, make([]uint64, len(v.Args))); !ok {
		refuse("%v of %v", v.Op, v.Type)
	}
	for i, a := range v.Args {
		sz := size(a.Type.K)
		at := int32(CtxArgs + CtxArgSize*i)
		if a.Type.K == ssa.Bool {
			l.maskBits(l.K(a, c))
			l.st(ctxAt(at), 8, rAX)
			continue
		}
		l.storeParts(ctxAt(at), l.V(a, c), sz)
	}
	l.emit(inst{kind: kYield, imm: int64(len(l.out.Ops))})
	l.out.Ops = append(l.out.Ops, v)
	return l.loadParts(ctxAt(CtxArgs+CtxArgSize*3), size(v.Type.K))
}

// vectorOp computes element c of an elementwise op in vector registers.
func (l *values) vectorOp(v *ssa.Value, c int) vec {
	k := v.Args[0].Type.K.Num()
	var p vec
	ok := false
	switch {
	case v.Op == ssa.OpCopy, v.Op == ssa.OpPtrCast:
		return l.V(v.Args[0], c)
	case v.Op == ssa.OpConvert:
		p, ok = l.convert(v, c)
	case v.Op == ssa.OpPtrAdd:
		return l.ptrAdd(l.V(v.Args[0], 0), l.V(v.Args[1], 0))
	case v.Op == ssa.OpBitcast && size(v.Type.K) == size(v.Args[0].Type.K):
		return l.V(v.Args[0], c)
	case k.IsFloat() && k.Size() == 2:
		p, ok = l.halfOp(v, c)
	case k.IsFloat():
		p, ok = l.floatOp(v, c, k.Size())
	case k.IsInt():
		p, ok = l.intOp(v, c, k.Size(), k.Signed())
	}
	if ok {
		return p
	}
	if v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpPtrCast {
		return l.outside(v, c)
	}
	refuse("%v of %v", v.Op, v.Type)
	return vec{}
}

func (l *values) floatOp(v *ssa.Value, c, size int) (p vec, ok bool) {
	pick := func(s, d asm.Op) asm.Op {
		if size == 8 {
			return d
		}
		return s
	}
	a := l.V(v.Args[0], c)
	two := func(s, d asm.Op) (vec, bool) { return l.each2(size, pick(s, d), a, l.V(v.Args[1], c)), true }
	sign := uint64(1) << (8*size - 1)
	switch v.Op {
	case ssa.OpAdd:
		return two(asm.VADDPS, asm.VADDPD)
	case ssa.OpSub:
		return two(asm.VSUBPS, asm.VSUBPD)
	case ssa.OpMul:
		return two(asm.VMULPS, asm.VMULPD)
	case ssa.OpDiv:
		return two(asm.VDIVPS, asm.VDIVPD)
	case ssa.OpSqrt:
		return l.each1(size, pick(asm.VSQRTPS, asm.VSQRTPD), a), true
	case ssa.OpMin, ssa.OpMax:
		return l.minMaxFloat(v.Op == ssa.OpMin, size, a, l.V(v.Args[1], c), isNumber(v.Args[0], 3)), true
	case ssa.OpFMA, ssa.OpFMS, ssa.OpFNMA:
		b, d := l.V(v.Args[1], c), l.V(v.Args[2], c)
		return l.fusedMulAdd(v.Op, size, a, b, d), true
	case ssa.OpNeg:
		return l.each2(size, asm.VPXOR, a, l.constV(size, sign)), true
	case ssa.OpFabs:
		return l.each2(size, asm.VPAND, a, l.constV(size, sign-1)), true
	case ssa.OpCopySign:
		b := l.V(v.Args[1], c)
		return l.each2(size, asm.VPOR, l.each2(size, asm.VPAND, a, l.constV(size, sign-1)), l.each2(size, asm.VPAND, b, l.constV(size, sign))), true
	case ssa.OpFloor, ssa.OpCeil, ssa.OpTrunc, ssa.OpRint:
		imm := map[ssa.Op]int64{ssa.OpRint: 8, ssa.OpFloor: 9, ssa.OpCeil: 10, ssa.OpTrunc: 11}[v.Op]
		return l.roundTo(size, a, imm), true
	}
	return p, false
}

// halfOp computes in float and rounds once more; see numeric.Half for why that is right.
func (l *values) halfOp(v *ssa.Value, c int) (p vec, ok bool) {
	a := l.V(v.Args[0], c)
	switch v.Op {
	case ssa.OpNeg:
		return l.each2(2, asm.VPXOR, a, l.constV(2, 0x8000)), true
	case ssa.OpFabs:
		return l.each2(2, asm.VPAND, a, l.constV(2, 0x7fff)), true
	case ssa.OpCopySign:
		b := l.V(v.Args[1], c)
		return l.each2(2, asm.VPOR, l.each2(2, asm.VPAND, a, l.constV(2, 0x7fff)), l.each2(2, asm.VPAND, b, l.constV(2, 0x8000))), true
	}
	if l.lv.HalfMath {
		return l.nativeHalf(v, c, a)
	}
	switch v.Op {
	case ssa.OpFMA, ssa.OpFMS, ssa.OpFNMA:
		return l.halfFMA(v.Op, a, l.V(v.Args[1], c), l.V(v.Args[2], c)), true
	}
	up := l.fromHalf
	fa := up(a)
	var r vec
	switch v.Op {
	case ssa.OpAdd:
		r = l.each2(4, asm.VADDPS, fa, up(l.V(v.Args[1], c)))
	case ssa.OpSub:
		r = l.each2(4, asm.VSUBPS, fa, up(l.V(v.Args[1], c)))
	case ssa.OpMul:
		r = l.each2(4, asm.VMULPS, fa, up(l.V(v.Args[1], c)))
	case ssa.OpDiv:
		r = l.each2(4, asm.VDIVPS, fa, up(l.V(v.Args[1], c)))
	case ssa.OpSqrt:
		r = l.each1(4, asm.VSQRTPS, fa)
	case ssa.OpFloor, ssa.OpCeil, ssa.OpTrunc, ssa.OpRint:
		imm := map[ssa.Op]int64{ssa.OpRint: 8, ssa.OpFloor: 9, ssa.OpCeil: 10, ssa.OpTrunc: 11}[v.Op]
		r = l.roundTo(4, fa, imm)
	case ssa.OpMin, ssa.OpMax:
		b := l.V(v.Args[1], c)
		fb := up(b)
		// b where a is a NaN or b is less (greater); else a.
		x, y := fb, fa
		if v.Op == ssa.OpMax {
			x, y = fa, fb
		}
		less := l.cmpFloat(cmpLT, 4, x, y)
		nan := l.cmpFloat(cmpUNORD, 4, fa, fa)
		return l.choose(nan, b, l.choose(less, b, a, 2), 2), true
	default:
		return p, false
	}
	return l.toHalf(r, 0), true
}

func (l *values) intOp(v *ssa.Value, c, size int, signed bool) (p vec, ok bool) {
	if v.Op == ssa.OpDot {
		return l.dot(v, c), true
	}
	a := l.V(v.Args[0], c)
	b := a
	if len(v.Args) > 1 {
		b = l.V(v.Args[1], c)
	}
	by := func(t map[int]asm.Op) (vec, bool) {
		op, ok := t[size]
		if !ok {
			return p, false
		}
		return l.each2(size, op, a, b), true
	}
	switch v.Op {
	case ssa.OpAdd:
		return by(vadd)
	case ssa.OpSub:
		return by(vsub)
	case ssa.OpNeg:
		return l.each2(size, vsub[size], l.constV(size, 0), a), true
	case ssa.OpAnd, ssa.OpOr, ssa.OpXor:
		if p := l.ternary(v, c); p != nil {
			return p, true
		}
		return l.each2(size, logical[v.Op], a, b), true
	case ssa.OpNot:
		return l.each2(size, asm.VPXOR, a, l.constV(size, ^uint64(0)>>(64-8*size))), true
	case ssa.OpMul:
		if bits, ok := elemOf(v.Args[1], c); ok {
			if p := l.times(size, a, bits); p != nil {
				return p, true
			}
		}
		if p := l.shortProduct(v, size, a, b); p != nil {
			return p, true
		}
		return l.mulInt(size, a, b)
	case ssa.OpMin, ssa.OpMax:
		return l.minMax(v.Op == ssa.OpMin, size, signed, a, b), true
	case ssa.OpAbs:
		return l.absolute(size, signed, a), true
	case ssa.OpAbsDiff:
		return l.each2(size, vsub[size], l.minMax(false, size, signed, a, b), l.minMax(true, size, signed, a, b)), true
	case ssa.OpPopcount:
		return l.popcount(size, a), true
	case ssa.OpHAdd, ssa.OpRHAdd:
		return l.half(v.Op == ssa.OpRHAdd, size, signed, a, b), true
	case ssa.OpAddSat, ssa.OpSubSat:
		if p := l.dotSaturated(v, c); p != nil {
			return p, true
		}
		return l.saturating(v.Op == ssa.OpAddSat, size, signed, a, b)
	case ssa.OpShl, ssa.OpShr, ssa.OpRotl:
		// The count may be of another type; only its low bits matter.
		if n := v.Args[1].Type.K.Num().Size(); n < size {
			b = l.extend(n, size, false, b)
		} else {
			b = l.truncate(n, size, b)
		}
		return l.shift(v, size, signed, a, b, c)
	case ssa.OpMulHi:
		return l.mulHigh(size, signed, a, b)
	case ssa.OpClz:
		return l.leadingZeros(size, a), true
	case ssa.OpCtz:
		return l.popcount(size, l.each2(size, asm.VPANDN, a, l.each2(size, vsub[size], a, l.constV(size, 1)))), true
	case ssa.OpDiv, ssa.OpRem:
		if size == 4 && l.sharedDivisor(v) {
			return l.divideShared(v, signed, a, b), true
		}
		return l.divide(v.Op == ssa.OpRem, size, signed, a, b)
	}
	return p, false
}

// absolute returns numbers without their sign.
func (l *arithmetic) absolute(size int, signed bool, a vec) vec {
	switch {
	case !signed:
		return a
	case size == 8 && !l.lv.Quads:
		neg := l.cmpInt(predLT, 8, true, a, l.constV(8, 0))
		return l.choose(neg, l.each2(8, asm.VPSUBQ, l.constV(8, 0), a), a, 8)
	}
	return l.each1(size, vabs[size], a)
}

// half returns half of the sums, rounded down or up.
func (l *arithmetic) half(up bool, size int, signed bool, a, b vec) vec {
	switch {
	case up && !signed && size <= 2:
		return l.each2(size, map[int]asm.Op{1: asm.VPAVGB, 2: asm.VPAVGW}[size], a, b)
	case size == 1 || size == 2 && !signed:
		return l.average(up, size, signed, a, b)
	}
	half := emulation{l}.halved(size, signed, l.each2(size, asm.VPXOR, a, b))
	if up {
		return l.each2(size, vsub[size], l.each2(size, asm.VPOR, a, b), half)
	}
	return l.each2(size, vadd[size], l.each2(size, asm.VPAND, a, b), half)
}

// shortProduct multiplies numbers of 32 bits that have only 16, by an instruction that adds
// the products of both halves: the upper one of a factor is made 0. That takes half the
// time of a multiplication. It returns nil of others.
func (l *values) shortProduct(v *ssa.Value, size int, a, b vec) vec {
	x, y := l.real(v.Args[0]), l.real(v.Args[1])
	if size != 4 || !l.short(x) || !l.short(y) {
		return nil
	}
	switch {
	case l.valueBits(y) < 16:
	case l.valueBits(x) < 16:
		a, b = b, a
	case l.plan.Varying[y.ID]:
		a = l.each2(4, asm.VPAND, a, l.constV(4, 0xFFFF))
	default:
		b = l.each2(4, asm.VPAND, b, l.constV(4, 0xFFFF))
	}
	return l.each2(4, asm.VPMADDWD, a, b)
}

// short reports whether a number is one of 16 bits with a sign.
func (l *values) short(v *ssa.Value) bool { return l.facts.Of(v).Within(-1<<15, 1<<15-1) }
