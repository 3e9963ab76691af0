package host_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/purecl/purecl/internal/run/host"
)

// launchable returns a queue and the kernel k of a source.
func launchable(b *testing.B, source string) (*host.Queue, *host.Kernel) {
	c, err := host.NewContext(nil, host.DefaultDevice())
	if err != nil {
		b.Fatal(err)
	}
	q, err := c.NewQueue(host.DefaultDevice(), host.QueueProperties{})
	if err != nil {
		b.Fatal(err)
	}
	p, err := c.Build(host.Source{Text: source}, "")
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

// BenchmarkEnqueueFinish is an empty kernel enqueued and finished.
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

// BenchmarkEnqueue1000 is 1,000 empty kernels enqueued, then finished; the time is that
// of one.
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

// BenchmarkGroups is a launch of many work-groups of one work-item, which can tell; the time
// is that of one work-group.
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

// BenchmarkSmall is a kernel with arguments that takes some microseconds of work, enqueued and
// finished.
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
