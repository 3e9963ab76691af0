//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"context"
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/launch"
)

// buildWith compiles with build options.
func buildWith(t testing.TB, src, options string) *ssa.Module {
	t.Helper()
	o, err := compile.ParseOptions(options)
	if err != nil {
		t.Fatal(err)
	}
	res, err := compile.Compile(context.Background(), "t.cl", []byte(src), o)
	if err != nil {
		t.Fatal(err)
	}
	return res.Module
}

const relaxedKernels = `
kernel void products(global float* out, global const float* a, global const float* b, int n) { int i = get_global_id(0); float s = b[i]; for (int k = 0; k < n; k++) s += a[i * n + k] * b[k]; out[i] = s; }
kernel void differences(global float* out, global const float* a, global const float* b, int n) { int i = get_global_id(0); float s = b[i]; for (int k = 0; k < n; k++) s = s - a[i * n + k] * b[k]; out[i] = s; }
kernel void quotients(global float* out, global const float* a, global const float* b, int n) { int i = get_global_id(0); float s = b[i]; for (int k = 0; k < n; k++) s += a[i * n + k] / b[0]; out[i] = s; }
`

// TestRelaxed: with options that permit reordering, sums of rows stay within the error bound for every order
// (N. Higham, "Accuracy and Stability of Numerical Algorithms", 2002, section 4.2) of exact sums by math/big.
// Without the options the order is kept.
func TestRelaxed(t *testing.T) {
	const items, n = 50, 173
	r := rand.New(rand.NewPCG(7, 8))
	random := func(int) float32 { return float32(r.NormFloat64()) }
	a, b := floats(items*n, random), floats(n, random)
	for _, options := range []string{"", "-cl-mad-enable", "-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"} {
		m := buildWith(t, relaxedKernels, options)
		for name, sign := range map[string]float64{"products": 1, "differences": -1, "quotients": 0} {
			if got, want := hasForm(t, m.Func(name), spmd.Vectorised), options != "" && options != "-cl-mad-enable"; got != want {
				t.Errorf("%q: %s has iterations side by side: %v", options, name, got)
			}
			for _, lv := range levels() {
				args, bufs := arguments([]any{make(buf, 4*items), buf(a), buf(b), i32(n)})
				k := kernelOf(t, m, New(Options{Panics: true, Level: lv}), name)
				if _, err := RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: []uint64{items}}, Workers: 2}); err != nil {
					t.Fatal(err)
				}
				for i := range items {
					sum, size := new(big.Float).SetPrec(300).SetFloat64(floatAt(b, i)), math.Abs(floatAt(b, i))
					for j := range n {
						x := new(big.Float).SetPrec(300).SetFloat64(floatAt(a, i*n+j))
						if sign == 0 {
							x.Quo(x, new(big.Float).SetPrec(300).SetFloat64(floatAt(b, 0)))
						} else {
							x.Mul(x, new(big.Float).SetPrec(300).SetFloat64(sign*floatAt(b, j)))
						}
						f, _ := x.Float64()
						size += math.Abs(f)
						sum.Add(sum, x)
					}
					want, _ := sum.Float64()
					if bound := (n + 3) * 0x1p-24 * size; math.Abs(floatAt(bufs[0], i)-want) > bound {
						t.Errorf("%q: %s on %s: row %d is %v, not %v ± %v", options, name, lv.Name, i, floatAt(bufs[0], i), want, bound)
					}
				}
			}
		}
	}
}

const roughKernels = `
#define K(name, e) kernel void name(global float* out, global const float* a, global const float* b) { int i = get_global_id(0); float x = a[i], y = b[i]; out[i] = e; }
K(quotient, x / y) K(reciprocal, 1 / x) K(root, sqrt(fabs(x))) K(inverse, rsqrt(fabs(x))) K(invroot, 1 / sqrt(fabs(x))) K(both, sqrt(fabs(x)) * y + 1 / sqrt(fabs(x)))
K(sine, sin(x)) K(cosine, cos(x)) K(power, powr(fabs(x), y * 0.5f))
K(chain, x * y * x * x * y * x * 2 * x) K(sum, x + y - 3 * x + y + y + x + y - x)
kernel void vectors(global float4* out, global const float4* a, global const float4* b) { int i = get_global_id(0); if (i < 16) out[i] = a[i] / b[i]; }
`

// TestRough compares operations that options make less precise with package math. The bounds are those of "Relative
// Error as ULPs" (7.4), for unsafe math optimizations: 2.5 ulp for quotients, 3 for square roots, 2 for inverse square
// roots, 2^-11 for sines of up to pi, 8192 ulp for powers. Chains of n roundings have n times half an ulp. Without
// options the first three are correctly rounded.
func TestRough(t *testing.T) {
	const n = 4096
	r := rand.New(rand.NewPCG(9, 10))
	random := func(int) float32 { return float32(math.Copysign(math.Exp2(r.Float64()*40-20), r.Float64()-0.5)) }
	near := func(int) float32 { return float32((r.Float64()*2 - 1) * math.Pi) }
	type test struct {
		rough, exact float64 // in ulp of size, with and without relaxed functions
		absolute     float64 // or this
		of           func(x, y float64) (want, size float64)
	}
	relative := func(f func(x, y float64) float64) func(x, y float64) (float64, float64) {
		return func(x, y float64) (float64, float64) { return f(x, y), math.Abs(f(x, y)) }
	}
	quotient := func(x, y float64) float64 { return x / y }
	root := func(x, _ float64) float64 { return math.Sqrt(math.Abs(x)) }
	inverse := func(x, _ float64) float64 { return 1 / math.Sqrt(math.Abs(x)) }
	tests := map[string]test{
		"quotient": {rough: 2.5, exact: 0.5, of: relative(quotient)}, "vectors": {rough: 2.5, exact: 0.5, of: relative(quotient)},
		"reciprocal": {rough: 2.5, exact: 0.5, of: relative(func(x, _ float64) float64 { return 1 / x })},
		"root":       {rough: 3, exact: 0.5, of: relative(root)}, "inverse": {rough: 2, exact: 0.51, of: relative(inverse)}, "invroot": {rough: 2, exact: 1.5, of: relative(inverse)},
		"both": {rough: 8, exact: 3, of: func(x, y float64) (float64, float64) {
			return root(x, 0)*y + inverse(x, 0), root(x, 0)*math.Abs(y) + inverse(x, 0)
		}},
		"sine": {exact: 4, absolute: 0x1p-11, of: relative(func(x, _ float64) float64 { return math.Sin(x) })}, "cosine": {exact: 4, absolute: 0x1p-11, of: relative(func(x, _ float64) float64 { return math.Cos(x) })},
		"power": {rough: 8192, exact: 16, of: relative(func(x, y float64) float64 { return math.Pow(math.Abs(x), y*0.5) })},
		"chain": {rough: 8, exact: 8, of: relative(func(x, y float64) float64 { return 2 * math.Pow(x, 5) * y * y })},
		"sum":   {rough: 16, exact: 16, of: func(x, y float64) (float64, float64) { return 4*y - 2*x, 6*math.Abs(x) + 4*math.Abs(y) }},
	}
	for _, options := range []string{"", "-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"} {
		m := buildWith(t, roughKernels, options)
		for name, c := range tests {
			next := random
			if c.absolute != 0 || name == "power" {
				next = near
			}
			a, b := floats(n, next), floats(n, next)
			for _, lv := range levels() {
				args, bufs := arguments([]any{make(buf, 4*n), buf(a), buf(b)})
				k := kernelOf(t, m, New(Options{Panics: true, Level: lv}), name)
				if _, err := RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: []uint64{n - 5}}, Workers: 2}); err != nil {
					t.Fatal(err)
				}
				worst := 0.0
				for i := range n - 5 {
					x, y, got := floatAt(a, i), floatAt(b, i), floatAt(bufs[0], i)
					if name == "vectors" && i >= 64 {
						break
					}
					want, size := c.of(x, y)
					_, exp := math.Frexp(size)
					worst = max(worst, math.Abs(got-want)/math.Ldexp(1, max(exp, -125)-24))
					bound := c.exact
					if options != "" {
						bound = max(c.exact, c.rough)
					}
					bound = bound*math.Ldexp(1, max(exp, -125)-24) + 0x1p-60*size
					if options == "-cl-fast-relaxed-math" {
						bound = max(bound, c.absolute)
					}
					if !(math.Abs(got-want) <= bound) && !(size > math.MaxFloat32) && size > 0x1p-120 {
						t.Fatalf("%q: %s on %s of %x and %x is %x, not %x ± %x", options, name, lv.Name, x, y, got, want, bound)
					}
				}
				if name == "quotient" && (worst > 0.5) != (options != "" && lv.EVEX) {
					t.Errorf("%q: quotients on %s have an error of %v ulp", options, lv.Name, worst)
				}
			}
		}
	}
}

// TestRoughLimits: quotients and roots at zero and infinity are the same with relaxed options, because programs test
// for them.
func TestRoughLimits(t *testing.T) {
	inf := float32(math.Inf(1))
	x := []float32{1, -1, 0, inf, 1, 0x1p-120, -inf, 4}
	y := []float32{0, 0, 3, 2, inf, -inf, 0x1p-120, 0x1p120}
	a, b := floats(len(x), func(i int) float32 { return x[i] }), floats(len(y), func(i int) float32 { return y[i] })
	results := map[string][]buf{}
	for _, options := range []string{"", "-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"} {
		m := buildWith(t, roughKernels, options)
		for _, lv := range levels() {
			for _, name := range []string{"quotient", "reciprocal", "root", "inverse", "invroot"} {
				args, bufs := arguments([]any{make(buf, 4*len(x)), buf(a), buf(b)})
				k := kernelOf(t, m, New(Options{Panics: true, Level: lv}), name)
				if _, err := RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: []uint64{uint64(len(x))}}, Workers: 1}); err != nil {
					t.Fatal(err)
				}
				results[name] = append(results[name], bufs[0])
				for i := range x {
					if want, got := floatAt(results[name][0], i), floatAt(bufs[0], i); got != want && !(math.Abs(got-want) < math.Abs(want)*0x1p-22) {
						t.Errorf("%q: %s on %s of %v and %v is %v, not %v", options, name, lv.Name, x[i], y[i], got, want)
					}
				}
			}
		}
	}
}

// floatAt returns float i of x.
func floatAt(x []byte, i int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(x[4*i:])))
}
