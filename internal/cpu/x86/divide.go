package x86

import (
	"math"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Division of 32-bit integers by a uniform divisor d multiplies by its reciprocal in double precision, computed
// once after the definition of d. The quotient of x is (|x| + 1/2) · (1/d), truncated. It is exact: (|x| + 1/2) /
// d differs from each integer by at least 1/2d, and the two rounding errors are below 2³² / d · 2⁻⁵².

// A reciprocal holds 1/d and 1/2d in all lanes. Both are 0 if d is 0.
type reciprocal struct{ whole, half vec }

// toDouble converts 32-bit integers to double.
func (l emulation) toDouble(p vec, signed bool) vec {
	if l.lv.Conversions {
		return l.toWide(intToFloatOps[[2]int{4, 8}].of(signed), p)
	}
	return l.uintToDouble(p, signed)
}

// doubleToUint converts doubles below 2³² to integers of 4 bytes, toward zero.
func (l emulation) doubleToUint(x vec) vec {
	x = l.roundTo(8, x, roundImm[numeric.RTZ]|8)
	return l.truncate(8, 4, l.op8(asm.VADDPD, x, l.constV(8, ones52)))
}

// divideBy divides a by b, whose reciprocal is r.
func (l *arithmetic) divideBy(rem, signed bool, a, b vec, r reciprocal) vec {
	x := emulation{l}.toDouble(a, signed)
	var q vec
	switch {
	case signed:
		sign := l.each2(8, asm.VPAND, x, l.constV(8, 1<<63))
		x = l.each2(8, asm.VADDPD, x, l.each2(8, asm.VPOR, sign, l.constV(8, math.Float64bits(0.5))))
		q = l.fromFloat(asm.VCVTTPD2DQ, 8, l.each2(8, asm.VMULPD, x, r.whole))
	case l.lv.Conversions:
		q = l.fromFloat(asm.VCVTTPD2UDQ, 8, l.fusedMulAdd(ssa.OpFMA, 8, x, r.whole, r.half))
	default:
		q = emulation{l}.doubleToUint(l.fusedMulAdd(ssa.OpFMA, 8, x, r.whole, r.half))
	}
	if !rem {
		return q // 0 if the divisor is 0
	}
	rest := l.each2(4, asm.VPSUBD, a, l.each2(4, asm.VPMULLD, q, b))
	return l.keep(l.cmpInt(predNE, 4, false, b, l.constV(4, 0)), rest, 4)
}
