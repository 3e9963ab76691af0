package builtin_test

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// trigpi returns sin and cos of pi x, with exact reduction to |r| <= 1/4.
func trigpi(x float64) (sin, cos float64) {
	x = math.Mod(x, 2)
	n := math.Round(2 * x)
	s, c := math.Sincos((x - n/2) * math.Pi)
	if x-n/2 == 0 {
		s = 0
	}
	switch (int(n) + 8) % 4 {
	case 0:
		return s, c
	case 1:
		return c, -s
	case 2:
		return -s, -c
	}
	return -c, s
}

// oracles are functions of package math. Their error is below a few ulp of float64, which are 2^-29 ulp of float32:
// small enough to measure float functions.
var oracles = map[string]func(x float64) float64{
	"acos": math.Acos, "acosh": math.Acosh, "asin": math.Asin, "asinh": math.Asinh, "atan": math.Atan, "atanh": math.Atanh,
	"acospi": func(x float64) float64 { return math.Acos(x) / math.Pi },
	"asinpi": func(x float64) float64 { return math.Asin(x) / math.Pi },
	"atanpi": func(x float64) float64 { return math.Atan(x) / math.Pi },
	"cbrt":   math.Cbrt, "ceil": math.Ceil, "cos": math.Cos, "cosh": math.Cosh, "erf": math.Erf, "erfc": math.Erfc, "exp": math.Exp, "exp2": math.Exp2,
	"exp10": func(x float64) float64 { return math.Pow(10, x) }, "expm1": math.Expm1, "fabs": math.Abs, "floor": math.Floor,
	"lgamma": func(x float64) float64 {
		if math.IsInf(x, -1) {
			return math.Inf(1) // as in C99; Go differs
		}
		y, _ := math.Lgamma(x)
		return y
	},
	"log": math.Log,
	// Not math.Log2 and math.Log10, which cancel near 1.
	"log2":  func(x float64) float64 { return math.Log(x) * math.Log2E },
	"log10": func(x float64) float64 { return math.Log(x) * math.Log10E },
	"log1p": math.Log1p, "logb": math.Logb, "rint": math.RoundToEven, "round": math.Round,
	"rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) }, "sin": math.Sin, "sinh": math.Sinh, "sqrt": math.Sqrt, "tan": math.Tan, "tanh": math.Tanh,
	"tgamma": math.Gamma, "trunc": math.Trunc,
	"cospi": func(x float64) float64 { _, c := trigpi(x); return c + 0 },
	"sinpi": func(x float64) float64 { s, _ := trigpi(x); return s },
	"tanpi": func(x float64) float64 {
		s, c := trigpi(x)
		if c == 0 { // the pole's sign: section 7.5.1
			return math.Inf(1 - 2*int(math.Abs(math.Mod(math.Floor(x), 2))))
		}
		return s / c
	},
	"recip":   func(x float64) float64 { return 1 / x },
	"degrees": func(x float64) float64 { return x * (180 / math.Pi) },
	"radians": func(x float64) float64 { return x * (math.Pi / 180) },
	"sign": func(x float64) float64 {
		switch {
		case x != x:
			return 0
		case x == 0:
			return x
		}
		return math.Copysign(1, x)
	},
}

// ulpError returns the error of a float result in units in the last place of the reference, as defined in section
// 7.4. If either is infinite or NaN, it returns 0 if they agree, else infinity.
func ulpError(got float32, want float64) float64 {
	g := float64(got)
	switch {
	case want != want:
		if g != g {
			return 0
		}
		return math.Inf(1)
	case g != g:
		return math.Inf(1)
	case math.Abs(want) >= 0x1.ffffffp127: // rounds to infinity
		if math.IsInf(g, int(math.Copysign(1, want))) {
			return 0
		}
		return math.Abs(g-want) * 0x1p-104
	}
	if math.IsInf(g, 0) {
		g = math.Copysign(0x1p128, g)
	}
	// The inverse of 2^max(e-23, -149), where e is want's exponent.
	e := max(math.Float64bits(want)>>52&0x7ff, 1023-126)
	return math.Abs(g-want) * math.Float64frombits((2*1023+23-e)<<52)
}

// specials are arguments used in every run.
var specials = []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, -0.5, 1.5, 2, -2, 2.5, 3, -3, 1e10, -1e10, 0x1p-149, -0x1p-149, 0x1p-126, -0x1p-126,
	math.MaxFloat32, -math.MaxFloat32, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 88.72283, 88.722839, -103.97208, -103.972084, 35.04011, 34.5, -42.5, 1.4616321, 0x1.895f1cp+121}

// TestAccuracyDouble checks double functions against their permitted error on the arguments of testdata/double.txt,
// whose results testdata/double.py computes with mpmath.
func TestAccuracyDouble(t *testing.T) {
	text, err := os.ReadFile("testdata/double.txt")
	if err != nil {
		t.Fatal(err)
	}
	type reference struct {
		args [2]float64
		want float64
		low  float64 // in ulp of want
	}
	table := map[string][]reference{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		var r reference
		var nums [3]float64
		for i, s := range f[1 : len(f)-1] {
			if nums[i], err = strconv.ParseFloat(s, 64); err != nil {
				t.Fatal(err)
			}
		}
		low, err := strconv.Atoi(f[len(f)-1])
		if err != nil {
			t.Fatal(err)
		}
		r.args, r.want, r.low = [2]float64{nums[0], nums[1]}, nums[len(f)-3], float64(low)/1000
		table[f[0]] = append(table[f[0]], r)
	}
	for m := range measurements(1, 2) {
		refs := table[m.base]
		if refs == nil || m.floatOnly() {
			continue
		}
		t.Run(m.row.Name, func(t *testing.T) {
			n := wholeWidths(len(refs))
			x, y, out := make([]float64, n), make([]float64, n), make([]float64, n)
			for i, ref := range refs {
				x[i], y[i] = ref.args[0], ref.args[1]
			}
			buildWidths[float64](t, &m, "double", 0).run(t, x, y, out)
			worst, at := -1.0, 0
			for i, ref := range refs {
				_, e := math.Frexp(ref.want)
				ulp := math.Ldexp(1, e-53)
				if err := math.Abs((out[i]-ref.want)/ulp - ref.low); err > worst || err != err {
					worst, at = err, i
				}
			}
			record(t, m.row, "double", strconv.Itoa(len(refs)), worst, refs[at].args[:m.args]...)
		})
	}
}

// powr is pow, except for the cases of section 7.5.1 in which it is NaN.
func powr(x, y float64) float64 {
	if x < 0 || y == 0 && (x == 0 || math.IsInf(x, 1)) || x == 1 && math.IsInf(y, 0) {
		return math.NaN()
	}
	return math.Pow(x, y)
}

// oracles2 are oracles of two arguments.
var oracles2 = map[string]func(x, y float64) float64{
	"atan2": math.Atan2, "atan2pi": func(y, x float64) float64 { return math.Atan2(y, x) / math.Pi }, "hypot": math.Hypot, "pow": math.Pow, "powr": powr,
	"fmod": math.Mod, "remainder": math.Remainder, "fdim": math.Dim, "copysign": math.Copysign,
	"rootn":  func(x, n float64) float64 { return math.Copysign(math.Pow(math.Abs(x), 1/n), x) },
	"pown":   math.Pow,
	"divide": func(x, y float64) float64 { return x / y },
}

// pair returns arguments of a function of two: of similar and of any size (any returns a random number of the
// format), and for powers only those whose result is finite, below e^limit.
func pair(rng *rand.Rand, name string, i int, limit float64, any func() float64) (x, y float64) {
	x, y = any(), any()
	if i%2 == 0 {
		x, y = rng.NormFloat64()*8, rng.NormFloat64()*8
	}
	switch name {
	case "pow", "powr":
		x = math.Abs(x)
		if i%4 != 0 {
			y = (rng.Float64()*2 - 1) * limit / math.Log(x)
		}
	case "pown":
		y = math.Round((rng.Float64()*2 - 1) * math.Min(limit/math.Abs(math.Log(math.Abs(x))), 1e6))
	case "rootn":
		y = float64(2*rng.IntN(200) - 199)
	}
	return x, y
}

// TestAccuracyFloat2 measures functions of two arguments.
func TestAccuracyFloat2(t *testing.T) {
	const n = 1 << 16 / widthsMultiple * widthsMultiple
	rng := rand.New(rand.NewPCG(5, 6))
	x, y, out := make([]float32, n), make([]float32, n), make([]float32, n)
	for m := range measurements(2) {
		f := oracles2[m.base]
		if f == nil || m.row.Name == "native_powr" { // it is native_exp2(y * native_log2(x))
			continue
		}
		for i := range x {
			a, b := pair(rng, m.base, i, 100, func() float64 { return float64(math.Float32frombits(rng.Uint32())) })
			x[i], y[i] = float32(a), float32(b)
			if x[i] != x[i] || y[i] != y[i] {
				x[i], y[i] = 1, 2
			}
		}
		buildWidths[float32](t, &m, "float", 0).run(t, x, y, out)
		worst, at := -1.0, 0
		for i := range x {
			if e := ulpError(out[i], f(float64(x[i]), float64(y[i]))); e > worst {
				worst, at = e, i
			}
		}
		record(t, m.row, "float", "2^16", worst, float64(x[at]), float64(y[at]))
	}
}

// halfValue returns the value of the bits of a half (IEEE 754 binary16).
func halfValue(h uint16) float64 {
	m, e := float64(h&0x3ff), int(h>>10&31)
	v := 0.0
	switch {
	case e == 31 && m != 0:
		return math.NaN()
	case e == 31:
		v = math.Inf(1)
	case e == 0:
		v = math.Ldexp(m, -24)
	default:
		v = math.Ldexp(m+1024, e-25)
	}
	if h>>15 != 0 {
		return -v
	}
	return v
}

// halfError is ulpError for half.
func halfError(got, want float64) float64 {
	switch {
	case want != want || got != got:
		if (want == want) != (got == got) {
			return math.Inf(1)
		}
		return 0
	case math.IsInf(got, 0) || math.Abs(want) >= 65520:
		if math.Abs(want) < 65520 || !math.IsInf(got, 0) || (got > 0) != (want > 0) {
			return math.Inf(1)
		}
		return 0
	}
	_, x := math.Frexp(want)
	return math.Abs(got-want) / math.Ldexp(1, max(x-11, -24))
}

// TestAccuracyHalf measures half functions of one argument on all 2^16 values, and functions of two on as many
// pairs.
func TestAccuracyHalf(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	n := wholeWidths(1 << 16)
	x, y, out := make([]uint16, n), make([]uint16, n), make([]uint16, n)
	for m := range measurements(1, 2) {
		f, coverage := oracles2[m.base], "2^16"
		if g := oracles[m.base]; g != nil {
			f, coverage = func(x, _ float64) float64 { return g(x) }, "all"
		}
		if f == nil || m.floatOnly() {
			continue
		}
		for i := range x {
			x[i] = uint16(i)
			if m.args == 2 {
				a, b := pair(rng, m.base, i, 10, func() float64 { return halfValue(uint16(rng.Uint32())) })
				x[i], y[i] = halfOf(a, "_rte"), halfOf(b, "_rte")
			}
		}
		buildWidths[uint16](t, &m, "half", 0).run(t, x, y, out)
		worst, at := -1.0, 0
		for i := range x {
			if e := halfError(halfValue(out[i]), f(halfValue(x[i]), halfValue(y[i]))); e > worst {
				worst, at = e, i
			}
		}
		record(t, m.row, "half", coverage, worst, []float64{halfValue(x[at]), halfValue(y[at])}[:m.args]...)
	}
}
