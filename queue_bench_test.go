package purecl_test

import (
	"context"
	"testing"

	"github.com/purecl/purecl"
)

// emptyLaunch returns a queue and an empty kernel.
func emptyLaunch(b *testing.B) (*purecl.Queue, *purecl.Kernel) {
	c, err := purecl.NewContext(nil, purecl.DefaultDevice())
	if err != nil {
		b.Fatal(err)
	}
	q, err := c.NewQueue(purecl.DefaultDevice(), purecl.QueueProperties{})
	if err != nil {
		b.Fatal(err)
	}
	p, err := c.Build(purecl.Source{Text: "kernel void empty() {}"}, "")
	if err != nil {
		b.Fatal(err)
	}
	k, err := p.Kernel("empty")
	if err != nil {
		b.Fatal(err)
	}
	return q, k
}

// BenchmarkEnqueueFinish is an empty kernel enqueued and finished.
func BenchmarkEnqueueFinish(b *testing.B) {
	q, k := emptyLaunch(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := q.NDRange(k, purecl.Range(1)); err != nil {
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
		if _, err := q.NDRange(k, purecl.Range(1)); err != nil {
			b.Fatal(err)
		}
		if n%1000 == 999 {
			q.Finish(context.Background())
		}
	}
	q.Finish(context.Background())
}
