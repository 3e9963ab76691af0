//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
)

// rowLoops has kernels whose work-items each access a row. Rows have w elements; the loop handles n of them
// from k0.
const rowLoops = `
kernel void floats(global const float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) s = s * 0.5f + a[i * w + k]; b[i] = s; }
kernel void pair(global const float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0); global const float *p = a + i * w, *q = a + (63 - i) * w; float s = 0; for (int k = k0; k < n; k++) s += p[k] * q[k]; b[i] = s; }
kernel void ints(global const int* a, global int* b, int w, int k0, int n) { uint i = get_global_id(0); int s = 1; for (uint k = k0; k < (uint)n; k++) s = s * 3 ^ a[i * w + k] + (int)k; b[i] = s; }
kernel void shorts(global const short* a, global int* b, int w, int k0, int n) { size_t i = get_global_id(0); int s = 1; for (long k = k0; k < n; k++) s = s * 3 + a[i * w + k]; b[i] = s; }
kernel void bytes(global const char* a, global int* b, int w, int k0, int n) { int i = get_global_id(0); int s = 0; for (int k = k0; k < n; k++) s = s * 3 + a[i * w + k] * a[k]; b[i] = s; }
kernel void ubytes(global const uchar* a, global int* b, int w, int k0, int n) { int i = get_global_id(0); uint s = 0; global const uchar *p = a + i * w; for (int k = k0; k < n; k++) s = s * 3 + p[k]; b[i] = s; }
kernel void nearbytes(global const uchar* a, global int* b, int w, int k0, int n) { int i = get_global_id(0); uint s = 0; for (int k = k0; k < n; k++) s = s * 3 + a[i * 37 + k]; b[i] = s; }
kernel void longs(global const long* a, global int* b, int w, int k0, int n) { int i = get_global_id(0); long s = 0; for (int k = k0; k < n; k++) s = s * 3 + a[i * w + k]; b[i] = (int)(s >> 7) + (int)s; }
kernel void mixed(global const int* a, global int* b, int w, int k0, int n) { int i = get_global_id(0); global const uchar *p = (global const uchar *)a; int s = 0; for (int k = k0; k < n; k++) s = s * 3 + p[i * w + k] - a[i * w + k]; b[i] = s; }
kernel void guarded(global const float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0); if (i < 50) { float s = 0, t = 1; for (int k = k0; k < n; k++) { s += a[i * w + k]; t = max(t, s); } b[i] = s - t; } }
kernel void pointer(global const float* a, global float* b, int w, int k0, int n) { global const float* p = a + get_global_id(0) * w + k0; float s = 0; for (int k = k0; k < n; k++) s = s * 0.5f + *p++; b[get_global_id(0)] = s; }
kernel void wraps(global const float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) s += a[i * w + k + 0x7ffffff0]; b[i] = s; }
kernel void high(global const float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) s += a[i * w + (k + 0x7ffffff0) - 0x7ffffff0L]; b[i] = s; }
kernel void several(global const float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0); float s = 0; int j = 0; do { for (int k = k0; k < n; k++) s = s * 0.5f + a[i * w + j * 5 + k]; } while (++j < w - 34); b[i] = s; }
kernel void vectors(global const float4* a, global float* b, int w, int k0, int n) { int i = get_global_id(0); float4 s = 0; for (int k = k0; k < n; k++) s = s * 0.5f + a[i * (w / 4) + k / 4]; b[i] = s.x - s.y * s.z + s.w; }
kernel void after(global const float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0), k = k0; float s = 0; do s = s * 0.5f + a[i * w + k]; while (++k < n); b[i] = s + k; }
kernel void twice(global const float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0); float s = 0; ushort k = 0; do { s = s * 0.5f + a[i * w + k]; s = s * 0.5f + a[i * w + k + 1]; k += 2; } while (k < (n & 63)); b[i] = s; }
kernel void last(global const float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0), k = k0; float s = 0, t; do { t = s; s = s * 0.5f + a[i * w + k]; } while (++k < n); b[i] = s - t; }
kernel void turned(global const float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0); float s = 0; uchar k = 245; do { s = s * 0.5f + a[i * w + k - 235]; k++; } while ((uchar)(k - 20) < (n & 15) + 236); b[i] = s + k; }
kernel void never(global const float* a, global float* b, int w, int k0, int n) { int i = get_global_id(0); float s = 0; uchar k = 245; do { s = s * 0.5f + a[i * w + k - 235]; k++; } while ((uchar)(k - 230) < (n & 31) + 20); b[i] = s + k; }
kernel void sums(global const int* a, global int* b, int w, int k0, int n) { int i = get_global_id(0), k = k0, s = 0; do s += a[i * w + k]; while (++k < n); b[i] = s * k; }
`

// TestRows compares such kernels when all rows are in the buffer, when they fit exactly, and when one element
// is missing. Iteration counts are near multiples of a piece, counters near the limits of their types.
func TestRows(t *testing.T) {
	m := build(t, rowLoops)
	const items, w = 64, 37
	for f := range kernelsOf(m) {
		if f.Name != "vectors" && f.Name != "high" && f.Name != "never" && !hasForm(t, f, spmd.RowLoops) {
			t.Errorf("%s has no copy that reads pieces of rows", f.Name)
		}
		for _, r := range [][2]int{{0, 37}, {0, 16}, {0, 15}, {0, 3}, {2, 35}, {0, 0}, {5, 3}, {-1, 20}, {0x7fffffe0, 0x7ffffff0}, {-0x80000000, -0x7ffffff0}} {
			if r[1] < 0 && f.Name == "ints" {
				continue // too many iterations
			}
			for _, size := range []int{items * w, items*w - 1, items * w / 2} {
				each := 4
				switch {
				case strings.HasSuffix(f.Name, "bytes"):
					each = 1
				case f.Name == "shorts":
					each = 2
				case f.Name == "longs":
					each = 8
				}
				a := filled(size*each, func(i int) byte { return byte(i*37>>3) & 0x3f }) // no NaN
				alike(t, m, f.Name, []shape{line(items)}, a, make(buf, 4*items), i32(w), i32(r[0]), i32(r[1]))
			}
		}
	}
}

// TestRowsGatherNothing: the hot code of row loops, and of gathers of vectors, reads pieces instead of
// gathering, for every type.
func TestRowsGatherNothing(t *testing.T) {
	m := build(t, rowLoops)
	for _, lv := range []*x86.Level{x86.AVX2, x86.AVX512} {
		for _, name := range []string{"floats", "pair", "ints", "shorts", "bytes", "nearbytes", "longs", "guarded", "pointer", "vectors"} {
			c := listed(t, m.Func(name), lv, WholeGangs)
			if list, of := c.Listing.Gathers(); len(list) > 0 {
				t.Errorf("%s: %s: %d of %d accesses gather", lv.Name, name, len(list), of)
			}
			if c.Shapes&(1<<explain.Rows) == 0 {
				t.Errorf("%s: %s has shapes %s", lv.Name, name, fmt.Sprintf("%b", c.Shapes))
			}
		}
	}
}
