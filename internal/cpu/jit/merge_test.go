//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
)

// TestMergedChecks: kernels whose neighbouring accesses share a bounds check. Buffers fit exactly, or are too
// small by one element, a few, or many. Indices wrap in 32 bits, between gangs or within one.
func TestMergedChecks(t *testing.T) {
	m := build(t, `
kernel void line(global const float* a, global float* b, int k, int w) { int i = get_global_id(0); b[i] = a[i + k - 1] + a[i + k] * 2 + a[i + k + 1] + a[i + k + 2]; }
kernel void wide(global const float* a, global float* b, int k, int w) { size_t i = get_global_id(0); b[i] = a[i + k - 1] + a[i + k] * 2 + a[i + k + 1] + a[i + k + 2]; }
kernel void unsig(global const float* a, global float* b, uint k, int w) { uint i = get_global_id(0); b[i] = a[i + k - 1] + a[i + k] * 2 + a[i + k + 1] + a[i + k - 2]; }
kernel void nine(global const float* a, global float* b, int k, int w) { int i = get_global_id(0); float s = 0; for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++) s += a[(1 + y) * w + (i + x) + k] * (y + 2 * x); b[i] = s; }
kernel void pointer(global const float* a, global float* b, int k, int w) { global const float* p = a + get_global_id(0) + k; b[get_global_id(0)] = p[-w - 1] + p[-w] + p[-w + 1] + p[-1] * p[0] - p[1] + p[w - 1] + p[w] * p[w + 1]; }
kernel void mixed(global const float* a, global float* b, int k, uint w) { size_t i = get_global_id(0); b[i] = a[i + (uint)(w + k - 1)] + a[i + (uint)(w + k)] * a[i + (uint)(w + k + 1)] - a[i + (uint)(w + k + 2)]; }
kernel void down(global const float* a, global float* b, int k, int w) { int i = get_global_id(0); b[i] = a[w - i + k] + a[w - i + k - 1] * 3 + a[w - i + k + 1] - a[w - i + k + 2]; }
kernel void udown(global const float* a, global float* b, uint k, uint w) { uint i = get_global_id(0); b[i] = a[w - i + k] + a[w - i + k - 1] * 3 + a[w - i + k + 1] - a[w - i + k + 2]; }
kernel void below(global const float* a, global float* b, int k, uint w) { uint i = get_global_id(0); long at = k; b[i] = a[at + (uint)(w - i)] + a[at + (uint)(w - i + 1)] * 3 + a[at + (uint)(w - i + 2)] - a[at + (uint)(w - i + 3)]; }
kernel void above(global const float* a, global float* b, int k, uint w) { long i = get_global_id(0); b[i] = a[k + i + (uint)(w - 4)] + a[k + i + (uint)(w - 3)] * 3 + a[k + i + (uint)(w - 2)] - a[k + i + (uint)w]; }
kernel void same(global const float* a, global float* b, int k, int w) { int i = get_global_id(0); b[i] = a[k - 1] + a[k] * i + a[k + 1] - a[k + 2]; }
kernel void fixed(global const float* a, global float* b, int k, int w) { int i = get_global_id(0); b[i] = a[0] + a[1] * i + a[2] * a[63] - a[64] + k; }
kernel void back(global const float* a, global float* b, int k, int w) { int i = get_global_id(0); b[i] = a[(long)(int)(i + k + 1) + w] + a[(long)(int)(i + k) + w] * 2 - a[(long)(int)(i + k + 2) + w] + a[(long)(int)(i + k - 1) + w]; }
kernel void turn(global const float* a, global float* b, uint k, int w) { uint i = get_global_id(0); b[i] = a[(long)(i + k + 1) + w] + a[(long)(i + k) + w] * 2 - a[(long)(i + k + 2) + w] + a[(long)(i + k - 1) + w]; }
kernel void cancel(global const float* a, global float* b, int k, int w) { int i = get_global_id(0); long d = (long)(i + k + 1) - (long)(i + k); b[i] = a[d + i] + a[d + i + 1] * 2 - a[d + i + 2] + a[d + i + 3]; }
kernel void far(global const float* a, global float* b, int k, int w) { int i = get_global_id(0) * 0x400000; b[get_global_id(0)] = a[(long)(i + k) + w] + a[(long)(i + k + 1) + w] * 2 - a[(long)(i + k + 2) + w] + a[(long)(i + k + 3) + w]; }
kernel void stores(global float* a, global float* b, int k, int w) { int i = get_global_id(0); a[i + k] = i; a[i + k + 64] = i * 2; a[i + k + 128] = i * 3; a[i + k + 192] = w; b[i] = 1; }
kernel void update(global float* a, global float* b, int k, int w) { int i = get_global_id(0); a[i + k] = a[i + k] * 2 + a[i + k + 64] - a[i + k + 128] + a[i + k + 192]; b[i] = i; }
typedef struct { float x, y, z, w; } body;
kernel void fields(global const body* a, global float* b, int k, int w) { global const body* p = a + get_global_id(0) + k; b[get_global_id(0)] = p->x + p->y * p->z - p->w; }
kernel void pairs(global const float2* a, global float* b, int k, int w) { int i = get_global_id(0); float2 s = a[i + k - 1] + a[i + k].yx * a[i + k + 1] - a[i + k + 2]; b[i] = s.x - s.y; }
kernel void threes(global const float* a, global float* b, int k, int w) { int i = get_global_id(0); float3 s = vload3(i + k - 1, a) + vload3(i + k, a).yzx * vload3(i + k + 1, a) - vload3(i + k + 2, a); b[i] = s.x - s.y + s.z; }
kernel void bytes(global const uchar* a, global float* b, int k, int w) { int i = get_global_id(0); b[i] = a[i + k - 1] + a[i + k] * 2 + a[i + k + 1] + a[i + k + 2] * a[i + k + 3]; }
kernel void rounds(global const float* a, global float* b, int k, int w) { int i = get_global_id(0); float s = 0; for (int j = 1; j < w; j *= 2) s += a[i + j + k - 1] + a[i + j + k] * 2 + a[i + j + k + 1] - a[i + j + k + 2]; b[i] = s; }
kernel void border(global const float* a, global float* b, int k, int w) { int i = get_global_id(0); if (i > 0 && i < w - 1) b[i] = a[i + k - 1] + a[i + k] * 2 + a[i + k + 1] - a[i + k + 2]; }
kernel void known(global const float* a, global float* b, int k, int w) { int i = get_global_id(0); float x = a[i + k]; int j = i * 2 + k; float s = x + a[j] * a[j + 1] + a[j + 2] - a[j + 3]; b[i] = s; b[i + 64] = a[i + k] * j; }
kernel void twice(global const float* a, global float* b, int k, int w) { int i = get_global_id(0); float s = a[i + k - 1] + a[i + k] * 2 + a[i + k + 1] - a[i + k + 2]; if (w > 5) s += a[i + k + w] - a[i + k + w + 1] * a[i + k + w + 2] + a[i + k + w + 3]; b[i] = s; }
`)
	const lanes = 64
	list := func(n int) buf { return buf(floats(n, func(i int) float32 { return float32(i*7%97) / 4 })) }
	merged := 0
	for f := range kernelsOf(m) {
		if hasForm(t, f, spmd.MergedChecks) {
			merged++
		} else {
			t.Logf("%s has no such checks", f.Name)
		}
		for _, r := range [][2]int{{1, 3}, {1, 66}, {0, 10}, {2, 4}, {-1, 7}, {100, 9}, {0x7fffffe0, 5}, {0x7fffffc0, 0}, {-0x80000000, 0}, {-0x7ffffff0, -70}, {-30, 33}, {0x7fffffee, -0x7ffffff0}, {-17, 17}, {1 << 28, -1 << 28}, {1<<29 - 32, 2}} {
			for _, size := range []int{lanes - 2, lanes + 2, lanes + 3, 2*lanes + 11, 4*lanes - 1, 4 * lanes} {
				args := []any{list(size), make(buf, 8*lanes), i32(r[0]), i32(r[1])}
				sameOneGroup(t, m, f.Name, args)
			}
		}
	}
	if merged < 20 {
		t.Errorf("only %d kernels with shared checks", merged)
	}
}
