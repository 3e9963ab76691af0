//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"strings"
	"testing"
)

const subGroupKernels = `
kernel void queries(global const int* a, global int* b) { int i = get_global_linear_id(); b[i] = get_sub_group_id() * 1000 + get_sub_group_local_id() * 10 + get_sub_group_size() + 100000 * get_num_sub_groups(); }
#define X(T) kernel void T##s(global const int* a, global T* b) { int i = get_global_linear_id(); T x = (T)(a[i] * 3 - 500); \
  b[i] = sub_group_broadcast(x, 3) + sub_group_shuffle(x, a[i] & 31) + sub_group_shuffle_xor(x, 5); b[i] += sub_group_reduce_add(x) * (T)3 + sub_group_scan_exclusive_max(x); \
  if (a[i] & 1) { b[i] += sub_group_shuffle(x, a[i] & 15) + sub_group_non_uniform_reduce_add(x); if (a[i] & 2) b[i] -= sub_group_broadcast_first(x); } }
X(char) X(ushort) X(int) X(uint) X(long) X(ulong) X(float) X(double)
kernel void vectors(global const int* a, global int* b) { int i = get_global_linear_id(); int4 v = (int4)(a[i], i, 3, 4); v = sub_group_non_uniform_broadcast(v, 4); b[i] = v.x + v.y * 3 + v.z + v.w; }
kernel void ballots(global const int* a, global uint* b) { int i = get_global_linear_id(); uint4 v = sub_group_ballot(a[i] & 1); b[i] = v.x + v.y; for (int k = 0; k < a[i] % 5; k++) { b[i] += sub_group_ballot(a[i] >> k & 1).x + sub_group_elect(); if (sub_group_non_uniform_all(k < 3)) b[i] ^= 1 << 20; } 
  b[i] += sub_group_all(a[i] > 3) * 2 + sub_group_any(a[i] == 7); }
kernel void barriers(global const int* a, global int* b) { local int s[128]; int i = get_global_linear_id(), l = get_local_linear_id(), g = l - get_sub_group_local_id(); s[l] = a[i]; sub_group_barrier(CLK_LOCAL_MEM_FENCE); int x = s[g + ((l + 1) & 7)]; sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  s[l] = x; if ((get_sub_group_id() & 1) == 0) { sub_group_barrier(CLK_LOCAL_MEM_FENCE); x += s[g]; } b[i] = x; }
kernel void part(global const int* a, global int* b) { int i = get_global_linear_id(), l = get_local_linear_id(); if (l % 20 > 3) { sub_group_barrier(CLK_LOCAL_MEM_FENCE); b[i] = 1; } b[i] += sub_group_reduce_add(l); }
kernel void groups(global const int* a, global int* b) { int i = get_global_linear_id(); b[i] = work_group_reduce_add(a[i]) + work_group_scan_inclusive_max(a[i]) * 3 + work_group_broadcast(a[i], 0) + work_group_any(a[i] == 3); }
`

// TestSubGroups compares sub-group functions, with each size that a kernel can require, and work-group
// functions.
func TestSubGroups(t *testing.T) {
	a := scrambled(200)
	for _, size := range []uint64{8, 16, 32} {
		m := build(t, strings.ReplaceAll(subGroupKernels, "kernel void", fmt.Sprintf("__attribute__((intel_reqd_sub_group_size(%d))) kernel void", size)))
		for f := range kernelsOf(m) {
			shapes := []shape{line(1), line(16), line(40), {[]uint64{120}, []uint64{50}}, {[]uint64{32, 3}, []uint64{32, 3}}, {[]uint64{3 * size, 2}, []uint64{size, 2}}}
			if f.Name == "groups" {
				shapes = shapes[:3]
			}
			alike(t, m, f.Name, shapes, a, make(buf, 200*8))
		}
	}
}
