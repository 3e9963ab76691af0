package opt

import (
	"math/bits"

	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// divide replaces divisions of integers of up to 32 bits by constants. A power of two becomes shifts, another
// constant the high half of a multiplication (T. Granlund and P. Montgomery, "Division by Invariant Integers
// using Multiplication", 1994). The interval of the dividend often makes a sign, or a correction, unnecessary.
// Divisions by 0 and -1 stay, because they are reported.
//
// Requires: simplify (constants on the right, unsigned powers of two). Breaks: simplify, gvn.
func divide(s *state) {
	d := divider{s: s, rw: rewriter{s: s, f: s.f}}
	for _, b := range s.f.Blocks {
		for _, v := range b.Values {
			if d.wanted(v) {
				d.found = true
			}
		}
	}
	if !d.found {
		return
	}
	d.ranges = findRanges(s)
	for _, b := range s.dom().Order {
		d.rw.begin(b)
		for _, v := range b.Values {
			d.rw.cur = v
			if d.wanted(v) {
				d.division(v)
			}
			d.rw.keep(v)
		}
		d.rw.end()
	}
	s.f.ReplaceCopies()
	s.dirty, s.merged = true, false
}

type divider struct {
	s      *state
	found  bool
	ranges []interval.Interval
	rw     rewriter
}

// wanted reports whether v is a division that divide can replace.
func (d *divider) wanted(v *ssa.Value) bool {
	if v.Op != ssa.OpDiv && v.Op != ssa.OpRem || !isInt(v.Type.K) {
		return false
	}
	c, ok := divisor(v)
	return ok && c > 1 && (v.Type.K.Num().Bits() <= 32 || c&(c-1) == 0 && v.Type.K.Num().Signed())
}

// divisor returns the absolute value of v's constant divisor.
func divisor(v *ssa.Value) (c uint64, ok bool) {
	c, ok = splatConst(v.Args[1])
	if k := v.Type.K.Num(); ok && k.Signed() && c>>(k.Bits()-1) != 0 {
		c = -c & ones(v.Type.K)
		ok = c>>(k.Bits()-1) == 0 // not the minimum
	}
	return c, ok
}

// op appends an op on x and a constant of x's type.
func (d *divider) op(op ssa.Op, x *ssa.Value, c uint64) *ssa.Value {
	return d.rw.value(op, x.Type, x, d.rw.constant(x.Type, c&ones(x.Type.K)))
}

// division replaces the division v.
func (d *divider) division(v *ssa.Value) {
	c, _ := divisor(v)
	x := v.Args[0]
	negative := v.Args[1].Bits[0] != c
	if r := d.ranges[x.ID]; v.Op == ssa.OpRem && c&(c-1) == 0 && r.NonNeg() && v.Type.K.Num().Bits() <= 32 {
		change(v, ssa.OpAnd, x, d.rw.constant(x.Type, c-1))
		return
	}
	if v.Op == ssa.OpRem && c&(c-1) == 0 && v.Type.K.Num().Signed() && v.Type.K.Num().Bits() >= 16 {
		change(v, ssa.OpSub, x, d.op(ssa.OpAnd, d.biased(x, c), -c))
		return
	}
	q := d.quotient(x, c, d.ranges[x.ID])
	if v.Op == ssa.OpRem { // the remainder has the sign of x
		change(v, ssa.OpSub, x, d.op(ssa.OpMul, q, c))
		return
	}
	if negative {
		change(v, ssa.OpNeg, q)
		return
	}
	v.BecomeCopy(q)
}

// quotient returns x / c for c > 1, rounded toward zero; r is the interval of x.
func (d *divider) quotient(x *ssa.Value, c uint64, r interval.Interval) *ssa.Value {
	k := x.Type.K.Num()
	n := k.Bits()
	switch {
	case n == 8: // vectors have no 8-bit multiplication
		wide := ssa.U16
		if k.Signed() {
			wide = ssa.I16
		}
		q := d.quotient(d.rw.value(ssa.OpConvert, x.Type.With(wide), x), c, r)
		return d.rw.value(ssa.OpConvert, x.Type, q)
	case k.Signed() && r.NonNeg() && n <= 32:
		u := x.Type.With(ssa.Kind(k.Unsigned()))
		q := d.unsigned(d.rw.value(ssa.OpBitcast, u, x), c, uint64(r.Hi))
		return d.rw.value(ssa.OpBitcast, x.Type, q)
	case k.Signed():
		return d.signed(x, c)
	}
	return d.unsigned(x, c, uint64(r.Hi))
}

// unsigned returns x / c for an unsigned x of at most greatest.
func (d *divider) unsigned(x *ssa.Value, c, greatest uint64) *ssa.Value {
	n := x.Type.K.Num().Bits()
	if c&(c-1) == 0 {
		return d.op(ssa.OpShr, x, uint64(bits.TrailingZeros64(c)))
	}
	if m, s, ok := numeric.Magic(c, greatest, n); ok {
		return d.shifted(d.op(ssa.OpMulHi, x, m), s)
	}
	// An even divisor: the shifted dividend has fewer bits.
	if z := bits.TrailingZeros64(c); z > 0 {
		if m, s, ok := numeric.Magic(c>>z, greatest>>z, n); ok {
			return d.shifted(d.op(ssa.OpMulHi, d.op(ssa.OpShr, x, uint64(z)), m), s)
		}
	}
	// The multiplier 2^n + m has n+1 bits: (x*m>>n + x) >> s without overflow.
	s := bits.Len64(c - 1)
	m := (uint64(1)<<s-c)<<n/c + 1
	t := d.op(ssa.OpMulHi, x, m)
	half := d.op(ssa.OpShr, d.rw.value(ssa.OpSub, x.Type, x, t), 1)
	return d.shifted(d.rw.value(ssa.OpAdd, x.Type, half, t), s-1)
}

func (d *divider) shifted(x *ssa.Value, s int) *ssa.Value {
	if s == 0 {
		return x
	}
	return d.op(ssa.OpShr, x, uint64(s))
}

// biased returns x if it is not negative, else x + c-1, where c is a power of two. Clearing the low bits of the
// result then rounds x to a multiple of c toward zero.
func (d *divider) biased(x *ssa.Value, c uint64) *ssa.Value {
	k := x.Type.K.Num()
	u := x.Type.With(ssa.Kind(k.Unsigned()))
	sign := d.rw.value(ssa.OpBitcast, u, d.op(ssa.OpShr, x, uint64(k.Bits()-1)))
	bias := d.rw.value(ssa.OpBitcast, x.Type, d.op(ssa.OpShr, sign, uint64(k.Bits()-bits.TrailingZeros64(c))))
	return d.rw.value(ssa.OpAdd, x.Type, x, bias)
}

// signed returns x / c for an x that may be negative.
func (d *divider) signed(x *ssa.Value, c uint64) *ssa.Value {
	k := x.Type.K.Num()
	n := k.Bits()
	if c&(c-1) == 0 {
		return d.op(ssa.OpShr, d.biased(x, c), uint64(bits.TrailingZeros64(c)))
	}
	// m = (2^(n+s) + e) / c, with the least s for which the error is small enough on [-2^(n-1), 2^(n-1)]. If m
	// needs n bits, m - 2^n represents it. For negative numbers the shift rounds down, to one less than the
	// quotient.
	m, s := uint64(0), 0
	for ; ; s++ {
		p := uint64(1) << (n + s)
		m = p/c + 1
		if m*c-p <= uint64(2)<<s {
			break
		}
	}
	q := d.op(ssa.OpMulHi, x, m)
	if m>>(n-1) != 0 {
		q = d.rw.value(ssa.OpAdd, x.Type, q, x)
	}
	return d.rw.value(ssa.OpSub, x.Type, d.shifted(q, s), d.op(ssa.OpShr, x, uint64(n-1)))
}
