//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestInsert sets components of vectors of every type and width to uniform and to varying values. It does so
// between loads and stores of whole vectors, selections, mixes and shuffles.
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
	for _, e := range []struct {
		name, signed string
		size         int
	}{{"uchar", "char", 1}, {"short", "short", 2}, {"half", "short", 2}, {"int", "int", 4}, {"float", "int", 4}, {"ulong", "long", 8}, {"double", "long", 8}} {
		for _, n := range []int{4, 8, 16} {
			for i, st := range []string{"v.lo = v.hi", "v.even = v.odd", "v.hi += v.lo", "v.s031 = v.s123 + v.s210", "v = v.s1 > v.s2 ? v : w", "v = select(v, w, v < w)", "v.s2 = w.s1 - v.s3",
				"v = (T)(v.odd, v.even)", "v = shuffle(v, as_U(w) & (U)(N - 1))", "v.lo = (i & 1) ? v.lo : w.hi", "((E *)&v)[i & (N - 1)] = (E)1", "v = vloadN(0, (E *)&w)", "v.s3 = as_E(as_E(v.s2))"} {
				k := kernel{fmt.Sprintf("sel_%s%d_%d", e.name, n, i), e.size * n}
				st = strings.NewReplacer("T", fmt.Sprint(e.name, n), "as_U", fmt.Sprintf("as_u%s%d", e.signed, n), "(U)", fmt.Sprintf("(u%s%d)", e.signed, n), "as_E", "as_"+e.name, "E", e.name, "N", fmt.Sprint(n)).Replace(st)
				fmt.Fprintf(&src, "kernel void %s(global %s%d *a, int m) { int i = get_global_id(0); %[2]s%[3]d v = a[i], w = a[69 - i]; barrier(CLK_GLOBAL_MEM_FENCE); %[4]s; a[i] = v; }\n", k.name, e.name, n, st)
				kernels = append(kernels, k)
			}
		}
	}
	m := build(t, src.String())
	for _, k := range kernels {
		a := filled(70*k.bytes, func(i int) byte { return byte(i*7) & 0x3f })
		same(t, m, k.name, []uint64{70}, []uint64{70}, true, a, i32(41))
	}
}
