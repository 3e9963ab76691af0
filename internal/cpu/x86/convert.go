package x86

import (
	"math"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// vextend are the extensions of integers, by the sizes of the source and the result.
var vextend = map[[2]int]pair{
	{1, 2}: {asm.VPMOVSXBW, asm.VPMOVZXBW}, {1, 4}: {asm.VPMOVSXBD, asm.VPMOVZXBD}, {1, 8}: {asm.VPMOVSXBQ, asm.VPMOVZXBQ},
	{2, 4}: {asm.VPMOVSXWD, asm.VPMOVZXWD}, {2, 8}: {asm.VPMOVSXWQ, asm.VPMOVZXWQ}, {4, 8}: {asm.VPMOVSXDQ, asm.VPMOVZXDQ},
}

// intToFloatOps are the conversions of integers to floats, by the sizes of the integer and the float.
var intToFloatOps = map[[2]int]pair{
	{2, 2}: {asm.VCVTW2PH, asm.VCVTUW2PH}, {4, 2}: {asm.VCVTDQ2PH, asm.VCVTUDQ2PH}, {8, 2}: {asm.VCVTQQ2PH, asm.VCVTUQQ2PH},
	{4, 4}: {asm.VCVTDQ2PS, asm.VCVTUDQ2PS}, {8, 4}: {asm.VCVTQQ2PS, asm.VCVTUQQ2PS},
	{4, 8}: {asm.VCVTDQ2PD, asm.VCVTUDQ2PD}, {8, 8}: {asm.VCVTQQ2PD, asm.VCVTUQQ2PD},
}

// extend widens integers.
func (l *arithmetic) extend(from, to int, signed bool, p vec) vec {
	if from == to {
		return p
	}
	return l.widen(extension(from, to, signed), p)
}

// resize extends or truncates integers.
func (l *arithmetic) resize(p vec, ds, ss int, signed bool) vec {
	if ds > ss {
		return l.extend(ss, ds, signed, p)
	}
	return l.truncate(ss, ds, p)
}

// roundings maps modes to embedded ones. The current mode is to nearest.
var roundings = map[numeric.Round]asm.Rounding{numeric.RTE: asm.NoRounding, numeric.RTZ: asm.ToZero, numeric.RTP: asm.Up, numeric.RTN: asm.Down}

// roundImm maps modes to the immediate of vround and vcvtps2ph.
var roundImm = map[numeric.Round]int64{numeric.RTE: 0, numeric.RTN: 1, numeric.RTP: 2, numeric.RTZ: 3}

// conversionOf returns the parts of a conversion. The default mode is that of C: to nearest for floats, toward zero for integers.
func conversionOf(aux int64, to numeric.Kind) (saturates bool, mode numeric.Round) {
	saturates, mode = ssa.ConvParts(aux)
	switch {
	case mode != numeric.RoundDefault:
	case to.IsInt():
		mode = numeric.RTZ
	default:
		mode = numeric.RTE
	}
	return saturates, mode
}

// rounded emits a conversion with an embedded rounding.
func (l *arithmetic) rounded(op asm.Op, a reg, mode numeric.Round) reg {
	return l.result(cV, inst{op: op, w: l.lv.VL, rm: a, round: roundings[mode]})
}

func (l *arithmetic) floatToFloat(p vec, ds, ss int, mode numeric.Round) (r vec) {
	switch {
	case ss == 2 && ds == 4:
		return l.fromHalf(p)
	case ss == 4 && ds == 2:
		return l.toHalf(p, roundImm[mode])
	case ss == 8 && ds == 2 && l.lv.HalfMath:
		return l.narrowing(8, 2, p, func(x reg) reg { return l.rounded(asm.VCVTPD2PH, x, mode) })
	case ss == 8 && ds == 2:
		return l.toHalf(l.oddFloat(p), roundImm[mode])
	case ss == 2:
		return l.toWide(asm.VCVTPS2PD, l.fromHalf(p))
	case ss == 4 && ds == 8:
		return l.toWide(asm.VCVTPS2PD, p)
	case !l.lv.Rounding:
		return emulation{l}.doubleToFloatByBits(p, mode)
	}
	return l.narrowing(8, 4, p, func(x reg) reg { return l.rounded(asm.VCVTPD2PS, x, mode) })
}

func (l *arithmetic) intToFloat(p vec, ds, ss int, signed bool, mode numeric.Round) (r vec) {
	if ds == 2 {
		return l.intToHalf(p, ss, signed, mode)
	}
	if ss < 4 { // exact
		p, ss, signed, mode = l.extend(ss, 4, signed, p), 4, true, numeric.RTE
	}
	if !l.lv.Conversions && (ss == 8 || !signed || mode != numeric.RTE && ds == 4) {
		return emulation{l}.intToFloatByBits(p, ds, ss, signed, mode)
	}
	op := intToFloatOps[[2]int{ss, ds}].of(signed)
	if ss < ds {
		return l.toWide(op, p)
	}
	return l.narrowing(ss, ds, p, func(x reg) reg { return l.rounded(op, x, mode) })
}

// floatToInt follows docs/decisions/0002. Positive numbers are none below zero and no NaNs.
func (l *arithmetic) floatToInt(x vec, ds, ss int, signed, sat bool, mode numeric.Round, positive bool) (r vec) {
	if ds == 8 && !l.lv.Conversions {
		return emulation{l}.floatToLongByBits(x, ss, signed, sat, mode)
	}
	if sat && l.lv.Conversions {
		return l.floatToIntSat512(x, ds, ss, signed, mode, positive)
	}
	if sat && ds < 4 {
		return l.floatToNarrowSat(x, ds, ss, signed, mode)
	}
	if !l.lv.Rounding && mode != numeric.RTZ {
		// Round to integral values first: the conversions are then exact in any mode.
		x = l.roundTo(ss, x, roundImm[mode]|8)
	}
	if sat {
		return l.floatToIntSat(x, ss, signed)
	}
	if ss == 2 && ds <= 2 && l.numParts(4) > 1 {
		return l.truncate(2, ds, l.halfToShort(x, mode))
	}
	if ds == 8 {
		r = l.toIntRounded(x, 8, ss, true, mode, nil)
		if signed {
			return r
		}
		// Values above 2^63 are converted again after 2^63 is subtracted.
		less := l.minus(x, ss, 63)
		high := l.eachShift(8, asm.VPSRAQ, r, 63)
		return l.each2(8, asm.VPOR, r, l.each2(8, asm.VPAND, l.toIntRounded(less, 8, ss, true, mode, nil), high))
	}
	r = l.toInt(x, ss, mode)
	if ds == 4 && !signed && ss > 2 {
		high := l.eachShift(4, asm.VPSRAD, r, 31)
		return l.each2(4, asm.VPOR, r, l.each2(4, asm.VPAND, l.toInt(l.minus(x, ss, 31), ss, mode), high))
	}
	return l.truncate(4, ds, r)
}

// floatConst returns the bits of x as a half, float or double; infinity if x is too large.
func floatConst(size int, x float64) uint64 {
	switch size {
	case 2:
		return uint64(numeric.HalfFromFloat64(x, numeric.RTE))
	case 4:
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// minus returns x − 2^n.
func (l *arithmetic) minus(x vec, size, n int) vec {
	return l.native(ssa.OpSub, ofFloats, size, x, l.constV(size, floatConst(size, float64(uint64(1)<<n))))
}

// toInt converts floats to 32-bit integers; with AVX2 integral ones.
func (l *arithmetic) toInt(x vec, size int, mode numeric.Round) vec {
	if l.lv.Rounding {
		return l.toIntRounded(x, 4, size, true, mode, nil)
	}
	return l.fromFloat(toIntOps[[2]int{4, size}].zero.of(true), size, x)
}

// fromFloat applies a conversion of floats to elements of 4 bytes.
func (l *arithmetic) fromFloat(op asm.Op, size int, x vec) vec {
	w := l.width(size)
	return l.narrowing(size, 4, x, func(x reg) reg { return l.rmv(op, w, x) })
}

// toIntOps are the conversions of floats to integers, by the sizes of the integer and the float: those with the
// current or embedded rounding (to nearest by default), and those toward zero.
var toIntOps = map[[2]int]struct{ near, zero pair }{
	{4, 4}: {pair{asm.VCVTPS2DQ, asm.VCVTPS2UDQ}, pair{asm.VCVTTPS2DQ, asm.VCVTTPS2UDQ}},
	{4, 8}: {pair{asm.VCVTPD2DQ, asm.VCVTPD2UDQ}, pair{asm.VCVTTPD2DQ, asm.VCVTTPD2UDQ}},
	{8, 4}: {pair{asm.VCVTPS2QQ, asm.VCVTPS2UQQ}, pair{asm.VCVTTPS2QQ, asm.VCVTTPS2UQQ}},
	{8, 8}: {pair{asm.VCVTPD2QQ, asm.VCVTPD2UQQ}, pair{asm.VCVTTPD2QQ, asm.VCVTTPD2UQQ}},
	{2, 2}: {pair{asm.VCVTPH2W, asm.VCVTPH2UW}, pair{asm.VCVTTPH2W, asm.VCVTTPH2UW}},
	{4, 2}: {pair{asm.VCVTPH2DQ, asm.VCVTPH2UDQ}, pair{asm.VCVTTPH2DQ, asm.VCVTTPH2UDQ}},
}

// toIntBy returns the conversion, and the rounding to be embedded.
func toIntBy(ds, ss int, signed bool, mode numeric.Round) (op asm.Op, round asm.Rounding) {
	ops := toIntOps[[2]int{ds, ss}]
	if mode == numeric.RTZ {
		return ops.zero.of(signed), asm.NoRounding
	}
	return ops.near.of(signed), roundings[mode]
}

// toIntRounded converts floats to integers of 4 or 8 bytes, halfs also to 2, with AVX-512 embedded rounding. A
// number out of range gives the integer with only the top bit set, in unsigned types with all bits set. keep, if
// given, has a mask per register of the wider side; other elements give 0.
func (l *arithmetic) toIntRounded(x vec, ds, ss int, signed bool, mode numeric.Round, keep []reg) vec {
	op, round := toIntBy(ds, ss, signed, mode)
	if ds > ss && round == asm.NoRounding && keep == nil {
		return l.widen(widening{op, ss, ds}, x)
	}
	k := 0
	one := func(a reg) reg {
		i := inst{op: op, w: 64, rm: a, round: round}
		if keep != nil {
			i.mask, i.zero = keep[k], true
		}
		k++
		return l.result(cV, i)
	}
	if ds > ss {
		n := ss * l.perPart(ds)
		return l.each(l.numParts(ds), func(i int) reg { return one(l.slice(x, n, i)) })
	}
	return l.concat(l.each(len(x), func(i int) reg { return one(x[i]) }), ds*l.perPart(ss))
}

// floatToIntSat512 converts with saturation. It relies on three facts: the results of the conversions out of
// range, their zeroing masks for NaNs, and saturating truncation. unit is the smallest integer size with a
// conversion.
func (l *arithmetic) floatToIntSat512(x vec, ds, ss int, signed bool, mode numeric.Round, positive bool) vec {
	unit := min(ss, 4)
	wide := max(ds, unit)
	top := float64(ones(8 * ds))
	if !signed {
		switch {
		case ds < unit && l.numParts(unit) > 1:
			// Below the range and for NaNs, which min returns if they are the second operand, the result has only
			// the top bit set, the minimum of the signed type.
			x = l.each2(ss, limiters[false][ss], l.constV(ss, floatConst(ss, top)), x)
			return l.narrowSat(l.toIntRounded(x, unit, ss, true, mode, nil), ds, unit, false, true, true)
		case !positive:
			x = l.each2(ss, limiters[true][ss], x, l.constV(ss, 0)) // max returns its second operand, 0, for a NaN
		}
		// Above the range the result has all bits set. Of narrower types it has only the top bit set, a large
		// unsigned number.
		if ds >= unit {
			return l.toIntRounded(x, ds, ss, false, mode, nil)
		}
		return l.narrowSat(l.toIntRounded(x, unit, ss, true, mode, nil), ds, unit, false, false, false)
	}
	ordered := l.cmpFloat(cmpORD, ss, x, x)
	number := l.each(l.numParts(max(ss, wide)), func(i int) reg { return l.partMask(ordered, max(ss, wide), i) })
	top = float64(uint64(1) << (8*ds - 1))
	if ds < unit || ds == 4 && ss == 8 {
		// The maximum is representable as a float. Below the range the result is the top bit, the minimum.
		x = l.each2(ss, limiters[false][ss], x, l.constV(ss, floatConst(ss, top-1)))
		r := l.toIntRounded(x, wide, ss, true, mode, number)
		if ds < unit {
			return l.narrowSat(r, ds, unit, true, true, true)
		}
		return r
	}
	r := l.toIntRounded(x, ds, ss, true, mode, number)
	big := l.cmpFloat(cmpGE, ss, x, l.constV(ss, floatConst(ss, top)))
	return l.choose(big, l.constV(ds, ^uint64(0)>>(65-8*ds)), r, ds)
}

// limiters are the minimum (false) and maximum (true) instructions of floats, by size. For a NaN and a number, and for two zeros, they
// give the second operand.
var limiters = map[bool]bySize{false: {2: asm.VMINPH, 4: asm.VMINPS, 8: asm.VMINPD}, true: {2: asm.VMAXPH, 4: asm.VMAXPS, 8: asm.VMAXPD}}

// floatToNarrowSat converts floats to integers of 1 or 2 bytes without AVX-512, like floatToIntSat512.
func (l *arithmetic) floatToNarrowSat(x vec, ds, ss int, signed bool, mode numeric.Round) vec {
	if mode != numeric.RTE && mode != numeric.RTZ {
		x, mode = l.roundTo(ss, x, roundImm[mode]|8), numeric.RTZ
	}
	op, _ := toIntBy(4, ss, true, mode)
	top := float64(ones(8 * ds))
	if signed {
		x = l.keep(l.cmpFloat(cmpORD, ss, x, x), x, ss)
		top = float64(ones(8*ds - 1))
	}
	x = l.each2(ss, limiters[false][ss], l.constV(ss, floatConst(ss, top)), x)
	return l.narrowSat(l.fromFloat(op, ss, x), ds, 4, signed, true, true)
}

// floatToIntSat converts integral floats to integers of 4 bytes without AVX-512.
func (l *arithmetic) floatToIntSat(x vec, ss int, signed bool) (r vec) {
	number := l.cmpFloat(cmpORD, ss, x, x)
	x = l.keep(number, x, ss) // a NaN gives 0
	top, low := float64(1<<31), -float64(1<<31)
	if !signed {
		top, low = 2*top, 0
	}
	big := l.cmpFloat(cmpGE, ss, x, l.constV(ss, floatConst(ss, top)))
	x = l.each2(ss, limiters[true][ss], x, l.constV(ss, floatConst(ss, low)))
	most := ones(32)
	if signed {
		most >>= 1
		r = l.toInt(x, ss, numeric.RTZ)
	} else {
		high := l.cmpFloat(cmpGE, ss, x, l.constV(ss, floatConst(ss, 1<<31)))
		upper := l.each2(4, asm.VPXOR, l.toInt(l.minus(x, ss, 31), ss, numeric.RTZ), l.constV(4, 1<<31))
		r = l.choose(high, upper, l.toInt(x, ss, numeric.RTZ), 4)
	}
	return l.choose(big, l.constV(4, most), r, 4)
}

// widen applies a widening.
func (l *arithmetic) widen(by widening, p vec) vec {
	r := make(vec, l.numParts(by.to))
	// Cold code must not extend live ranges of hot code.
	if known := l.wider[widened{p[0], by.op}]; len(known) == len(r) && !l.cur.cold {
		return known
	}
	if by.op == asm.VPMOVZXBW {
		if b, ok := l.bytes[p[0]]; ok && len(b.whole) == 2*len(r) && !l.cur.cold {
			return l.widenByte(b)
		}
	}
	n, w := by.from*l.perPart(by.to), l.width(by.to)
	per := int(l.lv.VL) / n
	for i := range r {
		if i > 0 && i%per == 0 && p[i/per] == p[i/per-1] {
			copy(r[i:], r[i-per:i])
		}
		if r[i] == 0 {
			r[i] = l.rmv(by.op, w, l.slice(p, n, i))
		}
	}
	return r
}
