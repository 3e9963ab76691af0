package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// convert lowers a conversion.
func (l *values) convert(v *ssa.Value, c int) vec {
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
		return l.keep(l.K(a, c), l.constV(ds, one), ds)
	case dk == sk:
		return l.V(a, c)
	case dk.IsInt() && sk.IsInt() && ds < ss && l.packs(l.V(a, c), ss) && (l.valueBits(a) < 8*ds || l.valueBits(a) == 8*ds && !(sat && dk.Signed())):
		return l.pack(l.V(a, c), ds, ss, false)
	case dk.IsInt() && sk.IsInt():
		return l.intToInt(l.V(a, c), ds, ss, dk.Signed(), sk.Signed(), sat)
	case dk.IsFloat() && sk.IsFloat():
		return l.floatToFloat(l.V(a, c), ds, ss, mode)
	case dk.IsFloat() && ss == 8 && l.facts.Of(a).NonNeg31(): // ids and sizes: all levels have the instruction
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

// testBits compares a & b with 0 by one instruction. It returns nil if v is another operation or the level lacks
// the instruction.
func (l *values) testBits(v *ssa.Value, c int) mask {
	x := l.real(v.Args[0])
	if x.Op != ssa.OpAnd || v.Op != ssa.OpEq && v.Op != ssa.OpNe || !l.lv.MaskRegs || c == memoryOrder {
		return nil
	}
	sz := size(x.Type.K)
	op := vptest[v.Op == ssa.OpNe][sz]
	if zero, known := elemOf(v.Args[1], c); op == asm.NoOp || !known || zero != 0 {
		return nil
	}
	w := l.width(sz)
	return l.compareParts(sz, l.V(x.Args[0], c), l.V(x.Args[1], c), func(a, b reg) reg {
		d := l.kr()
		l.emit(inst{op: op, w: w, fl: fDefReg, reg: d, v: a, rm: b})
		return d
	})
}

// onHost computes element c of an op by a host call.
func (l *values) onHost(v *ssa.Value, c int) vec {
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
	switch {
	case v.Op == ssa.OpCopy, v.Op == ssa.OpPtrCast, v.Op == ssa.OpBitcast && size(v.Type.K) == size(v.Args[0].Type.K):
		return l.V(v.Args[0], c)
	case v.Op == ssa.OpPtrAdd:
		return l.ptrAdd(l.V(v.Args[0], 0), l.V(v.Args[1], 0))
	case v.Op == ssa.OpConvert:
		p = l.convert(v, c)
	case v.Op == ssa.OpDot:
		return l.dot(v, c)
	case k.IsFloat() || k.IsInt():
		args := make([]vec, max(2, len(v.Args)))
		for i, a := range v.Args {
			args[i] = l.V(a, c)
		}
		if k.IsInt() {
			p = l.intOp(v, c, k.Size(), k.Signed(), args)
		} else {
			p = l.floatOp(v, k.Size(), args)
		}
	}
	if p == nil && v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpPtrCast {
		p = l.onHost(v, c)
	} else if p == nil {
		refuse("%v of %v", v.Op, v.Type)
	}
	return p
}

// floatOp computes with floats, doubles or halfs. It returns nil if the level has no instructions.
func (l *values) floatOp(v *ssa.Value, size int, args []vec) vec {
	a, b := args[0], args[1]
	if p := l.native(v.Op, ofFloats, size, a, b); p != nil {
		return p
	}
	top := uint64(1) << (8*size - 1)
	magnitude := func(a vec) vec { return l.each2(size, asm.VPAND, a, l.constV(size, top-1)) }
	switch v.Op {
	case ssa.OpNeg:
		return l.each2(size, asm.VPXOR, a, l.constV(size, top))
	case ssa.OpFabs:
		return magnitude(a)
	case ssa.OpCopySign:
		return l.each2(size, asm.VPOR, magnitude(a), l.each2(size, asm.VPAND, b, l.constV(size, top)))
	}
	if size == 2 && !l.lv.HalfMath {
		return l.halfOp(v.Op, args)
	}
	switch v.Op {
	case ssa.OpMin, ssa.OpMax:
		return l.minMaxFloat(v.Op == ssa.OpMin, size, a, b, isNumber(v.Args[0], 3))
	case ssa.OpFMA, ssa.OpFMS, ssa.OpFNMA:
		return l.fusedMulAdd(v.Op, size, a, b, args[2])
	}
	return nil
}

// halfOp computes in float and rounds again; numeric.Half explains why the result is correctly rounded.
func (l *values) halfOp(op ssa.Op, args []vec) vec {
	a, b := args[0], args[1]
	switch op {
	case ssa.OpFMA, ssa.OpFMS, ssa.OpFNMA:
		return l.halfFMA(op, a, b, args[2])
	}
	fa, fb := l.fromHalf(a), vec(nil)
	if b != nil {
		fb = l.fromHalf(b)
	}
	if op == ssa.OpMin || op == ssa.OpMax {
		// The result is b if a is a NaN or b is less (greater), else a.
		x, y := fb, fa
		if op == ssa.OpMax {
			x, y = fa, fb
		}
		less := l.cmpFloat(cmpLT, 4, x, y)
		nan := l.cmpFloat(cmpUNORD, 4, fa, fa)
		return l.choose(nan, b, l.choose(less, b, a, 2), 2)
	}
	if r := l.native(op, ofFloats, 4, fa, fb); r != nil {
		return l.toHalf(r, 0)
	}
	return nil
}

// intOp computes with integers. It returns nil if the level has no instructions.
func (l *values) intOp(v *ssa.Value, c, size int, signed bool, args []vec) vec {
	a, b := args[0], args[1]
	switch v.Op {
	case ssa.OpAnd, ssa.OpOr, ssa.OpXor:
		if p := l.ternary(v, c); p != nil {
			return p
		}
	case ssa.OpMul:
		if bits, ok := elemOf(v.Args[1], c); ok {
			if p := l.times(size, a, bits); p != nil {
				return p
			}
		}
		if p := l.shortProduct(v, size, a, b); p != nil {
			return p
		}
	case ssa.OpAddSat, ssa.OpSubSat:
		if p := l.dotSaturated(v, c); p != nil {
			return p
		}
	case ssa.OpDiv, ssa.OpRem:
		if size == 4 && l.sharedDivisor(v) {
			return l.divideShared(v, signed, a, b)
		}
	case ssa.OpShl, ssa.OpShr, ssa.OpRotl:
		// The count may be of another type; only its low bits matter.
		n, known := elemOf(v.Args[1], c)
		b = l.resize(b, size, v.Args[1].Type.K.Num().Size(), false)
		return l.shift(v.Op, size, signed, a, b, n, known)
	}
	if p := l.native(v.Op, integers(signed), size, a, b); p != nil {
		return p
	}
	return l.composed(v.Op, size, signed, a, b)
}

// composed computes with integers by several instructions. It returns nil if the level has none.
func (l *arithmetic) composed(op ssa.Op, size int, signed bool, a, b vec) vec {
	switch op {
	case ssa.OpNeg:
		return l.each2(size, vsub[size], l.constV(size, 0), a)
	case ssa.OpNot:
		return l.each2(size, asm.VPXOR, a, l.constV(size, ones(8*size)))
	case ssa.OpMul:
		return l.mulInt(size, a, b)
	case ssa.OpMin, ssa.OpMax:
		return l.minMax(op == ssa.OpMin, size, signed, a, b)
	case ssa.OpAbs:
		if !signed {
			return a
		}
		neg := l.cmpInt(predLT, 8, true, a, l.constV(8, 0))
		return l.choose(neg, l.each2(8, asm.VPSUBQ, l.constV(8, 0), a), a, 8)
	case ssa.OpAbsDiff:
		return l.each2(size, vsub[size], l.minMax(false, size, signed, a, b), l.minMax(true, size, signed, a, b))
	case ssa.OpPopcount:
		return l.popcount(size, a)
	case ssa.OpHAdd, ssa.OpRHAdd:
		return l.half(op == ssa.OpRHAdd, size, signed, a, b)
	case ssa.OpAddSat, ssa.OpSubSat:
		return l.saturating(op == ssa.OpAddSat, size, signed, a, b)
	case ssa.OpMulHi:
		return l.mulHigh(size, signed, a, b)
	case ssa.OpClz:
		return l.leadingZeros(size, a)
	case ssa.OpCtz:
		return l.popcount(size, l.each2(size, asm.VPANDN, a, l.each2(size, vsub[size], a, l.constV(size, 1))))
	case ssa.OpDiv, ssa.OpRem:
		return l.divide(op == ssa.OpRem, size, signed, a, b)
	}
	return nil
}

// half returns half of the sums, rounded down or up.
func (l *arithmetic) half(up bool, size int, signed bool, a, b vec) vec {
	if size == 1 || size == 2 && !signed {
		return l.average(up, size, signed, a, b)
	}
	half := emulation{l}.halved(size, signed, l.each2(size, asm.VPXOR, a, b))
	if up {
		return l.each2(size, vsub[size], l.each2(size, asm.VPOR, a, b), half)
	}
	return l.each2(size, vadd[size], l.each2(size, asm.VPAND, a, b), half)
}

// shortProduct multiplies 32-bit numbers whose values fit into 16 bits. It clears the upper half of a factor and
// uses an instruction that adds the products of both halves, which takes half the time of a multiplication. It
// returns nil for other operands.
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

// short reports whether a number fits into 16 signed bits.
func (l *values) short(v *ssa.Value) bool { return l.facts.Of(v).Within(-1<<15, 1<<15-1) }
