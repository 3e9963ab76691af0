package builtin_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/front/builtin"
)

const bigPrec = 2400 // sums of squares of any float64s are exact

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(bigPrec).SetFloat64(x) }

func bigDot(a, b []float64) *big.Float {
	s := bigOf(0)
	for i := range a {
		s.Add(s, new(big.Float).SetPrec(bigPrec).Mul(bigOf(a[i]), bigOf(b[i])))
	}
	return s
}

func bigLength(a []float64) *big.Float {
	return new(big.Float).SetPrec(200).Sqrt(new(big.Float).SetPrec(200).Set(bigDot(a, a)))
}

// A geometricFormat is a type of the geometric functions.
type geometricFormat struct {
	name    string
	bits    int // of the significand
	low     int // exponent of the smallest subnormal number
	high    int // 2^high is the least power of two that is infinite
	round   func(float64) float64
	epsilon float64
}

var geometricFormats = []geometricFormat{
	{"float", 24, -149, 128, func(x float64) float64 { return float64(float32(x)) }, 0x1p-23},
	{"double", 53, -1074, 1024, func(x float64) float64 { return x }, 0x1p-52},
	{"half", 11, -24, 16, func(x float64) float64 { return halfValue(halfOf(x, "_rte")) }, 0x1p-10},
}

// ulps returns the distance of got from want in units in the last place of want.
func (f *geometricFormat) ulps(got float64, want *big.Float) float64 {
	exp := want.MantExp(nil) // want = m 2^exp, 1/2 <= m < 1
	if want.Sign() == 0 {
		exp = f.low
	}
	if exp > f.high || math.IsInf(got, 0) {
		if exp >= f.high && math.IsInf(got, 0) {
			return 0
		}
		return math.Inf(1)
	}
	if got != got {
		return math.Inf(1)
	}
	d := new(big.Float).SetPrec(200).Sub(bigOf(got), want)
	d.SetMantExp(d, -max(exp-f.bits, f.low))
	e, _ := d.Abs(d).Float64()
	return e
}

// vector returns a random vector: components of similar size, or of any, at any scale.
func (f *geometricFormat) vector(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	scale, spread := rng.IntN(f.high-f.low-8)+f.low, rng.IntN(3)*f.bits/2
	for i := range v {
		e := min(max(scale-rng.IntN(spread+1), f.low-2), f.high-4)
		v[i] = f.round(math.Ldexp(rng.Float64()*2-1, e))
	}
	return v
}

// TestAccuracyGeometric compares the geometric functions, on vectors of every length and scale, with sums and roots
// of math/big. dot and cross have a bound on the absolute error, measured in units of the greatest product of
// components times epsilon.
func TestAccuracyGeometric(t *testing.T) {
	const runs = 1 << 10
	rows := map[string]*builtin.Row{}
	for r := range builtin.Rows() {
		rows[r.Name] = r
	}
	for _, f := range geometricFormats {
		worst, at := map[string]float64{}, map[string][]float64{}
		note := func(name string, e float64, args ...[]float64) {
			if old, ok := worst[name]; !ok || e > old || e != e {
				worst[name], at[name] = e, nil
				for _, a := range args {
					at[name] = append(at[name], a...)
				}
			}
		}
		for n := 1; n <= 4; n++ {
			rng := rand.New(rand.NewPCG(uint64(n), uint64(f.bits)))
			x, y := make([][]float64, runs), make([][]float64, runs)
			var in []float64
			for i := range x {
				x[i], y[i] = f.vector(rng, n), f.vector(rng, n)
				if i%2 == 0 {
					for k := range y[i] { // of x's magnitude
						y[i][k] = f.round(x[i][k] * (rng.Float64() + 0.5))
					}
				}
				in = append(append(in, x[i]...), y[i]...)
			}
			out := f.run(t, n, runs, in)
			for i := range x {
				r := out[i*16 : i*16+16]
				f.check(note, x[i], y[i], r)
			}
		}
		for name, e := range worst {
			if base := strings.TrimPrefix(name, "fast_"); base != name && f.name != "float" {
				continue
			}
			if limit := map[string]float64{"dot": 7, "cross": 3}[name]; limit > 0 && !(e <= limit) {
				t.Errorf("%s of %s: error %v of the greatest product times epsilon at %x, permitted %v", name, f.name, e, at[name], limit)
			}
			record(t, rows[name], f.name, "2^12", e, at[name]...)
		}
	}
}

// run calls all functions on pairs of vectors, with 16 results for each.
func (f *geometricFormat) run(t *testing.T, n, runs int, in []float64) []float64 {
	typ, load, cross := f.name, "in[2 * i]", ""
	y, first := "in[2 * i + 1]", "r"
	if n > 1 {
		typ, load, y, first = fmt.Sprint(f.name, n), fmt.Sprintf("vload%d(2 * i, in)", n), fmt.Sprintf("vload%d(2 * i + 1, in)", n), "r.x"
	}
	if n > 2 {
		cross = "T c = cross(x, y); o[8] = c.x; o[9] = c.y; o[10] = c.z;"
	}
	store := func(at int, v string) string {
		s := fmt.Sprintf("{ T r = %s; o[%d] = %s;", v, at, first)
		for k := 1; k < n; k++ {
			s += fmt.Sprintf(" o[%d] = r.%c;", at+k, "xyzw"[k])
		}
		return s + " }"
	}
	fast := ""
	if f.name == "float" {
		fast = "o[3] = fast_length(x); o[15] = fast_distance(x, y); " + store(11, "fast_normalize(x)")
	}
	k := build(t, fmt.Sprintf(`#pragma OPENCL EXTENSION cl_khr_fp16 : enable
		#define T %s
		kernel void k(global const %s *in, global %[2]s *out) {
		size_t i = get_global_id(0);
		global %[2]s *o = out + 16 * i;
		T x = %s, y = %s;
		o[0] = length(x); o[1] = distance(x, y); o[2] = dot(x, y);
		%s %s
		%s
	}`, typ, f.name, load, y, store(4, "normalize(x)"), cross, fast))
	out := make([]float64, 16*runs)
	switch f.name {
	case "float":
		a, b := make([]float32, len(in)), make([]float32, len(out))
		for i, v := range in {
			a[i] = float32(v)
		}
		k.run(t, runs, 0, raw(a), raw(b))
		for i, v := range b {
			out[i] = float64(v)
		}
	case "half":
		a, b := make([]uint16, len(in)), make([]uint16, len(out))
		for i, v := range in {
			a[i] = halfOf(v, "_rte")
		}
		k.run(t, runs, 0, raw(a), raw(b))
		for i, v := range b {
			out[i] = halfValue(v)
		}
	default:
		k.run(t, runs, 0, raw(in), raw(out))
	}
	return out
}

// check compares the results r of one pair of vectors.
func (f *geometricFormat) check(note func(name string, e float64, args ...[]float64), x, y, r []float64) {
	n := len(x)
	length := bigLength(x)
	note("length", f.ulps(r[0], length), x)
	difference := make([]float64, n)
	greatest, fits := 0.0, true
	for i := range x {
		difference[i] = x[i] - y[i]
		fits = fits && difference[i] == x[i]-y[i] && math.Abs(difference[i]) < math.Ldexp(1, f.high-1)
		greatest = max(greatest, math.Abs(x[i]), math.Abs(y[i]))
	}
	if f.name == "double" { // the oracle's difference must be exact too
		var d []*big.Float
		s := bigOf(0)
		for i := range x {
			d = append(d, new(big.Float).SetPrec(bigPrec).Sub(bigOf(x[i]), bigOf(y[i])))
			s.Add(s, new(big.Float).SetPrec(bigPrec).Mul(d[i], d[i]))
		}
		if fits {
			note("distance", f.ulps(r[1], new(big.Float).SetPrec(200).Sqrt(new(big.Float).SetPrec(200).Set(s))), x, y)
		}
	} else if fits {
		note("distance", f.ulps(r[1], bigLength(difference)), x, y)
	}
	// Only where products neither overflow nor underflow.
	if g := greatest * greatest * f.epsilon; g < math.Ldexp(1, f.high-f.bits-4) && g > math.Ldexp(1, f.low+2) {
		absolute := func(got float64, want *big.Float) float64 {
			e, _ := new(big.Float).Quo(new(big.Float).SetPrec(200).Sub(bigOf(got), want), bigOf(g)).Float64()
			return math.Abs(e)
		}
		note("dot", absolute(r[2], bigDot(x, y)), x, y)
		for i := 0; n > 2 && i < 3; i++ {
			j, k := (i+1)%3, (i+2)%3
			note("cross", absolute(r[8+i], bigDot([]float64{x[j], -x[k]}, []float64{y[k], y[j]})), x, y)
		}
		if g := greatest * greatest; f.name == "float" && g > 0x1p-100 && length.Cmp(bigOf(0x1p-50)) > 0 {
			note("fast_length", f.ulps(r[3], length), x)
			if fits && bigLength(difference).Cmp(bigOf(0x1p-50)) > 0 {
				note("fast_distance", f.ulps(r[15], bigLength(difference)), x, y)
			}
		}
	}
	for i := range x {
		if length.Sign() == 0 {
			continue
		}
		want := new(big.Float).SetPrec(200).Quo(bigOf(x[i]), length)
		note("normalize", f.ulps(r[4+i], want), x)
		if f.name == "float" && length.Cmp(bigOf(0x1p-50)) > 0 && length.Cmp(bigOf(0x1p60)) < 0 {
			note("fast_normalize", f.ulps(r[11+i], want), x)
		}
	}
}
