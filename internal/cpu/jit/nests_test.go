//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/run/exec"
)

// nestKernels have nests of loops. Columns from j0 to m, iterations from k0 to n.
const nestKernels = `
kernel void interchanged(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { int i = get_global_id(0); for (int k = k0; k < n; k++) { float x = a[i * n + k]; for (int j = j0; j < m; j++) c[i * m + j] += x * b[k * m + j]; } }
kernel void jammed(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { int i = get_global_id(0); for (int j = j0; j < m; j++) { float s = 0; for (int k = k0; k < n; k++) s += a[i * n + k] * b[k * m + j]; c[i * m + j] = s; } }
kernel void scaled(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { int i = get_global_id(0); for (int j = j0; j < m; j++) { c[i * m + j] *= 0.5f; for (int k = k0; k < n; k++) c[i * m + j] += 2 * a[i * n + k] * b[j * n + k]; c[i * m + j] -= 3; } }
kernel void zeroed(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { size_t i = get_global_id(0); for (uint j = j0; j < (uint)m; j++) { c[j * 64 + i] = 0; for (uint k = k0; k < (uint)n; k++) c[j * 64 + i] += a[k * 64 + i] * b[k * m + j]; } }
kernel void doubles(global double* c, global const double* a, global const double* b, int m, int n, int j0, int k0) { int i = get_global_id(0); for (int j = j0; j < m; j++) { double s = b[j]; for (int k = k0; k < n; k++) s -= a[i * n + k] * b[k * m + j]; c[i * m + j] = s; } }
kernel void integers(global int* c, global const int* a, global const int* b, int m, int n, int j0, int k0) { int i = get_global_id(0); for (int j = j0; j < m; j++) { int s = j, t = 0; for (int k = k0; k < n; k++) { int x = a[i * n + k]; s += x * b[k * m + j]; t ^= x + j; } c[i * m + j] = s ^ t; } }
kernel void pointers(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { int i = get_global_id(0); global float* p = c + i * m + j0; for (int j = j0; j < m; j++) { float s = 0; global const float* q = a + i * n + k0; for (int k = k0; k < n; k++) s += *q++ * b[k * m + j]; *p++ = s; } }
kernel void promoted(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { int i = get_global_id(0); for (int k = k0; k < n; k++) c[i] += a[i * n + k] * b[k]; }
kernel void twice(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { int i = get_global_id(0); float s = 1; for (int k = k0; k < n; k++) { c[i] = c[i] * 0.5f + a[k * m + i]; s = s * 0.5f + c[i]; } c[i + 64] = s; }
kernel void last(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { int i = get_global_id(0); for (int k = k0; k < n; k++) c[i] = a[i * n + k] - b[k]; }
kernel void strided(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { int i = get_global_id(0); for (int k = k0; k < n; k++) { for (int j = j0; j < m; j++) c[(m - 1 - j) * 64 + i] += a[k * 64 + i] * b[k * m + j]; } }
kernel void triangle(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { int i = get_global_id(0); for (int j = j0 + i; j < m; j++) { c[i * m + j] = 0; for (int k = k0; k < n; k++) c[i * m + j] += a[k * 16 + i] * b[k * 16 + j]; c[j * m + i] = c[i * m + j]; } }
kernel void ordered(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { int i = get_global_id(0); for (int j = j0; j < m - 16; j++) { c[i * 64 + j + 3] = 0; for (int k = k0; k < n; k++) c[i * 64 + j + 3] += a[k * 16 + i] * b[k * 16 + j]; c[i * 64 + j] = 2 * c[i * 64 + j + 3]; c[i * 64 + j + 5] = c[i * 64 + j + 3]; } }
kernel void stale(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { int i = get_global_id(0); for (int j = j0; j < m; j++) { c[i * 64 + j] = 0; for (int k = k0; k < n; k++) c[i * 64 + j] += a[k * 16 + i] * b[k * 16 + j]; c[i * 64 + j + 1] = j; c[i * 64 + 63 - j] = c[i * 64 + j]; } }
kernel void rows(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { uint i = get_global_id(0); for (uint j = j0 + 20 - i; j < (uint)m + 12; j++) { c[i * 64 + j] = 0; for (int k = k0; k < n; k++) c[i * 64 + j] += a[k * 16 + i] * b[k * 8 + j]; c[i * 64 - j + 63] = c[i * 64 + j]; } }
kernel void ends(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { uint i = get_global_id(0); for (uint j = j0 + i; j < (uint)m; j++) { float s = j; for (int k = k0; k < n; k++) s += a[k * 16 + i] * b[k * 8 + j]; c[j * 64 + i] = s; } }
kernel void some(global float* c, global const float* a, global const float* b, int m, int n, int j0, int k0) { int i = get_global_id(0); if (i * i % 7 != 2) for (int k = k0; k < n; k++) c[i] += a[i * n + k] * b[k]; else c[i + 64] = b[i]; }
`

// TestNests compares nests for numbers of columns and iterations around the limits, when all is in the buffers and
// when not.
func TestNests(t *testing.T) {
	m := build(t, nestKernels)
	const items = 16
	var execs []exec.Executor
	for _, lv := range []*x86.Level{x86.AVX2, x86.AVX512} {
		if slices.Contains(levels(), lv) {
			execs = append(execs, New(Options{Panics: true, Level: lv, Lanes: lv.Lanes}))
		}
	}
	for f := range kernelsOf(m) {
		if !hasForm(t, f, spmd.Nests) {
			t.Errorf("%s has no nest", f.Name)
		}
		each := 4
		if f.Name == "doubles" {
			each = 8
		}
		for at, r := range [][4]int32{{37, 9, 0, 0}, {16, 8, 0, 0}, {21, 12, 1, 3}, {20, 7, 0, 0}, {20, 9, 21, 0}, {20, 9, 0, 10}, {20, 9, 0, -1}, {30, 9, -5, 0}} {
			if r[2] < 0 && f.Name != "ends" {
				continue // work-items would write others' columns
			}
			shapes := []shape{line(items)}
			if at == 0 {
				shapes = append(shapes, line(items-3))
			}
			for _, less := range []int{0, 130} {
				if less > 0 && at > 2 {
					continue
				}
				c, a, b := make(buf, 4096*each), make(buf, each*(1040-7*less)), make(buf, each*(512-2*less))
				if at%3 == 1 {
					c = c[:len(c)/2-less]
				}
				for _, x := range []buf{c, a, b} {
					for i := range x {
						x[i] = byte(i*41>>3) & 0x3f // no NaN
					}
				}
				alikeOn(t, execs, m, f.Name, shapes, c, a, b, i32(int(r[0])), i32(int(r[1])), i32(int(r[2])), i32(int(r[3])))
			}
		}
	}
}

// TestNestsOverlap uses buffers that share memory.
func TestNestsOverlap(t *testing.T) {
	m := build(t, nestKernels)
	const items = 16
	for _, name := range []string{"interchanged", "jammed", "promoted"} {
		for _, from := range []int{0, 64, 4 * 16 * 32} {
			c := filled(4*4096, func(i int) byte { return byte(i*41>>3) & 0x3f })
			b := make(buf, 4*1024)
			alike(t, m, name, []shape{line(items)}, c, again{0, from}, b, i32(16), i32(16), i32(0), i32(0))
		}
	}
}
