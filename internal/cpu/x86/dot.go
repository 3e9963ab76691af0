package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Dot products of the parts of 32-bit elements. VNNI instructions add four products of an unsigned and a signed byte,
// or two products of 16-bit integers, to an accumulator. If both sides have bytes of the same signedness, the sign bits
// of one side are flipped, which adds or subtracts 128; 128 times the sum of the other side corrects the result.
// Without VNNI bytes are extended to 16 bits, even and odd ones separately.

// flipped has the sign bit of each byte set.
const flipped = 0x80808080

// dotProduct adds the products of the parts of a and b to sum. uniform says that a is uniform.
func (l *values) dotProduct(aux int64, a, b, sum vec, uniform bool) vec {
	signed := [2]bool{aux&ssa.DotSigned0 != 0, aux&ssa.DotSigned1 != 0}
	if signed[0] && !signed[1] || signed[0] == signed[1] && uniform {
		// The instruction has the unsigned operand first. Of two operands of equal signedness the uniform one is
		// second.
		a, b = b, a
		signed[0], signed[1] = signed[1], signed[0]
	}
	switch {
	case aux == ssa.DotShort && l.lv.Dots:
		return l.addProducts(asm.VPDPWSSD, sum, a, b)
	case aux == ssa.DotShort:
		return l.each2(4, asm.VPADDD, sum, l.each2(4, asm.VPMADDWD, a, b))
	case !l.lv.Dots:
		var even, odd vec
		l.within(2*l.n, func() {
			even = l.each2(2, asm.VPMADDWD, l.evenBytes(a, signed[0]), l.evenBytes(b, signed[1]))
			odd = l.each2(2, asm.VPMADDWD, l.shiftRight(2, signed[0], a, 8), l.shiftRight(2, signed[1], b, 8))
		})
		return l.each2(4, asm.VPADDD, sum, l.each2(4, asm.VPADDD, even, odd))
	case signed[0] != signed[1]:
		return l.addProducts(asm.VPDPBUSD, sum, a, b)
	}
	flip, zero := l.constV(4, flipped), l.constV(4, 0)
	a = l.each2(4, asm.VPXOR, a, flip)
	if signed[0] {
		sum = l.each2(4, asm.VPSUBD, sum, l.addProducts(asm.VPDPBUSD, zero, flip, b))
		return l.addProducts(asm.VPDPBUSD, sum, a, b)
	}
	// The constant read as signed bytes is -128 each.
	sum = l.each2(4, asm.VPSUBD, sum, l.addProducts(asm.VPDPBUSD, zero, b, flip))
	return l.addProducts(asm.VPDPBUSD, sum, b, a)
}

// evenBytes returns the even bytes of each 32-bit element, extended to 16 bits.
func (l *values) evenBytes(p vec, signed bool) vec {
	if !signed {
		return l.each2(2, asm.VPAND, p, l.constV(2, 0xff))
	}
	return l.shiftRight(2, true, l.eachShift(2, asm.VPSLLW, p, 8), 8)
}

// vexOf maps instructions to their VEX forms, which AVX-VNNI has and AVX-512 VNNI has not.
var vexOf = map[asm.Op]asm.Op{asm.VPDPBUSD: asm.VPDPBUSDV, asm.VPDPBUSDS: asm.VPDPBUSDSV, asm.VPDPWSSD: asm.VPDPWSSDV}

// addProducts adds the dot products of the parts of a and b to sum.
func (l *values) addProducts(op asm.Op, sum, a, b vec) vec {
	if !l.lv.EVEX {
		op = vexOf[op]
	}
	w := l.width(4)
	return l.each(l.numParts(4), func(i int) reg { return l.overwrite(op, w, sum[i], a[i], b[i], 0) }, a, b, sum)
}
