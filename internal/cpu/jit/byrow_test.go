//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
)

// longRows has kernels whose work-items write long rows of w elements in independent iterations. The loop handles those from k0 to n.
const longRows = `
kernel void scale(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[i * w + k] = b[i * w + k] * 0.5f + i; }
kernel void twice(global int* a, global const int* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k <= n - 1; k++) a[i * w + k] += b[i] * b[k] - k; }
kernel void longs(global long* a, global const long* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = n; k-- > k0;) a[i * w + k] = b[i * w + k] - k; }
kernel void wide(global float* a, global const float* b, ulong w, int k0, uint n) { size_t i = get_global_id(0); for (uint k = k0; k < n; k++) a[i * w + k] = b[i * w + k] + a[i * w + k]; }
kernel void extended(global int* a, global const int* b, ulong w, int k0, int n) { size_t i = get_global_id(0); for (int k = n - 1; k >= k0; k--) a[i * w + k] = b[i * w + k] ^ (int)i; }
kernel void pointer(global float* a, global const float* b, int w, int k0, int n) { global float* p = a + get_global_id(0) * w + k0; for (int k = k0; k < n; k++) *p++ = k * 0.5f; }
kernel void ahead(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[i * w + k] = a[i * w + k + 3] * 0.5f; }
kernel void back(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n - 2; k++) a[i * w + (n - k - 2)] = (a[i * w + (n - 2 - k)] - a[i * w + (n - 2 - k - 1)] * b[i * w + (n - k - 3)]) * 0.5f; }
kernel void guarded(global int* a, global const int* b, int w, int k0, int n) { int i = get_global_id(0); if (i < 40) for (int k = k0; k < n; k++) a[i * w + k] = b[i * w + k] + k; }
kernel void several(global int* a, global const int* b, int w, int k0, int n) { int i = get_global_id(0); for (int j = 0; j < 2; j++) for (int k = k0; k < n; k++) a[i * w + k] += b[j * w + k] >> j; }
`

// TestLongRows compares such kernels for iteration counts around those from which one row follows the other, when all rows are in
// the buffers and when not.
func TestLongRows(t *testing.T) {
	m := build(t, longRows)
	const items, w = 48, 210
	for f := range kernelsOf(m) {
		if f.Name != "guarded" && !hasForm(t, f, spmd.RowByRow) {
			t.Errorf("%s has no copy for one row after the other", f.Name)
		}
		each := 4
		if f.Name == "longs" {
			each = 8
		}
		for _, r := range [][2]int{{0, 127}, {0, 128}, {3, 131}, {1, 140}, {0, 143}, {0, 144}, {5, 200}, {0, 207}, {-1, 190}, {0x7fffff00, 0x7fffffb0}, {-0x80000000, -0x7fffff50}} {
			if r[1] < 0 && (f.Name == "wide" || f.Name == "extended") {
				continue // too many iterations
			}
			for _, size := range []int{items * w, items*w - 1, items * w / 2} {
				a, b := make(buf, size*each), make(buf, items*w*each)
				for i := range a {
					a[i] = byte(i*41>>3) & 0x3f // no NaN
				}
				for i := range b {
					b[i] = byte(i*37>>3) & 0x3f
				}
				width := i32(w)
				if f.Name == "wide" || f.Name == "extended" {
					width = append(i32(w), 0, 0, 0, 0)
				}
				alike(t, m, f.Name, []shape{line(items)}, a, b, width, i32(r[0]), i32(r[1]))
			}
		}
	}
}

// TestLongRowsOverlap uses buffers that share memory, at distances around the length of a row.
func TestLongRowsOverlap(t *testing.T) {
	m := build(t, longRows)
	const items, w = 32, 200
	a := filled(4*3*items*w, func(i int) byte { return byte(i*41>>3) & 0x3f }) // no NaN
	for _, name := range []string{"scale", "pointer", "back"} {
		for _, from := range []int{0, 4, 64, 4 * items * w, 8 * items * w} {
			alike(t, m, name, []shape{line(items)}, a, again{0, from}, i32(w), i32(20), i32(180))
		}
	}
}
