package machine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ide"
	"github.com/purecl/purecl/internal/ide/machine"
)

func hints(t *testing.T, source string) (list []string) {
	t.Helper()
	s, err := ide.New(context.Background(), "k.cl", []byte(source), ide.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lv, err := machine.Level("avx512")
	if err != nil {
		t.Fatal(err)
	}
	found, err := machine.Hints(context.Background(), s, lv)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found {
		rest, _, _ := strings.Cut(source[h.At.Start:], "\n")
		list = append(list, h.Text+" "+strings.TrimSpace(rest))
	}
	return list
}

// TestShapes checks that accesses in an inlined function and in a macro's argument have hints.
func TestShapes(t *testing.T) {
	got := strings.Join(hints(t, `#define AT(a) (a)
float read(global float *p, size_t i) {
  return p[i]; }
kernel void k(global float *x, global float *y, local float *s) {
  size_t i = get_global_id(0);
  y[i] = read(x, i) +
    AT(x[4 * i]) +
    x[5];
}
`), "|")
	want := "contiguous: p[i]; }|contiguous: y[i] = read(x, i) +|strided 16: x[4 * i]) +|uniform: x[5];"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestJoined checks the hint at a load whose index stays in a row: in most gangs it is contiguous.
func TestJoined(t *testing.T) {
	got := strings.Join(hints(t, `kernel void k(global float *x, global float *y, int n) {
  int i = get_global_id(0);
  y[i] =
    x[clamp(i - 1, 0, n - 1)];
}
`), "|")
	if want := "contiguous: y[i] =|joined, contiguous: x[clamp(i - 1, 0, n - 1)];"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRefused checks that a kernel without machine code has a hint at its name.
func TestRefused(t *testing.T) {
	got := hints(t, "kernel void k(global int *p, int n) {\n  int i = get_global_id(0);\n  if (p[i]) goto b;\n  a: p[i]++;\n  b: if (p[i] < n * i) goto a;\n  p[i] += 2; if (p[i] > 3) goto b;\n}\n")
	if len(got) != 1 || got[0] != "reference executor k(global int *p, int n) {" {
		t.Errorf("got %q", got)
	}
}

func TestLevel(t *testing.T) {
	if _, err := machine.Level("sse"); err == nil || !strings.Contains(err.Error(), "avx2") {
		t.Errorf("got %v", err)
	}
	if lv, err := machine.Level(""); err != nil || lv == nil {
		t.Errorf("got %v, %v", lv, err)
	}
}
