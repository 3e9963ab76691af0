package ide_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ide"
)

// thousands returns a file of some 2,000 lines.
func thousands() string {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, `typedef struct { float4 position, velocity; int kind; } body%[1]d;
float4 force%[1]d(float4 a, float4 b) {
  float4 d = b - a;
  return d * rsqrt(dot(d, d));
}
kernel void advance%[1]d(global body%[1]d *bodies, float h) {
  size_t i = get_global_id(0);
  bodies[i].velocity += force%[1]d(bodies[i].position, bodies[0].position) * h;
  bodies[i].kind = max(bodies[i].kind, (int)i);
}
`, i)
	}
	return b.String()
}

func BenchmarkSnapshot(b *testing.B) {
	text := thousands()
	whole := ide.Range{File: "/w/k.cl", Start: 0, End: len(text)}
	dot := strings.LastIndex(text, ".velocity") + 1
	snapshot := func() *ide.Snapshot {
		s, err := ide.New(context.Background(), "/w/k.cl", []byte(text), ide.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	b.Run("diagnostics", func(b *testing.B) {
		for b.Loop() {
			snapshot().Diagnostics()
		}
	})
	b.Run("inspect", func(b *testing.B) {
		for b.Loop() {
			_ = snapshot().InternalError()
		}
	})
	s := snapshot()
	for _, q := range []struct {
		name string
		ask  func()
	}{
		{"members", func() { s.Complete(whole.File, dot) }}, {"names", func() { s.Complete(whole.File, dot-3) }}, {"hover", func() { s.Hover(whole.File, dot) }},
		{"tokens", func() { s.Tokens(whole) }}, {"conversions", func() { s.Conversions(whole) }}, {"symbols", func() { s.Symbols(whole.File) }},
	} {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				q.ask()
			}
		})
	}
}

// TestHuge checks that a file of 20,000 kernels is handled like any other.
func TestHuge(t *testing.T) {
	text := strings.Repeat("kernel void k(global int *p) { for (int i = 0; i < 2; i++) { int j = i; p[j] = i; } }\n", 20000) + "kernel void last(global int *p) { int inner; p[0] = "
	s, err := ide.New(context.Background(), "/w/k.cl", []byte(text), ide.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.InternalError(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range s.Complete("/w/k.cl", len(text)) {
		names = append(names, c.Label)
	}
	for _, want := range []string{"inner", "p", "k"} {
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+want+" ") {
			t.Errorf("%s is not proposed", want)
		}
	}
}
