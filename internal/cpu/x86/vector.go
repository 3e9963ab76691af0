package x86

import (
	"bytes"
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// arithmetic selects the arithmetic and the conversions of elements.
type arithmetic struct{ *masks }

// ptrAdd adds offsets to pointers. The sum changes only the offset bits, never the object number.
func (l *arithmetic) ptrAdd(p, off vec) vec {
	mask := l.constV(8, ssa.OffsetMask)
	sum := l.each2(8, asm.VPADDQ, p, off)
	if l.lv.Ternary {
		// Ternary logic 0xCA selects: mask ? sum : p.
		return l.eachPair(8, sum, p, func(sum, p reg) reg {
			return l.overwrite(asm.VPTERNLOGQ, 64, mask[0], sum, p, 0xCA)
		})
	}
	return l.each2(8, asm.VPOR, l.each2(8, asm.VPAND, sum, mask), l.each2(8, asm.VPANDN, mask, p))
}

// infinities are the bit patterns of infinity, by size in bytes.
var infinities = [9]uint64{2: 0x7c00, 4: 0x7f800000, 8: 0x7ff0000000000000}

// isNaN reports whether x is the bit pattern of a NaN of size bytes.
func isNaN(x uint64, size int) bool { return x&(1<<(8*size-1)-1) > infinities[size] }

// roundTo rounds floats to integral values; imm is the rounding mode of VROUNDPS.
func (l *arithmetic) roundTo(size int, a vec, imm int64) vec {
	return l.eachI(size, vround[size], a, imm)
}

// average returns (a+b+1)>>1 if up, else (a+b)>>1, of 8-bit and 16-bit integers. The instruction is unsigned, so
// that signed operands are biased.
func (l *arithmetic) average(up bool, size int, signed bool, a, b vec) vec {
	bias := l.constV(size, 1<<(8*size-1))
	if signed {
		a, b = l.each2(size, asm.VPXOR, a, bias), l.each2(size, asm.VPXOR, b, bias)
	}
	r := l.native(ssa.OpRHAdd, ofUnsigned, size, a, b)
	if !up {
		odd := l.each2(size, asm.VPAND, l.each2(size, asm.VPXOR, a, b), l.constV(size, 1))
		r = l.each2(size, vsub[size], r, odd)
	}
	if signed {
		r = l.each2(size, asm.VPXOR, r, bias)
	}
	return r
}

// minMax returns the minimum or maximum of two integers.
func (l *arithmetic) minMax(least bool, size int, signed bool, a, b vec) vec {
	op, x, y := ssa.OpMin, a, b
	if !least {
		op, x, y = ssa.OpMax, b, a
	}
	if p := l.native(op, integers(signed), size, a, b); p != nil {
		return p
	}
	return l.choose(l.cmpInt(predLT, size, signed, a, b), x, y, size)
}

func (l *arithmetic) shiftRight(size int, signed bool, a vec, n int64) vec {
	return l.eachShift(size, shiftsRight[signed][size], a, n)
}

// wide applies f to 8-bit or 16-bit operands extended to 32 bits, and truncates the result.
func (l *arithmetic) wide(size int, signed bool, a, b vec, f func(a, b vec) vec) vec {
	return l.truncate(4, size, f(l.extend(size, 4, signed, a), l.extend(size, 4, signed, b)))
}

// times multiplies integers of 4 or 8 bytes by a constant with shifts and one addition. It returns nil unless the
// constant is the sum or the difference of two powers of two.
func (l *arithmetic) times(size int, a vec, c uint64) vec {
	if size < 4 || c == 0 {
		return nil
	}
	low := bits.TrailingZeros64(c)
	if low > 0 && size == 4 {
		return nil // two shifts and an addition are no faster than VPMULLD
	}
	shl := func(n int) vec {
		if n == 0 {
			return a
		}
		return l.eachShift(size, vshl[size], a, int64(n))
	}
	power := func(x uint64) (n int, ok bool) { return bits.TrailingZeros64(x), x&(x-1) == 0 && x != 0 }
	c &= ones(8 * size)
	if _, ok := power(c); ok {
		return shl(low)
	}
	if n, ok := power(c - 1<<low); ok {
		return l.each2(size, vadd[size], shl(n), shl(low))
	}
	if n, ok := power((c + 1<<low) & ones(8*size)); ok {
		return l.each2(size, vsub[size], shl(n), shl(low))
	}
	if n, ok := power((1<<low - c) & ones(8*size)); ok {
		return l.each2(size, vsub[size], shl(low), shl(n))
	}
	return nil
}

// mulInt multiplies integers of 1 or 8 bytes on levels without the instruction.
func (l *arithmetic) mulInt(size int, a, b vec) vec {
	if size == 1 {
		return l.wide(1, false, a, b, func(a, b vec) vec { return l.each2(4, asm.VPMULLD, a, b) })
	}
	// lo·lo + ((hi·lo + lo·hi) << 32)
	cross := l.each2(8, asm.VPADDQ,
		l.each2(8, asm.VPMULUDQ, l.shiftRight(8, false, a, 32), b),
		l.each2(8, asm.VPMULUDQ, a, l.shiftRight(8, false, b, 32)))
	return l.each2(8, asm.VPADDQ, l.each2(8, asm.VPMULUDQ, a, b), l.eachShift(8, asm.VPSLLQ, cross, 32))
}

func (l *arithmetic) mulHigh(size int, signed bool, a, b vec) vec {
	switch size {
	case 1:
		return l.wide(1, signed, a, b, func(a, b vec) vec {
			return l.shiftRight(4, true, l.each2(4, asm.VPMULLD, a, b), 8)
		})
	case 4:
		op := pair{asm.VPMULDQ, asm.VPMULUDQ}.of(signed)
		odd := func(x vec) vec { return l.eachShift(4, asm.VPSRLQ, x, 32) }
		even := l.eachShift(4, asm.VPSRLQ, l.each2(4, op, a, b), 32)
		high := l.each2(4, op, odd(a), odd(b))
		keep := l.table(l.lv.VL, bytes.Repeat([]byte{0, 0, 0, 0, 255, 255, 255, 255}, int(l.lv.VL)/8))
		x := l.each2(4, asm.VPAND, high, l.everywhere(keep, 4))
		return l.each2(4, asm.VPOR, x, even)
	}
	return emulation{l}.mulHigh64(signed, a, b)
}

// mulHigh64 returns the upper halves of 64-bit products. It adds the products of 32-bit halves.
func (l emulation) mulHigh64(signed bool, a, b vec) vec {
	high := func(x vec) vec { return l.eachShift(8, asm.VPSRLQ, x, 32) }
	low := func(x vec) vec { return l.each2(8, asm.VPAND, x, l.constV(8, low32)) }
	mul := func(x, y vec) vec { return l.each2(8, asm.VPMULUDQ, x, y) }
	add := func(x, y vec) vec { return l.each2(8, asm.VPADDQ, x, y) }
	ah, bh := high(a), high(b)
	one, two := mul(ah, b), mul(a, bh)
	middle := add(add(high(mul(a, b)), low(one)), low(two))
	r := add(add(mul(ah, bh), high(middle)), add(high(one), high(two)))
	if !signed {
		return r
	}
	r = l.each2(8, asm.VPSUBQ, r, l.each2(8, asm.VPAND, l.signs(8, a), b))
	return l.each2(8, asm.VPSUBQ, r, l.each2(8, asm.VPAND, l.signs(8, b), a))
}

// halved shifts right by 1.
func (l emulation) halved(size int, signed bool, a vec) vec {
	if size < 8 || !signed || l.lv.Quads {
		return l.shiftRight(size, signed, a, 1)
	}
	sign := l.constV(8, 1<<62)
	return l.each2(8, asm.VPSUBQ, l.each2(8, asm.VPXOR, l.eachShift(8, asm.VPSRLQ, a, 1), sign), sign)
}

// signs returns -1 for negative numbers of 4 or 8 bytes, else 0.
func (l emulation) signs(size int, a vec) vec {
	if size == 4 || l.lv.Quads {
		return l.shiftRight(size, true, a, int64(8*size-1))
	}
	return l.each2(8, asm.VPCMPGTQ, l.constV(8, 0), a)
}

// saturating adds or subtracts with saturation.
func (l *arithmetic) saturating(add bool, size int, signed bool, a, b vec) vec {
	op, and := vsub[size], asm.VPAND
	if add {
		op, and = vadd[size], asm.VPANDN
	}
	sum := l.each2(size, op, a, b)
	switch {
	case signed:
	case add:
		return l.choose(l.cmpInt(predLT, size, false, sum, a), l.constV(size, ones(8*size)), sum, size)
	default:
		return l.choose(l.cmpInt(predLT, size, false, a, b), l.constV(size, 0), sum, size)
	}
	// A sum overflows if the operands have equal signs and its own sign differs; a difference, if they have
	// different signs and its sign differs from a's. The result is then the bound of a's sign.
	x := l.each2(size, asm.VPXOR, a, b)
	y := l.each2(size, asm.VPXOR, a, sum)
	bad, zero := l.each2(size, and, x, y), l.constV(size, 0)
	over := l.cmpInt(predLT, size, true, bad, zero)
	top := uint64(1) << (8*size - 1)
	neg := l.cmpInt(predLT, size, true, a, zero)
	return l.choose(over, l.choose(neg, l.constV(size, top), l.constV(size, top-1), size), sum, size)
}

// shift shifts or rotates by the second operand modulo the width of the type. If imm is set, the count is the
// constant n.
func (l *arithmetic) shift(of ssa.Op, size int, signed bool, a, b vec, n uint64, imm bool) vec {
	bits := uint64(8 * size)
	n &= bits - 1
	if size == 1 && of != ssa.OpRotl {
		return l.narrowShift(of, size, signed, a, b)
	}
	if of == ssa.OpRotl {
		if size < 4 {
			// With the operand in both halves of 32 bits, the upper half of the shifted value is the rotated one.
			x := l.extend(size, 4, false, a)
			x = l.each2(4, asm.VPOR, x, l.eachShift(4, asm.VPSLLD, x, int64(bits)))
			cnt := l.each2(4, asm.VPAND, l.extend(size, 4, false, b), l.constV(4, bits-1))
			return l.truncate(4, size, l.eachShift(4, asm.VPSRLD, l.each2(4, asm.VPSLLVD, x, cnt), int64(bits)))
		}
		if l.lv.Rotates && imm {
			return l.eachShift(size, bySize{4: asm.VPROLD, 8: asm.VPROLQ}[size], a, int64(n))
		}
		if p := l.native(of, ofUnsigned, size, a, b); p != nil {
			return p
		}
		if imm { // a shift by all bits gives 0
			return l.each2(size, asm.VPOR, l.eachShift(size, vshl[size], a, int64(n)), l.shiftRight(size, false, a, int64(bits-n)))
		}
		cnt := l.each2(size, asm.VPAND, b, l.constV(size, bits-1))
		rest := l.each2(size, vsub[size], l.constV(size, bits), cnt)
		return l.each2(size, asm.VPOR, l.each2(size, vshlv[size], a, cnt), l.each2(size, shiftsRightBy[false][size], a, rest))
	}
	if imm && n == 0 {
		return a
	}
	arith := of == ssa.OpShr && signed
	if imm && !(arith && size == 8 && !l.lv.Quads) {
		if of == ssa.OpShr {
			return l.shiftRight(size, signed, a, int64(n))
		}
		return l.eachShift(size, vshl[size], a, int64(n))
	}
	if size == 2 && !l.lv.WordShifts {
		return l.narrowShift(of, size, signed, a, b)
	}
	cnt := l.each2(size, asm.VPAND, b, l.constV(size, bits-1))
	if arith && size == 8 && !l.lv.Quads {
		// (a >> n ^ m) - m is the arithmetic shift; m is the sign bit, shifted by n.
		m := l.each2(8, asm.VPSRLVQ, l.constV(8, 1<<63), cnt)
		return l.each2(8, asm.VPSUBQ, l.each2(8, asm.VPXOR, l.each2(8, asm.VPSRLVQ, a, cnt), m), m)
	}
	return l.each2(size, shiftBy(of, signed)[size], a, cnt)
}

func (l *arithmetic) narrowShift(op ssa.Op, size int, signed bool, a, b vec) vec {
	x := l.extend(size, 4, signed, a)
	n := l.each2(4, asm.VPAND, l.extend(size, 4, false, b), l.constV(4, uint64(8*size-1)))
	return l.truncate(4, size, l.each2(4, shiftBy(op, signed)[4], x, n))
}

func (l *arithmetic) leadingZeros(size int, a vec) vec {
	one := func(size int, a vec) vec {
		if p := l.native(ssa.OpClz, ofUnsigned, size, a, nil); p != nil {
			return p
		}
		return emulation{l}.leadingZerosByFloat(a)
	}
	switch {
	case size < 4:
		return l.truncate(4, size, l.each2(4, asm.VPSUBD, one(4, l.extend(size, 4, false, a)), l.constV(4, uint64(32-8*size))))
	case size == 4:
		return one(size, a)
	}
	// If the upper half is 0, the lower half's count is added.
	n := one(8, a)
	high := l.eachShift(8, asm.VPSRLQ, n, 32)
	none := l.each2(8, asm.VPCMPEQQ, high, l.constV(8, 32))
	return l.each2(8, asm.VPADDQ, high, l.each2(8, asm.VPAND, none, l.each2(8, asm.VPAND, n, l.constV(8, low32))))
}

// leadingZerosByFloat counts the leading zeros of 32-bit integers by the exponent of their conversion to float. It
// clears the bit after the first one, so that the conversion does not round up to the next power of two.
func (l emulation) leadingZerosByFloat(a vec) vec {
	w := l.lv.VL
	return l.eachPart(a, func(x reg) reg {
		x = l.rvm(asm.VPANDN, w, l.vshift(asm.VPSRLD, w, x, 1), x)
		exponent := l.vshift(asm.VPSRLD, w, l.rmv(asm.VCVTDQ2PS, w, x), 23)
		n := l.rvm(asm.VPSUBD, w, l.constV(4, 127+31)[0], exponent)
		n = l.rvm(asm.VPMINSD, w, n, l.constV(4, 32)[0])
		return l.rvm(asm.VPMAXSD, w, n, l.constV(4, 0)[0]) // integers with the highest bit set convert to negative floats
	})
}

// popcount counts one bits. Without an instruction it looks up the counts of 4-bit halves and adds them up.
func (l *arithmetic) popcount(size int, a vec) vec {
	if p := l.native(ssa.OpPopcount, ofUnsigned, size, a, nil); p != nil {
		return p
	}
	t := l.table(l.lv.VL, bytes.Repeat([]byte{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4}, int(l.lv.VL)/16))
	w := l.width(size)
	low := l.constV(size, 0x0F0F0F0F0F0F0F0F>>(64-8*size))
	half := func(x vec) vec {
		x = l.each2(size, asm.VPAND, x, low)
		return l.eachPart(x, func(x reg) reg { return l.rvm(asm.VPSHUFB, w, t, x) })
	}
	// half masks off the bits that the shift moves in from the next byte.
	high := l.eachPart(a, func(x reg) reg { return l.vshift(asm.VPSRLW, w, x, 4) })
	sum := l.each2(size, asm.VPADDB, half(a), half(high))
	for n := 1; n < size; n *= 2 {
		shifted := l.eachPart(sum, func(x reg) reg { return l.vshift(asm.VPSRLQ, w, x, int64(8*n)) })
		sum = l.each2(size, asm.VPADDB, sum, shifted)
	}
	if size == 1 {
		return sum
	}
	return l.each2(size, asm.VPAND, sum, l.constV(size, 0x7F))
}

// divide divides integers of up to 32 bits in double precision, which is exact.
func (l *arithmetic) divide(rem bool, size int, signed bool, a, b vec) vec {
	if size == 8 {
		return nil
	}
	if size < 4 {
		x, y := l.extend(size, 4, signed, a), l.extend(size, 4, signed, b)
		return l.truncate(4, size, l.divide(rem, 4, true, x, y)) // extended operands fit into int
	}
	zero := l.cmpInt(predEQ, 4, true, b, l.constV(4, 0))
	var q vec
	if !signed && !l.lv.Conversions {
		q = emulation{l}.doubleToUint(l.each2(8, asm.VDIVPD, emulation{l}.uintToDouble(a, false), emulation{l}.uintToDouble(b, false)))
	} else {
		to, from := intToFloatOps[[2]int{4, 8}].of(signed), toIntOps[[2]int{4, 8}].zero.of(signed)
		q = l.fromFloat(from, 8, l.each2(8, asm.VDIVPD, l.toWide(to, a), l.toWide(to, b)))
	}
	if rem {
		q = l.each2(4, asm.VPSUBD, a, l.each2(4, asm.VPMULLD, q, b))
	}
	return l.keep(l.notMask(zero), q, 4)
}

// A fusedOp holds the three forms of a fused multiply-add's instruction. The digits order the operands: for 213
// the result is operand 2 * operand 1 + operand 3. The result overwrites operand 1; operand 3 may be in memory.
type fusedOp struct{ f213, f132, f231 asm.Op }

var fused = map[ssa.Op]*[3]fusedOp{
	ssa.OpFMA:  {{asm.VFMADD213PS, asm.VFMADD132PS, asm.VFMADD231PS}, {asm.VFMADD213PD, asm.VFMADD132PD, asm.VFMADD231PD}, {asm.VFMADD213PH, asm.VFMADD132PH, asm.VFMADD231PH}},
	ssa.OpFMS:  {{asm.VFMSUB213PS, asm.VFMSUB132PS, asm.VFMSUB231PS}, {asm.VFMSUB213PD, asm.VFMSUB132PD, asm.VFMSUB231PD}, {asm.VFMSUB213PH, asm.VFMSUB132PH, asm.VFMSUB231PH}},
	ssa.OpFNMA: {{asm.VFNMADD213PS, asm.VFNMADD132PS, asm.VFNMADD231PS}, {asm.VFNMADD213PD, asm.VFNMADD132PD, asm.VFNMADD231PD}, {asm.VFNMADD213PH, asm.VFNMADD132PH, asm.VFNMADD231PH}},
}

// fusedForms maps the first form of each operation to all, and other ops to nil.
var fusedForms = func() (m [asm.NumOps]*fusedOp) {
	for _, sizes := range fused {
		for k := range sizes {
			m[sizes[k].f213] = &sizes[k]
		}
	}
	return m
}()

// fusedMulAdd returns a·b + d, a·b - d or d - a·b, rounded once.
func (l *arithmetic) fusedMulAdd(fma ssa.Op, size int, a, b, d vec) vec {
	op := &fused[fma][[...]int{4: 0, 8: 1, 2: 2}[size]]
	w := l.width(size)
	return l.each(l.numParts(size), func(i int) reg {
		r := l.result(cV, inst{op: op.f213, w: w, v: a[i], rm: b[i], immReg: d[i]})
		l.regs.Hint(r, d[i])
		return r
	}, a, b, d)
}

// toWide applies a conversion from 32-bit to 64-bit elements.
func (l *arithmetic) toWide(op asm.Op, p vec) vec {
	return l.widen(widening{op, 4, 8}, p)
}

// fromHalf converts half to float.
func (l *arithmetic) fromHalf(p vec) vec {
	return l.widen(widening{asm.VCVTPH2PS, 2, 4}, p)
}

// toHalf converts float to half.
func (l *arithmetic) toHalf(p vec, round int64) vec {
	w := l.width(4)
	return l.narrowing(4, 2, p, func(x reg) reg { return l.mr(asm.VCVTPS2PH, w, x, round) })
}
