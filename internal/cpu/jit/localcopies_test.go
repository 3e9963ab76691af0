//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"strings"
	"testing"
)

// Kernels that add to elements of a local array s: those of c_… in copies of it, those of d_… never.
const localCopyKernels = `
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define HEAD(T, n) local T s[n]; int l = get_local_id(0), size = get_local_size(0); \
  for (int k = l; k < n; k += size) s[k] = a[k & 63] * 3; barrier(CLK_LOCAL_MEM_FENCE); int x = a[get_global_id(0) & 1023]
#define TAIL(n) barrier(CLK_LOCAL_MEM_FENCE); for (int k = l; k < n; k += size) b[get_group_id(0) * n + k] = s[k]
#define ARGS (global const int* a, global int* b, int rounds)
kernel void c_inc ARGS { HEAD(int, 64); for (int r = 0; r < rounds; r++) atomic_inc(&s[(x >> r & 3) + 8]); TAIL(64); }
kernel void c_add ARGS { HEAD(int, 256); for (int r = 0; r < rounds; r++) atomic_add(&s[(x + r * l) & 255], x ^ r); TAIL(256); }
kernel void c_some ARGS { HEAD(int, 128); for (int r = 0; r < rounds; r++) if (x >> r & 1) atomic_sub(&s[x & 127], 7); TAIL(128); }
kernel void c_byte ARGS { HEAD(uint, 256); global const uchar* bytes = (global const uchar*)a; for (int r = 0; r < rounds; r++) atomic_inc(&s[bytes[l + r * 64]]); TAIL(256); }
kernel void c_long ARGS { HEAD(long, 20); for (int r = 0; r < rounds; r++) atom_add(&s[(x & 7) + (r & 7)], 12345678901L * x); TAIL(20); }
kernel void c_both ARGS { HEAD(int, 32); for (int r = 0; r < rounds; r++) { atomic_add(&s[x & 31], r); atomic_sub(&s[x >> 5 & 31], 5); } TAIL(32); }
kernel void c_steps ARGS { HEAD(int, 64); for (int q = 0; q < 3; q++) { for (int r = 0; r < rounds; r++) atomic_add(&s[(x + q) & 63], r); barrier(CLK_LOCAL_MEM_FENCE); x += s[x & 63]; barrier(CLK_LOCAL_MEM_FENCE); } TAIL(64); }
kernel void c_two ARGS { local int t[16]; HEAD(int, 64); if (l < 16) t[l] = 0; barrier(CLK_LOCAL_MEM_FENCE); for (int r = 0; r < rounds; r++) { atomic_inc(&s[x & 63]); atomic_dec(&t[x & 15]); } barrier(CLK_LOCAL_MEM_FENCE); if (l < 16) atomic_add(&s[l], t[l]); TAIL(64); }
kernel void c_outside ARGS { HEAD(int, 64); for (int r = 0; r < rounds; r++) atomic_inc(&s[(x & 127) - 32]); TAIL(64); }
kernel void c_returns ARGS { if (get_global_id(0) % 50 > 40) return; HEAD(int, 64); for (int r = 0; r < rounds; r++) atomic_add(&s[x & 63], l); TAIL(64); }
kernel void d_once ARGS { HEAD(int, 64); atomic_inc(&s[x & 63]); TAIL(64); }
kernel void d_result ARGS { HEAD(int, 64); if (l < 64) for (int r = 0; r < rounds; r++) b[3000 + get_global_id(0)] = atomic_add(&s[l * 5 & 63], 1); TAIL(64); }
kernel void d_mixed ARGS { HEAD(int, 64); for (int r = 0; r < rounds; r++) { if (l & 1) atomic_inc(&s[(x & 31)]); else atomic_or(&s[32 + (x & 31)], x); } TAIL(64); }
kernel void d_read ARGS { HEAD(int, 64); for (int r = 0; r < rounds; r++) { if (l < 32) atomic_inc(&s[x & 31]); else x += s[32 + (x & 31)]; } atomic_add(&b[3000], x); TAIL(64); }
kernel void d_odd ARGS { HEAD(int, 64); for (int r = 0; r < rounds; r++) atomic_add((volatile local int*)((local char*)s + (x & 127)), 1); TAIL(64); }
kernel void d_pointer ARGS { HEAD(int, 64); local int* p = x < 0 ? s : s + 1; for (int r = 0; r < rounds; r++) { atomic_inc(&s[x & 31]); p[62] = 5; } TAIL(64); }
kernel void d_size ARGS { HEAD(int, 61); for (int r = 0; r < rounds; r++) atomic_inc(&s[x & 31]); TAIL(61); }
kernel void d_large ARGS { HEAD(int, 260); for (int r = 0; r < rounds; r++) atomic_inc(&s[x & 255]); TAIL(260); }
`

// TestLocalCopies compares additions to local arrays, which may have copies.
func TestLocalCopies(t *testing.T) {
	m := build(t, localCopyKernels)
	for f := range kernelsOf(m) {
		shapes := []shape{{[]uint64{1024}, []uint64{64}}, {[]uint64{300}, []uint64{100}}, {[]uint64{70}, []uint64{70}}}
		for _, rounds := range []int{0, 3, 20} {
			alike(t, m, f.Name, shapes, scrambled(1024), scrambled(16*260), i32(rounds))
		}
	}
}

// TestLocalCopied checks which kernels have copies.
func TestLocalCopied(t *testing.T) {
	m := build(t, localCopyKernels)
	for f := range kernelsOf(m) {
		c := compiled(t, f, Options{Level: levels()[0]})
		if got, want := len(c.base.InCopies) > 0, strings.HasPrefix(f.Name, "c_"); got != want {
			t.Errorf("%s: copies: %t, want %t", f.Name, got, want)
		}
	}
}
