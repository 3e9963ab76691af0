//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"strings"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Kernels whose code for work-groups of known size has no loop over gangs. The elements of t that a gang
// accesses depend on its ids in many ways. Some are out of bounds, some for some gangs only.
const unfoldKernels = `
#define B barrier(CLK_LOCAL_MEM_FENCE)
#define ARGS (global const int* a, global int* b, local int* t)
#define IDS local int u[256]; int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0), h = get_local_size(1), n = w * h, l = y * w + x; \
  int g = get_global_id(1) * get_global_size(0) + get_global_id(0); u[l] = a[g % 1200]
kernel void u_reduce ARGS { IDS; B; for (int s = n / 2; s > 0; s >>= 1) { if (l < s) u[l] += u[l + s]; B; } b[g] = u[0] + l; }
kernel void u_fixed ARGS { IDS; B; if (l < 32) u[l] += u[l + 32]; B; if (l < 16) u[l] += u[l + 16]; B; if (l < 7) u[l] += u[l + 8]; B; if (l == 3) u[l] += 5; B; b[g] = u[l]; }
kernel void u_scan ARGS { IDS; int p = 0; local int v[2][256]; v[0][l] = u[l]; B; for (int s = 1; s < 64; s <<= 1) { v[1 - p][l] = l >= s ? v[p][l] + v[p][l - s] : v[p][l]; p = 1 - p; B; } b[g] = v[p][l]; }
kernel void u_before ARGS { IDS; B; int s = 0; if (l >= 1) s = u[l - 1]; if (l >= 5u) s += u[l - 5u] * 3; if (x != 0 && x + 1 < w) s -= u[l + 1]; if (x == 20 || y == 1) s ^= 99; b[g] = s; }
kernel void u_tiles ARGS { IDS; int s = 0; for (int k = 0; k < get_num_groups(0) % 3 + 2; k++) { B; t[l] = u[(l * 3 + k) % n]; B; for (int j = 0; j < 8; j++) s += t[y * w + j % w] * u[j % h * w + x]; } b[g] = s; }
kernel void u_product ARGS { IDS; int s = 0; local int v[256]; v[l] = a[l + 7] - l; B; for (int i = 0; i < 8; i++) s += u[y * w + i] * v[i * w % n + x]; b[g] -= s; }
kernel void u_floats ARGS { IDS; float s = 1; for (int k = 0; k < 3; k++) { B; t[l] = u[n - 1 - l] + k; B; for (int j = 0; j < 4; j++) s = fma((float)t[y * w + j], (float)u[j * w % n + x], s); B; u[l] = t[(l + 7) % n]; } b[g] = as_int(s); }
kernel void u_kept ARGS { IDS; int k1 = a[l], k2 = a[l + 1] * x; long k3 = (long)k1 * k2; double k4 = k1; int4 k5 = (int4)(k1, k2, x, y); B; t[l] = k1; B; b[g] = t[n - 1 - l] + k2 + (int)k3 + (int)(k4 * 2) + k5.y * 3 + k5.w; }
kernel void u_inner ARGS { IDS; int s = 0; B; for (int k = x; k < a[3] % 90 + 10; k += 3) s += u[(k + l) % n]; B; t[l] = s; B; for (int k = 0; k < l % 7; k++) s += t[(l + k) % n]; b[g] = s; }
kernel void u_uniform ARGS { IDS; int s = 0, e = get_num_groups(0) + 70; B; for (int k = 0; k < e; k++) { int i = l + k; if (i < 90) s += u[(i * 3) % n]; else s ^= i; } b[g] = s; B; t[l] = s; B; b[g] += t[n - 1 - l]; }
kernel void u_guard ARGS { IDS; B; int m = a[5] % 40; if (l < m) t[l] = u[l]; else t[l] = -1; B; if (l >= m) t[l] += u[l - m]; B; b[g] = t[l] + (x < m ? u[x] : y); }
kernel void u_branch ARGS { IDS; if (get_group_id(0) & 1) { B; t[l] = u[n - 1 - l]; B; b[g] = t[(l + 5) % n]; } else b[g] = u[l]; }
kernel void u_bytes ARGS { IDS; local uchar c[300]; local short q[256]; local long z[256]; c[l] = l < 20 ? 7 : u[l]; q[l] = u[l] * 3; z[l] = u[l]; B; if (l > 2 && l < 41) b[g] = c[l - 3] + q[l - 1] + (int)z[l - 2]; else b[g] = c[l + 2] + q[l] + (int)z[n - 1 - l]; }
kernel void u_vectors ARGS { IDS; local int4 v[256]; v[l] = (int4)(l, u[l], x, y); B; int4 s = v[n - 1 - l]; if (l > 0) s += v[l - 1]; b[g] = s.x + 2 * s.y + 3 * s.z + 4 * s.w; }
kernel void u_outside ARGS { IDS; B; int s = u[l]; if (l % 16 > 3) s += u[l + (a[l] > 900 ? 100000 : 0)]; if (y * w + x == 37) b[g + 1000000] = s; t[l + (a[l] % 50 == 3 ? -2000 : 0)] = s; B; b[g] = t[l] + u[(l + n - 3) % n]; }
kernel void u_before_all ARGS { IDS; B; b[g] = l > 8 ? u[l - 300] : u[l]; }
kernel void u_linear ARGS { IDS; B; b[g] = u[n - 1 - get_local_linear_id()] + get_global_id(1) * 7 + get_group_id(1) * 3 + (int)get_enqueued_local_size(0) + get_num_groups(0); }
kernel void u_wrap ARGS { IDS; uint q = 0xfffffff0u + l; B; int s = 0; if (q < 300) s = u[q]; b[g] = s + (l - 20 < 10u) + ((uchar)(l + 250) < 9); }
kernel void u_taps ARGS { IDS; int s = 0, r = a[2] % 30; B; for (int k = 0; k <= 2 * r; k++) s += u[l + k]; b[g] = s; B; t[l] = s; B; for (int k = 0; k < r; k++) s += t[l + k] - t[l + k + 3]; b[g] ^= s; }
kernel void u_taps_outside ARGS { IDS; int s = 0, r = a[1] % 30; B; for (int k = 0; k <= 2 * r; k++) s += u[l + k - 5] * u[l + k + 180]; b[g] = s; }
kernel void n_private ARGS { IDS; int p[4] = {x, y, 3, l}; B; p[u[l] & 3] += u[(l + 1) % n]; B; b[g] = p[l & 3] + p[a[l] & 3]; }
kernel void n_atomics ARGS { IDS; B; atomic_add(&u[a[g % 1200] % n], l); B; b[g] = u[l]; }
`

// TestUnfolded compares kernels specialised for the work-groups of the first launch with the reference
// executor, on that launch and on others.
func TestUnfolded(t *testing.T) {
	m := build(t, unfoldKernels)
	a := scrambled(1200)
	first := []shape{{[]uint64{256}, []uint64{64}}, {[]uint64{192, 2}, []uint64{32, 2}}, {[]uint64{32, 24}, []uint64{16, 12}}, {[]uint64{64, 1}, []uint64{16, 1}}}
	execs := executorsOf(Options{Unfold: true})
	for f := range kernelsOf(m) {
		for k, s := range first {
			shapes := []shape{s}
			if k%3 == 0 { // launches with other work-groups
				shapes = []shape{s, {[]uint64{100}, []uint64{50}}, s, {[]uint64{90, 3}, []uint64{32, 2}}}
			}
			alikeOn(t, execs, m, f.Name, shapes, a, make(buf, 4*1200), 4*256)
		}
		for _, lv := range levels() {
			for _, s := range first {
				c, err := newCode(f, Options{Panics: true, Level: lv})
				if err != nil {
					t.Fatal(err)
				}
				key := variantKey{level: lv, local: [3]uint64{s.local[0], 1, 1}}
				if len(s.local) > 1 {
					key.local[1] = s.local[1]
				}
				v := c.variant(key, nil)
				if v.err != nil {
					t.Fatal(v.err)
				}
				if strings.HasPrefix(f.Name, "u_taps") && v.Forms&spmd.Inside == 0 {
					t.Errorf("%s on %s: no loop whose bounds are tested before it", f.Name, lv.Name)
				}
				if can := f.Name[0] == 'u'; v.local[0] != 0 != can {
					t.Errorf("%s on %s: code for work-groups of %v: %v", f.Name, lv.Name, s.local, !can)
				}
			}
		}
	}
}

// launchOf returns a launch of a kernel whose accesses are in bounds.
func launchOf(c *Code, r *exec.NDRange) *exec.Env {
	env := &exec.Env{Range: *r, Objects: []exec.Object{{Data: make([]byte, 1<<22)}}}
	env.Range.Dims = 1
	for range c.f.Params {
		env.Params = append(env.Params, []uint64{0})
	}
	return env
}

// TestUnfoldedLater: a kernel launched often with the same work-groups gets code for them; launches with other
// work-groups do not use it.
func TestUnfoldedLater(t *testing.T) {
	f := build(t, unfoldKernels).Func("u_reduce")
	for _, lv := range levels() {
		c := compiled(t, f, Options{Level: lv})
		often := &exec.NDRange{Global: [3]uint64{backgroundItems, 1, 1}, Local: [3]uint64{64, 1, 1}}
		c.base.forGroups(launchOf(c, often)) // starts to make it in the background
		for Pending() {
			time.Sleep(time.Millisecond)
		}
		s := c.base.forGroups(launchOf(c, often))
		if s.local != often.Local || !s.fits(often) {
			t.Errorf("%s: code for %v", lv.Name, s.local)
		}
		for _, r := range []*exec.NDRange{{Global: [3]uint64{100, 1, 1}, Local: [3]uint64{64, 1, 1}}, {Global: [3]uint64{64, 1, 1}, Local: [3]uint64{32, 1, 1}}} {
			if o := c.base.forGroups(launchOf(c, r)); o == s || s.fits(r) {
				t.Errorf("%s: code for %v is used for %v", lv.Name, o.local, r)
			}
		}
	}
}

// TestUnfoldedCode: accesses to local memory need no check and no register. A test of lanes is omitted if all
// lanes of a gang pass it, or none.
func TestUnfoldedCode(t *testing.T) {
	f := build(t, `kernel __attribute__((reqd_work_group_size(256, 1, 1))) void k(global float* out, global const float* in) {
  local float t[256]; int l = get_local_id(0); t[l] = in[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 128; s > 8; s >>= 1) { if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
  out[get_global_id(0)] = t[0]; }`).Func("k")
	out := listed(t, f, x86.AVX512, WholeGangs)
	var adds, branches int
	for _, b := range out.Listing.Plan.Order {
		for _, v := range b.Values {
			if v.Op == ssa.OpAdd && v.Type.K.Num().IsFloat() {
				adds++
			}
			if v.Op == ssa.OpBranch {
				branches++
			}
		}
	}
	if want := 8 + 4 + 2 + 1; adds != want || branches != 0 {
		t.Errorf("%d additions of a gang, want %d; %d branches", adds, want, branches)
	}
}
