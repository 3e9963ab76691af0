//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
)

// vectorisedLoops has kernels whose work-items reduce rows, or write rows element by element. Rows have w
// elements; the loop handles n of them from k0.
const vectorisedLoops = `
kernel void sum(global const int* a, global int* b, int w, int k0, int n) { int i = get_global_id(0), s = 7; for (int k = k0; k < n; k++) s += a[i * w + k]; b[i] = s; }
kernel void less(global const int* a, global int* b, int w, int k0, int n) { int i = get_global_id(0), s = 7; for (int k = k0; k < n; k++) s -= a[i * w + k] * (k + 3); b[i] = s; }
kernel void product(global const uint* a, global uint* b, int w, int k0, int n) { int i = get_global_id(0); uint s = 5; for (int k = k0; k < n; k++) s *= a[i * w + k] | 1; b[i] = s; }
kernel void least(global const int* a, global int* b, int w, int k0, int n) { int i = get_global_id(0), s = 0x7000; for (int k = k0; k < n; k++) s = min(s, a[i * w + k] ^ k); b[i] = s; }
kernel void most(global const uint* a, global uint* b, int w, int k0, int n) { int i = get_global_id(0); uint s = i; for (int k = k0; k < n; k++) s = max(s, a[i * w + k]); b[i] = s; }
kernel void both(global const int* a, global int* b, int w, int k0, int n) { int i = get_global_id(0), s = -1, t = i; for (int k = k0; k < n; k++) { int x = a[i * w + k]; s &= x | 255; t ^= x; } b[i] = s + t; }
kernel void any(global const long* a, global int* b, int w, int k0, int n) { int i = get_global_id(0); long s = i; for (int k = k0; k != n; k++) s |= a[i * w + k]; b[i] = (int)(s >> 32) ^ (int)s; }
kernel void dot8(global const char* a, global int* b, int w, int k0, int n) { int i = get_global_id(0), s = i; for (int k = k0; k < n; k++) s += a[i * w + k] * a[k - k0]; b[i] = s; }
kernel void dotu8(global const uchar* a, global uint* b, int w, int k0, int n) { int i = get_global_id(0); uint s = i; global const uchar* q = a + (63 - i) * w; for (int k = k0; k < n; k++) s += a[i * w + k] * q[k]; b[i] = s; }
kernel void dotmixed(global const uchar* a, global int* b, int w, int k0, int n) { int i = get_global_id(0), s = 0; global const char* q = (global const char*)a + (63 - i) * w; for (int k = k0; k < n; k++) s = a[i * w + k] * q[k] + s; b[i] = s; }
kernel void dot16(global const short* a, global int* b, int w, int k0, int n) { int i = get_global_id(0), s = i; for (int k = k0; k < n; k++) s += a[i * w + k] * a[(63 - i) * w + k]; b[i] = s; }
kernel void twice(global const char* a, global int* b, int w, int k0, int n) { int i = get_global_id(0), s = i; for (int k = k0; k < n; k++) { s += a[i * w + k] * a[k - k0]; s += a[(63 - i) * w + k] * a[k - k0]; } b[i] = s; }
kernel void count(global const float* a, global int* b, int w, int k0, int n) { int i = get_global_id(0), s = 0; for (int k = k0; k < n; k++) s += a[i * w + k] > 0.5f ? k : 1; b[i] = s; }
kernel void axpy(global float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0); float x = b[i]; for (int k = k0; k < n; k++) a[i * w + k] += x * b[k - k0]; }
kernel void halves(global float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0); global ushort* p = (global ushort*)a; for (int k = k0; k < n; k++) p[i * w + k] = p[i * w + k] * 5 + convert_ushort_sat(b[k - k0]); }
`

// TestVectorisedLoops compares such kernels for iteration counts around multiples of the unrolling, with buffers that
// contain all rows and with smaller ones.
func TestVectorisedLoops(t *testing.T) {
	m := build(t, vectorisedLoops)
	const items, w = 64, 37
	for f := range kernelsOf(m) {
		if !hasForm(t, f, spmd.Vectorised) {
			t.Errorf("%s has no iterations side by side", f.Name)
		}
		for at, r := range [][2]int{{3, 34}, {0, 37}, {0, 16}, {0, 15}, {1, 3}, {0, 0}, {-1, 20}, {0x7fffffe0, 0x7ffffff0}} {
			each := 4
			switch {
			case strings.HasPrefix(f.Name, "dot16"):
				each = 2
			case strings.HasPrefix(f.Name, "dot"), f.Name == "twice":
				each = 1
			case f.Name == "any":
				each = 8
			}
			size := items * w
			if at%2 == 1 {
				size = items*w - at*w
			}
			a, b := make(buf, size*each), make(buf, 8*items)
			for i := range a {
				a[i] = byte(i*41 + i>>3)
				if f.Name == "count" || f.Name == "axpy" {
					a[i] &= 0x3f // no NaN
				}
			}
			for i := range b {
				b[i] = byte(i*37>>3) & 0x3f
			}
			alike(t, m, f.Name, []shape{line(items)}, a, b, i32(w), i32(r[0]), i32(r[1]))
		}
	}
}
