//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/explain"
)

// runForms are ways to write the index of the lower element of work-item i's pair.
var runForms = []string{"2 * i - (i & (s - 1))", "(i >> k << (k + 1)) | (i & (s - 1))", "i / s * (2 * s) + i % s", "((i - (i & (s - 1))) << 1) + (i & (s - 1))"}

// runKernels returns kernels on pairs of elements, and one with loads, for each form.
func runKernels() string {
	var b strings.Builder
	for n, form := range runForms {
		for k, t := range []string{"int", "float2", "uchar4", "double", "short", "int4"} {
			u := []string{"uint", "int", "uint", "long", "uint", "ulong"}[(k+n)%6]
			fmt.Fprintf(&b, "kernel void %s_%d(global %s *a, uint n, uint k, int from) { %s s = n, i = get_global_id(0), p = %s;\n%s x = a[p + from], y = a[p + s + from]; a[p + from] = x + y * (%s)3; a[p + s + from] = x; }\n", t, n, t, u, form, t, t)
		}
		fmt.Fprintf(&b, "kernel void loads_%d(global int *a, uint n, uint k, int from) { uint s = n, i = get_global_id(0), p = %s;\na[i + 1000] = a[p + from] - a[p + s + from]; }\n", n, form)
	}
	return b.String()
}

// TestRuns compares accesses to pairs at power-of-two distances from less than a gang to more, and loads at
// other distances. Some indices are before the buffer or after it.
func TestRuns(t *testing.T) {
	m := build(t, runKernels())
	data := filled(16*600, func(i int) byte { return byte(i*37>>2 + i>>8) })
	for _, f := range m.Funcs {
		for _, k := range []int{0, 1, 3, 4, 6} {
			alike(t, m, f.Name, []shape{line(128)}, slices.Clone(data), i32(1<<k), i32(k), i32([]int{0, 3, -1, 100, 470}[(k+int(f.Name[0]))%5]))
		}
		if strings.HasPrefix(f.Name, "loads") {
			for _, n := range []int{3, 5, 6, 12, 24} {
				alike(t, m, f.Name, []shape{line(64)}, slices.Clone(data), i32(n), i32(1), i32(0))
			}
		}
	}
}

// TestRunsShape: the steps of sorting networks in memory need no gather.
func TestRunsShape(t *testing.T) {
	m := build(t, runKernels())
	for _, name := range []string{"int_0", "float2_0", "loads_0", "loads_1", "loads_3"} {
		for _, lv := range levels() {
			if !lv.Target().Runs.Has(4) {
				continue
			}
			c := compiled(t, m.Func(name), Options{Level: lv})
			if shapes := c.base.Shapes; shapes>>explain.Runs&1 == 0 {
				t.Errorf("%s on %s: no runs", name, lv.Name)
			}
		}
	}
}
