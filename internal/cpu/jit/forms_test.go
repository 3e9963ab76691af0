//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"maps"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Each list has equivalent ways to write one kernel, the best first. `$` stands for the structure P.
//
// Ways that were tried and measured, and were within 1.3 of the best: loops with do, while and for, up and down, with
// counters of 8 to 64 bits and with advancing pointers; helper functions with parameters that are pointers, or that
// return structures; branches, conditional expressions, select, switch and early returns; tests of ids against sizes in
// both directions and of several types. Still slower are 2-D stencils that also clamp the element in the centre (1.9 times)
// or wrap by (x % n + n) % n (1.4), ranges whose rows are a little longer than a gang (2 to 3), and some rows at strides
// that are powers of two (1.4 to 2).
var ordinaryForms = []struct {
	name   string
	forms  []string
	only   string  // the only level that the list is for; empty: all
	longer float64 // allowed ratio of instructions in the hot code to the best form
}{
	{"grid stride", []string{
		"kernel void k(global float *y, global const float *x, uint n) { uint G = get_global_size(0); for (uint i = get_global_id(0); i < n; i += G) y[i] += x[i]; }",
		"kernel void k(global float *y, global const float *x, uint n) { for (uint i = get_global_id(0); i < n; i += get_global_size(0)) y[i] += x[i]; }",
		"kernel void k(global float *y, global const float *x, int n) { for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] += x[i]; }",
		"kernel void k(global float *y, global const float *x, long n) { for (long i = get_global_id(0); i < n; i += get_global_size(0)) y[i] += x[i]; }",
		"kernel void k(global float *y, global const float *x, ulong n) { for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) y[i] += x[i]; }",
		"kernel void k(global float *y, global const float *x, uint n) { for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) y[i] += x[i]; }",
		"kernel void k(global float *y, global const float *x, int n) { int i = get_global_id(0); while (i < n) { y[i] += x[i]; i += get_local_size(0) * get_num_groups(0); } }",
		"kernel void k(global float *y, global const float *x, int n) { for (int i = n - 1 - (int)get_global_id(0); i >= 0; i -= get_global_size(0)) y[i] += x[i]; }",
	}, "", 1.5},
	{"types of indices", []string{
		"kernel void k(global float *y, global const float *x) { size_t i = get_global_id(0); y[i] += x[i]; }",
		"kernel void k(global float *y, global const float *x) { int i = get_global_id(0); y[i] += x[i]; }",
		"kernel void k(global float *y, global const float *x) { uint i = get_global_id(0); y[i] += x[i]; }",
		"kernel void k(global float *y, global const float *x) { long i = get_global_id(0); y[i] += x[i]; }",
		"kernel void k(global float *y, global const float *x) { int i = get_global_size(0) - 1 - get_global_id(0); y[i] += x[i]; }",
		"kernel void k(global float *y, global const float *x) { y += get_global_id(0); x += get_global_id(0); *y += *x; }",
	}, "", 1.7},
	{"rows and columns", []string{
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0), j = get_global_id(1); y[j * w + i] += x[j * w + i]; }",
		"kernel void k(global float *y, global const float *x, int w) { int g = get_global_id(0), i = g % w, j = g / w; y[j * w + i] += x[j * w + i]; }",
		"kernel void k(global float *y, global const float *x, uint w) { uint g = get_global_id(0), i = g % w, j = g / w; y[j * w + i] += x[j * w + i]; }",
		"kernel void k(global float *y, global const float *x, ulong w) { size_t g = get_global_id(0), i = g % w, j = g / w; y[j * w + i] += x[j * w + i]; }",
		"kernel void k(global float *y, global const float *x, int w) { int g = get_global_id(0), j = g / w, i = g - j * w; y[j * w + i] += x[j * w + i]; }",
		"kernel void k(global float *y, global const float *x) { int g = get_global_id(0), i = g % 640, j = g / 640; y[j * 640 + i] += x[j * 640 + i]; }",
		"kernel void k(global float *y, global const float *x) { uint g = get_global_id(0), i = g & 1023, j = g >> 10; y[j * 1024 + i] += x[j * 1024 + i]; }",
	}, "", 3},
	{"own rows", []string{
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (int k = 0; k < w; k++) s += x[i * w + k]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (int k = i * w; k < i * w + w; k++) s += x[k]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (int k = i * w; k < (i + 1) * w; k++) s += x[k]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, ulong w) { size_t i = get_global_id(0); float s = 0; for (size_t k = i * w; k < i * w + w; k++) s += x[k]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { global const float *p = x + get_global_id(0) * w, *e = p + w; float s = 0; while (p < e) s += *p++; y[get_global_id(0)] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (global const float *p = x + i * w, *e = p + w; p != e; p++) s += *p; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (int k = w - 1; k >= 0; k--) s += x[i * w + k]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; int k = w; while (k-- > 0) s += x[i * w + k]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; int k = w; while (k--) s += x[i * w + k]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; global const float *p = x + (i + 1) * w; for (int k = 0; k < w; k++) s += *--p; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (int k = 0; k < w; k++) s += x[i * w + (w - 1 - k)]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (ushort k = 0; k < w; k++) s += x[i * w + k]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (int k = 0; k <= w - 1; k++) s += x[i * w + k]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; int k = 0; do s += x[i * w + k]; while (++k < w); y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (int k = 0; k < w; k += 2) { s += x[i * w + k]; s += x[i * w + k + 1]; } y[i] = s; }",
	}, "", 2}, // the pointers are compared once
	{"columns", []string{
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (int k = 0; k < w; k++) s += x[k * 4096 + i]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; int k = 0; if (w > 0) do { s += x[k * 4096 + i]; } while (++k < w); y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (int k = w - 1; k >= 0; k--) s += x[k * 4096 + i]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, uchar w) { int i = get_global_id(0); float s = 0; for (uchar k = 0; k < w; k++) s += x[k * 4096 + i]; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; global const float *p = x + i; for (int k = 0; k < w; k++, p += 4096) s += *p; y[i] = s; }",
		"kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (global const float *p = x + i, *e = p + w * 4096; p < e; p += 4096) s += *p; y[i] = s; }",
		"float get(global const float *p, int k) { return p[k * 4096]; } kernel void k(global float *y, global const float *x, int w) { int i = get_global_id(0); float s = 0; for (int k = 0; k < w; k++) s += get(x + i, k); y[i] = s; }",
	}, "", 5}, // the pointers are compared once, before the loop
	{"borders", []string{
		"kernel void k(global float *y, global const float *x, int n) { int i = get_global_id(0); y[i] = x[i + 1] + x[i + 2]; }",
		"kernel void k(global float *y, global const float *x, int n) { int i = get_global_id(0); y[i] = x[clamp(i - 1, 0, n - 1)] + x[clamp(i + 1, 0, n - 1)]; }",
		"kernel void k(global float *y, global const float *x, int n) { int i = get_global_id(0); y[i] = x[max(i - 1, 0)] + x[min(i + 1, n - 1)]; }",
		"kernel void k(global float *y, global const float *x, int n) { int i = get_global_id(0), l = i > 0 ? i - 1 : 0, r = i < n - 1 ? i + 1 : n - 1; y[i] = x[l] + x[r]; }",
		"kernel void k(global float *y, global const float *x, int n) { int i = get_global_id(0), l = i == 0 ? n - 1 : i - 1, r = i == n - 1 ? 0 : i + 1; y[i] = x[l] + x[r]; }",
		"kernel void k(global float *y, global const float *x, int n) { int i = get_global_id(0); y[i] = x[(i - 1 + n) % n] + x[(i + 1) % n]; }",
		"kernel void k(global float *y, global const float *x, uint n) { uint i = get_global_id(0); y[i] = x[(i - 1) & (n - 1)] + x[(i + 1) & (n - 1)]; }",
		"kernel void k(global float *y, global const float *x, ulong n) { size_t i = get_global_id(0); y[i] = x[(i + n - 1) % n] + x[(i + 1) % n]; }",
		"kernel void k(global float *y, global const float *x, int n) { int i = get_global_id(0), l = i - 1, r = i + 1; if (l < 0) l += n; if (r >= n) r -= n; y[i] = x[l] + x[r]; }",
		"kernel void k(global float *y, global const float *x, int n) { int i = get_global_id(0), l = i, r = i; if (i > 0) l--; if (i < n - 1) r++; y[i] = x[l] + x[r]; }",
	}, "", 6},
	{"structures", []string{
		"$ kernel void k(global P *p, float t) { size_t i = get_global_id(0); p[i].x += p[i].vx * t; p[i].y += p[i].vy * t; p[i].z += p[i].vz * t; }",
		"$ kernel void k(global P *p, float t) { global P *q = p + get_global_id(0); q->x += q->vx * t; q->y += q->vy * t; q->z += q->vz * t; }",
		"$ kernel void k(global P *p, float t) { int i = get_global_id(0); P q = p[i]; q.x += q.vx * t; q.y += q.vy * t; q.z += q.vz * t; p[i] = q; }",
		"$ void f(P *q, float t) { q->x += q->vx * t; q->y += q->vy * t; q->z += q->vz * t; } kernel void k(global P *p, float t) { int i = get_global_id(0); P q = p[i]; f(&q, t); p[i] = q; }",
	}, "avx512", 1.3},
	{"float3 members", []string{
		"typedef struct { float3 p, v; float m; } Q; kernel void k(global Q *p, float t) { size_t i = get_global_id(0); p[i].p += p[i].v * t; }",
		"typedef struct { float3 p, v; float m; } Q; kernel void k(global Q *p, float t) { Q q = p[get_global_id(0)]; q.p += q.v * t; p[get_global_id(0)] = q; }",
	}, "avx512", 1.3},
}

// TestOrdinaryForms: no form of a kernel gathers more than the best form in its hot code, and all have about as
// many instructions. The test counts instructions; package bench measures times.
func TestOrdinaryForms(t *testing.T) {
	const structure = "typedef struct { float x, y, z, m, vx, vy, vz, w; } P;"
	for _, lv := range []*x86.Level{x86.AVX2, x86.AVX512} {
		for _, x := range ordinaryForms {
			if x.only != "" && x.only != lv.Name {
				continue
			}
			best := 0.0
			for i, form := range x.forms {
				src := strings.ReplaceAll(form, "$", structure)
				c, _, err := List(build(t, src).Func("k"), lv, WholeGangs)
				if err != nil {
					t.Errorf("%s: %s: %v", lv.Name, form, err)
					continue
				}
				insts, slow := 0, map[*ssa.Value]bool{} // an access may have versions: the fastest counts
				for _, a := range c.Listing.Accesses {
					if c.Listing.Plan.Rare(a.Value.Block) {
						continue
					}
					of := c.Listing.Plan.Origin(a.Value)
					gathers := a.Shape == explain.Scattered || a.Shape == explain.LaneByLane
					if old, seen := slow[of]; !seen || old {
						slow[of] = gathers
					}
				}
				maps.DeleteFunc(slow, func(_ *ssa.Value, gathers bool) bool { return !gathers })
				for _, n := range c.Listing.Insts {
					if n.Body && !n.Cold && !n.Once {
						insts++
					}
				}
				each := float64(insts) / float64(c.Lanes)
				if i == 0 {
					best = each
				}
				if len(slow) > 0 || each > best*x.longer {
					t.Errorf("%s: %d accesses gather, %.2f instructions a work-item, the best has %.2f:\n%s", lv.Name, len(slow), each, best, form)
				}
			}
		}
	}
}
