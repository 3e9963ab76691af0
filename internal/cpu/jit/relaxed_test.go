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
	at := func(x []byte, i int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(x[4*i:])))
	}
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
					sum, size := new(big.Float).SetPrec(300).SetFloat64(at(b, i)), math.Abs(at(b, i))
					for j := range n {
						x := new(big.Float).SetPrec(300).SetFloat64(at(a, i*n+j))
						if sign == 0 {
							x.Quo(x, new(big.Float).SetPrec(300).SetFloat64(at(b, 0)))
						} else {
							x.Mul(x, new(big.Float).SetPrec(300).SetFloat64(sign*at(b, j)))
						}
						f, _ := x.Float64()
						size += math.Abs(f)
						sum.Add(sum, x)
					}
					want, _ := sum.Float64()
					if bound := (n + 3) * 0x1p-24 * size; math.Abs(at(bufs[0], i)-want) > bound {
						t.Errorf("%q: %s on %s: row %d is %v, not %v ± %v", options, name, lv.Name, i, at(bufs[0], i), want, bound)
					}
				}
			}
		}
	}
}
