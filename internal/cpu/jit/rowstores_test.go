//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
)

// rowStores has kernels whose work-items each write a row. Rows have w elements; the loop handles n of
// them from k0. In the second half of the kernels several accesses are to one object.
const rowStores = `
kernel void scale(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[i * w + k] = b[i * w + k] * 0.5f + 1; }
kernel void sums(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) { s += b[i * w + k]; a[i * w + k] = s; } }
kernel void product(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[i * w + k] += b[i] * b[3 + k - k0]; }
kernel void fill(global int* a, global const int* b, int w, int k0, int n) { uint i = get_global_id(0); for (uint k = k0; k < (uint)n; k++) a[i * w + k] = i * 3 + k; }
kernel void transpose(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[i * w + k] = b[(k - k0) * 31 + i]; }
kernel void bytes(global uchar* a, global const uchar* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[i * w + k] = b[i * w + k] * 3 + k; }
kernel void shorts(global short* a, global const short* b, int w, int k0, int n) { size_t i = get_global_id(0); for (long k = k0; k < n; k++) a[i * w + k] = abs_diff(b[i * w + k], b[k - k0]); }
kernel void longs(global long* a, global const long* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[i * w + k] = b[i * w + k] - k; }
kernel void widen(global int* a, global const int* b, int w, int k0, int n) { int i = get_global_id(0); global const char* p = (global const char*)b; for (int k = k0; k < n; k++) a[i * w + k] = p[i * w + k] + k; }
kernel void pointer(global float* a, global const float* b, int w, int k0, int n) { global float* p = a + get_global_id(0) * w + k0; for (int k = k0; k < n; k++) *p++ = k * 0.5f; }
kernel void two(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) { float x = b[i * w + k]; a[i * w + k] = x + 1; if (k < 0) x = 3; a[(i + 64) * w + k] = x * 2; } }
kernel void array(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); float t[4] = {1, 2, 3, 4}; for (int k = k0; k < n; k++) { float x = b[i * w + k]; int j = (int)x & 3; t[j] += x; a[i * w + k] = t[j ^ 1]; } }
kernel void inplace(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[i * w + k] = a[i * w + k] * 0.5f; }
kernel void behind(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); a += i * (w + 8) + 4; for (int k = k0; k < n; k++) a[k] += a[k - 1]; }
kernel void behind3(global int* a, global const int* b, int w, int k0, int n) { int i = get_global_id(0); a += i * (w + 8) + 4; for (int k = k0; k < n; k++) a[k] = a[k - 3] * 3 + a[k]; }
kernel void behind5(global int* a, global const int* b, int w, int k0, int n) { int i = get_global_id(0); a += i * (w + 8) + 5; for (int k = k0; k < n; k++) a[k] = a[k - 4] * 3 + a[k - 5] + b[k - k0]; }
kernel void falling(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); a += i * (w + 8); for (int k = n; k-- > k0;) a[k] = a[k + 1] * 0.5f + a[k + 2]; }
kernel void columns(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[i * (w + 8) + k + 4] -= a[i * (w + 8) + k + 3] * b[i * w + k] / 8; }
kernel void walk(global short* a, global const short* b, int w, int k0, int n) { global short* p = a + get_global_id(0) * (w + 8) + k0 + 2; for (int k = k0; k < n; k++, p++) *p = p[-1] + p[-2] + k; }
kernel void ahead(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[i * (w + 8) + k + 4] = a[i * (w + 8) + k + 6] * 0.5f; }
kernel void shift(global int* a, global const int* b, int w, int k0, int n) { int i = get_global_id(0); a += i * (w + 8) + 4; for (int k = k0; k < n; k++) { a[k + 1] = k; a[k] = k * 2; } }
kernel void back(global float* a, global const float* b, int w, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n - 2; k++) a[i * w + (n - k - 2)] = (a[i * w + (n - 2 - k)] - a[i * w + (n - 2 - k - 1)] * b[i * w + (n - k - 3)]) * 0.5f; }
kernel void pairs(global int* a, global const int* b, int w, int k0, int n) { int i = get_global_id(0); a += i * (w + 8) + 4; for (int k = k0; k < n; k++) { a[k] = k; a[k + 1] = k * 2; } }
`

// TestRowStores compares such kernels when all rows are in the buffers, when not, and when the buffers are the
// same.
func TestRowStores(t *testing.T) {
	m := build(t, rowStores)
	const items, w = 64, 37
	for f := range kernelsOf(m) {
		if f.Name != "two" && f.Name != "pairs" && !hasForm(t, f, spmd.RowStores) {
			t.Errorf("%s has no copy that writes pieces of rows", f.Name)
		}
		for at, r := range [][2]int{{3, 34}, {0, 37}, {0, 16}, {0, 15}, {0, 3}, {0, 0}, {5, 3}, {-1, 20}, {0x7fffffe0, 0x7ffffff0}, {-0x80000000, -0x7ffffff0}} {
			if r[1] < 0 && f.Name == "fill" {
				continue // too many iterations
			}
			each := 4
			switch f.Name {
			case "bytes":
				each = 1
			case "shorts", "walk":
				each = 2
			case "longs":
				each = 8
			}
			sizes := []int{2 * items * w, items*w - 1}
			if at%2 == 1 {
				sizes = []int{2 * items * w, items * w / 2}
			}
			for _, size := range sizes {
				a, b := make(buf, size*each), make(buf, items*w*each)
				for i := range a {
					a[i] = byte(i*41>>3) & 0x3f // no NaN
				}
				for i := range b {
					b[i] = byte(i*37>>3) & 0x3f
				}
				alike(t, m, f.Name, []shape{line(items)}, a, b, i32(w), i32(r[0]), i32(r[1]))
			}
		}
	}
}

// TestRowStoresOverlap uses buffers that share memory, at distances around the length of a row.
func TestRowStoresOverlap(t *testing.T) {
	m := build(t, rowStores)
	const items, w = 64, 80
	a := filled(4*items*w, func(i int) byte { return byte(i*41>>3) & 0x3f }) // no NaN
	for _, name := range []string{"scale", "sums"} {
		for _, from := range []int{0, 4, 12, 64, 2 * items * w} {
			alike(t, m, name, []shape{line(items / 2)}, a, again{0, from}, i32(w), i32(20), i32(60))
		}
	}
}

// TestRowStoresGatherNothing: the hot code of such loops writes pieces, for every type.
func TestRowStoresGatherNothing(t *testing.T) {
	m := build(t, rowStores)
	for _, lv := range []*x86.Level{x86.AVX2, x86.AVX512} {
		for _, name := range []string{"scale", "sums", "fill", "transpose", "bytes", "shorts", "longs", "widen", "pointer", "inplace", "behind", "falling", "columns"} {
			c := listed(t, m.Func(name), lv, WholeGangs)
			if list, of := c.Listing.Gathers(); len(list) > 0 {
				t.Errorf("%s: %s: %d of %d accesses gather", lv.Name, name, len(list), of)
			}
			if !strings.Contains(c.Forms.String(), "stores of rows") {
				t.Errorf("%s: %s has forms %s", lv.Name, name, c.Forms)
			}
		}
	}
}
