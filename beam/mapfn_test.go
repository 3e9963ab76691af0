package beam

import (
	"context"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// BenchmarkMapFn measures a Mapping without Beam: an element enters its batch, is computed by a launch, and its
// result is emitted.
func BenchmarkMapFn(b *testing.B) {
	type pair struct{ X, Y float32 }
	type factor struct{ A float32 }
	f := &mapFn[int, pair, float32, factor]{Kernel: Kernel{Name: "sum",
		Source: "kernel void sum(global const float *x, global const float *y, global float *out, float a) { size_t i = get_global_id(0); out[i] = a * x[i] + y[i]; }"}}
	if err := f.Setup(); err != nil {
		b.Fatal(err)
	}
	sum := float32(0)
	emit := func(_ beam.EventTime, _ int, v float32) { sum += v }
	bad := func(beam.EventTime, Bad[int, pair]) {}
	ctx := context.Background()
	b.ReportAllocs()
	for i := range b.N {
		if err := f.ProcessElement(ctx, 0, i, pair{float32(i), 1}, factor{2}, emit, bad); err != nil {
			b.Fatal(err)
		}
	}
	if err := f.FinishBundle(ctx, factor{2}, emit, bad); err != nil {
		b.Fatal(err)
	}
}
