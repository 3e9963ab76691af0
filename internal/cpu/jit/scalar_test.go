//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/kerneltest"
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
kernel void cells(global float *y, global const uint *start, global const float *x, uint n) { uint i = get_global_id(0); for (uint j = i; j < 5; j++)
  for (uint k = 0; k < n; k++) y[i * 5 + j] += x[k + j] * x[k + i]; }
`

// TestScalar tests which kernels become scalar code, and their results and findings, with accesses out of bounds.
func TestScalar(t *testing.T) {
	m := build(t, scalarKernels)
	for f := range kernelsOf(m) {
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

// stripKernels have loops of one work-item that are longer than the strips between polls (package gang), in which
// counters go up by one or more, signed and unsigned, and elements are read forwards, backwards and around.
const stripKernels = `
kernel void s_up(global float *y, global const int *start, global const int *column, global const float *x, int n) { int i = get_global_id(0); float s = 0;
  for (int k = start[i]; k < start[i + 1]; k++) s += x[k] * x[column[k]]; y[i] = s; }
kernel void s_twice(global float *y, global const uint *start, global const int *column, global const float *x, int n) { uint i = get_global_id(0); float s = 0;
  for (uint k = start[i]; k < start[i + 1]; k += 2) s += x[k + 1] * x[column[k]] + x[k + 3]; y[i] = s; }
kernel void s_down(global float *y, global const int *start, global const int *column, global const float *x, int n) { int i = get_global_id(0); float s = 0;
  for (int k = start[i]; k < start[i + 1]; k++) s += x[n - k] * x[column[n - k]] - x[k - 1]; y[i] = s; }
kernel void s_long(global float *y, global const int *start, global const ushort *column, global const double *x, int n) { size_t i = get_global_id(0); double s = 0;
  for (long k = start[i]; k < start[i + 1]; k += 4) s += x[k / 4 % 64] * x[column[k] % 64] + column[k + 1]; y[i] = s; }
kernel void s_writes(global float *y, global int *start, global const int *column, global float *x, int n) { int i = get_global_id(0); float s = 0;
  for (int k = start[i]; k < start[i + 1]; k++) { s += x[k] * column[column[k]]; x[k] = s; } y[i] = s; }
`

// TestStrips tests loops of many strips and of few iterations, in bounds, partly outside and with negative indices.
func TestStrips(t *testing.T) {
	m := build(t, stripKernels)
	const items, n = 12, 9000
	ends := []int{0, 3, 3, 1027, 1028, 2052, 3075, 3075, 6200, 6201, 8249, 8990, 8980}
	column, x := make(buf, 4*n), make(buf, 4*n)
	for i := range n {
		binary.LittleEndian.PutUint32(column[4*i:], uint32(i*i%n))
		binary.LittleEndian.PutUint32(x[4*i:], 0x3F800000+uint32(i%100)<<12)
	}
	var execs []exec.Executor
	for _, lv := range levels() {
		execs = append(execs, New(Options{Panics: true, Level: lv, SlowGathers: true}))
		for _, f := range m.Funcs {
			if c, err := compileKernel(f, Options{Level: lv, SlowGathers: true}, nil); err != nil || c.base.lanes != 1 {
				t.Errorf("%s is not scalar code: %v", f.Name, err)
			}
		}
	}
	for _, f := range m.Funcs {
		for _, from := range []int{4, 100, 1000, -3} { // the last rows are outside, or the first one begins there
			start := make(buf, 4*(items+1))
			for i, e := range ends {
				binary.LittleEndian.PutUint32(start[4*i:], uint32(int32(e+from)))
			}
			alikeOn(t, execs, m, f.Name, []shape{line(items), line(items - 1)}, make(buf, 4*items), start, column, x, i32(n-1))
		}
	}
}

// TestScalarByGathers: with fast gathers scalar code still pays for many gathers of narrow and wide elements, not for a few.
func TestScalarByGathers(t *testing.T) {
	m := build(t, `
kernel void narrow(global double *y, global const uint *start, global const ushort *column, global const double *a, global const double *x) { size_t i = get_global_id(0); double s = 0; for (uint k = start[i]; k < start[i + 1]; k++) s += a[k] * x[column[k]]; y[i] = s; }
kernel void wide(global float *y, global const uint *start, global const int *column, global const float *a, global const float *x) { size_t i = get_global_id(0); float s = 0; for (uint k = start[i]; k < start[i + 1]; k++) s += a[k] * x[column[k]]; y[i] = s; }`)
	for name, fast := range map[string]bool{"narrow": true, "wide": false} {
		if f := m.Func(name); !spmd.ScalarPays(spmd.ScalarCost(f, true)) || spmd.ScalarPays(spmd.ScalarCost(f, false)) != fast {
			t.Errorf("%s: ratio of scalar code to gangs with slow gathers %v, with fast ones %v", name, spmd.ScalarCost(f, true), spmd.ScalarCost(f, false))
		}
	}
}

// TestScalarMayPay: the bound without an analysis excludes no kernel for which scalar code pays.
func TestScalarMayPay(t *testing.T) {
	sources := []string{kernels, scalarKernels}
	for seed := range uint64(200) {
		sources = append(sources, kerneltest.Random(seed, 4).Source())
	}
	excluded := 0
	for _, source := range sources {
		for _, f := range build(t, source).Funcs {
			if f.Kernel == nil {
				continue
			}
			may := spmd.ScalarMayPay(f)
			for _, slow := range []bool{false, true} {
				if cost := spmd.ScalarCost(f, slow); spmd.ScalarPays(cost) && !may {
					t.Errorf("%s: ratio of scalar code to gangs %v", f.Name, cost)
				}
			}
			if !may {
				excluded++
			}
		}
	}
	if excluded == 0 {
		t.Error("it excludes no kernel")
	}
}
