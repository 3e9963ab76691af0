package lanes

import (
	"math/bits"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// An interval bounds an integer; without ok it is unbounded.
type interval struct {
	lo, hi int64
	ok     bool
}

// maxBound limits the bounds of 64-bit integers, so that a few sums do not overflow.
const maxBound = 1 << 48

func (f *Fact) interval() interval { return interval{f.Lo, f.Hi, f.Bounded} }

func (f *Fact) set(r interval) { f.Lo, f.Hi, f.Bounded = r.lo, r.hi, r.ok }

// whole returns the interval of all values of a kind; 64-bit kinds have none.
func whole(k ssa.Kind) interval {
	n := k.Num().Bits()
	switch {
	case n == 64:
		return interval{}
	case k.Num().Signed():
		return interval{-1 << (n - 1), 1<<(n-1) - 1, true}
	}
	return interval{0, 1<<n - 1, true}
}

// fit returns r if all of it fits into kind k, else the interval of the kind.
func (r interval) fit(k ssa.Kind) interval {
	w := whole(k)
	if !r.ok || w.ok && (r.lo < w.lo || r.hi > w.hi) || r.lo < -maxBound || r.hi > maxBound || !w.ok && r.lo < 0 && !k.Num().Signed() {
		return w
	}
	return r
}

// clamp returns r saturated to kind k.
func (r interval) clamp(k ssa.Kind) interval {
	w := whole(k)
	switch {
	case w.ok && r.ok:
		return interval{min(max(r.lo, w.lo), w.hi), min(max(r.hi, w.lo), w.hi), true}
	case r.ok && !k.Num().Signed():
		return interval{max(r.lo, 0), max(r.hi, 0), true}.fit(k)
	case r.ok:
		return r.fit(k)
	}
	return w
}

func (r interval) join(s interval) interval {
	if !r.ok || !s.ok {
		return interval{}
	}
	return interval{min(r.lo, s.lo), max(r.hi, s.hi), true}
}

// widened joins r with the phi's earlier interval: a bound that moved becomes the kind's bound.
func (r interval) widened(old interval, k ssa.Kind) interval {
	j := r.join(old)
	if j == old || !j.ok {
		return j
	}
	w := whole(k)
	if !w.ok {
		return w
	}
	if j.lo < old.lo {
		j.lo = w.lo
	}
	if j.hi > old.hi {
		j.hi = w.hi
	}
	return j
}

// nonNeg reports whether r has no negative value.
func (r interval) nonNeg() bool { return r.ok && r.lo >= 0 }

// signedConst returns the bits of an element of kind k as an integer.
func signedConst(k ssa.Kind, x uint64) (n int64, ok bool) {
	b := k.Num().Bits()
	if k.Num().Signed() {
		return int64(x<<(64-b)) >> (64 - b), true
	}
	return int64(x), int64(x) >= 0
}

// interval returns the interval of an integer that is not a phi.
func (a *analysis) interval(v *ssa.Value) interval {
	k := v.Type.K
	if len(v.Args) == 0 || v.Op == ssa.OpWorkItem {
		return a.source(v)
	}
	if v.Op.Has(ssa.Reads) || v.Op.Has(ssa.SideEffect) {
		return whole(k)
	}
	of := func(i int) interval { return a.Of(v.Args[i]).interval() }
	if v.Op == ssa.OpSub {
		if n := a.rest(v); n > 0 {
			return interval{0, n - 1, true}
		}
	}
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpAddSat, ssa.OpSubSat, ssa.OpDiv, ssa.OpRem, ssa.OpMin, ssa.OpMax, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpHAdd, ssa.OpRHAdd:
		return arithmetic(v.Op, k, of(0), of(1))
	case ssa.OpNot:
		if x := of(0); x.ok && k.Num().Signed() {
			return interval{^x.hi, ^x.lo, true}.fit(k)
		}
	case ssa.OpNeg:
		if x := of(0); x.ok {
			return interval{-x.hi, -x.lo, true}.fit(k)
		}
	case ssa.OpAbs:
		if x := of(0); x.ok {
			return interval{max(x.lo, -x.hi, 0), max(-x.lo, x.hi), true}.fit(k)
		}
	case ssa.OpClz, ssa.OpCtz, ssa.OpPopcount:
		return interval{0, int64(k.Num().Bits()), true}
	case ssa.OpShl, ssa.OpShr:
		return a.shift(v, of(0), of(1))
	case ssa.OpSelect:
		return of(1).join(of(2)).fit(k)
	case ssa.OpCopy, ssa.OpExtract, ssa.OpSplat:
		return of(0)
	case ssa.OpVec:
		r := of(0)
		for i := range v.Args {
			r = r.join(of(i))
		}
		return r
	case ssa.OpBitcast:
		if x := v.Args[0].Type; IsInt(x.K) && size(x.K) == size(k) {
			return of(0).recast(x.K, k)
		}
	case ssa.OpConvert:
		return a.converted(v)
	}
	return whole(k)
}

// recast returns the interval of r after its bits are reinterpreted from one kind as another.
func (r interval) recast(from, to ssa.Kind) interval {
	if !r.ok || size(to) == 8 && !to.Num().Signed() && r.lo < 0 {
		return whole(to)
	}
	return r.fit(to)
}

// converted returns the interval of a conversion.
func (a *analysis) converted(v *ssa.Value) interval {
	k, from := v.Type.K, v.Args[0].Type.K
	if from == ssa.Bool {
		return interval{0, 1, true}
	}
	if !IsInt(from) {
		return whole(k)
	}
	r := a.Of(v.Args[0]).interval()
	if sat, _ := ssa.ConvParts(v.Aux); sat {
		return r.clamp(k)
	}
	return r.recast(from, k)
}

// source returns the interval of a value without operands, or of a query.
func (a *analysis) source(v *ssa.Value) interval {
	k := v.Type.K
	switch v.Op {
	case ssa.OpConst:
		r := interval{ok: true}
		for i, x := range v.Bits {
			n, ok := signedConst(k, x)
			if i == 0 {
				r.lo, r.hi = n, n
			}
			r = r.join(interval{n, n, ok})
		}
		return r.fit(k)
	case ssa.OpUndef:
		return interval{0, 0, true}
	case ssa.OpWorkItem:
		switch ssa.WorkItemQuery(v.Aux) {
		case ssa.WorkDim:
			return interval{1, 3, true}.fit(k)
		case ssa.LocalID:
			if d := v.Args[0]; d.IsConst() && d.ConstElem(0) < 3 && a.Local[0] > 0 {
				return interval{0, a.Local[d.ConstElem(0)] - 1, true}.fit(k)
			}
			return interval{0, ssa.MaxGroupSize + 1<<laneBits - 1, true}.fit(k)
		case ssa.GroupID:
			if d := v.Args[0]; d.IsConst() && d.ConstElem(0) < 3 && a.Groups[d.ConstElem(0)] > 0 {
				return interval{0, a.Groups[d.ConstElem(0)] - 1, true}.fit(k)
			}
			return interval{0, MaxID - 1, true}.fit(k)
		case ssa.GlobalID, ssa.GlobalOffset, ssa.GlobalSize, ssa.LocalSize, ssa.NumGroups:
			return interval{0, MaxID - 1, true}.fit(k)
		}
	}
	return whole(k)
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

// arithmetic returns the interval of an operation of kind k on two numbers.
func arithmetic(op ssa.Op, k ssa.Kind, x, y interval) interval {
	switch op {
	case ssa.OpAnd:
		switch {
		case x.nonNeg() && y.nonNeg():
			return interval{0, min(x.hi, y.hi), true}
		case x.nonNeg():
			return interval{0, x.hi, true}
		case y.nonNeg():
			return interval{0, y.hi, true}
		}
		return whole(k)
	case ssa.OpRem:
		return remainder(k, x, y)
	case ssa.OpMin:
		if !k.Num().Signed() && (x.ok != y.ok) { // the other one is not negative
			return interval{0, max(x.hi, y.hi), true}
		}
	case ssa.OpDiv:
		if y.ok && !y.nonNeg() {
			return whole(k)
		}
	}
	if !x.ok || !y.ok {
		return whole(k)
	}
	switch op {
	case ssa.OpAdd:
		return interval{x.lo + y.lo, x.hi + y.hi, true}.fit(k)
	case ssa.OpSub:
		return interval{x.lo - y.hi, x.hi - y.lo, true}.fit(k)
	case ssa.OpAddSat:
		return interval{x.lo + y.lo, x.hi + y.hi, true}.clamp(k)
	case ssa.OpSubSat:
		return interval{x.lo - y.hi, x.hi - y.lo, true}.clamp(k)
	case ssa.OpMul:
		const most = 1 << 31
		if min(x.lo, y.lo) < -most || max(x.hi, y.hi) > most {
			return whole(k)
		}
		p := [4]int64{x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi}
		return interval{min(p[0], p[1], p[2], p[3]), max(p[0], p[1], p[2], p[3]), true}.fit(k)
	case ssa.OpMin:
		return interval{min(x.lo, y.lo), min(x.hi, y.hi), true}
	case ssa.OpMax:
		return interval{max(x.lo, y.lo), max(x.hi, y.hi), true}
	case ssa.OpHAdd, ssa.OpRHAdd:
		return interval{min(x.lo, y.lo), max(x.hi, y.hi), true}
	case ssa.OpOr, ssa.OpXor:
		if !x.nonNeg() || !y.nonNeg() {
			return whole(k)
		}
		top := int64(1)<<bits.Len64(uint64(x.hi|y.hi)) - 1
		if op == ssa.OpOr {
			return interval{max(x.lo, y.lo), top, true}
		}
		return interval{0, top, true}
	case ssa.OpDiv: // the divisor is not negative; x/0 is 0
		r := interval{min(x.lo, 0), max(x.hi, 0), true}
		if y.lo > 0 {
			r = interval{min(x.lo/y.lo, x.lo/y.hi), max(x.hi/y.lo, x.hi/y.hi), true}
		}
		return r.fit(k)
	}
	return whole(k)
}

// remainder returns the interval of x % y. The result has the dividend's sign and is smaller than the divisor;
// x%0 is 0.
func remainder(k ssa.Kind, x, y interval) interval {
	r := whole(k)
	if x.ok {
		r = interval{min(x.lo, 0), max(x.hi, 0), true}
	}
	if y.ok {
		most := max(y.hi, -y.lo, 1) - 1
		switch {
		case r.ok:
			r.lo, r.hi = max(r.lo, -most), min(r.hi, most)
		case k.Num().Signed():
			r = interval{-most, most, true}
		default:
			r = interval{0, most, true}
		}
	}
	return r.fit(k)
}

// shift returns the interval of a shift.
func (a *analysis) shift(v *ssa.Value, x, by interval) interval {
	k := v.Type.K
	n := int64(k.Num().Bits())
	if !by.ok || by.lo < 0 || by.hi >= n { // counts are taken modulo the width
		by = interval{0, n - 1, true}
		if c := v.Args[1]; c.IsConst() && len(c.Bits) == 1 {
			s := int64(c.Bits[0] & uint64(n-1))
			by = interval{s, s, true}
		}
	}
	if v.Op == ssa.OpShl {
		if by.hi > 40 || !x.ok || max(x.hi, -x.lo) > maxBound>>by.hi {
			return whole(k)
		}
		return interval{min(x.lo<<by.lo, x.lo<<by.hi), max(x.hi<<by.lo, x.hi<<by.hi), true}.fit(k)
	}
	if !x.ok {
		if k.Num().Signed() || by.lo < 16 {
			return whole(k)
		}
		return interval{0, 1<<(64-by.lo) - 1, true}.fit(k)
	}
	return interval{min(x.lo>>by.lo, x.lo>>by.hi), max(x.hi>>by.lo, x.hi>>by.hi), true}
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
