//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestInsert sets components of vectors of every type and width, to what is the same for
// all work-items and to what is not, between loads and stores of whole vectors.
func TestInsert(t *testing.T) {
	var src strings.Builder
	src.WriteString("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n")
	type kernel struct {
		name  string
		bytes int
	}
	var kernels []kernel
	for _, e := range []struct {
		name string
		size int
	}{{"uchar", 1}, {"short", 2}, {"half", 2}, {"int", 4}, {"float", 4}, {"ulong", 8}, {"double", 8}} {
		for _, n := range []int{2, 3, 4, 8, 16} {
			for _, at := range slices.Compact([]int{0, n / 2, n - 1}) {
				for i, x := range []string{fmt.Sprintf("(%s)m", e.name), fmt.Sprintf("(%s)(i + 3)", e.name), "v.s1"} {
					k := kernel{fmt.Sprintf("%s%d_%d_%d", e.name, n, at, i), e.size * n}
					if n == 3 {
						k.bytes = e.size * 4
					}
					fmt.Fprintf(&src, "kernel void %s(global %s%d *a, int m) { int i = get_global_id(0); %[2]s%[3]d v = a[i]; v.s%[4]x = %[5]s; v = v + v; v.s%[4]x = v.s0; a[i] = v; }\n", k.name, e.name, n, at, x)
					kernels = append(kernels, k)
				}
			}
		}
	}
	m := build(t, src.String())
	for _, k := range kernels {
		a := make(buf, 70*k.bytes)
		for i := range a {
			a[i] = byte(i*7) & 0x3f
		}
		same(t, m, k.name, []uint64{70}, []uint64{70}, true, a, i32(41))
	}
}
