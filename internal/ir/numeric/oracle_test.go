package numeric

import (
	"math/big"
	"math/bits"
)

// This file has two oracles, which share no code with the package: a fast one on exact integers, and one that
// follows the definitions on math/big, which checks the fast one.

// format describes a floating-point kind: precision and least normal exponent.
type format struct{ prec, emin int }

var formats = map[Kind]format{F16: {11, -14}, F32: {24, -126}, F64: {53, -1022}}

// An exact is ±m·2^e, an infinity or a NaN.
type exact struct {
	neg, inf, nan bool
	m             uint64
	e             int
	float         bool
	payload       uint64 // of a NaN, left-justified below the quiet bit
}

func decode(k Kind, b uint64) exact {
	if !k.IsFloat() {
		w := uint(k.Bits())
		x := exact{m: b}
		if k.Signed() && b>>(w-1) != 0 {
			x.neg = true
			x.m = -(b | ^uint64(0)<<(w-1))
		}
		return x
	}
	var prec, emin int
	switch k {
	case F16:
		prec, emin = 11, -14
	case F32:
		prec, emin = 24, -126
	default:
		prec, emin = 53, -1022
	}
	w := k.Bits()
	x := exact{float: true, neg: b>>(w-1) != 0}
	frac := b & (1<<(prec-1) - 1)
	e := int(b>>(prec-1)) & (1<<(w-prec) - 1)
	switch e {
	case 1<<(w-prec) - 1:
		x.inf, x.nan = frac == 0, frac != 0
		x.payload = frac << (64 - prec + 2)
	case 0:
		x.m, x.e = frac, emin-(prec-1)
	default:
		x.m, x.e = frac|1<<(prec-1), emin-(prec-1)+e-1
	}
	return x
}

// shiftRound returns m·2^-s (s > 0), rounded; neg is the sign of the whole number.
func shiftRound(m uint64, s int, neg bool, r Round) uint64 {
	var q uint64
	cmp := 0 // comparison of the remainder with one half
	rest := m != 0
	switch {
	case s > 64:
		cmp = -1
	case s == 64:
		cmp = compare(m, 1<<63)
	default:
		q = m >> s
		low := m & (1<<s - 1)
		rest = low != 0
		cmp = compare(low, 1<<(s-1))
	}
	switch r {
	case RTE:
		if cmp > 0 || cmp == 0 && q&1 != 0 {
			q++
		}
	case RTP:
		if rest && !neg {
			q++
		}
	case RTN:
		if rest && neg {
			q++
		}
	}
	return q
}

func compare(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// A rounded is an exact rounded to an integer: its magnitude, unless it is huge (at least 2^64, an infinity or a
// NaN).
type rounded struct {
	mag  uint64
	huge bool
}

func (x *exact) round(r Round) (t rounded) {
	switch {
	case x.inf || x.nan:
		t.huge = true
	case x.e >= 0:
		t.huge = x.m != 0 && bits.Len64(x.m)+x.e > 64
		t.mag = x.m << x.e
	default:
		t.mag = shiftRound(x.m, -x.e, x.neg, r)
	}
	return t
}

// toIntOracle returns the bits of x, which rounds to t, in the integer kind dst.
func toIntOracle(dst Kind, x *exact, t rounded, sat bool) uint64 {
	w := dst.Bits()
	mask := ^uint64(0) >> (64 - w)
	mag := t.mag
	if sat {
		most, least := mask, uint64(0) // magnitudes of the range's limits
		if dst.Signed() {
			most, least = mask>>1, mask>>1+1
		}
		switch {
		case x.nan:
			return 0
		case x.neg && (t.huge || mag > least):
			mag = least
		case !x.neg && (t.huge || mag > most):
			mag = most
		}
	} else if x.float {
		// docs/decisions/0002-out-of-range-conversion.md
		var most, least, indefinite uint64
		switch dst {
		case I64:
			most, least, indefinite = 1<<63-1, 1<<63, 1<<63
		case U64:
			most, least, indefinite = 1<<64-1, 1<<63, 1<<63
		case U32:
			most, least, indefinite = 1<<32-1, 1<<31, 1<<31
		default:
			most, least, indefinite = 1<<31-1, 1<<31, 1<<31
		}
		if t.huge || x.neg && mag > least || !x.neg && mag > most {
			return indefinite & mask
		}
	}
	if x.neg {
		mag = -mag
	}
	return mag & mask
}

// toFloatOracle returns the bits of x in the floating-point kind dst.
func toFloatOracle(dst Kind, x *exact, r Round) uint64 {
	var prec, emin int
	switch dst {
	case F16:
		prec, emin = 11, -14
	case F32:
		prec, emin = 24, -126
	default:
		prec, emin = 53, -1022
	}
	emax := 1 - emin
	var sign uint64
	if x.neg {
		sign = 1 << (dst.Bits() - 1)
	}
	inf := uint64(2*emax+1) << (prec - 1)
	switch {
	case x.nan:
		return sign | inf | 1<<(prec-2) | x.payload>>(64-prec+2)
	case x.inf:
		return sign | inf
	case x.m == 0:
		return sign
	}
	e := max(bits.Len64(x.m)-1+x.e, emin)
	sig := uint64(0)
	if s := e - (prec - 1) - x.e; s <= 0 {
		sig = x.m << -s
	} else {
		sig = shiftRound(x.m, s, x.neg, r)
	}
	if sig == 1<<prec {
		sig >>= 1
		e++
	}
	if e > emax {
		if r == RTZ || r == RTP && x.neg || r == RTN && !x.neg {
			return sign | inf - 1
		}
		return sign | inf
	}
	if sig < 1<<(prec-1) {
		return sign | sig
	}
	return sign | uint64(e-emin+1)<<(prec-1) | sig&(1<<(prec-1)-1)
}

// oracle returns the result of any conversion, on exact integers.
func oracle(c Conversion, b uint64) uint64 {
	x := decode(c.Src, b)
	return oracleOf(c, b, &x)
}

// oracleOf is oracle for bits b, whose decoded value is x.
func oracleOf(c Conversion, b uint64, x *exact) uint64 {
	if c.Dst == c.Src {
		return b
	}
	r := c.Round
	switch {
	case c.Dst == Bool:
		if x.nan || x.inf || x.m != 0 {
			return 1
		}
		return 0
	case c.Dst.IsFloat():
		if r == RoundDefault {
			r = RTE
		}
		return toFloatOracle(c.Dst, x, r)
	}
	if r == RoundDefault {
		r = RTZ
	}
	return toIntOracle(c.Dst, x, x.round(r), c.Sat)
}

// bigValue returns the number with the finite bits b of kind k.
func bigValue(k Kind, b uint64) *big.Rat {
	x := decode(k, b)
	v := new(big.Rat).SetInt(new(big.Int).SetUint64(x.m))
	p := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(x.e, -x.e))))
	if x.e < 0 {
		p.Inv(p)
	}
	if v.Mul(v, p); x.neg {
		v.Neg(v)
	}
	return v
}

// pick chooses between the neighbours lo ≤ v ≤ hi by the definition of the mode; loEven is set if lo is even.
func pick(v, lo, hi *big.Rat, r Round, loEven bool) (high bool) {
	if v.Cmp(lo) == 0 {
		return false
	}
	switch r {
	case RTP:
		return true
	case RTN:
		return false
	case RTZ:
		return v.Sign() < 0
	}
	below, above := new(big.Rat).Sub(v, lo), new(big.Rat).Sub(hi, v)
	if c := below.Cmp(above); c != 0 {
		return c > 0
	}
	return !loEven
}

// bigToInt rounds v to an integer and converts it to dst by the rules of C and of the decision record; float is set
// if v was a floating-point number.
func bigToInt(dst Kind, v *big.Rat, sat, float bool, r Round) uint64 {
	floor := new(big.Int).Div(v.Num(), v.Denom()) // Euclidean division is floor, as the denominator is positive
	lo := new(big.Rat).SetInt(floor)
	hi := new(big.Rat).Add(lo, big.NewRat(1, 1))
	t := floor
	if pick(v, lo, hi, r, floor.Bit(0) == 0) {
		t = new(big.Int).Add(floor, big.NewInt(1))
	}
	pow := func(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }
	w := dst.Bits()
	least, most := new(big.Int), pow(w) // [least, most)
	if dst.Signed() {
		least, most = new(big.Int).Neg(pow(w-1)), pow(w-1)
	}
	switch {
	case sat && t.Cmp(least) < 0:
		t = least
	case sat && t.Cmp(most) >= 0:
		t = new(big.Int).Sub(most, big.NewInt(1))
	case float && !sat:
		reg := max(w, 32)
		least = new(big.Int).Neg(pow(reg - 1))
		if most = pow(reg - 1); dst == U32 || dst == U64 {
			most = pow(reg)
		}
		if t.Cmp(least) < 0 || t.Cmp(most) >= 0 {
			t = least
		}
	}
	return new(big.Int).And(t, new(big.Int).Sub(pow(w), big.NewInt(1))).Uint64()
}

// neighbours returns the bits of the numbers of format dst around |v| (the upper one may be infinity), by a search
// over the format's finite numbers in order.
func neighbours(dst Kind, v *big.Rat) (lo, hi uint64) {
	abs := new(big.Rat).Abs(v)
	f := formats[dst]
	inf := uint64(3-2*f.emin) << (f.prec - 1)
	hi = inf // the first number above |v|
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; bigValue(dst, mid).Cmp(abs) > 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo, hi
}

// bigToFloat picks between v's neighbours in dst.
func bigToFloat(dst Kind, v *big.Rat, lo, hi uint64, r Round) uint64 {
	abs := new(big.Rat).Abs(v)
	f := formats[dst]
	inf := uint64(3-2*f.emin) << (f.prec - 1)
	loV := bigValue(dst, lo)
	var hiV *big.Rat
	if hi == inf { // the next number if the exponent were unbounded
		hiV = new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(2-f.emin)))
	} else {
		hiV = bigValue(dst, hi)
	}
	var sign uint64
	if v.Sign() < 0 { // mirror the mode
		sign = 1 << (dst.Bits() - 1)
		switch r {
		case RTP:
			r = RTN
		case RTN:
			r = RTP
		}
	}
	if r == RTE && abs.Cmp(hiV) >= 0 {
		return sign | inf
	}
	if pick(abs, loV, hiV, r, lo&1 == 0) {
		return sign | hi
	}
	return sign | lo
}
