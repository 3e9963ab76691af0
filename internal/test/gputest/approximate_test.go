//go:build unix

package gputest

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

const approximateSource = `
kernel void natives(global const float *x, global const float *y, global float *out) {
	size_t i = get_global_id(0) * 8;
	float a = x[i / 8], b = y[i / 8];
	out[i] = native_divide(a, b); out[i + 1] = native_recip(a); out[i + 2] = native_sqrt(a); out[i + 3] = native_rsqrt(a);
	out[i + 4] = half_divide(a, b); out[i + 5] = half_recip(a); out[i + 6] = half_sqrt(a); out[i + 7] = half_rsqrt(a);
}
kernel void operators(global const float *x, global const float *y, global float *out) {
	size_t i = get_global_id(0) * 8;
	float a = x[i / 8], b = y[i / 8];
	out[i] = a / b; out[i + 1] = 1.0f / a; out[i + 2] = sqrt(a); out[i + 3] = 1.0f / sqrt(a);
	out[i + 4] = (float)(1.0 / a); out[i + 5] = (float)((double)a / b); out[i + 6] = rsqrt(a); out[i + 7] = a / 3.0f;
}`

// TestApproximations bounds the errors of quotients and roots, in ulp: of native_ and half_ functions and of relaxed math
// those of the GPU's approximations, of others half an ulp (rsqrt: 2).
func TestApproximations(t *testing.T) {
	const n = 1 << 14
	r := rand.New(rand.NewPCG(4, 4))
	number := func() float32 {
		switch r.IntN(8) {
		case 0:
			return []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), 1, 2, 0x1p-126, 0x1p-149, math.MaxFloat32, 3, 0x1.fffffep-127}[r.IntN(10)]
		case 1:
			return float32(r.Float64())
		}
		return math.Float32frombits(r.Uint32() & 0x7fffffff)
	}
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = number(), number()
	}
	e := device.NewExecutor(machine(t))
	for _, c := range []struct {
		kernel, options string
		most            float64 // error
	}{{"natives", "", 2.5}, {"operators", "", 0.5}, {"operators", "-cl-unsafe-math-optimizations", 2.5}} {
		o, err := compile.ParseOptions(c.options)
		if err != nil {
			t.Fatal(err)
		}
		res, err := compile.Compile(context.Background(), "k.cl", []byte(approximateSource), o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := launch.NewProgram(res.Module, e)
		if err != nil {
			t.Fatal(err)
		}
		k, err := p.Kernel(c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]byte, 8*4*n)
		memory := func(x []float32) launch.Arg {
			var b []byte
			for _, f := range x {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
			}
			return launch.Memory(&launch.Buffer{Data: b})
		}
		args := []launch.Arg{memory(x), memory(y), launch.Memory(&launch.Buffer{Data: out})}
		if _, err := launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: []uint64{n}}, Workers: 1, Faults: exec.Strict}); err != nil {
			t.Fatal(err)
		}
		var worst [8]float64
		for i := range n {
			a, b := float64(x[i]), float64(y[i])
			want := [8]float64{a / b, 1 / a, math.Sqrt(a), 1 / math.Sqrt(a), a / b, 1 / a, math.Sqrt(a), 1 / math.Sqrt(a)}
			if c.kernel == "operators" {
				want = [8]float64{a / b, 1 / a, math.Sqrt(a), 1 / float64(float32(math.Sqrt(a))), 1 / a, a / b, 1 / math.Sqrt(a), a / 3}
			}
			for j, w := range want {
				got := math.Float32frombits(binary.LittleEndian.Uint32(out[4*(8*i+j):]))
				most := c.most
				if j == 6 && c.kernel == "operators" || j == 3 && c.options != "" {
					most = max(most, 2) + 0.5
				}
				ulp := ulps(got, w)
				if worst[j] = max(worst[j], ulp); !(ulp <= most) {
					t.Fatalf("%s %q, result %d of %x and %x: %x, want %x: %.3g ulp", c.kernel, c.options, j, a, b, got, w, ulp)
				}
			}
		}
		t.Logf("%s %q: errors %.3f ulp", c.kernel, c.options, worst)
	}
}

// ulps returns the error of a float in units of the last place of the exact result.
func ulps(got float32, want float64) float64 {
	if float64(got) == want || got != got && want != want || float64(got) == float64(float32(want)) && math.IsInf(float64(got), 0) {
		return 0
	}
	_, exp := math.Frexp(want)
	unit := math.Ldexp(1, max(exp-24, -149))
	if math.IsInf(float64(got), 0) && !math.IsInf(want, 0) { // the number after the greatest
		got64 := math.Copysign(0x1p128, float64(got))
		return math.Abs(got64-want) / unit
	}
	return math.Abs(float64(got)-want) / unit
}
