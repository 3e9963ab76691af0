package host

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"testing"
)

// findings runs a kernel of two buffers at the pedantic level and returns how often each kind of finding occurs.
func findings(t *testing.T, body string, n int, args ...any) map[string]uint64 {
	t.Helper()
	p, err := Compile(body, "-cl-opt-disable")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("f")
	if err != nil {
		t.Fatal(err)
	}
	rep, err := k.RunWith(context.Background(), RunOptions{Checks: CheckPedantic}, Range(n), args...)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]uint64{}
	for _, f := range rep.Findings {
		found[f.Kind] += f.Count
	}
	return found
}

// pairs returns all pairs of the values: a holds the first value of each pair, b the second.
func pairs[T any](values []T) (a, b []T) {
	for _, x := range values {
		for _, y := range values {
			a, b = append(a, x), append(b, y)
		}
	}
	return a, b
}

// TestSignedOverflow compares the number of findings with the number of pairs whose result overflows according to
// math/big.
func TestSignedOverflow(t *testing.T) {
	longs := []int64{0, 1, -1, 2, -2, 3, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 1 << 31, -1 << 31, 3037000499, 3037000500, -3037000500, 1 << 62, -1 << 62}
	a, b := pairs(longs)
	ints := make([]int32, 0)
	for _, x := range longs {
		ints = append(ints, int32(x), int32(x>>32), int32(x>>17))
	}
	c, d := pairs(ints)
	for op, compute := range map[string]func(z, x, y *big.Int) *big.Int{"+": (*big.Int).Add, "-": (*big.Int).Sub, "*": (*big.Int).Mul} {
		want := uint64(0)
		for i := range a {
			if !compute(new(big.Int), big.NewInt(a[i]), big.NewInt(b[i])).IsInt64() {
				want++
			}
		}
		src := fmt.Sprintf("kernel void f(global long *a, global const long *b) { size_t i = get_global_id(0); a[i] = a[i] %s b[i]; }", op)
		if got := findings(t, src, len(a), append([]int64(nil), a...), b)["signed-overflow"]; got != want || want == 0 {
			t.Errorf("long %s: %d findings, want %d", op, got, want)
		}
		want = 0
		for i := range c {
			if z := compute(new(big.Int), big.NewInt(int64(c[i])), big.NewInt(int64(d[i]))); z.Int64() != int64(int32(z.Int64())) {
				want++
			}
		}
		src = fmt.Sprintf("kernel void f(global int *a, global const int *b) { size_t i = get_global_id(0); a[i] = a[i] %s b[i]; }", op)
		if got := findings(t, src, len(c), append([]int32(nil), c...), d)["signed-overflow"]; got != want || want == 0 {
			t.Errorf("int %s: %d findings, want %d", op, got, want)
		}
		src = fmt.Sprintf("kernel void f(global uint *a, global const uint *b) { size_t i = get_global_id(0); a[i] = a[i] %s b[i]; }", op)
		if got := findings(t, src, 2, []uint32{math.MaxUint32, 1}, []uint32{math.MaxUint32, 2}); len(got) > 0 {
			t.Errorf("uint %s: %v", op, got)
		}
	}
	if got := findings(t, "kernel void f(global long *a) { size_t i = get_global_id(0); a[i] = -a[i]; }", len(longs), append([]int64(nil), longs...)); got["signed-overflow"] != 1 {
		t.Errorf("negation: %v", got)
	}
	// char is computed in int and converted, vectors of it are not.
	if got := findings(t, "kernel void f(global char *a) { a[0] += a[0]; }", 1, []int8{100}); len(got) > 0 {
		t.Errorf("char: %v", got)
	}
	if got := findings(t, "kernel void f(global char2 *a) { a[0] += a[0]; }", 1, []int8{100, 1}); got["signed-overflow"] != 1 {
		t.Errorf("char2: %v", got)
	}
}

// TestNaNResult compares with Go's arithmetic.
func TestNaNResult(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	a, b := pairs([]float32{0, float32(math.Copysign(0, -1)), 1, -1, inf, -inf, nan, math.MaxFloat32, math.SmallestNonzeroFloat32})
	for op, compute := range map[string]func(x, y float32) float32{
		"a[i] + b[i]":           func(x, y float32) float32 { return x + y },
		"a[i] - b[i]":           func(x, y float32) float32 { return x - y },
		"a[i] * b[i]":           func(x, y float32) float32 { return x * y },
		"a[i] / b[i]":           func(x, y float32) float32 { return x / y },
		"fma(a[i], b[i], 1.0f)": func(x, y float32) float32 { return x*y + 1 },
		"sqrt(a[i])":            func(x, y float32) float32 { return float32(math.Sqrt(float64(x))) },
	} {
		want := uint64(0)
		for i := range a {
			if r := compute(a[i], b[i]); r != r && a[i] == a[i] && (b[i] == b[i] || op == "sqrt(a[i])") {
				want++
			}
		}
		src := "kernel void f(global float *a, global const float *b) { size_t i = get_global_id(0); a[i] = " + op + "; }"
		if got := findings(t, src, len(a), append([]float32(nil), a...), b)["nan-result"]; got != want || want == 0 {
			t.Errorf("%s: %d findings, want %d", op, got, want)
		}
	}
}

// TestShiftTooLarge tries counts of several types.
func TestShiftTooLarge(t *testing.T) {
	for _, c := range []struct {
		shift string
		want  uint64 // of the counts -1, 0, 31, 32, 63, 64
	}{{"1 << n[i]", 4}, {"1u >> n[i]", 4}, {"1L << n[i]", 2}, {"1 << (long)n[i]", 4}, {"1 << (uchar)n[i]", 4}} {
		src := "kernel void f(global long *a, global const int *n) { size_t i = get_global_id(0); a[i] = " + c.shift + "; }"
		if got := findings(t, src, 6, make([]int64, 6), []int32{-1, 0, 31, 32, 63, 64}); got["shift-too-large"] != c.want {
			t.Errorf("%s: %v, want %d", c.shift, got, c.want)
		}
	}
}

// TestPedanticOnly checks that lower levels do not watch for arithmetic.
func TestPedanticOnly(t *testing.T) {
	p, err := Compile("kernel void f(global int *a) { a[0] = (a[0] + a[0]) << a[1]; }", "")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("f")
	if err != nil {
		t.Fatal(err)
	}
	rep, err := k.RunWith(context.Background(), RunOptions{Checks: CheckAll}, Range(1), []int32{math.MaxInt32, 40})
	if err != nil || len(rep.Findings) > 0 {
		t.Errorf("%v %v", rep, err)
	}
}
