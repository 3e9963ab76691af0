package builtin_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// lowQuotient returns the low 7 bits of the integer nearest to x/y, with the sign of x/y.
func lowQuotient(x, y float64) int32 {
	if math.IsInf(x, 0) || x != x || y != y || y == 0 || math.IsInf(y, 0) {
		return 0
	}
	q := new(big.Rat).Quo(new(big.Rat).SetFloat64(math.Abs(x)), new(big.Rat).SetFloat64(math.Abs(y)))
	twice := new(big.Int).Lsh(q.Num(), 1)
	twice.Add(twice, q.Denom())
	n, rest := twice.QuoRem(twice, new(big.Int).Lsh(q.Denom(), 1), new(big.Int))
	if rest.Sign() == 0 && n.Bit(0) == 1 { // a tie: to even
		n.Sub(n, big.NewInt(1))
	}
	low := int32(n.And(n, big.NewInt(0x7f)).Int64())
	if math.Signbit(x) != math.Signbit(y) {
		return -low
	}
	return low
}

// remainderPairs returns arguments of similar size, ties, arguments of any size, subnormals and edge cases.
func remainderPairs(n int, any func(*rand.Rand) float64, round func(float64) float64, specials []float64) (x, y []float64) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, a := range specials {
		for _, b := range specials {
			x, y = append(x, a), append(y, b)
		}
	}
	for len(x)%n != 0 || len(x) < n {
		a, b := any(rng), any(rng)
		switch rng.IntN(4) {
		case 0:
			b = round(a / math.Ldexp(1+rng.Float64(), rng.IntN(70)))
		case 1:
			b = float64(rng.IntN(1<<10) - 1<<9)
			a = b * (float64(rng.IntN(1<<11)) - 1<<10) / 2
		case 2:
			a, b = rng.NormFloat64()*8, rng.NormFloat64()*8
		}
		x, y = append(x, round(a)), append(y, round(b))
	}
	return x, y
}

// TestRemainders compares fmod, remainder and remquo with exact results.
func TestRemainders(t *testing.T) {
	inf, tiny := math.Inf(1), 0x1p-1074
	check := func(typ string, x, y, mod, rem, quoRem []float64, quo []int32) {
		same := func(a, b float64) bool { return a != a && b != b || math.Float64bits(a) == math.Float64bits(b) }
		for i, a := range x {
			b := y[i]
			if want := math.Mod(a, b); !same(mod[i], want) {
				t.Errorf("fmod(%s %x, %x): %x, want %x", typ, a, b, mod[i], want)
			}
			want := math.Remainder(a, b)
			if want == 0 {
				want = math.Copysign(0, a)
			}
			if !same(rem[i], want) || !same(quoRem[i], want) {
				t.Errorf("remainder(%s %x, %x): %x, remquo %x, want %x", typ, a, b, rem[i], quoRem[i], want)
			}
			if want := lowQuotient(a, b); quo[i] != want {
				t.Errorf("remquo(%s %x, %x): quotient %d, want %d", typ, a, b, quo[i], want)
			}
		}
	}
	const n = 1 << 12
	source := `kernel void k(global const %[1]s *x, global const %[1]s *y, global %[1]s *out, global int4 *quo) {
		size_t i = get_global_id(0), n = get_global_size(0);
		%[1]s4 a = vload4(i, x), b = vload4(i, y);
		int4 q;
		vstore4(fmod(a, b), i, out);
		vstore4(remainder(a, b), i + n, out);
		vstore4(remquo(a, b, &q), i + 2 * n, out);
		quo[i] = q;
	}`
	quo := make([]int32, n)
	x, y := remainderPairs(n, func(r *rand.Rand) float64 { return math.Float64frombits(r.Uint64()) }, func(x float64) float64 { return x },
		[]float64{0, math.Copysign(0, -1), 1, -1, 3, tiny, -tiny, 3 * tiny, 0x1p-1022, math.MaxFloat64, -math.MaxFloat64, inf, -inf, math.NaN()})
	out := make([]float64, 3*n)
	build(t, fmt.Sprintf(source, "double")).run(t, n/4, 0, raw(x), raw(y), raw(out), raw(quo))
	check("double", x, y, out[:n], out[n:2*n], out[2*n:], quo)

	x, y = remainderPairs(n, func(r *rand.Rand) float64 { return float64(math.Float32frombits(r.Uint32())) }, func(x float64) float64 { return float64(float32(x)) },
		[]float64{0, math.Copysign(0, -1), 1, -1, 3, 0x1p-149, -0x1p-149, 0x1.8p-148, 0x1p-126, math.MaxFloat32, -math.MaxFloat32, inf, -inf, math.NaN()})
	narrow := func(s []float64) []float32 {
		r := make([]float32, len(s))
		for i, v := range s {
			r[i] = float32(v)
		}
		return r
	}
	fout := make([]float32, 3*n)
	build(t, fmt.Sprintf(source, "float")).run(t, n/4, 0, raw(narrow(x)), raw(narrow(y)), raw(fout), raw(quo))
	for i, v := range fout {
		out[i] = float64(v)
	}
	check("float", x, y, out[:n], out[n:2*n], out[2*n:], quo)
}
