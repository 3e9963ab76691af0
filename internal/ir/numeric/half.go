package numeric

import (
	"math"
	"strconv"
)

// A Half is the bits of an IEEE 754 binary16 number: sign, 5 exponent bits with
// bias 15, 10 fraction bits.
//
// The arithmetic methods round to nearest even and keep subnormals. They compute
// in float64 and round once more; that gives the correctly rounded result, because
// sums and products of two halfs are exact in float64, and because 53 ≥ 2·11 + 2
// bits make the second rounding of a quotient or a square root innocuous
// (Figueroa). For the fused multiply-add see [Half.FMA].
type Half uint16

const (
	halfSign  Half = 0x8000
	halfInf   Half = 0x7c00
	halfMax   Half = 0x7bff
	halfQuiet Half = 0x0200
	// halfDefaultNaN is the result of an invalid operation.
	halfDefaultNaN = halfSign | halfInf | halfQuiet
)

// HalfFromFloat64 rounds x to a half; RoundDefault is to nearest even. A finite x beyond the greatest half becomes
// that or an infinity, depending on the mode. A NaN keeps its sign and the high bits of its payload and is quieted.
func HalfFromFloat64(x float64, r Round) Half {
	b := math.Float64bits(x)
	sign := Half(b>>48) & halfSign
	exp := int(b>>52&0x7ff) - 1023
	frac := b & (1<<52 - 1)
	switch {
	case exp > 15:
		if exp == 1024 {
			if frac != 0 {
				return sign | halfInf | halfQuiet | Half(frac>>42)
			}
			return sign | halfInf
		}
		if r == RTZ || r == RTP && sign != 0 || r == RTN && sign == 0 {
			return sign | halfMax
		}
		return sign | halfInf
	case exp < -26:
		// Below half of the least subnormal only zero or not zero matters.
		if b<<1 == 0 {
			return sign
		}
		exp, frac = -26, 0
	}
	sig, shift := frac|1<<52, uint(42)
	h := Half(0)
	if exp >= -14 {
		h = Half(exp+14) << 10 // the hidden bit of sig adds one more
	} else {
		shift += uint(-14 - exp)
	}
	h += Half(sig >> shift)
	rest, tie := sig&(1<<shift-1), uint64(1)<<(shift-1)
	up := false
	switch r {
	case RTZ:
	case RTP:
		up = rest != 0 && sign == 0
	case RTN:
		up = rest != 0 && sign != 0
	default:
		up = rest > tie || rest == tie && h&1 != 0
	}
	if up {
		h++ // a carry into the exponent, up to infinity, is correct
	}
	return sign | h
}

// HalfFromFloat32 rounds x to a half, like [HalfFromFloat64].
func HalfFromFloat32(x float32, r Round) Half { return HalfFromFloat64(widen(x), r) }

// Float32 returns h as a float32, exactly; a NaN keeps its sign and payload and is
// quieted.
func (h Half) Float32() float32 {
	sign := uint32(h&halfSign) << 16
	switch m := uint32(h &^ halfSign); {
	case m < 0x400: // zero or subnormal
		return math.Float32frombits(sign | math.Float32bits(float32(m)*0x1p-24))
	case m < uint32(halfInf):
		return math.Float32frombits(sign | (m<<13 + (127-15)<<23))
	case m == uint32(halfInf):
		return math.Float32frombits(sign | 0x7f800000)
	default:
		return math.Float32frombits(sign | 0x7fc00000 | m<<13&0x3fffff)
	}
}

// Float64 returns h as a float64, exactly, like [Half.Float32].
func (h Half) Float64() float64 { return widen(h.Float32()) }

// IsNaN reports whether h is not a number.
func (h Half) IsNaN() bool { return h&^halfSign > halfInf }

// String formats h as the shortest decimal number that rounds to it.
func (h Half) String() string {
	f := h.Float64()
	for p := 1; p < 5; p++ {
		s := strconv.FormatFloat(f, 'g', p, 64)
		if g, err := strconv.ParseFloat(s, 64); err == nil && HalfFromFloat64(g, RTE) == h {
			f = g
			break
		}
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// result rounds the result x of an operation on h and the operands, or returns the NaN result if x is a NaN.
func (h Half) result(x float64, operands ...Half) Half {
	if x == x {
		return HalfFromFloat64(x, RTE)
	}
	if h.IsNaN() {
		return h | halfQuiet
	}
	for _, o := range operands {
		if o.IsNaN() {
			return o | halfQuiet
		}
	}
	return halfDefaultNaN
}

// Add returns h + g.
func (h Half) Add(g Half) Half { return h.result(h.Float64()+g.Float64(), g) }

// Sub returns h − g.
func (h Half) Sub(g Half) Half { return h.result(h.Float64()-g.Float64(), g) }

// Mul returns h · g.
func (h Half) Mul(g Half) Half { return h.result(h.Float64()*g.Float64(), g) }

// Div returns h / g.
func (h Half) Div(g Half) Half { return h.result(h.Float64()/g.Float64(), g) }

// Sqrt returns the square root of h.
func (h Half) Sqrt() Half { return h.result(math.Sqrt(h.Float64())) }

// FMA returns h · x + y, rounded once.
//
// The product has at most 22 bits and is exact in float64. The sum is inexact only if y exceeds the product by more
// than 2^31, or the product exceeds the greatest half. In the first case the product, and the sum's error, are far
// below the distance from y to the nearest tie between halfs.
func (h Half) FMA(x, y Half) Half {
	p := float64(h.Float64() * x.Float64())
	return h.result(p+y.Float64(), x, y)
}

// FMS returns h · x − y, rounded once.
func (h Half) FMS(x, y Half) Half {
	if y.IsNaN() {
		return h.FMA(x, y)
	}
	return h.FMA(x, y.Neg())
}

// FNMA returns y − h · x, rounded once. A NaN result is that of the first NaN among h, x, y.
func (h Half) FNMA(x, y Half) Half {
	if h.IsNaN() {
		return h.FMA(x, y)
	}
	return h.Neg().FMA(x, y)
}

// Neg returns −h; the sign of a NaN changes too.
func (h Half) Neg() Half { return h ^ halfSign }

// Abs returns h without its sign.
func (h Half) Abs() Half { return h &^ halfSign }

// Copysign returns h with the sign of g.
func (h Half) Copysign(g Half) Half { return h&^halfSign | g&halfSign }

// Floor, Ceil, Trunc, Rint (ties to even) and Round (ties away from zero) return h rounded to an integral number.
func (h Half) Floor() Half { return h.result(math.Floor(h.Float64())) }

// Ceil: see [Half.Floor].
func (h Half) Ceil() Half { return h.result(math.Ceil(h.Float64())) }

// Trunc: see [Half.Floor].
func (h Half) Trunc() Half { return h.result(math.Trunc(h.Float64())) }

// Rint: see [Half.Floor].
func (h Half) Rint() Half { return h.result(math.RoundToEven(h.Float64())) }

// Round: see [Half.Floor].
func (h Half) Round() Half { return h.result(math.Round(h.Float64())) }

// Eq reports h == g: −0 equals +0, a NaN equals nothing.
func (h Half) Eq(g Half) bool { return h.Float32() == g.Float32() }

// Lt reports h < g.
func (h Half) Lt(g Half) bool { return h.Float32() < g.Float32() }

// Le reports h ≤ g.
func (h Half) Le(g Half) bool { return h.Float32() <= g.Float32() }

// Fmin is [Fmin] for halfs.
func (h Half) Fmin(g Half) Half {
	if h.IsNaN() || g.Lt(h) {
		return g
	}
	return h
}

// Fmax is [Fmax] for halfs.
func (h Half) Fmax(g Half) Half {
	if h.IsNaN() || h.Lt(g) {
		return g
	}
	return h
}
