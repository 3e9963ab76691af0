//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

const updateKernels = `
kernel void step(global int *a, int n, int k) { int j = k + 1 + get_global_id(0), i = k + 1 + get_global_id(1); a[i * n + j] -= a[i * n + k] * a[k * n + j]; }
kernel void wrap(global int *a, int n, int k) { int j = k * n + get_global_id(0), i = n * get_global_id(1) - k; a[i + j] = 3 * a[i + j] + n; }
`

// TestUpdates compares kernels that update an object in place with the reference executor: in bounds, partly outside, and where
// the object may not be written.
func TestUpdates(t *testing.T) {
	m := build(t, updateKernels)
	for _, name := range []string{"step", "wrap"} {
		for _, x := range []struct {
			n, k     int32
			short    int // bytes that the object lacks
			readOnly bool
		}{{70, 3, 0, false}, {70, 0, 100, false}, {70, 3, 0, true}, {-70, 5, 0, false}, {1<<30 + 70, 4, 0, false}} {
			do := func(e exec.Executor) (out []byte, found []string) {
				out = buf(floats(70*70, func(i int) float32 { return float32(i) }))[:4*70*70-x.short]
				k := kernelOf(t, m, e, name)
				args := []launch.Arg{launch.Memory(&launch.Buffer{Data: out, ReadOnly: x.readOnly}), launch.Value(i32(int(x.n))), launch.Value(i32(int(x.k)))}
				rep, err := RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: []uint64{66, 60}}, Workers: 1})
				if rep == nil {
					t.Fatal(err)
				}
				for _, f := range rep.Findings {
					found = append(found, k.Locate(f)+": "+f.String())
				}
				return out, found
			}
			want, violations := do(interp.Reference)
			if x.readOnly && len(violations) == 0 {
				t.Errorf("%s: no finding for an object that may not be written", name)
			}
			for _, e := range widths(1, 4) {
				got, found := do(e)
				if !bytes.Equal(got, want) || !slices.Equal(found, violations) {
					t.Errorf("%s %+v, %s: results equal: %v; found %q, want %q", name, x, e.Name(), bytes.Equal(got, want), found, violations)
				}
			}
		}
	}
}
