package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// Conversions between integers and floats that AVX2 lacks, by arithmetic on the bits of doubles. The remainder of
// a rounding to nearest determines the result of other modes.

// emulation selects operations for which a level has no instruction.
type emulation struct{ *arithmetic }

// Doubles whose lowest bit is worth 1 and 2³²: their low halves are integers of 32 bits.
const (
	ones52  = 0x4330000000000000 // 2⁵²
	ones84  = 0x4530000000000000 // 2⁸⁴
	low32   = 1<<32 - 1
	bias84  = 0x4530000000100000 // 2⁸⁴ + 2⁵²
	bias84s = 0x4530000080100000 // 2⁸⁴ + 2⁶³ + 2⁵²
)

func (l emulation) op8(op asm.Op, a, b vec) vec { return l.each2(8, op, a, b) }

// intToFloatByBits is intToFloat for conversions that AVX2 lacks.
func (l emulation) intToFloatByBits(p vec, ds, ss int, signed bool, mode numeric.Round) vec {
	switch {
	case ss == 4 && ds == 4 && signed:
		return l.intToFloat32(p, mode)
	case ss == 4 && ds == 4:
		return l.uintToFloat32(p, mode)
	case ss == 4:
		return l.uintToDouble(p, signed)
	case ds == 8:
		x, rest := l.longToDouble(p, signed)
		return l.towards(8, x, rest, l.constV(8, 0), mode)
	}
	// A double rounded to odd keeps all information that a float's rounding needs.
	x, rest := l.longToDouble(p, signed)
	zero := l.constV(8, 0)
	inexact := l.cmpFloat(cmpNE, 8, rest, zero)
	x = l.towards(8, x, rest, zero, numeric.RTZ)
	x = l.choose(inexact, l.op8(asm.VPOR, x, l.constV(8, 1)), x, 8)
	return l.doubleToFloatByBits(x, mode)
}

// uintToFloat32 converts unsigned integers of 4 bytes to floats. Each half of 16 bits converts exactly, and so does the upper half
// times 2¹⁶: only the sum is rounded. Its rounding error is exact (Dekker's Fast2Sum).
func (l emulation) uintToFloat32(p vec, mode numeric.Round) vec {
	half := func(p vec) vec { return l.each1(4, asm.VCVTDQ2PS, p) }
	sub := func(a, b vec) vec { return l.each2(4, asm.VSUBPS, a, b) }
	high := l.each2(4, asm.VMULPS, half(l.eachShift(4, asm.VPSRLD, p, 16)), l.constV(4, floatConst(4, 1<<16)))
	low := half(l.each2(4, asm.VPAND, p, l.constV(4, 0xFFFF)))
	r := l.each2(4, asm.VADDPS, high, low)
	switch mode {
	case numeric.RTP:
		return l.each2(4, asm.VPSUBD, r, l.signs(4, sub(sub(r, high), low)))
	case numeric.RTN, numeric.RTZ:
		return l.each2(4, asm.VPADDD, r, l.signs(4, sub(low, sub(r, high))))
	}
	return r
}

// intToFloat32 converts signed integers of 4 bytes to floats. The result, converted back, differs from the integer by less than 2⁷,
// so that their difference is exact although 2³¹ becomes -2³¹. Adding 1 to the bits of a number moves it one step away from zero.
func (l emulation) intToFloat32(p vec, mode numeric.Round) vec {
	op := func(op asm.Op, a, b vec) vec { return l.each2(4, op, a, b) }
	r := l.each1(4, asm.VCVTDQ2PS, p)
	back, sign := l.each1(4, asm.VCVTTPS2DQ, r), l.signs(4, p)
	apply := func(x vec) vec { return op(asm.VPSUBD, op(asm.VPXOR, x, sign), sign) } // -x for negative numbers
	switch mode {
	case numeric.RTP:
		return op(asm.VPSUBD, r, apply(l.signs(4, op(asm.VPSUBD, back, p))))
	case numeric.RTN:
		return op(asm.VPADDD, r, apply(l.signs(4, op(asm.VPSUBD, p, back))))
	case numeric.RTZ:
		return op(asm.VPADDD, r, l.signs(4, apply(op(asm.VPSUBD, p, back))))
	}
	return r
}

// uintToDouble converts integers of 4 bytes, exactly.
func (l emulation) uintToDouble(p vec, signed bool) vec {
	if signed {
		return l.toWide(asm.VCVTDQ2PD, p)
	}
	one := l.constV(8, ones52)
	return l.op8(asm.VSUBPD, l.op8(asm.VPOR, l.extend(4, 8, false, p), one), one)
}

// longToDouble converts integers of 8 bytes, to nearest. rest is the exact value minus the result.
func (l emulation) longToDouble(p vec, signed bool) (x, rest vec) {
	top, bias := uint64(ones84), uint64(bias84)
	if signed {
		top, bias = ones84|1<<31, bias84s
	}
	low := l.op8(asm.VPOR, l.op8(asm.VPAND, p, l.constV(8, low32)), l.constV(8, ones52))
	high := l.op8(asm.VPXOR, l.eachShift(8, asm.VPSRLQ, p, 32), l.constV(8, top))
	high = l.op8(asm.VSUBPD, high, l.constV(8, bias)) // exact
	x = l.op8(asm.VADDPD, high, low)
	of := l.op8(asm.VSUBPD, x, high)
	rest = l.op8(asm.VADDPD, l.op8(asm.VSUBPD, high, l.op8(asm.VSUBPD, x, of)), l.op8(asm.VSUBPD, low, of))
	return x, rest
}

// doubleToFloatByBits rounds doubles to floats in any mode.
func (l emulation) doubleToFloatByBits(x vec, mode numeric.Round) vec {
	r := l.narrowing(8, 4, x, func(x reg) reg { return l.rounded(asm.VCVTPD2PS, x, numeric.RTE) })
	if mode == numeric.RTE {
		return r
	}
	return l.towards(4, r, x, l.toWide(asm.VCVTPS2PD, r), mode)
}

// towards corrects numbers that were rounded to nearest to the rounding mode. The result is too small if exact >
// is, and too large if exact < is.
func (l emulation) towards(size int, r, exact, is vec, mode numeric.Round) vec {
	if mode == numeric.RTE {
		return r
	}
	one := l.constV(size, 1)
	step := func(op bySize, when mask) vec { return l.choose(when, l.each2(size, op[size], r, one), r, size) }
	negative := l.cmpInt(predLT, size, true, r, l.constV(size, 0))
	compare := func(a, b vec) mask { return l.cmpFloat(cmpLT, 8, a, b) }
	// Adding 1 to the bits of a number moves it one step away from zero.
	switch mode {
	case numeric.RTP:
		m := compare(is, exact)
		return l.choose(negative, step(vsub, m), step(vadd, m), size)
	case numeric.RTN:
		m := compare(exact, is)
		return l.choose(negative, step(vadd, m), step(vsub, m), size)
	}
	return l.choose(negative, step(vsub, compare(is, exact)), step(vsub, compare(exact, is)), size)
}

// floatToLongByBits converts floats or doubles to integers of 8 bytes.
func (l emulation) floatToLongByBits(x vec, ss int, signed, sat bool, mode numeric.Round) vec {
	if ss == 4 {
		x = l.toWide(asm.VCVTPS2PD, x)
	}
	if mode != numeric.RTZ {
		x = l.roundTo(8, x, roundImm[mode]|8)
	}
	const fraction = 1<<52 - 1
	zero := l.constV(8, 0)
	digits := l.op8(asm.VPOR, l.op8(asm.VPAND, x, l.constV(8, fraction)), l.constV(8, fraction+1))
	exponent := l.op8(asm.VPAND, l.eachShift(8, asm.VPSRLQ, x, 52), l.constV(8, 0x7FF))
	exponent = l.op8(asm.VPSUBQ, exponent, l.constV(8, 1023+52))
	sign := l.op8(asm.VPCMPGTQ, zero, x)
	// Shift counts of 64 and more, and negative ones, give 0.
	size := l.op8(asm.VPOR, l.op8(asm.VPSLLVQ, digits, exponent), l.op8(asm.VPSRLVQ, digits, l.op8(asm.VPSUBQ, zero, exponent)))
	most := l.constV(8, 10)
	if !signed {
		most = l.op8(asm.VPADDQ, l.constV(8, 11), sign)
	}
	out := l.op8(asm.VPCMPGTQ, exponent, most)
	instead := func(r, other vec) vec {
		return l.op8(asm.VPOR, l.op8(asm.VPANDN, out, r), l.op8(asm.VPAND, out, other))
	}
	if sat && !signed {
		r := l.op8(asm.VPANDN, sign, l.op8(asm.VPOR, size, out))
		return l.keep(l.cmpFloat(cmpORD, 8, x, x), r, 8)
	}
	r := l.op8(asm.VPSUBQ, l.op8(asm.VPXOR, size, sign), sign)
	if sat {
		r = instead(r, l.op8(asm.VPXOR, sign, l.constV(8, 1<<63-1)))
		return l.keep(l.cmpFloat(cmpORD, 8, x, x), r, 8)
	}
	return instead(r, l.constV(8, 1<<63))
}
