//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/interp"
)

// TestChecksBeforeLoops: loops with hoisted bounds checks. Buffers fit exactly, are too small by one element at
// either end, are much too small, or suffice only because the loop ends early. Counters are near the limits of
// their types.
func TestChecksBeforeLoops(t *testing.T) {
	m := build(t, `
kernel void row(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) s += a[i + k]; b[i] = s; }
kernel void same(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) s += a[k]; b[i] = s; }
kernel void fill(global float* a, global float* b, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[64 * k + i] = k; b[i] = 1; }
kernel void down(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) s += a[i + n - k]; b[i] = s; }
kernel void product(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) s += a[k * n + i]; b[i] = s; }
kernel void steps(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k += 4) s += a[i + k] - a[i + k + 1] * a[k + 3]; b[i] = s; }
kernel void unsig(global const float* a, global float* b, uint k0, uint n) { uint i = get_global_id(0); float s = 0; for (uint k = k0; k < n; k++) s += a[i + k]; b[i] = s; }
kernel void wide(global const float* a, global float* b, int k0, int n) { size_t i = get_global_id(0); float s = 0; for (long k = k0; k < n; k++) s += a[i + k]; b[i] = s; }
kernel void uwide(global const float* a, global float* b, int k0, int n) { size_t i = get_global_id(0); float s = 0; for (ulong k = (long)k0; k < (long)n; k++) { if (k > 300) break; s += a[i + k]; } b[i] = s; }
kernel void far(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (long k = k0; k < n; k++) s += a[i + k * 0x100000000L]; b[i] = s; }
kernel void early(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) { if (k - k0 == 7) break; s += a[i + k]; } b[i] = s; }
kernel void seldom(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) { if (k & 1) s += a[i + k]; else s -= 1; } b[i] = s; }
kernel void wraps(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) s += a[i + k + 0x7ffffff0 - k0]; b[i] = s; }
kernel void around(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; int c = 0; for (int k = 0x7fffffff - 5; k < 0x7fffffff - n; k += 4) { s += a[(k - 0x7ffffffa) * 100 + k0] - a[(k - 0x7ffffffa) * 50 + k0 + 1]; if (++c > 9 + k0) break; } b[i] = s; }
kernel void twice(global float* a, global float* b, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[64 * k + i] = a[64 * k + i] * 0.5f + a[64 * k + i + 0] * k - b[i]; b[i] = 1; }
kernel void nested(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int j = 0; j < 3; j++) for (int k = k0; k < n; k++) s += a[j * 64 + i + k] * a[k]; b[i] = s; }
kernel void head(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; a[k] < 200.0f && k < n; k++) s += a[k + i]; b[i] = s; }
kernel void before(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0, x; for (int k = k0; x = a[i + k], k < n; k++) s += x * a[k + 1] - a[k]; b[i] = s + x; }
kernel void pair(global const float2* a, global float* b, int k0, int n) { int i = get_global_id(0); float2 s = 0; for (int k = k0; k < n; k++) s += a[i + k] * a[k].yx; b[i] = s.x - s.y; }
kernel void bytes(global const uchar* a, global float* b, int k0, int n) { int i = get_global_id(0); uint s = 0; for (int k = k0; k < n; k++) s += a[i + 4 * k] + a[4 * k + 1]; b[i] = s; }
kernel void upto(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k <= n; k++) s += a[i + k]; b[i] = s; }
kernel void upto_steps(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; !(k > n); k += 4) s += a[i + k]; b[i] = s; }
kernel void upto_most(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k <= n + 15; k++) { if ((uint)(k - k0) > 40) break; s += a[i + k]; } b[i] = s; }
kernel void taps(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) s += a[i + k + 16] - a[i + k] + a[i + k - 3] * a[i + k + 40]; b[i] = s; }
kernel void unsig_taps(global const float* a, global float* b, uint k0, uint n) { uint i = get_global_id(0); float s = 0; for (uint k = k0; k < n; k++) s += a[i + k + 16] - a[i + k] + a[i + k - 3] * a[i + k + 40]; b[i] = s; }
kernel void some_taps(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); float s = 0; for (int k = k0; k < n; k++) { if (b[i] == 0) s += a[i + k - 4] * a[i + k + 4]; s += a[i + k] - a[i + k + 1]; } b[i] = s; }
kernel void moved(global float* a, global float* b, int k0, int n) { int i = get_global_id(0); for (int k = k0; k < n; k++) a[64 * k + i] = a[64 * k + i + 64] + a[64 * k + i - 64]; b[i] = 1; }
kernel void pointer(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); global const float* p = a + i + k0; float s = 0; for (int k = k0; k < n; k++) s += *p++; b[i] = s; }
kernel void guarded(global const float* a, global float* b, int k0, int n) { int i = get_global_id(0); if (i < 40) { float s = 0; for (int k = k0; k < n; k++) s += a[i + k]; b[i] = s; } }
`)
	const lanes = 64
	list := func(n int) buf { return buf(floats(n, func(i int) float32 { return float32(i*7%97) / 4 })) }
	inside := 0
	for f := range kernelsOf(m) {
		if hasForm(t, f, spmd.Inside) {
			inside++
		}
		for _, r := range [][2]int{{0, 20}, {0, 1}, {0, 0}, {5, 5}, {5, 3}, {3, 40}, {-1, 20}, {-3, 2}, {0, -1}, {-0x80000000, -0x7ffffff0}, {0x7fffffe0, 0x7ffffff0}} {
			if strings.HasPrefix(f.Name, "unsig") && r[1] < 0 && r[0] >= 0 {
				continue // too many iterations
			}
			for _, size := range []int{r[1] + lanes - 1, r[1] + lanes, r[1] + lanes - 2, 20 * lanes, 20*lanes - 1} {
				if size > 1<<20 || size < 1 {
					continue
				}
				args := []any{list(size), make(buf, 4*lanes), i32(r[0]), i32(r[1])}
				sameOneGroup(t, m, f.Name, args)
			}
		}
	}
	if inside < 21 {
		t.Errorf("only %d loops with hoisted checks", inside)
	}
}

// sameOneGroup compares a launch of 64 work-items in one group, findings included, with the reference executor.
// It runs on the levels that extend no other level.
func sameOneGroup(t *testing.T, m *ssa.Module, kernel string, args []any) {
	t.Helper()
	items := []uint64{64}
	want, wantErr := run(t, m, kernel, interp.Reference, items, items, args)
	for _, lv := range levels() {
		if lv.Base != nil {
			continue
		}
		got, err := run(t, m, kernel, New(Options{Panics: true, Level: lv}), items, items, args)
		if err != wantErr || !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("%s %s, %d bytes, %x: error %q, want %q\n%x\n%x", kernel, lv.Name, len(args[0].(buf)), args[2:], err, wantErr, got, want)
		}
	}
}

// hasForm reports whether a kernel's code uses a form.
func hasForm(t *testing.T, f *ssa.Func, form spmd.Forms) bool {
	t.Helper()
	code := listed(t, f, levels()[0], WholeGangs)
	return code.Forms&form != 0
}

// TestUniformWrap: 32-bit indices that wrap, so that the uniform address differs from the byte offset that the
// loop counts.
func TestUniformWrap(t *testing.T) {
	m := build(t, `
kernel void back(global const float* a, global float* b, uint n) { int i = get_global_id(0); float s = 0; for (uint j = 0; j < n; j++) if (j > 0) s += a[j - 1]; b[i] = s + i; }
kernel void some(global const float* a, global float* b, uint n) { int i = get_global_id(0); float s = 0; if (i % 3 == 1) for (uint j = 0; j < n; j++) if (j > 0) s += a[j - 1]; b[i] = s + i; }
kernel void pair(global const float4* a, global float* b, uint n) { int i = get_global_id(0); float4 s = 0; if (i > 4) for (uint j = 0; j < n / 4; j++) if (j > 0) s += a[j - 1]; b[i] = s.x + s.w * i; }
kernel void half_range(global const float* a, global float* b, uint n) { int i = get_global_id(0); float s = 0; for (uint j = 0x80000000u; j < 0x80000000u + n; j++) s += a[2u * j / 2u]; b[i] = s; }
kernel void twice(global const short* a, global float* b, uint n) { int i = get_global_id(0); short s = 0; for (uint j = 0x80000000u - 4; j < 0x80000000u + n; j++) if (j >= 0x80000000u) s += a[2 * j]; b[i] = s; }
kernel void atomics(global atomic_int* a, global float* b, uint n) { int i = get_global_id(0); int s = 0; if (i & 1) for (uint j = 0; j < n; j++) if (j > 0) s += atomic_load(a + (j - 1)); b[i] = s; }
`)
	a := buf(floats(64, func(i int) float32 { return float32(i%13) + 0.25 }))
	for _, f := range m.Funcs {
		if f.Kernel != nil {
			same(t, m, f.Name, []uint64{130}, []uint64{130}, true, a, make(buf, 4*130), i32(30))
		}
	}
}
