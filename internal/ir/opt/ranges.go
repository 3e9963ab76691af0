package opt

import (
	"math"
	"math/bits"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// An interval is the range [lo, hi] of a value's elements, as integers of its type. For 64-bit types only
// intervals that follow from narrower types are known.
type interval struct{ lo, hi int64 }

// everything returns the interval of all integers of kind k. For u64 it is that of int64, from which nothing
// may be concluded.
func everything(k ssa.Kind) interval { return whole[k] }

var whole = func() (t [ssa.Void + 1]interval) {
	for k := range t {
		t[k] = wholeOf(ssa.Kind(k))
	}
	return t
}()

func wholeOf(k ssa.Kind) interval {
	n := k.Num()
	switch {
	case k == ssa.Bool:
		return interval{0, 1}
	case !n.IsInt() || n.Bits() == 64:
		return interval{math.MinInt64, math.MaxInt64}
	case n.Signed():
		return interval{-1 << (n.Bits() - 1), 1<<(n.Bits()-1) - 1}
	}
	return interval{0, 1<<n.Bits() - 1}
}

// within reports whether kind k can represent all of r.
func (r interval) within(k ssa.Kind) bool {
	e := everything(k)
	return r.lo >= e.lo && r.hi <= e.hi
}

func (r interval) union(s interval) interval { return interval{min(r.lo, s.lo), max(r.hi, s.hi)} }

// clamp returns the interval r saturated to kind k.
func (r interval) clamp(k ssa.Kind) interval {
	e := everything(k)
	return interval{min(max(r.lo, e.lo), e.hi), min(max(r.hi, e.lo), e.hi)}
}

// findRanges computes the interval of each value, by ID, in one pass in reverse post-order. A value from a
// loop's back edge may be anything.
func findRanges(s *state) []interval {
	known := make([]interval, s.f.NumValues())
	done := s.marked(s.f.NumValues())
	for _, b := range s.dom().Order {
		for _, v := range b.Values {
			r := everything(v.Type.K)
			if v.Type.K == ssa.Bool || !v.Type.K.IsPtr() && v.Type.K.Num().IsInt() {
				if v.Op != ssa.OpPhi {
					r = rangeOf(v, known)
				} else if x, ok := rangeOfPhi(v, known, done); ok {
					r = x
				}
				if !r.within(v.Type.K) || v.Type.K.Num().Bits() == 64 && (r.lo < 0 || !keepsRange(v.Op)) {
					r = everything(v.Type.K)
				}
			}
			known[v.ID], done[v.ID] = r, true
		}
	}
	return known
}

// maxLocal exceeds every executor's work-group size.
const maxLocal = 1 << 16

// keepsRange reports whether the interval of a 64-bit op can be computed: the op must not wrap.
func keepsRange(op ssa.Op) bool {
	return op == ssa.OpConst || op == ssa.OpConvert || op == ssa.OpWorkItem || op == ssa.OpAnd || op == ssa.OpShr || op == ssa.OpMin || op == ssa.OpPhi || op == ssa.OpSelect
}

func rangeOfPhi(v *ssa.Value, known []interval, done []bool) (r interval, ok bool) {
	for i, a := range v.Args {
		switch {
		case !done[a.ID]:
			return r, false
		case i == 0:
			r = known[a.ID]
		default:
			r = r.union(known[a.ID])
		}
	}
	return r, len(v.Args) > 0
}

// rangeOf computes the interval of v from those of its arguments. A result outside v's kind may have wrapped.
func rangeOf(v *ssa.Value, known []interval) interval {
	k := v.Type.K
	all := everything(k)
	if v.Op == ssa.OpConst {
		return rangeOfConst(v)
	}
	var a, b interval
	for i, x := range v.Args {
		switch {
		case i == 0:
			a = known[x.ID]
		case i == 1:
			b = known[x.ID]
		}
		if x.Type.K != ssa.Bool && (x.Type.K.IsPtr() || !x.Type.K.Num().IsInt() || x.Type.K.Num().Bits() == 64 && known[x.ID] == everything(x.Type.K)) {
			return all
		}
	}
	constant := len(v.Args) == 2 && v.Args[1].Op == ssa.OpConst && b.lo == b.hi
	switch v.Op {
	case ssa.OpWorkItem:
		switch ssa.WorkItemQuery(v.Aux) {
		case ssa.LocalID, ssa.LocalLinearID, ssa.LocalSize, ssa.EnqueuedLocalSize:
			return interval{0, maxLocal}
		}
	case ssa.OpCopy, ssa.OpSplat, ssa.OpExtract:
		return a
	case ssa.OpVec, ssa.OpShuffle, ssa.OpInsert:
		return rangeOfElements(v, known)
	case ssa.OpSelect:
		return b.union(known[v.Args[2].ID])
	case ssa.OpConvert:
		if sat, _ := ssa.ConvParts(v.Aux); sat {
			return a.clamp(k)
		}
		return a
	case ssa.OpBitcast:
		if v.Type.N == v.Args[0].Type.N {
			return a
		}
	default:
		return rangeOfArithmetic(v.Op, k, a, b, constant)
	}
	return all
}

// rangeOfArithmetic returns the interval of an operation on integers of kind k in a and b; constant says that
// the second operand is the constant b.lo.
func rangeOfArithmetic(op ssa.Op, k ssa.Kind, a, b interval, constant bool) interval {
	all, c := everything(k), b.lo
	switch op {
	case ssa.OpAdd:
		return interval{a.lo + b.lo, a.hi + b.hi}
	case ssa.OpSub:
		return interval{a.lo - b.hi, a.hi - b.lo}
	case ssa.OpNeg:
		return interval{-a.hi, -a.lo}
	case ssa.OpMul:
		return product(a, b)
	case ssa.OpShl:
		if constant && c >= 0 && c < 31 {
			return interval{a.lo << c, a.hi << c}
		}
	case ssa.OpShr:
		if constant && c >= 0 && c < int64(k.Num().Bits()) {
			return interval{a.lo >> c, a.hi >> c}
		}
	case ssa.OpAnd, ssa.OpOr, ssa.OpXor:
		return rangeOfBits(op, a, b, all)
	case ssa.OpMin:
		return interval{min(a.lo, b.lo), min(a.hi, b.hi)}
	case ssa.OpMax:
		return interval{max(a.lo, b.lo), max(a.hi, b.hi)}
	case ssa.OpAbs:
		if a.lo >= 0 {
			return a
		}
		return interval{0, max(-a.lo, a.hi)}
	case ssa.OpAbsDiff:
		return interval{0, max(a.hi-b.lo, b.hi-a.lo)}
	case ssa.OpAddSat:
		return interval{a.lo + b.lo, a.hi + b.hi}.clamp(k)
	case ssa.OpSubSat:
		return interval{a.lo - b.hi, a.hi - b.lo}.clamp(k)
	case ssa.OpHAdd:
		return interval{(a.lo + b.lo) >> 1, (a.hi + b.hi) >> 1}
	case ssa.OpRHAdd:
		return interval{(a.lo + b.lo + 1) >> 1, (a.hi + b.hi + 1) >> 1}
	case ssa.OpDiv:
		if constant && c > 0 {
			return interval{a.lo / c, a.hi / c}
		}
	case ssa.OpRem:
		if constant && c > 0 {
			return interval{max(min(a.lo, 0), 1-c), min(max(a.hi, 0), c-1)}
		}
	case ssa.OpClz, ssa.OpCtz, ssa.OpPopcount:
		return interval{0, int64(k.Num().Bits())}
	}
	return all
}

func rangeOfConst(v *ssa.Value) interval {
	k := v.Type.K.Num()
	if v.Type.K != ssa.Bool && !k.IsInt() {
		return everything(v.Type.K)
	}
	var r interval
	for i, x := range v.Bits {
		e := int64(x)
		if n := 64 - k.Bits(); k.Signed() {
			e = e << n >> n
		} else if e < 0 {
			return everything(v.Type.K) // the constant exceeds int64
		}
		if i == 0 {
			r = interval{e, e}
		}
		r = r.union(interval{e, e})
	}
	return r
}

// rangeOfElements is rangeOf for ops that select elements of their arguments; an undefined element is 0.
func rangeOfElements(v *ssa.Value, known []interval) interval {
	r := known[v.Args[0].ID]
	for _, a := range v.Args[1:] {
		r = r.union(known[a.ID])
	}
	if v.Op == ssa.OpShuffle {
		r = r.union(interval{0, 0})
	}
	return r
}

func product(a, b interval) interval {
	for _, r := range [2]interval{a, b} {
		if r.lo < -1<<31 || r.hi > 1<<31 {
			return interval{math.MinInt64, math.MaxInt64}
		}
	}
	w, x, y, z := a.lo*b.lo, a.lo*b.hi, a.hi*b.lo, a.hi*b.hi
	return interval{min(w, x, y, z), max(w, x, y, z)}
}

func rangeOfBits(op ssa.Op, a, b, all interval) interval {
	switch {
	case op == ssa.OpAnd && a.lo >= 0 && b.lo >= 0:
		return interval{0, min(a.hi, b.hi)}
	case op == ssa.OpAnd && a.lo >= 0:
		return interval{0, a.hi}
	case op == ssa.OpAnd && b.lo >= 0:
		return interval{0, b.hi}
	case a.lo >= 0 && b.lo >= 0:
		return interval{0, 1<<bits.Len64(uint64(a.hi|b.hi)) - 1}
	}
	return all
}
