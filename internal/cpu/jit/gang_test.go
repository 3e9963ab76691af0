//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/run/exec"
)

// TestGangs: kernels whose work-items mostly have the same control flow, with sizes for which all, some or no
// gangs do.
func TestGangs(t *testing.T) {
	m := build(t, `
kernel void bound(global const float* a, global float* b, int n) { int i = get_global_id(0); if (i >= n) return; b[i] = a[i] * 2 + 1; }
kernel void ubound(global const float* a, global float* b, uint n) { uint i = get_global_id(0); if (i < n) b[i] = a[i] * 2 + 1; }
kernel void lbound(global const float* a, global float* b, int n) { long i = get_global_id(0); if (i < n - 3L) { b[i] = a[i] * 2 + 1; if (i > 20) b[i] += a[i - 20]; } }
kernel void border(global const float* a, global float* b, int n) { int i = get_global_id(0); if (i > 0 && i < n - 1) b[i] = a[i - 1] + a[i + 1]; else b[i] = -1; }
kernel void shifted(global const float* a, global float* b, int n) { int i = (int)get_global_id(0) + 0x7fffffd0; if (i < n) b[i + 0x7fffffff + 0x31] = 1; else b[(uint)i - 0x7fffffd0u] = a[get_global_id(0)]; }
kernel void clamp_(global const float* a, global float* b, int n) { int i = get_global_id(0); b[i] = a[max(i - 1, 0)] + a[min(i + 1, n - 1)] + a[clamp(i + 7, 2, n - 1)]; }
kernel void around(global const float* a, global float* b, int n) { int i = get_global_id(0), l = i == 0 ? n - 1 : i - 1, r = i + 1 >= n ? 0 : i + 1; b[i] = a[i] - a[l] + a[r] * 2; }
kernel void near_(global const float* a, global float* b, int n) { int i = get_global_id(0); float s = 0; for (int k = -3; k <= n % 7; k++) s += a[clamp(i + k, 0, n)] * k; b[i] = s; }
kernel void one(global const float* a, global float* b, int n) { int i = get_global_id(0); float x = a[i]; if (i == n) b[i] = x; else { b[i] = x + 1; if (i != n + 1) b[i] += a[i]; } }
kernel void stride(global const float* a, global float* b, int n) { float s = 0; for (int i = get_local_id(0); i < n; i += get_local_size(0)) s += a[i]; b[get_global_id(0)] = s; }
kernel void down(global const float* a, global float* b, int n) { float s = 0; for (int i = (int)get_global_id(0); i >= 0; i -= 5) { s += a[i]; if (i > n) s += 1; } b[get_global_id(0)] = s; }
kernel void triangle(global const float* a, global float* b, int n) { int i = get_global_id(0); float s = 0; for (int k = 0; k <= i && k < n; k++) s += a[k]; b[i] = s; }
kernel void walk(global const float* a, global float* b, int n) { global const float* p = a + get_local_id(0); float s = 0; for (int k = 0; k < 3; k++) { s += *p++; for (global const float* q = p; q < p + 4; q++) s += *q; p += 2; } b[get_global_id(0)] = s; }
kernel void linear(global const float* a, global float* b, int n) { b[get_global_linear_id()] = a[get_local_linear_id()] + get_global_id(0) * 3 + get_global_id(1); }
kernel void early(global const float* a, global float* b, int n) { local float t[64]; int i = get_global_id(0), l = get_local_id(0); t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); if (i >= n) return; float x = t[l ^ 1]; barrier(CLK_LOCAL_MEM_FENCE); t[l] = x * 2; barrier(CLK_LOCAL_MEM_FENCE); b[i] = t[l] + 1; }
kernel void rounds(global const float* a, global float* b, int n) { local float t[64]; int l = get_local_id(0); float s = 0; for (int k = l; k < n; k += get_local_size(0)) { t[l] = a[k]; barrier(CLK_LOCAL_MEM_FENCE); s += t[l] * k; barrier(CLK_LOCAL_MEM_FENCE); } b[get_global_id(0)] = s; }
`)
	in := floats(600, func(i int) float32 { return float32(i*i%97) / 4 })
	for f := range kernelsOf(m) {
		t.Run(f.Name, func(t *testing.T) {
			for _, size := range [][2][]uint64{{{96}, {32}}, {{64}, {64}}, {{37}, {37}}, {{150}, {50}}, {{1}, {1}}, {{33, 5}, {11, 5}}, {{16, 3}, {16, 1}}} {
				for _, n := range []int{0, 20, 33, 140} {
					if len(size[0]) > 1 && f.Name != "linear" {
						continue
					}
					same(t, m, f.Name, size[0], size[1], true, buf(in), make(buf, 4*200), i32(n))
				}
				if t.Failed() {
					fmt.Println(f)
					return
				}
			}
		})
	}
}

// TestWidths: launches with work-groups of another size than the code's get their own variant, with the same
// results.
func TestWidths(t *testing.T) {
	m := build(t, `
kernel void turn(global const float* a, global float* b, local float* t) { int l = get_local_id(0), g = get_global_id(0); t[l] = a[g]; barrier(CLK_LOCAL_MEM_FENCE); b[g] = t[get_local_size(0) - 1 - l] * 2 + get_group_id(0); }`)
	f := m.Funcs[0]
	in := floats(2*backgroundItems, func(i int) float32 { return float32(i % 977) })
	for _, lv := range levels() {
		c := compiled(t, f, Options{Level: lv})
		if c.base.lanes != 4*lv.Lanes {
			t.Errorf("%s: %d lanes, want %d", lv.Name, c.base.lanes, 4*lv.Lanes)
		}
		short := x86.AVX2
		if lv.Lanes == short.Lanes {
			short = lv
		}
		widths := map[uint64]width{256: {lv, 4 * lv.Lanes}, uint64(lv.Lanes): {lv, lv.Lanes}, 8: {short, 8}, uint64(2 * lv.Lanes): {lv, 2 * lv.Lanes}}
		for row, w := range widths {
			if got := c.base.widthFor(row); got != w {
				t.Errorf("%s: rows of %d: %s %d, want %s %d", lv.Name, row, got.lv.Name, got.lanes, w.lv.Name, w.lanes)
			}
		}
		small := &exec.NDRange{Global: [3]uint64{64, 1, 1}, Local: [3]uint64{8, 1, 1}}
		if c.base.forGroups(launchOf(c, small)) != c.base {
			t.Errorf("%s: code is made for a few work-items", lv.Name)
		}
		large := &exec.NDRange{Global: [3]uint64{backgroundItems, 1, 1}, Local: [3]uint64{8, 1, 1}}
		c.base.forGroups(launchOf(c, large)) // starts to make it in the background
		waitMade(c)
		if s := c.base.forGroups(launchOf(c, large)); s.lanes != 8 || c.base.forGroups(launchOf(c, small)) != s {
			t.Errorf("%s: %d lanes", lv.Name, s.lanes)
		}
		// The range of a first launch selects the width in advance.
		first := &exec.NDRange{Global: [3]uint64{64, 1, 1}, Local: [3]uint64{uint64(lv.Lanes), 1, 1}}
		if c, err := compileKernel(f, Options{Panics: true, Level: lv}, first); err != nil || c.base.lanes != lv.Lanes || c.base.forGroups(launchOf(c, first)) != c.base {
			t.Errorf("%s: %d lanes for a first launch with groups of %d: %v", lv.Name, c.base.lanes, lv.Lanes, err)
		}
	}
	for _, local := range []uint64{4, 8, 16, 24, 64, 200} {
		same(t, m, f.Name, []uint64{2*backgroundItems - 5}, []uint64{local}, true, buf(in), make(buf, len(in)), 1024)
	}
}

// TestSpilledWidth: on AVX2, values have two registers also if some of them are spilled, but not in loops.
func TestSpilledWidth(t *testing.T) {
	const body = `uint a = i * 3, b = a ^ i, c = b * 5, d = c ^ a, e = d * 7, f = e ^ b, g = f * 9;
#define STEP { a += b * c; b ^= d + e; c = rotate(c, a & 7); d += f * g; e ^= a; f += b; g ^= c; }
`
	m := build(t, `
kernel void straight(global uint* o) { int i = get_global_id(0); `+body+` STEP STEP STEP o[i] = a ^ b ^ c ^ d ^ e ^ f ^ g; }
kernel void looped(global uint* o, int n) { int i = get_global_id(0); `+body+` for (int k = 0; k < n; k++) STEP o[i] = a ^ b ^ c ^ d ^ e ^ f ^ g; }`)
	for _, f := range m.Funcs {
		if c := compiled(t, f, Options{Level: x86.AVX2}); (c.base.lanes == 2*x86.AVX2.Lanes) != (f.Name == "straight") {
			t.Errorf("%s: %d lanes", f.Name, c.base.lanes)
		}
	}
	same(t, m, "straight", []uint64{77}, []uint64{7}, true, make(buf, 4*77))
	same(t, m, "looped", []uint64{77}, []uint64{7}, true, make(buf, 4*77), i32(5))
}

// TestGroupsInARow: work-groups that one run of machine code executes in sequence: with smaller groups at the
// end of rows, with local memory that must be zero at the start, and with a group that never ends.
func TestGroupsInARow(t *testing.T) {
	m := build(t, `
kernel void first(global const float* a, global float* b, local float* t) {
  int l = get_local_id(0), i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  b[i] = t[l] + get_group_id(0) * 100 + get_group_id(1) * 10000 + get_local_size(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); b[i] += t[get_local_size(0) - 1 - l];
}
kernel void stuck(global const float* a, global float* b, local float* t) {
  int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  if (get_group_id(0) % 5 == 3 && get_local_id(1) == 0) { t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_group_id(0) % 5 != 3) b[i] = a[i] + 1;
}`)
	in := floats(3000, func(i int) float32 { return float32(i % 977) })
	for _, c := range [][2][]uint64{{{640, 2}, {16, 1}}, {{643, 4}, {16, 2}}, {{100, 2}, {7, 2}}, {{1000, 1}, {100, 1}}} {
		same(t, m, "first", c[0], c[1], true, buf(in), make(buf, len(in)), 1024)
		same(t, m, "stuck", c[0], c[1], true, buf(in), make(buf, len(in)), 1024)
	}
}

// waitMade waits until all variants in progress are made.
func waitMade(c *Code) {
	c.mu.Lock()
	list := slices.Collect(maps.Values(c.variants))
	c.mu.Unlock()
	for _, v := range list {
		<-v.made
	}
}
