//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86"
)

// scalarKernels have loops with loads that depend on loads. Kernels s_… should be scalar code.
const scalarKernels = `
kernel void s_csr(global float *y, global const uint *start, global const float *x, uint n) { uint i = get_global_id(0); float s = 0;
  for (uint k = start[i]; k < start[i + 1]; k++) s += x[start[k % n] % n] * x[k]; y[i] = s; }
kernel void s_list(global float *y, global const uint *next, global const float *x, uint n) { uint i = get_global_id(0); float s = 0;
  for (uint k = next[i]; k < n; k += next[k] + 1) s += x[k]; y[i] = s; }
kernel void s_double(global float *y, global const ushort *start, global const float *x, uint n) { int i = get_global_id(0); double s = 1;
  for (int k = start[2 * i]; k < start[2 * i + 1] && s < 1e9; k++) s += x[start[k % n] % n] * x[k % n] * x[(k * 3u) % n]; y[i] = s; }
kernel void s_stack(global float *y, global const uint *start, global const float *x, uint n) { uint i = get_global_id(0), ways = 0; int top = 0; uint left[8], sums[8]; ulong seen[4] = {0};
  left[0] = start[i] & 0x777; sums[0] = i; while (top >= 0) { uint f = left[top], bit = f & -f; if (!f) { top--; continue; } left[top] = f ^ bit; seen[bit & 3] += bit * (i + 1);
    if (top + (bit & 1) == 4) { ways += sums[top]; continue; } sums[top + 1] = sums[top] * 3 + bit; top++; left[top + (i == 9 ? 100 : 0)] = f >> 1; } y[i] = ways + seen[i & 3]; }
kernel void s_vectors(global float *y, global const uint *start, global const float *x, uint n) { uint i = get_global_id(0); float4 p[4]; float s = 0; char c[16]; short3 h[3];
  for (int k = 0; k < 4; k++) p[k] = (float4)(x[k], i, k, 1);
  for (uint k = start[i]; k < start[i + 1]; k++) { p[k & 3].y += x[start[k % n] % n]; s += p[k * 5 & 3].y + p[k / 3 % 5].x; c[k & 15] = k; h[k % 3] = (short3)(k, s, c[k & 7]); s += h[k % 3].z; } y[i] = s; }
kernel void uniform_trips(global float *y, global const uint *column, global const float *x, uint n) { uint i = get_global_id(0); float s = 0;
  for (uint k = 0; k < 5; k++) s += x[column[k * n / 8 + i] % n]; y[i] = s; }
kernel void computes(global float *y, global const uint *start, global const float *x, uint n) { uint i = get_global_id(0), k = start[i], m = 0;
  while (k > 1) { k = k & 1 ? 3 * k + 1 >> 2 : k >> 1; m++; } y[i] = m; }
kernel void atomics(global float *y, global uint *start, global const float *x, uint n) { uint i = get_global_id(0); float s = 0;
  for (uint k = start[i]; k < start[i + 1]; k++) { s += x[start[k % n] % n] * x[k]; atomic_add((global int *)y + i, 1); } }
kernel void group(global float *y, global const uint *start, global const float *x, uint n) { uint i = get_global_id(0); local float s[64]; s[get_local_id(0)] = 0;
  for (uint k = start[i]; k < start[i + 1]; k++) s[get_local_id(0)] += x[start[k % n] % n] * x[k]; barrier(1); y[i] = s[get_local_id(0) ^ 1]; }
`

// TestScalar tests which kernels become scalar code, and their results and findings, with accesses out of bounds.
func TestScalar(t *testing.T) {
	m := build(t, scalarKernels)
	for _, f := range m.Funcs {
		if f.Kernel == nil {
			continue
		}
		for _, lv := range []*x86.Level{x86.AVX2, x86.AVX512} {
			c, err := compileKernel(f, Options{Level: lv, SlowGathers: true}, nil)
			if err != nil {
				t.Fatal(f.Name, err)
			}
			if want := strings.HasPrefix(f.Name, "s_"); want != (c.base.lanes == 1) {
				t.Errorf("%s on %s: gangs of %d work-items", f.Name, lv.Name, c.base.lanes)
			}
		}
		const items = 70
		for _, size := range []int{4 * (items + 1), 4 * (items + 1) / 2} { // of the start and x; the last ones are out of bounds
			y, start, x := make(buf, 4*items), make(buf, size), make(buf, 4*items)
			for i := range len(start) / 4 {
				binary.LittleEndian.PutUint32(start[4*i:], uint32(i*i*7/64))
			}
			for i := range x {
				x[i] = byte(i * 5 & 0x3F)
			}
			alike(t, m, f.Name, []shape{line(items), line(items - 3)}, y, start, x, i32(items/2))
		}
	}
}
