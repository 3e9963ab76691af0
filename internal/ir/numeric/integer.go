package numeric

import "math/bits"

// The integer operations of OpenCL C (sections "Operators" and "Integer
// Functions"). Plain +, −, ·, &, |, ^ and ~ are Go's, which wrap as two's
// complement.

// IntDiv returns a / b truncated; a / 0 is 0 and MinOf / −1 is MinOf (the standard
// leaves both undefined).
func IntDiv[T Int](a, b T) T {
	if b == 0 {
		return 0
	}
	return a / b // Go defines MinOf / −1 as MinOf
}

// IntRem returns a − IntDiv(a, b)·b for b ≠ 0, so that MinOf % −1 is 0; a % 0 is 0.
func IntRem[T Int](a, b T) T {
	if b == 0 {
		return 0
	}
	return a % b
}

// DivIsDefined reports whether the standard defines a / b and a % b.
func DivIsDefined[T Int](a, b T) bool {
	return b != 0 && !(isSigned[T]() && a == MinOf[T]() && b == ^T(0))
}

// Shl returns a << n; only the low log2(width) bits of n are used.
func Shl[T Int](a, n T) T { return a << (uint(n) & (width[T]() - 1)) }

// Shr returns a >> n, arithmetic for signed T; only the low log2(width) bits of n are used.
func Shr[T Int](a, n T) T { return a >> (uint(n) & (width[T]() - 1)) }

// Rotate returns a rotated left by n modulo the width.
func Rotate[T Int](a, n T) T {
	w := width[T]()
	k := uint(n) & (w - 1)
	u := uint64(a) << (64 - w) >> (64 - w)
	return T(u<<k | u>>(w-k)) // k = 0: u | 0 or, at 64 bits, u | u>>64 = u
}

// AddSat returns a + b clamped to T's range.
func AddSat[T Int](a, b T) T {
	r := a + b
	if isSigned[T]() {
		if (a^r)&(b^r) < 0 {
			return saturated(a < 0, r)
		}
	} else if r < a {
		return ^T(0)
	}
	return r
}

// SubSat returns a − b clamped to T's range.
func SubSat[T Int](a, b T) T {
	r := a - b
	if isSigned[T]() {
		if (a^b)&(a^r) < 0 {
			return saturated(a < 0, r)
		}
	} else if r > a {
		return 0
	}
	return r
}

// saturated returns the least value of T if neg is set, else the greatest.
func saturated[T Int](neg bool, _ T) T {
	if neg {
		return MinOf[T]()
	}
	return MaxOf[T]()
}

// MulHi returns the high half of the full product a · b.
func MulHi[T Int](a, b T) T {
	w := width[T]()
	if w < 64 {
		if isSigned[T]() {
			return T(int64(a) * int64(b) >> w)
		}
		return T(uint64(a) * uint64(b) >> w)
	}
	hi, _ := bits.Mul64(uint64(a), uint64(b))
	if a < 0 {
		hi -= uint64(b)
	}
	if b < 0 {
		hi -= uint64(a)
	}
	return T(hi)
}

// MadHi returns MulHi(a, b) + c, wrapping.
func MadHi[T Int](a, b, c T) T { return MulHi(a, b) + c }

// MadSat returns a · b + c clamped to T's range.
func MadSat[T Int](a, b, c T) T {
	hi, lo := MulHi(a, b), a*b
	if isSigned[T]() {
		// The sum has two words, with c sign-extended.
		s := lo + c
		if carry := uint64(s)<<(64-width[T]()) < uint64(lo)<<(64-width[T]()); carry {
			hi++
		}
		if c < 0 {
			hi--
		}
		if hi != s>>(width[T]()-1) {
			return saturated(hi < 0, s)
		}
		return s
	}
	if s := lo + c; hi == 0 && s >= lo {
		return s
	}
	return ^T(0)
}

// Hadd returns (a + b) >> 1 without intermediate overflow.
func Hadd[T Int](a, b T) T { return a&b + (a^b)>>1 }

// Rhadd returns (a + b + 1) >> 1 without intermediate overflow.
func Rhadd[T Int](a, b T) T { return (a | b) - (a^b)>>1 }

// Abs returns |a| as the bits of the unsigned type; for MinOf the bits are MinOf's.
func Abs[T Int](a T) T {
	if a < 0 {
		return -a
	}
	return a
}

// AbsDiff returns |a − b| as the bits of the unsigned type.
func AbsDiff[T Int](a, b T) T {
	if a < b {
		return b - a
	}
	return a - b
}

// Clz returns the number of leading zero bits, the width for 0.
func Clz[T Int](a T) T {
	w := width[T]()
	return T(min(bits.LeadingZeros64(uint64(a)<<(64-w)), int(w)))
}

// Ctz returns the number of trailing zero bits, the width for 0.
func Ctz[T Int](a T) T { return T(min(bits.TrailingZeros64(uint64(a)), int(width[T]()))) }

// Popcount returns the number of one bits.
func Popcount[T Int](a T) T {
	w := width[T]()
	return T(bits.OnesCount64(uint64(a) << (64 - w)))
}
