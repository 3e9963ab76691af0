package codegen

import (
	"math"

	"github.com/purecl/purecl/internal/asm"
	"github.com/purecl/purecl/internal/numeric"
	"github.com/purecl/purecl/internal/ssa"
)

// extend widens integers.
func (l *lowerer) extend(from, to int, signed bool, p pair) pair {
	if from == to {
		return p
	}
	ops := map[[2]int]asm.Op{{1, 2}: asm.VPMOVZXBW, {1, 4}: asm.VPMOVZXBD, {1, 8}: asm.VPMOVZXBQ, {2, 4}: asm.VPMOVZXWD, {2, 8}: asm.VPMOVZXWQ, {4, 8}: asm.VPMOVZXDQ}
	if signed {
		ops = map[[2]int]asm.Op{{1, 2}: asm.VPMOVSXBW, {1, 4}: asm.VPMOVSXBD, {1, 8}: asm.VPMOVSXBQ, {2, 4}: asm.VPMOVSXWD, {2, 8}: asm.VPMOVSXWQ, {4, 8}: asm.VPMOVSXDQ}
	}
	op := ops[[2]int{from, to}]
	w := l.lv.width(to)
	if to < 8 {
		return pair{l.rmv(op, w, p[0])}
	}
	lo, hi := p[0], reg(0)
	half := from * l.lv.Lanes / 2 // bytes of the lower half
	switch {
	case from == 4:
		_, hi = l.halves(p[0])
	case half == 16:
		hi = l.mr(asm.VEXTRACTI128, 32, p[0], 1)
	default:
		hi = l.vshift(asm.VPSRLDQ, 16, p[0], int64(half))
	}
	return pair{l.rmv(op, w, lo), l.rmv(op, w, hi)}
}

// truncate keeps the low bytes of integers.
func (l *lowerer) truncate(from, to int, p pair) pair {
	if from == to {
		return p
	}
	if !l.lv.AVX512 {
		return l.truncateAVX2(from, to, p)
	}
	ops := map[[2]int]asm.Op{{2, 1}: asm.VPMOVWB, {4, 1}: asm.VPMOVDB, {8, 1}: asm.VPMOVQB, {4, 2}: asm.VPMOVDW, {8, 2}: asm.VPMOVQW, {8, 4}: asm.VPMOVQD}
	op := ops[[2]int{from, to}]
	w := l.lv.width(from)
	if from < 8 {
		return pair{l.mr(op, w, p[0], 0)}
	}
	lo, hi := l.mr(op, w, p[0], 0), l.mr(op, w, p[1], 0)
	switch to {
	case 4:
		return pair{l.joined(lo, hi)}
	case 2:
		return pair{l.rvmi(asm.VINSERTI128, 32, lo, hi, 1)}
	}
	return pair{l.rvm(asm.VPUNPCKLQDQ, 16, lo, hi)}
}

func (l *lowerer) truncateAVX2(from, to int, p pair) pair {
	if from == 8 {
		x := l.rvmi(asm.VSHUFPS, 32, p[0], p[1], 0x88)
		p = pair{l.rmi(asm.VPERMQ, 32, x, 0xD8)}
		return l.truncateAVX2(4, to, p)
	}
	if from == to {
		return p
	}
	if from == 4 {
		// Each half's words, then both together.
		t := l.table(32, repeat([]byte{0, 1, 4, 5, 8, 9, 12, 13, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}, 32))
		x := l.rvm(asm.VPSHUFB, 32, p[0], t)
		p = pair{l.rmi(asm.VPERMQ, 32, x, 0x08)}
		if to == 2 {
			return p
		}
	}
	t := l.table(16, []byte{0, 2, 4, 6, 8, 10, 12, 14, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80})
	return pair{l.rvm(asm.VPSHUFB, 16, p[0], t)}
}

// convert lowers a conversion; ok is false where it is left to the launch.
func (l *lowerer) convert(v *ssa.Value, c int) (p pair, ok bool) {
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
	case dk.IsInt() && sk.IsInt():
		return l.intToInt(l.V(a, c), ds, ss, dk.Signed(), sk.Signed(), sat), true
	case dk.IsFloat() && sk.IsFloat():
		return l.floatToFloat(l.V(a, c), ds, ss, mode)
	case dk.IsFloat():
		return l.intToFloat(l.V(a, c), ds, ss, sk.Signed(), mode)
	}
	if mode == numeric.RoundDefault {
		mode = numeric.RTZ
	}
	x := l.V(a, c)
	if ss == 2 {
		x, ss = pair{l.rmv(asm.VCVTPH2PS, l.lv.VL, x[0])}, 4
	}
	return l.floatToInt(x, ds, ss, dk.Signed(), sat, mode)
}

func (l *lowerer) intToInt(p pair, ds, ss int, dSigned, sSigned, sat bool) pair {
	if sat {
		ones := func(n int) uint64 { return ^uint64(0) >> (64 - n) }
		if sSigned && !dSigned {
			p = l.minMax(false, ss, true, p, l.constV(ss, 0))
			if ds < ss {
				p = l.minMax(true, ss, true, p, l.constV(ss, ones(8*ds)))
			}
		} else if ds < ss || ds == ss && dSigned && !sSigned {
			if dSigned {
				p = l.minMax(true, ss, sSigned, p, l.constV(ss, ones(8*ds-1)))
				if sSigned {
					p = l.minMax(false, ss, true, p, l.constV(ss, ^ones(8*ds-1)&ones(8*ss)))
				}
			} else {
				p = l.minMax(true, ss, false, p, l.constV(ss, ones(8*ds)))
			}
		}
	}
	if ds > ss {
		return l.extend(ss, ds, sSigned, p)
	}
	return l.truncate(ss, ds, p)
}

// roundings maps modes to embedded ones.
var roundings = map[numeric.Round]asm.Rounding{numeric.RoundDefault: asm.ToNearest, numeric.RTE: asm.ToNearest, numeric.RTZ: asm.ToZero, numeric.RTP: asm.Up, numeric.RTN: asm.Down}

// roundImm maps modes to the immediate of vround and vcvtps2ph.
var roundImm = map[numeric.Round]int64{numeric.RoundDefault: 0, numeric.RTE: 0, numeric.RTN: 1, numeric.RTP: 2, numeric.RTZ: 3}

// rounded emits a conversion with an embedded rounding.
func (l *lowerer) rounded(op asm.Op, a reg, mode numeric.Round) reg {
	d := l.vr()
	i := inst{op: op, w: l.lv.VL, fl: fDefReg, reg: d, rm: a}
	if mode != numeric.RoundDefault && mode != numeric.RTE {
		i.round = roundings[mode]
	}
	l.emit(i)
	return d
}

func (l *lowerer) floatToFloat(p pair, ds, ss int, mode numeric.Round) (r pair, ok bool) {
	switch {
	case ss == 2 && ds == 4:
		return pair{l.rmv(asm.VCVTPH2PS, l.lv.VL, p[0])}, true
	case ss == 4 && ds == 2:
		return pair{l.mr(asm.VCVTPS2PH, l.lv.VL, p[0], roundImm[mode])}, true
	case ss == 2:
		return l.toWide(asm.VCVTPS2PD, l.rmv(asm.VCVTPH2PS, l.lv.VL, p[0])), true
	case ss == 4 && ds == 8:
		return l.toWide(asm.VCVTPS2PD, p[0]), true
	case ds == 4:
		if !l.lv.AVX512 && mode != numeric.RoundDefault && mode != numeric.RTE {
			return r, false
		}
		return pair{l.joined(l.rounded(asm.VCVTPD2PS, p[0], mode), l.rounded(asm.VCVTPD2PS, p[1], mode))}, true
	}
	return r, false
}

func (l *lowerer) intToFloat(p pair, ds, ss int, signed bool, mode numeric.Round) (r pair, ok bool) {
	near := mode == numeric.RoundDefault || mode == numeric.RTE
	if ds == 2 {
		if ss > 2 {
			return r, false
		}
		f := l.rmv(asm.VCVTDQ2PS, l.lv.VL, l.extend(ss, 4, signed, p)[0])
		return pair{l.mr(asm.VCVTPS2PH, l.lv.VL, f, roundImm[mode])}, true
	}
	if ss < 4 {
		p, ss, signed = l.extend(ss, 4, signed, p), 4, true
		near = true // exact
		mode = numeric.RTE
	}
	if !l.lv.AVX512 && (ss == 8 || !signed || !near && ds == 4) {
		return r, false
	}
	switch {
	case ss == 4 && ds == 4:
		op := asm.VCVTDQ2PS
		if !signed {
			op = asm.VCVTUDQ2PS
		}
		return pair{l.rounded(op, p[0], mode)}, true
	case ss == 4:
		op := asm.VCVTDQ2PD
		if !signed {
			op = asm.VCVTUDQ2PD
		}
		return l.toWide(op, p[0]), true
	case ds == 4:
		op := asm.VCVTQQ2PS
		if !signed {
			op = asm.VCVTUQQ2PS
		}
		return pair{l.joined(l.rounded(op, p[0], mode), l.rounded(op, p[1], mode))}, true
	}
	op := asm.VCVTQQ2PD
	if !signed {
		op = asm.VCVTUQQ2PD
	}
	return pair{l.rounded(op, p[0], mode), l.rounded(op, p[1], mode)}, true
}

// floatToInt follows docs/decisions/0002.
func (l *lowerer) floatToInt(x pair, ds, ss int, signed, sat bool, mode numeric.Round) (r pair, ok bool) {
	if ds == 8 && !l.lv.AVX512 {
		return r, false
	}
	// Integral first; the conversions are exact then, in any mode.
	if mode != numeric.RTZ {
		x = l.roundTo(ss, x, roundImm[mode]|8)
	}
	if sat {
		return l.floatToIntSat(x, ds, ss, signed)
	}
	if ds == 8 {
		r = l.toLong(x, ss, true)
		if signed {
			return r, true
		}
		// Above 2^63: once more with 2^63 less.
		less := l.minus(x, ss, 63)
		high := l.eachShift(8, asm.VPSRAQ, r, 63)
		return l.each2(8, asm.VPOR, r, l.each2(8, asm.VPAND, l.toLong(less, ss, true), high)), true
	}
	r = l.toInt(x, ss)
	if ds == 4 && !signed {
		high := l.eachShift(4, asm.VPSRAD, r, 31)
		return l.each2(4, asm.VPOR, r, l.each2(4, asm.VPAND, l.toInt(l.minus(x, ss, 31), ss), high)), true
	}
	return l.truncate(4, ds, r), true
}

// floatConst returns the bits of a float or double.
func floatConst(size int, x float64) uint64 {
	if size == 4 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// minus returns x − 2^n.
func (l *lowerer) minus(x pair, size, n int) pair {
	op := asm.VSUBPS
	if size == 8 {
		op = asm.VSUBPD
	}
	return l.each2(size, op, x, l.constV(size, floatConst(size, float64(uint64(1)<<n))))
}

// toInt converts integral floats to 32-bit integers.
func (l *lowerer) toInt(x pair, size int) pair {
	if size == 4 {
		return pair{l.rmv(asm.VCVTTPS2DQ, l.lv.VL, x[0])}
	}
	return l.fromWide(asm.VCVTTPD2DQ, x)
}

func (l *lowerer) toLong(x pair, size int, signed bool) pair {
	if size == 4 {
		op := asm.VCVTTPS2QQ
		if !signed {
			op = asm.VCVTTPS2UQQ
		}
		return l.toWide(op, x[0])
	}
	op := asm.VCVTTPD2QQ
	if !signed {
		op = asm.VCVTTPD2UQQ
	}
	return l.each1(8, op, x)
}

func (l *lowerer) floatToIntSat(x pair, ds, ss int, signed bool) (r pair, ok bool) {
	number := l.cmpFloat(cmpORD, ss, x, x)
	x = l.keep(number, x, ss) // a NaN gives 0
	minOp, maxOp := asm.VMINPS, asm.VMAXPS
	if ss == 8 {
		minOp, maxOp = asm.VMINPD, asm.VMAXPD
	}
	bits := 8 * ds
	top, low := float64(uint64(1)<<(bits-1)), -float64(uint64(1)<<(bits-1))
	if !signed {
		top, low = 2*top, 0
	}
	big := l.cmpFloat(cmpGE, ss, x, l.constV(ss, floatConst(ss, top)))
	x = l.each2(ss, maxOp, x, l.constV(ss, floatConst(ss, low)))
	most := ^uint64(0) >> (64 - bits)
	if signed {
		most >>= 1
	}
	switch {
	case ds < 4:
		x = l.each2(ss, minOp, x, l.constV(ss, floatConst(ss, top-1)))
		return l.truncate(4, ds, l.toInt(x, ss)), true
	case ds == 4 && signed:
		r = l.toInt(x, ss)
	case ds == 4:
		if !l.lv.AVX512 {
			high := l.cmpFloat(cmpGE, ss, x, l.constV(ss, floatConst(ss, 1<<31)))
			upper := l.each2(4, asm.VPXOR, l.toInt(l.minus(x, ss, 31), ss), l.constV(4, 1<<31))
			r = l.choose(high, upper, l.toInt(x, ss), 4)
		} else if ss == 4 {
			r = pair{l.rmv(asm.VCVTTPS2UDQ, 64, x[0])}
		} else {
			r = l.fromWide(asm.VCVTTPD2UDQ, x)
		}
	default:
		r = l.toLong(x, ss, signed)
	}
	return l.choose(big, l.constV(ds, most), r, ds), true
}
