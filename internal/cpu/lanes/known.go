package lanes

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Integers that depend on the lane number alone, in gangs with known local ids.

// known computes First and Stride of a value that is known in all lanes. A sum that wraps must wrap equally in
// all lanes.
func (a *analysis) known(v *ssa.Value, f *Fact) {
	if v.Type.N != 1 || !IsInt(v.Type.K) {
		return
	}
	fit := func(first, stride int64) {
		if first, ok := a.fit(v.Type.K, first, stride); ok {
			a.setKnown(v, f, first, stride)
		}
	}
	if v.Op == ssa.OpConst {
		fit(int64(v.ConstElem(0)), 0)
	}
	if v.Op == ssa.OpWorkItem && ssa.WorkItemQuery(v.Aux) == ssa.LocalID && v.Args[0].IsConst() && v.Args[0].ConstElem(0) == 0 {
		fit(0, 1)
	}
	if len(v.Args) == 0 || slices.ContainsFunc(v.Args, func(x *ssa.Value) bool { return !a.Of(x).Known }) {
		return
	}
	x, y := a.Of(v.Args[0]), a.Of(v.Args[len(v.Args)-1])
	switch v.Op {
	case ssa.OpConvert:
		if sat, _ := ssa.ConvParts(v.Aux); !sat {
			fit(x.First, x.Stride)
		}
	case ssa.OpBitcast, ssa.OpCopy:
		fit(x.First, x.Stride)
	case ssa.OpAdd:
		fit(x.First+y.First, x.Stride+y.Stride)
	case ssa.OpSub:
		fit(x.First-y.First, x.Stride-y.Stride)
	case ssa.OpMul:
		if x.Stride == 0 || y.Stride == 0 {
			fit(x.First*y.First, x.Stride*y.First+x.First*y.Stride)
		}
	case ssa.OpShl:
		if n := y.First & int64(8*size(v.Type.K)-1); y.Stride == 0 && n <= 30 {
			fit(x.First<<n, x.Stride<<n)
		}
	case ssa.OpAnd, ssa.OpShr, ssa.OpRem, ssa.OpDiv:
		if y.Stride == 0 {
			a.knownPart(v, f, y.First)
		}
	}
}

// knownPart is known for a quotient or remainder of a value that is known and not negative: if the quotient is the
// same in all lanes, the remainder grows as the value does. by is the second operand.
func (a *analysis) knownPart(v *ssa.Value, f *Fact, by int64) {
	x := a.Of(v.Args[0])
	last := x.Last(a.Lanes)
	if x.First < 0 || last < 0 {
		return
	}
	switch v.Op {
	case ssa.OpShr:
		if by &= int64(8*size(v.Type.K) - 1); by > 31 {
			return
		}
		by = 1 << by
	case ssa.OpAnd:
		if by++; by&(by-1) != 0 {
			return
		}
	}
	if by <= 0 || x.First/by != last/by {
		return
	}
	if v.Op == ssa.OpShr || v.Op == ssa.OpDiv {
		a.setKnown(v, f, x.First/by, 0)
	} else {
		a.setKnown(v, f, x.First%by, x.Stride)
	}
}

// setKnown records that lane i of v has first + i · stride.
func (a *analysis) setKnown(v *ssa.Value, f *Fact, first, stride int64) {
	f.Known, f.First, f.Stride, f.MayWrap, f.Order = true, first, stride, false, nil
	f.Displaced = false
	if f.Shape == Varying && stride != 0 && size(v.Type.K) >= 4 {
		f.Shape = Affine
	}
	f.Interval = interval.Of(min(first, f.Last(a.Lanes)), max(first, f.Last(a.Lanes)))
}

// fit reduces first + lane · stride to the values of a kind. It fails unless all lanes wrap equally. The
// numbers are small, so that nothing overflows here.
func (a *analysis) fit(kind ssa.Kind, first, stride int64) (int64, bool) {
	const small = 1 << 31
	k, far := kind.Num(), int64(a.Lanes-1)
	bits := 8 * k.Size()
	if bits < 64 {
		low := int64(0)
		if k.Signed() {
			low = -1 << (bits - 1)
		}
		q := (first - low) >> bits
		if (first+far*stride-low)>>bits != q {
			return 0, false
		}
		first -= q << bits
	}
	last := first + far*stride
	if max(first, last) >= 2*small || min(first, last) < -small || stride > small || stride < -small {
		return 0, false
	}
	return first, bits < 64 || k.Signed() || min(first, last) >= 0
}

// AllLanes reports whether v is known in all lanes and code may use this: a uniform value must have stride 0, a
// varying one another.
func (f *Facts) AllLanes(v *ssa.Value) bool {
	x := f.Of(v)
	return x.Known && (x.Stride != 0) == f.Varying[v.ID]
}

// Decide reports whether a condition on known values holds in all lanes, or in none. If known is set and both
// are false, the lanes certainly differ.
func (f *Facts) Decide(c *ssa.Value) (all, none, known bool) {
	if c.Type != ssa.TBool {
		return false, false, false
	}
	switch c.Op {
	case ssa.OpConst:
		return c.ConstElem(0) != 0, c.ConstElem(0) == 0, true
	case ssa.OpNot:
		all, none, known = f.Decide(c.Args[0])
		return none, all, known
	case ssa.OpAnd, ssa.OpOr:
		a1, n1, k1 := f.Decide(c.Args[0])
		a2, n2, k2 := f.Decide(c.Args[1])
		if c.Op == ssa.OpAnd {
			all, none = a1 && a2, n1 || n2
		} else {
			all, none = a1 || a2, n1 && n2
		}
		return all, none, k1 && k2 || all || none
	case ssa.OpLt, ssa.OpLe, ssa.OpEq, ssa.OpNe:
		return f.compare(c)
	}
	return false, false, false
}

// compare implements Decide for comparisons.
func (f *Facts) compare(c *ssa.Value) (all, none, known bool) {
	x, y := f.Of(c.Args[0]), f.Of(c.Args[1])
	if !x.Known || !y.Known {
		return false, false, false
	}
	first, stride := x.First-y.First, x.Stride-y.Stride
	last := first + int64(f.Lanes-1)*stride
	low, high := min(first, last), max(first, last)
	switch c.Op {
	case ssa.OpLt:
		return high < 0, low >= 0, true
	case ssa.OpLe:
		return high <= 0, low > 0, true
	}
	all = low == 0 && high == 0
	none = low > 0 || high < 0 || stride != 0 && first%stride != 0
	if c.Op == ssa.OpNe {
		all, none = none, all
	}
	return all, none, true
}
