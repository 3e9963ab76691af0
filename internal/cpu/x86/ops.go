package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// floatOp computes with floats, doubles or halfs. It returns nil if the level has no instructions.
func (l *arithmetic) floatOp(op ssa.Op, size int, args []vec) vec {
	a, b := args[0], args[1]
	if p := l.native(op, ofFloats, size, a, b); p != nil {
		return p
	}
	top := uint64(1) << (8*size - 1)
	magnitude := func(a vec) vec { return l.each2(size, asm.VPAND, a, l.constV(size, top-1)) }
	switch op {
	case ssa.OpNeg:
		return l.each2(size, asm.VPXOR, a, l.constV(size, top))
	case ssa.OpFabs:
		return magnitude(a)
	case ssa.OpCopySign:
		return l.each2(size, asm.VPOR, magnitude(a), l.each2(size, asm.VPAND, b, l.constV(size, top)))
	}
	if size == 2 && !l.lv.HalfMath {
		return l.halfOp(op, args)
	}
	if op == ssa.OpFMA || op == ssa.OpFMS || op == ssa.OpFNMA {
		return l.fusedMulAdd(op, size, a, b, args[2])
	}
	return nil
}

// halfOp computes in float and rounds again; numeric.Half explains why the result is correctly rounded.
func (l *arithmetic) halfOp(op ssa.Op, args []vec) vec {
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
