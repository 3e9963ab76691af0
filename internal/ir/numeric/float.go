package numeric

import (
	"math"
	"unsafe"
)

// The operations below are the IEEE 754 ones, rounded to nearest even, subnormals kept, with one rule for NaN
// results on every machine: the first NaN operand, quieted; without NaN operands, the default NaN. Go leaves the
// choice to the processor and to its register allocator, hence the tests. Comparisons are Go's.

// Add returns a + b.
func Add[T Float](a, b T) T {
	r := T(a + b)
	if r != r {
		return nan(a, b)
	}
	return r
}

// Sub returns a − b.
func Sub[T Float](a, b T) T {
	r := T(a - b)
	if r != r {
		return nan(a, b)
	}
	return r
}

// Mul returns a · b.
func Mul[T Float](a, b T) T {
	r := T(a * b) // the conversion to T prevents fusing with a following addition
	if r != r {
		return nan(a, b)
	}
	return r
}

// Div returns a / b.
func Div[T Float](a, b T) T {
	r := T(a / b)
	if r != r {
		return nan(a, b)
	}
	return r
}

// FMA returns a · b + c, rounded once.
func FMA[T Float](a, b, c T) T {
	var r T
	if unsafe.Sizeof(r) == 4 {
		r = T(fma32(float32(a), float32(b), float32(c)))
	} else {
		r = T(math.FMA(float64(a), float64(b), float64(c)))
	}
	if r != r {
		if a == a && b == b && c != c {
			return nan(c, c)
		}
		return nan(a, b)
	}
	return r
}

// FMS returns a · b − c, rounded once.
func FMS[T Float](a, b, c T) T {
	if c != c {
		return FMA(a, b, c) // the first NaN keeps its sign
	}
	return FMA(a, b, -c)
}

// FNMA returns c − a · b, rounded once. A NaN result is that of the first NaN among a, b, c.
func FNMA[T Float](a, b, c T) T {
	if a != a {
		return nan(a, a)
	}
	return FMA(-a, b, c)
}

// fma32 computes in float64, where the product is exact. It rounds the sum to odd, after which rounding to 24 bits
// gives the correctly rounded exact sum (Boldo and Melquiond).
func fma32(a, b, c float32) float32 {
	p, q := float64(float64(a)*float64(b)), float64(c)
	s := p + q
	// Only a sum that is exactly halfway between two float32 neighbours depends on its float64 rounding. The
	// exponent test excludes subnormal float32 results, whose neighbours are further apart, infinities and NaNs.
	const between = 1 << (52 - 23 - 1)
	if bits := math.Float64bits(s); bits>>52&0x7FF-897 < 2047-897 && bits&(2*between-1) != between {
		return float32(s)
	}
	if math.IsInf(s, 0) || s != s {
		return float32(s)
	}
	// TwoSum: s + e is exactly p + q.
	t := s - p
	e := (p - (s - t)) + (q - t)
	if e != 0 {
		if bits := math.Float64bits(s); bits&1 == 0 {
			if e > 0 == (s > 0) {
				bits++
			} else {
				bits--
			}
			s = math.Float64frombits(bits)
		}
	}
	return float32(s)
}

// Sqrt returns the square root of a.
func Sqrt[T Float](a T) T {
	// Rounding the root of a float32 twice is innocuous: 53 ≥ 2·24 + 2.
	return unary(a, T(math.Sqrt(float64(a))))
}

// Floor returns the greatest integral number ≤ a.
func Floor[T Float](a T) T { return unary(a, T(math.Floor(float64(a)))) }

// Ceil returns the least integral number ≥ a.
func Ceil[T Float](a T) T { return unary(a, T(math.Ceil(float64(a)))) }

// Trunc returns a without its fraction.
func Trunc[T Float](a T) T { return unary(a, T(math.Trunc(float64(a)))) }

// Rint returns a rounded to an integral number, ties to even.
func Rint[T Float](a T) T { return unary(a, T(math.RoundToEven(float64(a)))) }

// RoundAway returns a rounded to an integral number, ties away from zero, as the
// function round of OpenCL C does.
func RoundAway[T Float](a T) T { return unary(a, T(math.Round(float64(a)))) }

// Fmin returns b if b < a, else a; if a is a NaN, b. The result has the bits of an
// operand (OpenCL C, "Math Functions", fmin).
func Fmin[T Float](a, b T) T {
	if a != a || b < a {
		return b
	}
	return a
}

// Fmax returns b if a < b, else a; if a is a NaN, b. The result has the bits of an
// operand.
func Fmax[T Float](a, b T) T {
	if a != a || a < b {
		return b
	}
	return a
}

// Neg returns −a; the sign of a zero or a NaN changes too.
func Neg[T Float](a T) T { return withBits[T](floatBits(a) ^ signBit[T]()) }

// Fabs returns a without its sign.
func Fabs[T Float](a T) T { return withBits[T](floatBits(a) &^ signBit[T]()) }

// Copysign returns a with the sign of b.
func Copysign[T Float](a, b T) T {
	s := signBit[T]()
	return withBits[T](floatBits(a)&^s | floatBits(b)&s)
}

// unary returns r, or the NaN result of an operation on a.
func unary[T Float](a, r T) T {
	if r != r {
		return nan(a, a)
	}
	return r
}

// nan returns the NaN result of an operation on a and b.
func nan[T Float](a, b T) T {
	quiet, byDefault := uint64(1<<51), uint64(0xfff8<<48)
	if unsafe.Sizeof(a) == 4 {
		quiet, byDefault = 1<<22, 0xffc00000
	}
	switch {
	case a != a:
		return withBits[T](floatBits(a) | quiet)
	case b != b:
		return withBits[T](floatBits(b) | quiet)
	}
	return withBits[T](byDefault)
}

func signBit[T Float]() uint64 { return 1 << (8*unsafe.Sizeof(T(0)) - 1) }

// floatBits returns the bits of a, zero-extended.
func floatBits[T Float](a T) uint64 {
	if unsafe.Sizeof(a) == 4 {
		return uint64(*(*uint32)(unsafe.Pointer(&a)))
	}
	return *(*uint64)(unsafe.Pointer(&a))
}

// withBits returns the T with the low bits of b.
func withBits[T Float](b uint64) (a T) {
	if unsafe.Sizeof(a) == 4 {
		*(*uint32)(unsafe.Pointer(&a)) = uint32(b)
	} else {
		*(*uint64)(unsafe.Pointer(&a)) = b
	}
	return a
}
