package lanes

import (
	"math/bits"

	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// interval returns the interval of an integer that is not a phi.
func (a *analysis) interval(v *ssa.Value) interval.Interval {
	switch v.Op {
	case ssa.OpUndef:
		return interval.Of(0, 0)
	case ssa.OpWorkItem:
		return a.query(v).Fit(v.Type.K)
	case ssa.OpSub:
		if n := a.rest(v); n > 0 {
			return interval.Of(0, n-1)
		}
		if n := a.distance(v); n > 0 {
			return interval.Of(0, n)
		}
	case ssa.OpSelect:
		if r := a.chosen(v); r.Bounded {
			return r.Fit(v.Type.K)
		}
	}
	return interval.Eval(v, func(x *ssa.Value) interval.Interval { return a.Of(x).Interval })
}

// query returns the interval of a work-item query.
func (a *analysis) query(v *ssa.Value) interval.Interval {
	known := func(list [3]int64) int64 {
		if d := v.Args[0]; d.IsConst() && d.ConstElem(0) < 3 {
			return list[d.ConstElem(0)]
		}
		return 0
	}
	switch ssa.WorkItemQuery(v.Aux) {
	case ssa.WorkDim:
		return interval.Of(1, 3)
	case ssa.LocalID:
		if n := known(a.Local); n > 0 {
			return interval.Of(0, n-1)
		}
		if n := known(a.Group); n > 0 && v.Args[0].ConstElem(0) > 0 {
			return interval.Of(0, n-1)
		}
		return interval.Of(0, ssa.MaxGroupSize+1<<laneBits-1)
	case ssa.GroupID:
		if n := known(a.Groups); n > 0 {
			return interval.Of(0, n-1)
		}
		return interval.Of(0, MaxID-1)
	case ssa.GlobalID, ssa.GlobalOffset, ssa.GlobalSize, ssa.LocalSize, ssa.NumGroups:
		return interval.Of(0, MaxID-1)
	}
	return interval.Interval{}
}

// rest returns n if v is x % n, computed as x - (x * m >> s) * n. It returns 0 for others, and if the quotient is not
// exact for all values of x.
func (a *analysis) rest(v *ssa.Value) (n int64) {
	x, y := v.Args[0], v.Args[1]
	if y.Op != ssa.OpMul || !y.Args[1].IsConst() || y.Args[0].Op != ssa.OpShr || v.Type.N != 1 {
		return 0
	}
	p, c := y.Args[0].Args[0], y.Args[0].Args[1]
	if p.Op != ssa.OpMul || p.Args[0] != x || !p.Args[1].IsConst() || !c.IsConst() {
		return 0
	}
	f := a.Of(x)
	n, m, s := int64(y.Args[1].ConstElem(0)), int64(p.Args[1].ConstElem(0)), c.ConstElem(0)
	const most = 1 << 31
	if n <= 0 || n > most || m <= 0 || m > most || s > 31 || !f.Within(0, most-1) || f.Hi*m >= most {
		return 0
	}
	if e := m*n - 1<<s; e < 0 || e*f.Hi >= 1<<s {
		return 0
	}
	return n
}

// distance returns the greatest value of v if it is x minus the greatest multiple of a number n that is not above the first
// lane's x, as first - first % n: the first lane's remainder plus the distance of a lane from the first one. It returns 0 for others.
func (a *analysis) distance(v *ssa.Value) int64 {
	x, start := a.Source(v.Args[0]), v.Args[1]
	f := a.Of(x)
	if v.Type.N != 1 || !f.Exact() || f.Stride < 0 {
		return 0
	}
	last := f.Stride * (1<<laneBits - 1)
	switch start.Op {
	case ssa.OpSub: // first - (first & mask)
		first, rest := start.Args[0], start.Args[1]
		if rest.Op == ssa.OpAnd && rest.Args[0] == first && rest.Args[1].IsConst() && a.isFirst(first, x) {
			if m := a.Of(rest.Args[1]); m.NonNeg31() {
				return m.Hi + last
			}
		}
	case ssa.OpMul: // first / n * n
		q, n := start.Args[0], a.Of(start.Args[1])
		if q.Op == ssa.OpDiv && q.Args[1] == start.Args[1] && a.isFirst(q.Args[0], x) && a.Of(q.Args[0]).NonNeg() && n.NonNeg31() && n.Lo > 0 {
			return n.Hi - 1 + last
		}
	}
	return 0
}

// isFirst reports whether v is the first lane's x, or computed from it as x is.
func (a *analysis) isFirst(v, x *ssa.Value) bool {
	switch {
	case v.Op == ssa.OpEnd:
		return v.Aux == ssa.EndFirst && a.Source(v.Args[0]) == a.Source(x)
	case v.Op == ssa.OpSub && x.Op == ssa.OpSub && v.Args[1] == x.Args[1]:
		return a.isFirst(v.Args[0], x.Args[0])
	}
	return false
}

// chosen returns the interval of a select whose condition compares an integer x with a uniform bound, as x >= n ? x - n : x: that
// of each alternative is computed from the values of x for which it is chosen.
func (a *analysis) chosen(v *ssa.Value) (r interval.Interval) {
	c := v.Args[0]
	if c.Op != ssa.OpLt && c.Op != ssa.OpLe || v.Type.N != 1 || !IsInt(c.Args[0].Type.K) || c.Args[0].Type != v.Type {
		return r
	}
	less, more := a.Of(c.Args[0]).Interval, a.Of(c.Args[1]).Interval
	if !less.Bounded || !more.Bounded {
		return r
	}
	strict := int64(0)
	if c.Op == ssa.OpLt {
		strict = 1
	}
	pick := func(alternative *ssa.Value, l, m interval.Interval) interval.Interval {
		of := func(x *ssa.Value) interval.Interval {
			switch {
			case x == c.Args[0] && l.Lo <= l.Hi:
				return l
			case x == c.Args[1] && m.Lo <= m.Hi:
				return m
			}
			return a.Of(x).Interval
		}
		if alternative == c.Args[0] || alternative == c.Args[1] {
			return of(alternative)
		}
		return interval.Eval(alternative, of)
	}
	yes := pick(v.Args[1], interval.Of(less.Lo, min(less.Hi, more.Hi-strict)), interval.Of(max(more.Lo, less.Lo+strict), more.Hi))
	no := pick(v.Args[2], interval.Of(max(less.Lo, more.Lo+1-strict), less.Hi), interval.Of(more.Lo, min(more.Hi, less.Hi-1+strict)))
	return yes.Join(no)
}

// zeros returns the number of low zero bits common to all elements of an integer that is not a phi.
func (a *analysis) zeros(v *ssa.Value) uint8 {
	of := func(i int) uint8 { return a.Of(v.Args[i]).Zeros }
	switch v.Op {
	case ssa.OpConst:
		var all uint64
		for _, x := range v.Bits {
			all |= x
		}
		return uint8(min(bits.TrailingZeros64(all), 63))
	case ssa.OpUndef:
		return 63
	case ssa.OpAdd, ssa.OpSub, ssa.OpOr, ssa.OpXor:
		return min(of(0), of(1))
	case ssa.OpAnd:
		return max(of(0), of(1))
	case ssa.OpMul:
		return min(of(0)+of(1), 63)
	case ssa.OpShl:
		if c := v.Args[1]; c.IsConst() && len(c.Bits) == 1 {
			return min(of(0)+uint8(c.Bits[0]&uint64(v.Type.K.Num().Bits()-1)), 63)
		}
		return of(0)
	case ssa.OpNeg, ssa.OpCopy, ssa.OpExtract, ssa.OpSplat:
		return of(0)
	case ssa.OpSelect, ssa.OpMin, ssa.OpMax:
		n := len(v.Args)
		return min(of(n-1), of(n-2))
	case ssa.OpBitcast:
		if x := v.Args[0].Type; IsInt(x.K) && size(x.K) == size(v.Type.K) {
			return of(0)
		}
	case ssa.OpConvert:
		if sat, _ := ssa.ConvParts(v.Aux); !sat && IsInt(v.Args[0].Type.K) {
			return of(0)
		}
	}
	return 0
}
