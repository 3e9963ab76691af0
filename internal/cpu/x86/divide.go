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

// sharedDivisor reports whether v divides 32-bit integers by a uniform divisor.
func (l *values) sharedDivisor(v *ssa.Value) bool {
	d := l.real(v.Args[1])
	return v.Type.N == 1 && !l.plan.Varying[d.ID] && !d.IsConst() && inGeneral(d.Type.K)
}

// reciprocal returns the reciprocal of a 32-bit integer.
func (l *values) reciprocal(d *ssa.Value, signed bool) reciprocal {
	d = l.real(d)
	if r, ok := l.reciprocals[d]; ok {
		return r
	}
	g := l.G(d, 0)
	one, half, zero := l.constV(8, math.Float64bits(1)), l.constV(8, math.Float64bits(0.5)), l.constV(4, 0)
	l.constV(8, ones52) // conversions use it: it must be available before d
	var r reciprocal
	l.anchored(d, func() {
		x := l.broadcast(4, g)
		wide := l.everywhere(emulation{l.arithmetic}.toDouble(x, signed)[0], 8)
		q := l.keep(l.cmpInt(predNE, 4, false, x, zero), l.each2(8, asm.VDIVPD, one, wide), 8)
		r.whole = l.everywhere(q[0], 8)
		r.half = l.each2(8, asm.VMULPD, r.whole, half)
	})
	if l.reciprocals == nil {
		l.reciprocals = map[*ssa.Value]reciprocal{}
	}
	l.reciprocals[d] = r
	return r
}

// toDouble converts 32-bit integers to double.
func (l emulation) toDouble(p vec, signed bool) vec {
	switch {
	case signed:
		return l.toWide(asm.VCVTDQ2PD, p)
	case l.lv.Conversions:
		return l.toWide(asm.VCVTUDQ2PD, p)
	}
	return l.uintToDouble(p, false)
}

// divideShared divides a by the uniform divisor of v.
func (l *values) divideShared(v *ssa.Value, signed bool, a, b vec) vec {
	r := l.reciprocal(v.Args[1], signed)
	x := emulation{l.arithmetic}.toDouble(a, signed)
	var q vec
	switch {
	case signed:
		sign := l.each2(8, asm.VPAND, x, l.constV(8, 1<<63))
		x = l.each2(8, asm.VADDPD, x, l.each2(8, asm.VPOR, sign, l.constV(8, math.Float64bits(0.5))))
		q = l.fromWide(asm.VCVTTPD2DQ, l.each2(8, asm.VMULPD, x, r.whole))
	case l.lv.Conversions:
		q = l.fromWide(asm.VCVTTPD2UDQ, l.fusedMulAdd(ssa.OpFMA, 8, x, r.whole, r.half))
	default:
		x = l.roundTo(8, l.fusedMulAdd(ssa.OpFMA, 8, x, r.whole, r.half), roundImm[numeric.RTZ]|8)
		q = l.truncate(8, 4, l.each2(8, asm.VADDPD, x, l.constV(8, ones52)))
	}
	if v.Op == ssa.OpDiv {
		return q // 0 if the divisor is 0
	}
	rest := l.each2(4, asm.VPSUBD, a, l.each2(4, asm.VPMULLD, q, b))
	return l.keep(l.cmpInt(predNE, 4, false, b, l.constV(4, 0)), rest, 4)
}
