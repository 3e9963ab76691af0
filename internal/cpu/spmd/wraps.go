package spmd

import "github.com/purecl/purecl/internal/ir/ssa"

// A wrap is the remainder of a sum of another remainder by the same divisor n and a constant, as (x % n + 1) % n or
// (x % n + n - 1) % n: the index of a neighbour in a row whose ends are neighbours. The sum is less than 2 n, so that the result
// is one of two integers, and needs no division. Where lanes share the quotient x / n, both of them grow from lane to lane.
type wrap struct {
	v    *ssa.Value
	of   *ssa.Value // the other remainder
	by   uint64     // the constant
	down bool       // of is reduced by the constant
}

// findWrap looks for the remainder that v, a remainder of a sum, wraps.
func (q *quotienter) findWrap(v *ssa.Value) (w wrap, ok bool) {
	if v.Op != ssa.OpRem && v.Op != ssa.OpAnd || len(v.Args) != 2 || v.Type.N != 1 || !isInt(v.Type.K) || v.Type.K.Num().Size() < 4 {
		return w, false
	}
	bits := v.Type.K.Num().Bits()
	for _, f := range q.found {
		by := v.Args[1]
		if f.v.Op != v.Op || by != f.by() && !(by.IsConst() && f.by().IsConst() && by.ConstElem(0) == f.by().ConstElem(0)) {
			continue
		}
		n, c, ok := termsOf(v.Args[0], f.v, by, maxTerms)
		if !ok {
			continue
		}
		c = c << (64 - bits) >> (64 - bits)
		if v.Op == ssa.OpAnd {
			c -= int64(n) // the mask is one less than the divisor
		}
		least := uint64(1) // the least divisor
		if by.IsConst() {
			if least = by.ConstElem(0); v.Op == ssa.OpAnd {
				least++
			}
			if c > int64(least/2) {
				n, c = 1, c-int64(least)
			}
		}
		if w = (wrap{v, f.v, uint64(c), false}); c < 0 {
			w.by, w.down = uint64(-c), true
		}
		// Without n, the sum of an unsigned x % n and a negative number is not a neighbour's.
		return w, c != 0 && w.by < 1<<(bits-2) && (!by.IsConst() || w.by <= least && least <= 1<<(bits-3)) && (!w.down || n > 0 || v.Op == ssa.OpAnd)
	}
	return w, false
}

// termsOf returns sum as x plus n times by, at most once, and a constant.
func termsOf(sum, x, by *ssa.Value, depth int) (n int, c int64, ok bool) {
	var rest *ssa.Value // of the sum, beside x
	switch {
	case sum.Op != ssa.OpAdd || depth == 0:
		return 0, 0, sum == x
	case sum.Args[0] == x:
		rest = sum.Args[1]
	case sum.Args[1] == x:
		rest = sum.Args[0]
	case sum.Args[1].IsConst():
		n, c, ok = termsOf(sum.Args[0], x, by, depth-1)
		return n, c + int64(sum.Args[1].ConstElem(0)), ok
	case sum.Args[0] == by, sum.Args[1] == by:
		rest = sum.Args[0]
		if rest == by {
			rest = sum.Args[1]
		}
		n, c, ok = termsOf(rest, x, by, depth-1)
		return n + 1, c, ok && n == 0
	default:
		return 0, 0, false
	}
	switch {
	case rest.IsConst():
		return 0, int64(rest.ConstElem(0)), true
	case rest == by:
		return 1, 0, true
	case rest.Op == ssa.OpAdd && rest.Args[0] == by && rest.Args[1].IsConst():
		return 1, int64(rest.Args[1].ConstElem(0)), true
	}
	return 0, 0, false
}

// testWraps tests that sums do not exceed two times the divisor, and that remainders are not negative.
func (t *quotientTests) testWraps() {
	tested := map[*ssa.Value]uint64{} // by divisor: it is at least that
	for _, w := range t.wraps {
		x, ok := t.quotientOf(w.of)
		if !ok {
			continue
		}
		by := x.by()
		if !by.IsConst() && tested[by] < w.by {
			t.test(t.put(x, ssa.OpLe, ssa.TBool, t.number(x, w.by), by))
			if tested[by] == 0 {
				t.test(t.put(x, ssa.OpLe, ssa.TBool, by, t.number(x, 1<<(x.v.Type.K.Num().Bits()-2))))
			}
			tested[by] = w.by
		}
		if x.v.Op == ssa.OpRem && x.v.Type.K.Num().Signed() {
			t.test(t.put(x, ssa.OpLe, ssa.TBool, t.number(x, 0), t.ends[x.x][ssa.EndFirst]))
		}
	}
}

// quotientOf returns the quotient whose value or remainder v is.
func (q *quotienter) quotientOf(v *ssa.Value) (x quotient, ok bool) {
	for _, f := range q.found {
		if f.v == v {
			return f, true
		}
	}
	return x, false
}

// setWraps sets the wrapped values in the copy whose lanes all have one quotient to one of two integers. It inserts values before
// position at of the copy. The usual one is the second, as package lanes expects it.
func (t *quotientTests) setWraps(c *copier, fast *ssa.Block, at int) {
	for _, w := range t.wraps {
		x, ok := t.quotientOf(w.of)
		if !ok || c.values[w.v] == nil {
			continue
		}
		typ := w.v.Type
		put := func(op ssa.Op, typ ssa.Type, args ...*ssa.Value) *ssa.Value {
			at++
			return fast.InsertAt(at-1, t.F.NewValue(op, typ, w.v.Pos, args...))
		}
		of, bits := c.values[w.of].Args[0], typ.K.Num().Bits()
		number := func(n uint64) *ssa.Value { return t.number(x, n<<(64-bits)>>(64-bits)) }
		n := x.by()
		switch {
		case w.v.Op == ssa.OpAnd && n.IsConst():
			n = number(n.ConstElem(0) + 1)
		case w.v.Op == ssa.OpAnd:
			n = put(ssa.OpAdd, typ, n, number(1))
		}
		less := func(a *ssa.Value) *ssa.Value {
			if n.IsConst() {
				return put(ssa.OpAdd, typ, a, number(-n.ConstElem(0)))
			}
			return put(ssa.OpSub, typ, a, n)
		}
		sum := put(ssa.OpAdd, typ, of, number(w.by))
		cond, wrapped := (*ssa.Value)(nil), (*ssa.Value)(nil)
		if w.down {
			sum = put(ssa.OpAdd, typ, of, number(-w.by))
			cond, wrapped = put(ssa.OpLt, ssa.TBool, of, number(w.by)), put(ssa.OpAdd, typ, sum, n)
		} else {
			cond, wrapped = put(ssa.OpLe, ssa.TBool, n, sum), less(sum)
		}
		c.values[w.v].BecomeCopy(put(ssa.OpSelect, typ, cond, wrapped, sum))
	}
}
