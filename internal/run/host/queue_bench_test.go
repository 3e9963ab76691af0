package host_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/run/host"
)

// launchable returns a queue and the kernel k of a source.
func launchable(b *testing.B, source string, options ...string) (*host.Queue, *host.Kernel) {
	c, err := host.NewContext(nil, host.DefaultDevice())
	if err != nil {
		b.Fatal(err)
	}
	q, err := c.NewQueue(host.DefaultDevice(), host.QueueProperties{})
	if err != nil {
		b.Fatal(err)
	}
	p, err := c.Build(host.Source{Text: source}, strings.Join(options, " "))
	if err != nil {
		b.Fatal(err)
	}
	k, err := p.Kernel("k")
	if err != nil {
		b.Fatal(err)
	}
	return q, k
}

func emptyLaunch(b *testing.B) (*host.Queue, *host.Kernel) {
	return launchable(b, "kernel void k() {}")
}

// BenchmarkEnqueueFinish enqueues an empty kernel and waits for it.
func BenchmarkEnqueueFinish(b *testing.B) {
	q, k := emptyLaunch(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := q.NDRange(k, host.Range(1)); err != nil {
			b.Fatal(err)
		}
		q.Finish(context.Background())
	}
}

// BenchmarkEnqueue1000 enqueues 1,000 empty kernels and then waits for them; the time is that of one.
func BenchmarkEnqueue1000(b *testing.B) {
	q, k := emptyLaunch(b)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		if _, err := q.NDRange(k, host.Range(1)); err != nil {
			b.Fatal(err)
		}
		if n%1000 == 999 {
			q.Finish(context.Background())
		}
	}
	q.Finish(context.Background())
}

// BenchmarkGroups launches many work-groups of one work-item, in a kernel that calls get_local_size; the time is
// that of one work-group.
func BenchmarkGroups(b *testing.B) {
	const groups = 1 << 16
	q, k := launchable(b, "kernel void k(global uint *out) { out[get_group_id(0)] = get_local_size(0); }")
	if err := k.SetGo(0, make([]uint32, groups)); err != nil {
		b.Fatal(err)
	}
	for n := 0; b.Loop(); n++ {
		if n%groups == 0 {
			if _, err := q.NDRange(k, host.Range(groups).WithLocal(1)); err != nil {
				b.Fatal(err)
			}
			q.Finish(context.Background())
		}
	}
}

// BenchmarkSmall enqueues a kernel with arguments that has some microseconds of work, and waits for it.
func BenchmarkSmall(b *testing.B) {
	for _, n := range []int{1 << 8, 1 << 12, 1 << 16} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			q, k := launchable(b, "kernel void k(global float *y, global const float *x, float a) { size_t i = get_global_id(0); y[i] += a * x[i]; }")
			for i, v := range []any{make([]float32, n), make([]float32, n), float32(2)} {
				if err := k.SetGo(i, v); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := q.NDRange(k, host.Range(n)); err != nil {
					b.Fatal(err)
				}
				q.Finish(context.Background())
			}
		})
	}
}

// BenchmarkSubnormal runs a chain of multiplications and additions in one gang, on normal and on subnormal numbers,
// with and without -cl-denorms-are-zero.
func BenchmarkSubnormal(b *testing.B) {
	const steps, lanes = 1 << 14, 16
	source := fmt.Sprintf(`kernel void k(global float *o, float x, float y) {
	float4 v = x * (float4)(1.0f, 1.5f, 2.5f, 3.5f);
	for (int i = 0; i < %d; i++) { v *= y; v += x; }
	o[get_global_id(0)] = v.x + v.y + v.z + v.w;
}`, steps)
	for _, c := range []struct {
		name string
		x, y float32
	}{{"normal", 1, 0.5}, {"operands", 1e-40, 0.5}, {"products", 1e-20, 1e-22}} {
		for _, options := range []string{"", "-cl-denorms-are-zero"} {
			b.Run(c.name+options, func(b *testing.B) {
				q, k := launchable(b, source, options)
				for i, v := range []any{make([]float32, lanes), c.x, c.y} {
					if err := k.SetGo(i, v); err != nil {
						b.Fatal(err)
					}
				}
				for b.Loop() {
					if _, err := q.NDRange(k, host.Range(lanes)); err != nil {
						b.Fatal(err)
					}
					q.Finish(context.Background())
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*steps*8), "ns/operation")
			})
		}
	}
}
