package x86

import (
	"math"
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The ranges of integers that are operands of conversions and products: gang functions have them.

// rangeOf returns an interval of an integer's values. Only the upper bound of unsigned integers of 64 bits is unknown to it.
func (s *elements) rangeOf(r gang.Reg) gang.Range {
	if x, ok := s.f.Ranges[r]; ok {
		return x
	}
	t := s.f.Type(r)
	n := 8*t.Size() - 1
	switch x, known := s.bits(r); {
	case known && t.K.Num().Signed():
		c := int64(x) << (63 - n) >> (63 - n)
		return gang.Range{Lo: c, Hi: c}
	case known && x <= math.MaxInt64:
		return gang.Range{Lo: int64(x), Hi: int64(x)}
	case t.K == ssa.Bool:
		return gang.Range{Lo: 0, Hi: 1}
	case t.K.Num().Signed():
		return gang.Range{Lo: -1 << n, Hi: 1<<n - 1}
	}
	return gang.Range{Lo: 0, Hi: int64(ones(min(n+1, 63)))}
}

// valueBits returns how many of an integer's low bits may be set.
func (s *elements) valueBits(r gang.Reg) int {
	if x := s.rangeOf(r); x.Lo >= 0 && x.Hi < math.MaxInt64 {
		return bits.Len64(uint64(x.Hi))
	}
	return 8 * s.f.Type(r).Size()
}

// positive reports whether a float is known to be none below zero, nor a NaN: it was a positive integer.
func (s *elements) positive(r gang.Reg) bool {
	d := s.def[r]
	return d != nil && d.Op == gang.OpEach && d.Each == ssa.OpConvert && !s.f.Type(d.Args[0]).K.Num().IsFloat() && s.rangeOf(d.Args[0]).Lo >= 0
}
