//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
)

// nests has kernels whose gangs execute several rows at once: r rows of n elements, in steps of w.
const nests = `
kernel void product(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); float s = 0; for (int k = 0; k < n; k++) s += a[i * w + k] * b[k * w + j]; c[i * w + j] = s; }
kernel void transposed(global const float* a, global const float* b, global float* c, int w, int n) { size_t i = get_global_id(1), j = get_global_id(0); float s = 0; for (int k = 0; k < n; k++) s += a[i * w + k] * b[j * w + k]; c[i * w + j] = s; }
kernel void guarded(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); if (i >= n || j >= n) return; float s = 1; for (int k = 0; k < n; k++) s = s * 0.5f + a[i * w + k] * b[k * w + j]; c[i * w + j] = s; }
kernel void inside_(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); if (i > 1 & i < n) { float s = 1; for (int k = 0; k < n; k++) s += b[k * w + j] * i; c[i * w + j] = s; } else if (i == 0) c[j] = 7; }
kernel void halves(global const half* a, global const half* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); float s = 0; for (int k = 0; k < n; k++) s += vload_half(i * w + k, a) * vload_half(k * w + j, b); c[i * w + j] = s; }
kernel void bytes(global const char* a, global const char* b, global int* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); int s = 0; for (int k = 0; k < n; k++) s += a[i * w + k] * b[k * w + j]; c[i * w + j] = s; }
kernel void tbytes(global const char* a, global const uchar* b, global int* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); int s = 0; for (int k = 0; k < n; k++) s += a[i * w + k] * b[j * w + k]; c[i * w + j] = s; }
kernel void doubles(global const double* a, global const double* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); double s = 0; for (int k = 0; k < n; k++) s += a[i * w / 2 + k / 2] * b[k * w / 2 + j / 2]; c[i * w + j] = s; }
kernel void swapped(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(0), j = get_global_id(1); float s = 0; for (int k = 0; k < n; k++) s += a[i * w + k] * b[k * w + j]; c[i * w + j] = s; }
kernel void twice(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); float s = 0; for (int k = 0; k < n; k++) s += a[i * w + k] * b[k * w + j]; if (i < 2) return; if (i > n + 3) return; if (i == 7) return; c[i * w + j] = s; }
kernel void columns(global const float* a, global const float* b, global float* c, int w, int n) { int x = get_global_id(0), y = get_global_id(1); if (y < w) c[x * w + y] = a[y * w + x] * n; }
kernel void turned(global const short* a, global const float* b, global short* c, int w, int n) { int x = get_global_id(0), y = get_global_id(1); if (y < n) c[y * w + x] = a[x * w + y]; }
kernel void turned2(global const char* a, global const double* b, global char* c, int w, int n) { size_t x = get_global_id(0), y = get_global_id(1); if (y < (uint)w) c[x * (ulong)w + y] = a[x * (ulong)w + y] + 1; }
kernel void past(global const int* a, global const float* b, global int* c, int w, int n) { int x = get_global_id(0), y = get_global_id(1); if (y < w) c[(long)(int)(x * w + y + 0x7ffffff0 - n * w) - 0x7ffffff0L + n * w] = a[y * w + x]; }
kernel void update(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); float s = 0; for (int k = 0; k < n; k++) s += a[i * w + k] * b[k * w + j]; c[i * w + j] = s * 2 + 0.5f * c[i * w + j]; }
kernel void update2(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(0), j = get_global_id(1); if (i >= n || j > n) return; float s = c[j * w + i]; for (int k = 0; k < n; k++) s -= a[i * w + k] * b[j * w + k]; c[j * w + i] = s; }
kernel void inplace(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); for (int k = 0; k < n; k++) c[i * w + j] += a[i * w + k] * b[k * w + j]; }
kernel void inplace2(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); if (i < n && j < n) { c[i * w + j] *= 0.5f; for (int k = 0; k < n; k++) c[i * w + j] += a[i * w + k] * b[k * w + j] + b[i * w + k] * a[k * w + j]; } }
kernel void inplace3(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); c[i * w + j] = 1; int k = n - 30; do { c[i * w + j] += a[i * w + k] * b[k * w + j]; if (k == 7) c[i * w + j] *= 0.5f; } while (++k < n); c[i * w + j] += 2; }
kernel void owners(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); for (int k = (j & 1) * n; k < n; k++) c[i * w + j / 2] += a[i * w + k] * b[k * w + j]; }
kernel void self(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); for (int k = 0; k < n; k++) c[i * w + j] += a[i * w + j] * b[k * w + j]; }
kernel void distances(global const float* a, global const float* b, global float* c, int w, int n) { int i = get_global_id(1), j = get_global_id(0); float s = 0; for (int k = 0; k < n; k++) { float d = a[i * w + k] - b[k * w + j]; s = max(s, fabs(d)); if (k == 5) s += 1; } c[i * w + j] = s; if (j == 3) c[i * w + j] = i; }
`

// TestCoarse compares such kernels with the reference executor, with numbers of rows and columns around those
// of a gang, ranges that exceed the matrices, and overlapping objects.
func TestCoarse(t *testing.T) {
	m := build(t, nests)
	const w = 67
	execs := executorsOf(Options{Coarse: true})
	data := func(mul int) buf {
		return filled(4*w*w, func(i int) byte { return byte(i*mul>>3) & 0x3f }) // no NaN
	}
	for f := range kernelsOf(m) {
		for _, lv := range []*x86.Level{x86.AVX2, x86.AVX512} {
			o := spmd.Options{RowUniform: true, Versions: true, Coarsen: spmd.Coarsening{Registers: lv.VectorRegs(), Piece: int(lv.VL)}, Rows: int(lv.VL)}
			if f.Name == "swapped" {
				o.LaneDim = 1
			}
			if f.Name == "distances" || f.Name == "inplace3" && lv == x86.AVX2 {
				continue // coarsening does not pay
			}
			if p, err := spmd.Prepare(f, o); err != nil || p.Rows < 2 {
				t.Errorf("%s: %s: %v", lv.Name, f.Name, err)
			}
		}
		shapes := []shape{{[]uint64{64, 8}, []uint64{1, 1}}, {[]uint64{67, 11}, []uint64{1, 1}}, {[]uint64{40, 66}, []uint64{1, 1}}, {[]uint64{67, 75}, []uint64{1, 1}}, {[]uint64{66, 30, 1}, []uint64{1, 1, 1}}}
		if f.Name == "swapped" {
			for _, s := range shapes {
				s.global[0], s.global[1] = s.global[1], s.global[0]
			}
		}
		for _, n := range []int{0, 40, 70} {
			alikeOn(t, execs, m, f.Name, shapes, data(37), data(41), data(43), i32(w), i32(n))
			if f.Name == "self" { // work-items access their own element of one buffer through both pointers
				alikeOn(t, execs, m, f.Name, shapes[:4], data(37), data(41), again{0, 0}, i32(w), i32(n))
			}
		}
	}
}
