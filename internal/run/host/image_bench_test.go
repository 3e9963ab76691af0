package host_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/host"
)

// BenchmarkImageRows reads an image of 1024 x 1024 elements. Each work-item reads one row. The metric is the time
// per element.
func BenchmarkImageRows(b *testing.B) {
	const n = 1024
	for _, f := range []host.ImageFormat{{Order: opencl.OrderR, Type: opencl.FloatChannel}, {Order: opencl.OrderRGBA, Type: opencl.UnormInt8}, {Order: opencl.OrderRGBA, Type: opencl.FloatChannel}} {
		for _, form := range []string{"read_imagef(a, (int2)(x, y))", "read_imagef(a, s, (int2)(x, y))", "read_imagef(a, s, (float2)(x, y))", "read_imagef(a, l, (float2)(x, y))"} {
			b.Run(fmt.Sprint(f, form), func(b *testing.B) {
				q, k := launchable(b, `constant sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE, l = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
					kernel void k(read_only image2d_t a, global float4 *o) {
						int y = get_global_id(0);
						float4 t = 0;
						for (int x = 0; x < 1024; x++)
							t += `+form+`;
						o[y] = t;
					}`)
				c := q.Context()
				img, err := c.NewImage(0, f, host.ImageDesc{Type: opencl.Image2D, Width: n, Height: n}, nil)
				if err != nil {
					b.Fatal(err)
				}
				out, err := c.NewBuffer(0, 16*n, nil)
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if err := k.Run(context.Background(), host.Range(n), img, out); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n/n, "ns/element")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
