//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
)

// limitedForms are ways to keep the index i + d or d - i of a loop in a row of n elements.
var limitedForms = []string{
	"clamp(i + d, 0, n - 1)", "min(max(d - i, 0), n - 1)", "max(i - d, 0)", "min(i + d, n - 1)",
	"i + d < 0 ? i + d + n : i + d >= n ? i + d - n : i + d", "i == 0 ? n - 1 : i - 1", "i != n - 1 ? i + 1 : 0",
	"(int)min((uint)i + (uint)d, (uint)n - 1)", "clamp(clamp(i, 2, 9) + d, 0, n - 1)", "d <= i ? i - d : i",
}

// limitedLoops are loops of i up to length.
var limitedLoops = []string{
	"for (int i = 0; i < length; i++)", "for (int i = length - 1; i >= 0; i--)", "for (int i = 0; i <= length - 1; i++)",
	"for (int i = 3; i != length; i++)", "for (uint i = 0; i < length; i++)", "for (int i = length; i-- > 0;)", "for (int i = 0; i < length; i += 2)",
}

// limitedKernels returns kernels that read rows in such loops: each work-item its own, where it writes scalars or vectors, or
// neighbours of its element.
func limitedKernels() string {
	var b strings.Builder
	for k, form := range limitedForms {
		for j, loop := range limitedLoops {
			if j != k%7 && j != (3*k+1)%7 {
				continue
			}
			t := []string{"float", "uchar", "short", "int", "double"}[(k+j)%5]
			if j == 4 {
				form = strings.ReplaceAll(form, "i", "(int)i")
				form = strings.NewReplacer("m(int)in", "min", "((int)int)", "(int)", "(u(int)int)", "(uint)").Replace(form)
			}
			head := func(name string, out string) {
				fmt.Fprintf(&b, "kernel void %s_%d_%d(global %s *y, global const %s *x, int length, int n, int d, int from) { int id = get_global_id(0);\n", name, k, j, out, t)
			}
			head("sum", t)
			fmt.Fprintf(&b, "%s sum = 0; %s { sum += x[id * n + (%s) + from]; y[id * length + i] = sum; } }\n", t, loop, form)
			head("four", t+"4")
			fmt.Fprintf(&b, "%s4 sum = 0; %s { %s v = x[id * n + (%s)]; sum += (%s4)(v, v * v, x[id * n + (int)i], 3); y[id * length + i] = sum; } }\n", t, loop, t, form, t)
			head("near", t)
			near := strings.ReplaceAll(strings.ReplaceAll(form, "(int)i", "i"), "i", "(id + (int)i)")
			near = strings.NewReplacer("m(id + (int)i)n", "min", "(u(id + (int)i)nt)", "(uint)", "((id + (int)i)nt)", "(int)").Replace(near)
			fmt.Fprintf(&b, "%s sum = 0; %s sum += x[(%s) + from] * x[i]; y[id] = sum; }\n", t, loop, near)
		}
	}
	return b.String()
}

// TestLimitedIndices compares loops with clamped and wrapped indices. Some are before the buffer or after it, and some wrap.
func TestLimitedIndices(t *testing.T) {
	m := build(t, limitedKernels())
	data := filled(8*70*44, func(i int) byte { return byte(i*37>>2 + i>>8) })
	cases := [][4]int{{40, 44, 3, 0}, {44, 40, -7, 0}, {17, 44, 60, 0}, {40, 44, 1<<31 - 9, 0}, {40, 44, 5, -6}, {3, 44, 1, 0}, {40, 3, -2, 2700}}
	n := 0
	for f := range kernelsOf(m) {
		for k := range 2 {
			c := cases[(n+k*3)%len(cases)]
			out := make(buf, 4*len(data))
			alike(t, m, f.Name, []shape{{[]uint64{64}, []uint64{64}}}, out, data, i32(c[0]), i32(c[1]), i32(c[2]), i32(c[3]))
		}
		n++
	}
}

// TestIndexSets: loops with limited indices have a version for their interior.
func TestIndexSets(t *testing.T) {
	m := build(t, limitedKernels())
	for f := range kernelsOf(m) {
		if !strings.HasSuffix(f.Name, "_6") && !hasForm(t, f, spmd.IndexSets) {
			t.Errorf("%s has none", f.Name)
		}
	}
}
