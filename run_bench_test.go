package purecl

import (
	"context"
	"testing"

	"github.com/purecl/purecl/internal/run/host"
)

const saxpySource = `kernel void saxpy(global float *y, global const float *x, float a) {
	size_t i = get_global_id(0);
	y[i] = a * x[i] + y[i];
}`

// BenchmarkRun is a launch of 1,000 work-items on slices: "purecl" by the API, "host" by
// OpenCL's object model, which the driver uses.
func BenchmarkRun(b *testing.B) {
	ctx := context.Background()
	x, y := make([]float32, 1000), make([]float32, 1000)
	b.Run("purecl", func(b *testing.B) {
		p, err := Compile(saxpySource)
		if err != nil {
			b.Fatal(err)
		}
		k, err := p.Kernel("saxpy")
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := k.Run(ctx, Range(len(y)), y, x, 2.0); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("host", func(b *testing.B) {
		p, err := host.Compile(saxpySource, "")
		if err != nil {
			b.Fatal(err)
		}
		k, err := p.Kernel("saxpy")
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := k.Run(ctx, host.Range(len(y)), y, x, 2.0); err != nil {
				b.Fatal(err)
			}
		}
	})
}
