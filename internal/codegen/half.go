package codegen

import (
	"github.com/purecl/purecl/internal/asm"
	"github.com/purecl/purecl/internal/ssa"
)

// halfFMA returns a·b + d, a·b - d or d - a·b of the halfs in a, b and d, rounded once.
//
// The product has at most 22 bits, and so is exact in float. Of the sum, the float below
// in magnitude is taken, and its last bit set where it is not exact (rounding to odd):
// float has more than two bits more than half, so that rounding this once more gives what
// rounding the sum itself does.
func (l *lowerer) halfFMA(fma ssa.Op, a, b, d vec) vec {
	a, b, d = l.fromHalf(a), l.fromHalf(b), l.fromHalf(d)
	addend := d
	sign := l.constV(4, 1<<31)
	var p vec
	if fma == ssa.OpFNMA {
		p = l.fusedMulAdd(fma, 4, a, b, sign) // -(a·b) + -0, which leaves NaNs alone
	} else {
		p = l.each2(4, asm.VMULPS, a, b)
	}
	sum := asm.VADDPS
	if fma == ssa.OpFMS {
		sum = asm.VSUBPS
	}
	s := l.each2(4, sum, p, d)
	if fma == ssa.OpFMS {
		d = l.each2(4, asm.VPXOR, d, sign)
	}
	// What the sum loses (Knuth's two-sum).
	sub := func(x, y vec) vec { return l.each2(4, asm.VSUBPS, x, y) }
	t := sub(s, p)
	lost := l.each2(4, asm.VADDPS, sub(p, sub(s, t)), sub(d, t))
	inexact := l.cmpFloat(cmpLT, 4, l.constV(4, 0), l.each2(4, asm.VPANDN, sign, lost))
	away := l.eachShift(4, asm.VPSRAD, l.each2(4, asm.VPXOR, s, lost), 31) // -1 where the sum was rounded up in magnitude
	odd := l.each2(4, asm.VPOR, l.each2(4, asm.VPADDD, s, away), l.constV(4, 1))
	// An invalid product gives way to an addend that is a NaN.
	given := l.andMask(l.cmpFloat(cmpUNORD, 4, addend, addend), l.cmpFloat(cmpORD, 4, a, b))
	return l.toHalf(l.choose(given, addend, l.choose(inexact, odd, s, 4), 4), 0)
}
