//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"testing"

	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// Kernels by the number of their sums: see x86.Sum.
const sumKernels = `
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void s1_count(global const int* a, global int* b) { if (a[get_global_id(0)] & 1) atomic_inc(b); }
kernel void s2_both(global const int* a, global int* b) { int i = get_global_id(0); atomic_add(b, a[i]); if (a[i] & 2) atomic_sub(b + 1, a[i] * 3); }
kernel void s1_min(global const int* a, global int* b) { atomic_min(b + 2, a[get_global_id(0)] - 50); }
kernel void s1_max(global const int* a, global int* b) { int i = get_global_id(0); if (a[i] % 3) atomic_max((global uint*)b, a[i] * -77u); }
kernel void s1_and(global const int* a, global int* b) { int i = get_global_id(0); if (a[i] & 3) atomic_and(b + 3, a[i] | -1024); }
kernel void s1_or(global const int* a, global int* b) { int i = get_global_id(0); atomic_or(b, a[i]); }
kernel void s1_xor(global const int* a, global int* b) { int i = get_global_id(0); if (a[i] & 4) atomic_xor(b + 1, a[i] * 31); }
kernel void s1_long(global const int* a, global int* b) { int i = get_global_id(0); if (a[i] & 1) atom_sub((global long*)b, a[i] * 12345678901L); }
kernel void s1_ulongor(global const int* a, global int* b) { int i = get_global_id(0); if (a[i] & 1) atom_or((global ulong*)b, a[i] * 12345678901UL); }
kernel void s1_row(global const int* a, global int* b) { atomic_add(b + get_global_id(1) % 7, a[get_global_id(0)] + 1); }
kernel void s1_group(global const int* a, global int* b) { if (a[get_global_id(0)] & 1) atomic_inc(b + get_group_id(0)); }
kernel void s2_groups(global const int* a, global int* b) { local int n; int l = get_local_id(0); if (l == 0) n = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_add(&n, a[get_global_id(0)]); barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) atomic_add(b, n); if (a[l] & 1) atomic_dec(b + 1); }
kernel void s1_outside(global const int* a, global int* b) { if (a[get_global_id(0)] & 1) atomic_inc(b + a[0] + 5000); }
kernel void s1_loop(global const int* a, global int* b) { int i = get_global_id(0); for (int k = 0; k < a[i] % 5; k++) atomic_add(b, k + a[i]); }
kernel void s0_mixed(global const int* a, global int* b) { atomic_add(b, a[get_global_id(0)] & 1); atomic_max(b, 3); }
kernel void s0_read(global const int* a, global int* b) { int i = get_global_id(0); if (i == 0) atomic_add(b, a[i]); if (i == 0) b[4] = b[0]; }
kernel void s0_fence(global const int* a, global int* b) { atomic_add(b, a[get_global_id(0)]); mem_fence(CLK_GLOBAL_MEM_FENCE); }
kernel void s5_each(global const int* a, global int* b) { for (int k = 0; k < 5; k++) atomic_add(b + k, a[get_global_id(0)]); }
kernel void s0_ordered(global const int* a, global int* b) { atomic_fetch_add((global atomic_int*)b, a[get_global_id(0)]); }
kernel void s1_aliased(global int* a, global int* b, global int* c) { if (get_global_id(0) == 3) { atomic_add(a, 7); b[1] = c[0]; } }
`

// TestSums compares atomic operations that workers accumulate.
func TestSums(t *testing.T) {
	m := build(t, sumKernels)
	a := scrambled(4000)
	for _, f := range m.Funcs {
		if f.Kernel == nil || f.Name == "s1_aliased" {
			continue
		}
		for _, lv := range levels() {
			c := compiled(t, f, Options{Level: lv})
			if got, want := len(c.base.Sums), int(f.Name[1]-'0'); got != want {
				t.Errorf("%s on %s: %d sums, want %d", f.Name, lv.Name, got, want)
			}
		}
		alike(t, m, f.Name, []shape{line(1), {[]uint64{4000}, nil}, {[]uint64{192}, []uint64{64}}, {[]uint64{1000}, []uint64{50}}, {[]uint64{67, 30}, nil}}, a, make(buf, 64*4))
	}
}

// TestSumOfAliased checks that a work-item reads the values that it has added, even through another name.
func TestSumOfAliased(t *testing.T) {
	m := build(t, sumKernels)
	for _, exec := range append(Executors(Options{Panics: true}), interp.Reference) {
		k := kernelOf(t, m, exec, "s1_aliased")
		args, bufs := arguments([]any{make(buf, 8), make(buf, 8)})
		_, err := RunRobust(&launch.Launch{Kernel: k, Args: []launch.Arg{args[0], args[1], args[0]}, Range: launch.Range{Global: []uint64{64}}, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if want := [][]byte{append(i32(7), i32(0)...), append(i32(0), i32(7)...)}; !bytes.Equal(bufs[0], want[0]) || !bytes.Equal(bufs[1], want[1]) {
			t.Errorf("%s: % x, want % x", exec.Name(), bufs, want)
		}
	}
}
