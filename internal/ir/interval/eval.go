package interval

import (
	"math/bits"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// IsInt reports whether k is an integer kind, not Bool or a pointer.
func IsInt(k ssa.Kind) bool { return k >= ssa.I8 && k <= ssa.U64 }

// Eval returns the interval of an integer or bool from those of its operands, which of returns. It is the interval of all values
// for phis, work-item queries, memory accesses and undefined values.
func Eval(v *ssa.Value, of func(a *ssa.Value) Interval) Interval {
	k := v.Type.K
	switch v.Op {
	case ssa.OpConst:
		return constant(v)
	case ssa.OpSelect:
		return of(v.Args[1]).Join(of(v.Args[2])).Fit(k)
	case ssa.OpCopy, ssa.OpExtract, ssa.OpSplat:
		return of(v.Args[0])
	case ssa.OpVec, ssa.OpInsert, ssa.OpShuffle:
		r := of(v.Args[0])
		for _, a := range v.Args[1:] {
			r = r.Join(of(a))
		}
		if v.Op == ssa.OpShuffle { // an undefined element is 0
			r = r.Join(Of(0, 0))
		}
		return r
	case ssa.OpBitcast:
		if t := v.Args[0].Type; IsInt(t.K) && t.N == v.Type.N {
			return of(v.Args[0]).recast(t.K, k)
		}
	case ssa.OpConvert:
		from := v.Args[0].Type.K
		if from != ssa.Bool && !IsInt(from) {
			return Whole(k)
		}
		if sat, _ := ssa.ConvParts(v.Aux); sat {
			return of(v.Args[0]).Clamp(k)
		}
		return of(v.Args[0]).recast(from, k)
	case ssa.OpNeg, ssa.OpNot, ssa.OpAbs, ssa.OpClz, ssa.OpCtz, ssa.OpPopcount:
		return unary(v.Op, k, of(v.Args[0]))
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpAddSat, ssa.OpSubSat, ssa.OpDiv, ssa.OpRem, ssa.OpMin, ssa.OpMax, ssa.OpAbsDiff, ssa.OpHAdd, ssa.OpRHAdd,
		ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpShl, ssa.OpShr:
		return binary(v.Op, k, of(v.Args[0]), of(v.Args[1]))
	}
	return Whole(k)
}

// constant returns the interval of a constant's elements.
func constant(v *ssa.Value) (r Interval) {
	n, signed := v.Type.K.Num().Bits(), v.Type.K.Num().Signed()
	for i, x := range v.Bits {
		e := int64(x)
		if signed {
			e = e << (64 - n) >> (64 - n)
		}
		if i == 0 {
			r = Of(e, e)
		}
		r = r.Join(Of(e, e))
	}
	return r.Fit(v.Type.K)
}

// recast returns the interval of r after its bits are converted or reinterpreted from one kind as another.
func (r Interval) recast(from, to ssa.Kind) Interval { return r.Fit(from).Fit(to) }

// unary returns the interval of an operation of kind k on a number.
func unary(op ssa.Op, k ssa.Kind, x Interval) Interval {
	switch {
	case op == ssa.OpClz || op == ssa.OpCtz || op == ssa.OpPopcount:
		return Of(0, int64(k.Num().Bits()))
	case !x.Bounded:
	case op == ssa.OpNeg:
		return Of(-x.Hi, -x.Lo).Fit(k)
	case op == ssa.OpAbs:
		return Of(max(x.Lo, -x.Hi, 0), max(-x.Lo, x.Hi)).Fit(k)
	case k.Num().Signed(): // OpNot
		return Of(^x.Hi, ^x.Lo).Fit(k)
	}
	return Whole(k)
}

// binary returns the interval of an operation of kind k on two numbers.
func binary(op ssa.Op, k ssa.Kind, x, y Interval) Interval {
	switch op {
	case ssa.OpAnd:
		switch {
		case x.NonNeg() && y.NonNeg():
			return Of(0, min(x.Hi, y.Hi))
		case x.NonNeg():
			return Of(0, x.Hi)
		case y.NonNeg():
			return Of(0, y.Hi)
		}
		return Whole(k)
	case ssa.OpRem:
		return remainder(k, x, y)
	case ssa.OpShl, ssa.OpShr:
		return shift(op, k, x, y)
	case ssa.OpMin:
		if !k.Num().Signed() && x.Bounded != y.Bounded { // the other one is not negative
			return Of(0, max(x.Hi, y.Hi))
		}
	}
	if !x.Bounded || !y.Bounded {
		return Whole(k)
	}
	switch op {
	case ssa.OpAdd:
		return Of(x.Lo+y.Lo, x.Hi+y.Hi).reduce(k)
	case ssa.OpSub:
		return Of(x.Lo-y.Hi, x.Hi-y.Lo).reduce(k)
	case ssa.OpAddSat:
		return Of(x.Lo+y.Lo, x.Hi+y.Hi).Clamp(k)
	case ssa.OpSubSat:
		return Of(x.Lo-y.Hi, x.Hi-y.Lo).Clamp(k)
	case ssa.OpMul:
		const most = 1 << 31
		if min(x.Lo, y.Lo) < -most || max(x.Hi, y.Hi) > most {
			return Whole(k)
		}
		p := [4]int64{x.Lo * y.Lo, x.Lo * y.Hi, x.Hi * y.Lo, x.Hi * y.Hi}
		return Of(min(p[0], p[1], p[2], p[3]), max(p[0], p[1], p[2], p[3])).Fit(k)
	case ssa.OpMin:
		return Of(min(x.Lo, y.Lo), min(x.Hi, y.Hi))
	case ssa.OpMax:
		return Of(max(x.Lo, y.Lo), max(x.Hi, y.Hi))
	case ssa.OpAbsDiff:
		return Of(max(x.Lo-y.Hi, y.Lo-x.Hi, 0), max(x.Hi-y.Lo, y.Hi-x.Lo)).Fit(k)
	case ssa.OpHAdd:
		return Of((x.Lo+y.Lo)>>1, (x.Hi+y.Hi)>>1)
	case ssa.OpRHAdd:
		return Of((x.Lo+y.Lo+1)>>1, (x.Hi+y.Hi+1)>>1)
	case ssa.OpOr, ssa.OpXor:
		if !x.NonNeg() || !y.NonNeg() {
			return Whole(k)
		}
		top := int64(1)<<bits.Len64(uint64(x.Hi|y.Hi)) - 1
		if op == ssa.OpOr {
			return Of(max(x.Lo, y.Lo), top)
		}
		return Of(0, top)
	case ssa.OpDiv: // x/0 is 0
		switch {
		case y.Lo < 0:
			return Whole(k)
		case y.Lo == 0:
			return Of(min(x.Lo, 0), max(x.Hi, 0)).Fit(k)
		}
		return Of(min(x.Lo/y.Lo, x.Lo/y.Hi), max(x.Hi/y.Lo, x.Hi/y.Hi)).Fit(k)
	}
	return Whole(k)
}

// remainder returns the interval of x % y. The result has the dividend's sign and is smaller than the divisor;
// x%0 is 0.
func remainder(k ssa.Kind, x, y Interval) Interval {
	r := Whole(k)
	if x.Bounded {
		r = Of(min(x.Lo, 0), max(x.Hi, 0))
	}
	if y.Bounded {
		most := max(y.Hi, -y.Lo, 1) - 1
		switch {
		case r.Bounded:
			r.Lo, r.Hi = max(r.Lo, -most), min(r.Hi, most)
		case k.Num().Signed():
			r = Of(-most, most)
		default:
			r = Of(0, most)
		}
	}
	return r.Fit(k)
}

// shift returns the interval of x << by or x >> by. Counts are taken modulo the width.
func shift(op ssa.Op, k ssa.Kind, x, by Interval) Interval {
	n := int64(k.Num().Bits())
	switch {
	case by.Bounded && by.Lo == by.Hi:
		by = Of(by.Lo&(n-1), by.Lo&(n-1))
	case !by.Within(0, n-1):
		by = Of(0, n-1)
	}
	switch {
	case op == ssa.OpShl:
		if by.Hi > 40 || !x.Bounded || max(x.Hi, -x.Lo) > maxBound>>by.Hi {
			return Whole(k)
		}
		return Of(min(x.Lo<<by.Lo, x.Lo<<by.Hi), max(x.Hi<<by.Lo, x.Hi<<by.Hi)).Fit(k)
	case x.Bounded:
		return Of(min(x.Lo>>by.Lo, x.Lo>>by.Hi), max(x.Hi>>by.Lo, x.Hi>>by.Hi))
	case k.Num().Signed() || by.Lo < 16:
		return Whole(k)
	}
	return Of(0, 1<<(64-by.Lo)-1).Fit(k)
}
