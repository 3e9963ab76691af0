package numeric

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The oracle of an operation on finite numbers is its exact value as a big.Rat, or for a square root a sufficient
// approximation, rounded by the fast oracle's own code.

// roundRat rounds v to kind k, to nearest even; zero gets the given sign.
func roundRat(k Kind, v *big.Rat, negZero bool) uint64 {
	x := exact{neg: v.Sign() < 0 || v.Sign() == 0 && negZero, float: true}
	if v.Sign() != 0 {
		num, den := new(big.Int).Abs(v.Num()), v.Denom()
		// 62 bits of quotient and a sticky bit.
		s := 62 - (num.BitLen() - den.BitLen())
		if s > 0 {
			num.Lsh(num, uint(s))
		} else {
			den = new(big.Int).Lsh(den, uint(-s))
		}
		q, r := new(big.Int).QuoRem(num, den, new(big.Int))
		if x.m = q.Uint64(); r.Sign() != 0 {
			x.m |= 1 // sticky bit: at least 62 bits put it far below any tie
		}
		x.e = -s
	}
	return toFloatOracle(k, &x, RTE)
}

// sqrtRat returns a number that rounds like v's square root.
func sqrtRat(v *big.Rat) *big.Rat {
	// v = n/d with d a power of two; scale to an even exponent.
	n, d := new(big.Int).Set(v.Num()), v.Denom().BitLen()-1
	shift := 160
	if d&1 != 0 {
		shift++
	}
	n.Lsh(n, uint(shift))
	root := new(big.Int).Sqrt(n)
	if new(big.Int).Mul(root, root).Cmp(n) != 0 {
		root.Lsh(root, 1).SetBit(root, 0, 1)
		return new(big.Rat).SetFrac(root, new(big.Int).Lsh(big.NewInt(1), uint((shift+d)/2+1)))
	}
	return new(big.Rat).SetFrac(root, new(big.Int).Lsh(big.NewInt(1), uint((shift+d)/2)))
}

// arith is the set of operations of one kind, on bits.
type arith struct {
	kind               Kind
	add, sub, mul, div func(a, b uint64) uint64
	fma, fms, fnma     func(a, b, c uint64) uint64
	sqrt               func(a uint64) uint64
}

func halfArith() arith {
	two := func(f func(a, b Half) Half) func(a, b uint64) uint64 {
		return func(a, b uint64) uint64 { return uint64(f(Half(a), Half(b))) }
	}
	three := func(f func(a, b, c Half) Half) func(a, b, c uint64) uint64 {
		return func(a, b, c uint64) uint64 { return uint64(f(Half(a), Half(b), Half(c))) }
	}
	return arith{
		F16, two(Half.Add), two(Half.Sub), two(Half.Mul), two(Half.Div),
		three(Half.FMA), three(Half.FMS), three(Half.FNMA),
		func(a uint64) uint64 { return uint64(Half(a).Sqrt()) },
	}
}

func floatArith[T Float](k Kind) arith {
	two := func(f func(a, b T) T) func(a, b uint64) uint64 {
		return func(a, b uint64) uint64 { return floatBits(f(withBits[T](a), withBits[T](b))) }
	}
	three := func(f func(a, b, c T) T) func(a, b, c uint64) uint64 {
		return func(a, b, c uint64) uint64 { return floatBits(f(withBits[T](a), withBits[T](b), withBits[T](c))) }
	}
	return arith{
		k, two(Add[T]), two(Sub[T]), two(Mul[T]), two(Div[T]),
		three(FMA[T]), three(FMS[T]), three(FNMA[T]),
		func(a uint64) uint64 { return floatBits(Sqrt(withBits[T](a))) },
	}
}

func (f arith) check(t *testing.T, a, b, c uint64) {
	t.Helper()
	x, y, z := decode(f.kind, a), decode(f.kind, b), decode(f.kind, c)
	A, B, C := bigValue(f.kind, a), bigValue(f.kind, b), bigValue(f.kind, c)
	sub := new(big.Rat).Sub(A, B)
	product := new(big.Rat).Mul(A, B)
	negProduct := x.neg != y.neg
	want := func(op string, got uint64, v *big.Rat, negZero bool) {
		t.Helper()
		if w := roundRat(f.kind, v, negZero); got != w {
			t.Fatalf("%v %s(%#x, %#x, %#x) = %#x, want %#x", f.kind, op, a, b, c, got, w)
		}
	}
	want("add", f.add(a, b), new(big.Rat).Add(A, B), x.neg && y.neg)
	want("sub", f.sub(a, b), sub, x.neg && !y.neg)
	want("mul", f.mul(a, b), product, negProduct)
	if B.Sign() != 0 {
		want("div", f.div(a, b), new(big.Rat).Quo(A, B), negProduct)
	}
	sum := new(big.Rat).Add(product, C)
	want("fma", f.fma(a, b, c), sum, negProduct && z.neg)
	want("fms", f.fms(a, b, c), new(big.Rat).Sub(product, C), negProduct && !z.neg)
	want("fnma", f.fnma(a, b, c), new(big.Rat).Sub(C, product), !negProduct && z.neg)
	if !x.neg {
		want("sqrt", f.sqrt(a), sqrtRat(A), false)
	}
}

// TestArithmetic tests random operands, operands of similar magnitude, and fused multiply-adds whose addend is near
// a tie of the product or far below it.
func TestArithmetic(t *testing.T) {
	for _, f := range []arith{halfArith(), floatArith[float32](F32), floatArith[float64](F64)} {
		t.Run(f.kind.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, uint64(f.kind)))
			w, prec := f.kind.Bits(), formats[f.kind].prec
			mask := ^uint64(0) >> (64 - w)
			expMask := uint64(1<<(w-prec)-1) << (prec - 1)
			finite := func() uint64 {
				for {
					b := rng.Uint64() & mask
					switch rng.IntN(4) {
					case 0: // near 1
						b = b&^expMask | (expMask>>1&expMask + uint64(rng.IntN(9)-4)<<(prec-1))
					case 1: // few significant bits
						b &^= 1<<rng.IntN(prec) - 1
					}
					if b&expMask != expMask {
						return b
					}
				}
			}
			n := 20000
			if f.kind == F64 {
				n = 4000 // of 2,000-bit rationals
			}
			for range n {
				a, b, c := finite(), finite(), finite()
				if rng.IntN(2) == 0 {
					// c cancels all but a few bits of the product, or is half an ulp of it.
					c = f.mul(a, b) ^ 1<<(w-1)
					if rng.IntN(2) == 0 {
						c = c - uint64(prec)<<(prec-1) + uint64(rng.IntN(3)-1)
						c &= mask
					}
					if c&expMask == expMask {
						continue
					}
				}
				f.check(t, a, b, c)
			}
		})
	}
}

// TestHalfUnary takes every half.
func TestHalfUnary(t *testing.T) {
	for i := range 1 << 16 {
		h := Half(i)
		f := h.Float64()
		if h.IsNaN() {
			for _, got := range []Half{h.Sqrt(), h.Floor(), h.Ceil(), h.Trunc(), h.Rint(), h.Round(), h.Add(1), Half(1).Mul(h)} {
				if got != h|0x200 {
					t.Fatalf("%#x: NaN %#x", h, got)
				}
			}
			continue
		}
		for _, c := range []struct {
			name string
			got  Half
			want float64
		}{
			{"sqrt", h.Sqrt(), math.Sqrt(f)}, {"floor", h.Floor(), math.Floor(f)}, {"ceil", h.Ceil(), math.Ceil(f)},
			{"trunc", h.Trunc(), math.Trunc(f)}, {"rint", h.Rint(), math.RoundToEven(f)},
			{"round", h.Round(), math.Round(f)}, {"neg", h.Neg(), -f}, {"abs", h.Abs(), math.Abs(f)},
			{"copysign", h.Copysign(0x8000), math.Copysign(f, -1)},
		} {
			if math.IsNaN(c.want) {
				if c.got != 0xfe00 {
					t.Fatalf("%s(%v) = %#x", c.name, h, c.got)
				}
				continue
			}
			x := decode(F64, math.Float64bits(c.want))
			if want := toFloatOracle(F16, &x, RTE); uint64(c.got) != want {
				t.Fatalf("%s(%v) = %v, want %#x", c.name, h, c.got, want)
			}
		}
	}
	for h, want := range map[Half]string{0x3c00: "1", 0x2e66: "0.1", 0x7bff: "65500", 1: "6e-08", 0xfc00: "-Inf", 0x8000: "-0", 0x3555: "0.3333"} {
		if h.String() != want {
			t.Errorf("%#x prints %s, want %s", uint16(h), h, want)
		}
	}
	if one, two := Half(0x3c00), Half(0x4000); !one.Lt(two) || two.Le(one) || !Half(0).Eq(0x8000) || Half(0x7e00).Eq(0x7e00) {
		t.Error("comparisons")
	}
}

// TestNaNResults tests decision record 0003.
func TestNaNResults(t *testing.T) {
	snan, qnan := math.Float32frombits(0x7f800001), math.Float32frombits(0xffc00002)
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		name string
		got  float32
		want uint32
	}{
		{"snan+qnan", Add(snan, qnan), 0x7fc00001}, {"qnan+snan", Add(qnan, snan), 0xffc00002},
		{"1+snan", Add(1, snan), 0x7fc00001}, {"qnan*1", Mul(qnan, 1), 0xffc00002},
		{"inf-inf", Sub(inf, inf), 0xffc00000}, {"0*inf", Mul(0, inf), 0xffc00000},
		{"0/0", Div(float32(0), 0), 0xffc00000}, {"inf/inf", Div(inf, inf), 0xffc00000},
		{"sqrt(-1)", Sqrt(float32(-1)), 0xffc00000}, {"floor(snan)", Floor(snan), 0x7fc00001},
		{"rint(qnan)", Rint(qnan), 0xffc00002}, {"round(snan)", RoundAway(snan), 0x7fc00001},
		{"trunc(snan)", Trunc(snan), 0x7fc00001}, {"ceil(qnan)", Ceil(qnan), 0xffc00002},
		{"fma(1,2,snan)", FMA(1, 2, snan), 0x7fc00001}, {"fma(0,inf,1)", FMA(0, inf, 1), 0xffc00000},
		{"fma(0,inf,snan)", FMA(0, inf, snan), 0x7fc00001}, {"fma(1,qnan,snan)", FMA(1, qnan, snan), 0xffc00002},
		{"fma(snan,qnan,1)", FMA(snan, qnan, 1), 0x7fc00001}, {"fma(inf,1,-inf)", FMA(inf, 1, -inf), 0xffc00000},
		{"fms(1,2,snan)", FMS(1, 2, snan), 0x7fc00001}, {"fms(inf,1,inf)", FMS(inf, 1, inf), 0xffc00000},
		{"fms(qnan,1,snan)", FMS(qnan, 1, snan), 0xffc00002}, {"fms(0,inf,qnan)", FMS(0, inf, qnan), 0xffc00002},
		{"fnma(snan,qnan,1)", FNMA(snan, qnan, 1), 0x7fc00001}, {"fnma(1,snan,qnan)", FNMA(1, snan, qnan), 0x7fc00001},
		{"fnma(1,2,qnan)", FNMA(1, 2, qnan), 0xffc00002}, {"fnma(inf,0,1)", FNMA(inf, 0, 1), 0xffc00000},
		{"fmin(snan,1)", Fmin(snan, 1), 0x3f800000}, {"fmin(1,qnan)", Fmin(1, qnan), 0x3f800000},
		{"fmin(qnan,snan)", Fmin(qnan, snan), 0x7f800001}, {"fmax(qnan,snan)", Fmax(qnan, snan), 0x7f800001},
		{"fmax(1,snan)", Fmax(1, snan), 0x3f800000}, {"fmax(2,1)", Fmax[float32](2, 1), 0x40000000},
		{"fmin(0,-0)", Fmin(0, math.Float32frombits(1<<31)), 0}, {"fmax(-0,0)", Fmax(math.Float32frombits(1<<31), 0), 1 << 31},
		{"-snan", Neg(snan), 0xff800001}, {"fabs(qnan)", Fabs(qnan), 0x7fc00002},
		{"copysign(snan,-1)", Copysign(snan, -1), 0xff800001},
	} {
		if got := math.Float32bits(c.got); got != c.want {
			t.Errorf("%s = %#x, want %#x", c.name, got, c.want)
		}
	}
	d := math.Float64frombits(0x7ff0000000000001)
	if got := math.Float64bits(Add(1, d)); got != 0x7ff8000000000001 {
		t.Errorf("1+snan = %#x", got)
	}
	if got := math.Float64bits(Sqrt(-1.0)); got != 0xfff8<<48 {
		t.Errorf("sqrt(-1) = %#x", got)
	}
	one, nan := Half(0x3c00), Half(0x7c01)
	for _, c := range []struct{ got, want Half }{
		{nan.Add(0xfe02), 0x7e01}, {one.Sub(nan), 0x7e01}, {Half(0x7c00).Sub(0x7c00), 0xfe00},
		{one.FMA(one, nan), 0x7e01}, {nan.Fmin(one), one}, {one.Fmax(nan), one}, {one.Fmin(0x3800), 0x3800}, {one.Fmax(0x4000), 0x4000},
	} {
		if c.got != c.want {
			t.Errorf("half NaN: %#x, want %#x", uint16(c.got), uint16(c.want))
		}
	}
}
