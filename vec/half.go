package vec

import (
	"math"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// Half is OpenCL C's half: the bits of an IEEE 754 binary16 number. Go has no arithmetic for it; [Convert] and
// the methods convert it to types that do.
type Half uint16

// HalfOf returns x rounded to the nearest half, ties to even.
func HalfOf(x float64) Half { return Half(numeric.HalfFromFloat64(x, numeric.RTE)) }

// Float32 returns h, which float32 can hold exactly.
func (h Half) Float32() float32 { return numeric.Half(h).Float32() }

// Float64 returns h, which float64 can hold exactly.
func (h Half) Float64() float64 { return numeric.Half(h).Float64() }

// IsNaN reports whether h is not a number.
func (h Half) IsNaN() bool { return numeric.Half(h).IsNaN() }

// IsInf reports whether h is an infinity: the positive one if sign > 0, the negative one
// if sign < 0, either if sign is 0.
func (h Half) IsInf(sign int) bool { return math.IsInf(h.Float64(), sign) }

// String formats h as the shortest decimal number that rounds to it.
func (h Half) String() string { return numeric.Half(h).String() }
