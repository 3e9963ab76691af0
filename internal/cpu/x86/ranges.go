package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The ranges of integers, from the operations that make them.

// valueBits returns how many of an integer's low bits may be set, from operations up to a depth.
func (s *elements) valueBits(r gang.Reg, depth int) int {
	t := s.f.Type(r)
	all := 8 * t.Size()
	if t.K == ssa.Bool {
		return 1
	}
	d := s.def[r]
	if d == nil || depth == 0 || t.K.Num().IsFloat() {
		return all
	}
	of := func(n int) int { return s.valueBits(d.Args[n], depth-1) }
	switch d.Op {
	case gang.OpConst:
		return bits.Len64(uint64(d.Imm))
	case gang.OpSplat, gang.OpCopy, gang.OpFirst, gang.OpPart:
		return of(0)
	case gang.OpLoad, gang.OpLoadPtr:
		return all
	case gang.OpEach:
	default:
		return all
	}
	x, known := uint64(0), false
	if len(d.Args) > 1 {
		x, known = s.bits(d.Args[1])
	}
	switch d.Each {
	case ssa.OpAnd:
		return min(of(0), of(1))
	case ssa.OpOr, ssa.OpXor:
		return max(of(0), of(1))
	case ssa.OpAdd:
		return min(all, max(of(0), of(1))+1)
	case ssa.OpMul:
		return min(all, of(0)+of(1))
	case ssa.OpShr:
		if n := of(0); known && n < all {
			return max(0, n-int(x))
		} else if known && !t.K.Num().Signed() {
			return all - int(x&uint64(all-1))
		}
	case ssa.OpMin:
		if n, m := of(0), of(1); !t.K.Num().Signed() || n < all && m < all {
			return min(n, m)
		}
	case ssa.OpMax, ssa.OpSelect:
		a, b := 0, 1
		if d.Each == ssa.OpSelect {
			a, b = 1, 2
		}
		if n, m := of(a), of(b); n < all && m < all {
			return max(n, m)
		}
	case ssa.OpConvert:
		from := s.f.Type(d.Args[0]).K.Num()
		if n := of(0); from.IsInt() && (n < 8*from.Size() || !from.Signed()) {
			return min(n, all)
		}
	case ssa.OpBitcast:
		if s.f.Type(d.Args[0]).Size() == t.Size() && s.f.Type(d.Args[0]).N == t.N {
			return of(0)
		}
	}
	return all
}

// positive reports whether a float is known to be none below zero, nor a NaN.
func (s *elements) positive(r gang.Reg) bool {
	d := s.def[r]
	if d == nil || d.Op != gang.OpEach || d.Each != ssa.OpConvert {
		return false
	}
	a := d.Args[0]
	k := s.f.Type(a).K.Num()
	return !k.IsFloat() && (!k.Signed() || s.valueBits(a, 4) < 8*k.Size())
}

// shortBits returns how many of an integer's low bits may be set, and whether it fits into 16 signed bits.
func (s *elements) shortBits(r gang.Reg, depth int) (n int, ok bool) {
	n = s.valueBits(r, depth)
	if n < 16 {
		return n, true
	}
	d := s.def[r]
	if d == nil || depth == 0 {
		return n, false
	}
	switch {
	case d.Op == gang.OpConst:
		x := int64(int32(d.Imm))
		return n, x == int64(int16(x))
	case d.Op == gang.OpSplat:
		return s.shortBits(d.Args[0], depth-1)
	case d.Op == gang.OpEach && d.Each == ssa.OpConvert:
		k := s.f.Type(d.Args[0]).K.Num()
		return n, k.IsInt() && k.Signed() && k.Size() <= 2
	case d.Op == gang.OpEach && (d.Each == ssa.OpSub || d.Each == ssa.OpAdd):
		a, okA := s.byteRange(d.Args[0], depth-1)
		b, okB := s.byteRange(d.Args[1], depth-1)
		return n, okA && okB && a+b < 1<<15
	}
	return n, false
}

// byteRange returns a bound of an integer's magnitude.
func (s *elements) byteRange(r gang.Reg, depth int) (most int64, ok bool) {
	if n := s.valueBits(r, depth); n < 15 {
		return 1 << n, true
	}
	d := s.def[r]
	if d == nil || depth <= 0 || d.Op != gang.OpEach {
		return 0, false
	}
	switch d.Each {
	case ssa.OpConvert:
		k := s.f.Type(d.Args[0]).K.Num()
		return 128, k.IsInt() && k.Signed() && k.Size() == 1
	case ssa.OpAdd, ssa.OpSub:
		a, okA := s.byteRange(d.Args[0], depth-1)
		b, okB := s.byteRange(d.Args[1], depth-1)
		return a + b, okA && okB
	}
	return 0, false
}
