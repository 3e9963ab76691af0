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

// nativeHalf computes with AVX512-FP16.
func (l *lowerer) nativeHalf(v *ssa.Value, c int, a vec) (p vec, ok bool) {
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
		b := l.V(v.Args[1], c)
		x, y := b, a
		if v.Op == ssa.OpMax {
			x, y = a, b
		}
		nan := l.cmpFloat(cmpUNORD, 2, a, a)
		return l.choose(nan, b, l.choose(l.cmpFloat(cmpLT, 2, x, y), b, a, 2), 2), true
	}
	return p, false
}
