//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"context"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// planes has kernels whose ranges have many rows. One run of machine code executes many rows, and keeps values
// from gang to gang and from row to row.
const planes = `
kernel void ids(global int *y, int n) { int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2); y[((k - get_global_offset(2)) * get_global_size(1) + j - get_global_offset(1)) * get_global_size(0) + i - get_global_offset(0)] = i + 1000 * j + 100000 * k + n; }
kernel void sums(global int *y, int n) { int i = get_global_id(0), j = get_global_id(1); atomic_add(&y[0], i * j + n); if (i % 3 == 1) atomic_inc(&y[1]); }
kernel void loops(global int *y, int n) { int i = get_global_id(0), j = get_global_id(1), s = n; for (int k = 0; k < (i + j) % 5; k++) s = s * 3 + k; y[(get_global_id(2) * get_global_size(1) + j) * get_global_size(0) + i] = s; }
kernel void faults(global int *y, int n) { int i = get_global_id(0), j = get_global_id(1); size_t l = (get_global_id(2) * get_global_size(1) + j) * get_global_size(0) + i; if (j % 3 == 1 && i % 5 == 2) y[l + 20000] = j; y[l % 3000] = 7; y[i % 9 + 4090 + j % 2 * 10] = 5; }
`

// TestPlanes compares ranges of rows of many lengths, with findings in some rows.
func TestPlanes(t *testing.T) {
	m := build(t, planes)
	for _, f := range m.Funcs {
		shapes := []shape{{[]uint64{128, 9}, []uint64{1, 1}}, {[]uint64{100, 13}, []uint64{50, 13}}, {[]uint64{7, 60}, []uint64{7, 1}},
			{[]uint64{37, 5, 4}, []uint64{37, 5, 1}}, {[]uint64{1, 70, 3}, []uint64{1, 70, 3}}, {[]uint64{300, 11}, []uint64{1, 1}}}
		alike(t, m, f.Name, shapes, make(buf, 4*4096), i32(9))
	}
}

// TestPlaneOffsets compares ranges with offsets, and launches that stop faulting work-items.
func TestPlaneOffsets(t *testing.T) {
	m := build(t, planes)
	execs := append([]exec.Executor{interp.Reference}, widths(0, 1)...)
	for _, name := range []string{"ids", "faults"} {
		var want []byte
		var found []string
		for n, e := range execs {
			k := kernelOf(t, m, e, name)
			y := make(buf, 4*4096)
			rep, err := launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: []launch.Arg{mem(y), launch.Value(i32(3))}, Range: launch.Range{Offset: []uint64{5, 7, 2}, Global: []uint64{75, 12, 3}}, Workers: 1})
			if rep == nil {
				t.Fatal(name, err)
			}
			var list []string
			for _, f := range rep.Findings {
				list = append(list, k.Locate(f)+": "+f.String())
			}
			if n == 0 {
				want, found = y, list
				continue
			}
			if at := differ(want, y); at >= 0 && err == nil {
				t.Errorf("%s %s: byte %d differs", name, e.Name(), at)
			}
			if !slices.Equal(list, found) {
				t.Errorf("%s %s: found %q, want %q", name, e.Name(), list, found)
			}
		}
	}
}
