package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// halfFMA returns a·b + d, a·b - d or d - a·b of the halfs in a, b and d, rounded once.
//
// The product has at most 22 bits, so float represents it exactly. The sum is rounded to odd: truncated, with the
// last bit set if it is inexact. float has more than two bits more than half, so rounding the sum again gives the
// correctly rounded result.
func (l *arithmetic) halfFMA(fma ssa.Op, a, b, d vec) vec {
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
	// The rounding error of the sum (Knuth's two-sum).
	sub := func(x, y vec) vec { return l.each2(4, asm.VSUBPS, x, y) }
	t := sub(s, p)
	lost := l.each2(4, asm.VADDPS, sub(p, sub(s, t)), sub(d, t))
	inexact := l.cmpFloat(cmpLT, 4, l.constV(4, 0), l.each2(4, asm.VPANDN, sign, lost))
	away := l.eachShift(4, asm.VPSRAD, l.each2(4, asm.VPXOR, s, lost), 31) // -1 where the sum was rounded up in magnitude
	odd := l.each2(4, asm.VPOR, l.each2(4, asm.VPADDD, s, away), l.constV(4, 1))
	// If the product is invalid and the addend is a NaN, the addend is the result.
	given := l.andMask(l.cmpFloat(cmpUNORD, 4, addend, addend), l.cmpFloat(cmpORD, 4, a, b))
	return l.toHalf(l.choose(given, addend, l.choose(inexact, odd, s, 4), 4), 0)
}

// Conversions with AVX512-FP16. Halfs become elements of 64 bits through float: on a Xeon, vcvtph2qq and vcvtph2pd
// take a fifth longer than two conversions. In the other direction vcvtqq2ph and vcvtpd2ph are fastest.

// intToHalf converts integers of ss bytes to halfs.
func (l *arithmetic) intToHalf(p vec, ss int, signed bool, mode numeric.Round) vec {
	if l.lv.HalfMath {
		if ss == 1 {
			p, ss, signed = l.extend(1, 2, signed, p), 2, true
		}
		op := intToFloatOps[[2]int{ss, 2}].of(signed)
		return l.narrowing(ss, 2, p, func(x reg) reg { return l.rounded(op, x, mode) })
	}
	if ss == 8 {
		p, ss = l.narrowSat(p, 4, 8, signed, signed, false), 4
	}
	if ss < 4 {
		p = l.extend(ss, 4, signed, p)
	} else {
		// Numbers above the greatest half give the same result as beyond, in each mode, and beyond is a float.
		const beyond = 1 << 20
		if signed {
			p = l.minMax(false, 4, true, p, l.constV(4, 1<<32-beyond))
		}
		p = l.minMax(true, 4, signed, p, l.constV(4, beyond))
	}
	return l.toHalf(l.each1(4, asm.VCVTDQ2PS, p), roundImm[mode])
}

// oddFloat returns doubles as floats rounded to odd: truncated, with the last bit set if they are inexact.
// Rounding these to halfs gives the same as rounding the doubles.
func (l *arithmetic) oddFloat(x vec) vec {
	round := numeric.RTE
	if l.lv.Rounding {
		round = numeric.RTZ
	}
	f := l.narrowing(8, 4, x, func(x reg) reg { return l.rounded(asm.VCVTPD2PS, x, round) })
	back := l.toWide(asm.VCVTPS2PD, f)
	inexact := l.cmpFloat(cmpNE, 8, back, x)
	if round != numeric.RTZ {
		sign := l.constV(8, 1<<63)
		size := func(x vec) vec { return l.each2(8, asm.VPANDN, sign, x) }
		away := l.cmpFloat(cmpLT, 8, size(x), size(back))
		f = l.each2(4, asm.VPADDD, f, vec(away))
	}
	return l.choose(inexact, l.each2(4, asm.VPOR, f, l.constV(4, 1)), f, 4)
}

// halfToShort converts halfs to integers of 16 bits as docs/decisions/0002 says, with AVX512-FP16.
//
// The conversion returns 0x8000 for a number out of range. That number, reduced by 32,768 in magnitude, is in
// range and exact, and differs from the wanted result by 0x8000. Infinities and NaNs give 0x8000 - 0x8000 = 0.
func (l *arithmetic) halfToShort(x vec, mode numeric.Round) vec {
	w := l.width(2)
	op, round := toIntBy(2, 2, true, mode)
	top, far := l.constV(2, 0x8000), l.constV(2, 0x7800)
	return l.eachPart(x, func(x reg) reg {
		s := l.overwrite(asm.VPTERNLOGD, w, x, top[0], far[0], 0xEA) // the sign of x, and 32,768
		k := l.krvm(asm.VPCMPUW, w, x, s, predGE)
		y, r := l.vr(), l.vr()
		l.vmov(y, x)
		l.emit(inst{op: asm.VSUBPH, w: w, fl: fDefReg | fUseReg, reg: y, v: y, rm: s, mask: k})
		l.emit(inst{op: op, w: 64, fl: fDefReg, reg: r, rm: y, round: round})
		l.emit(inst{op: asm.VPADDW, w: w, fl: fDefReg | fUseReg, reg: r, v: r, rm: top[0], mask: k})
		return r
	})
}
