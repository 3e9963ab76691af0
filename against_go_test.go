package purecl_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/purecl/purecl"
)

// BenchmarkAgainstGo compares kernels with the same loops in Go: docs/fast.md says how to
// read it. At the size where the kernel's time is less, a launch begins to pay.
func BenchmarkAgainstGo(b *testing.B) {
	prog, err := purecl.Compile(`
		kernel void saxpy(global float *y, global const float *x, float a) {
			size_t i = get_global_id(0);
			y[i] = a * x[i] + y[i];
		}
		kernel void root(global float *y, global const float *x, float a) {
			size_t i = get_global_id(0);
			y[i] = sqrt(x[i] * x[i] + a);
		}`)
	if err != nil {
		b.Fatal(err)
	}
	loops := map[string]func(y, x []float32, a float32){
		"saxpy": func(y, x []float32, a float32) {
			for i := range y {
				y[i] = a*x[i] + y[i]
			}
		},
		"root": func(y, x []float32, a float32) {
			for i := range y {
				y[i] = float32(math.Sqrt(float64(x[i]*x[i] + a)))
			}
		},
	}
	for _, name := range []string{"saxpy", "root"} {
		k, err := prog.Kernel(name)
		if err != nil {
			b.Fatal(err)
		}
		for _, n := range []int{100, 1_000, 10_000, 100_000, 1_000_000} {
			x, y := make([]float32, n), make([]float32, n)
			b.Run(fmt.Sprintf("%s/%d/go", name, n), func(b *testing.B) {
				for b.Loop() {
					loops[name](y, x, 0.5)
				}
			})
			b.Run(fmt.Sprintf("%s/%d/kernel", name, n), func(b *testing.B) {
				for b.Loop() {
					if err := k.Run(context.Background(), purecl.Range(n), y, x, 0.5); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
