//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/explain"
)

// ringForms are ways to write the index of a neighbour at the distance d of element i among n in a ring, or in a row whose ends
// repeat.
var ringForms = []string{
	"i == n - 1 ? 0 : i + 1", "i == 0 ? n - 1 : i - 1", "i + d < n ? i + d : i + d - n", "i < d ? i + n - d : i - d",
	"min(i + d, n - 1)", "clamp(i - d, (T)0, (T)(n - 1))", "clamp(i + d, d, (T)(n - 1 - d))", "i < d || i + d >= n ? d : i + d",
	"(i + d) % n", "(i + n - d) % n", "(i + d) & (n - 1)", "((i - d) % n + n) % n", "(i + d) % 80",
}

// ringKernels returns kernels that add neighbours in rows, for each form, by several types of indices and elements.
func ringKernels() string {
	var b strings.Builder
	for n, form := range ringForms {
		for k, t := range []string{"float", "short", "uchar", "double", "int"} {
			u := []string{"int", "uint", "size_t", "long"}[(k+n)%4]
			form := strings.ReplaceAll(form, "T", u)
			fmt.Fprintf(&b, "%s at_%d_%d(%s i, %s n, %s d) { return %s; }\n", u, n, k, u, u, u, form)
			fmt.Fprintf(&b, "kernel void ring_%d_%d(global %s *y, global const %s *x, int width, int far, int from) { %s i = get_global_id(0), n = width, d = far, row = get_global_id(1) * n;\n", n, k, t, t, u)
			fmt.Fprintf(&b, "y[row + i] = x[row + (%s) + from] + (%s)3 * x[row + at_%d_%d(i, n, 1) + from]; }\n", form, t, n, k)
		}
	}
	return b.String()
}

// TestRings compares accesses to neighbours in rings and in rows with repeated ends. Some are before the buffer or after it.
func TestRings(t *testing.T) {
	m := build(t, ringKernels())
	data := filled(8*3*132, func(i int) byte { return byte(i*37>>2 + i>>8) })
	for f := range kernelsOf(m) {
		for k, width := range []int{128, 130, 100} {
			s := shape{[]uint64{uint64(width), 3}, []uint64{uint64(width), 1}}
			alike(t, m, f.Name, []shape{s}, make(buf, len(data)), data, i32(width), i32([]int{1, 2, 70}[k]), i32(([]int{0, 0, -3, 7, 300}[(k+len(f.Blocks))%5])))
		}
	}
}

// TestJoined: neighbours at the ends of rows need no gather.
func TestJoined(t *testing.T) {
	m := build(t, ringKernels())
	for n := range ringForms[:8] {
		for _, lv := range levels() {
			name := fmt.Sprintf("ring_%d_0", n)
			c := compiled(t, m.Func(name), Options{Level: lv})
			if shapes := c.base.Shapes; shapes>>explain.Joined&1 == 0 || shapes>>explain.Scattered&1 != 0 {
				t.Errorf("%s on %s: the shapes are %b", name, lv.Name, shapes)
			}
		}
	}
}
