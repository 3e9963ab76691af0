//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// stepsSource has kernels of work-groups of 64 with nests of loops around barriers, all with known numbers of iterations.
const stepsSource = `
#define B barrier(CLK_LOCAL_MEM_FENCE)
#define GROUP __attribute__((reqd_work_group_size(64, 1, 1)))
kernel GROUP void transform(global const int *a, global int *o) { local int x[2][256]; int l = get_local_id(0), p = 0; size_t g = get_group_id(0) * 256;
 for (int q = 0; q < 4; q++) x[0][l + q * 64] = a[(g + l + q * 64) % 900];
 for (int n = 1; n < 256; n *= 4) { B; int k = l % n, j = l / n * n * 4 + k, v[4]; for (int q = 0; q < 4; q++) v[q] = x[p][l + q * 64] * (q * k + 1); p = 1 - p;
  x[p][j] = v[0] + v[1] + v[2] + v[3]; x[p][j + n] = v[0] - v[1]; x[p][j + 2 * n] = v[1] ^ v[2]; x[p][j + 3 * n] = v[3] - v[0]; }
 B; for (int q = 0; q < 4; q++) o[g + l + q * 64] = x[p][l + q * 64]; }
kernel GROUP void merge(global const int *a, global int *o) { local int t[64]; uint l = get_local_id(0); t[l] = a[get_global_id(0)];
 for (uint p = 1; p < 64; p *= 2) for (uint k = p; k > 0; k /= 2) { uint from = k % p; B; if (l >= from && ((l - from) & k) == 0 && l + k < 64 && l / (2 * p) == (l + k) / (2 * p)) { int x = t[l], y = t[l + k]; t[l] = min(x, y); t[l + k] = max(x, y); } }
 B; o[get_global_id(0)] = t[l]; }
kernel GROUP void outside(global const int *a, global int *o) { local int t[64]; int l = get_local_id(0), s = 0; t[l] = a[get_global_id(0)];
 for (int n = 1; n < 16; n *= 2) { for (int k = 0; k < 2; k++) { B; s += t[l + n * 4 * k] + a[l * n - 3]; } B; t[l] = s; } o[get_global_id(0)] = s; }
`

// TestSteps compares kernels whose loops around barriers are unrolled in code for their work-groups: results, and violations as of
// loops that are not.
func TestSteps(t *testing.T) {
	m := build(t, stepsSource)
	a := scrambled(1000)
	execs := executorsOf(Options{Unfold: true})
	for _, f := range m.Funcs {
		alikeOn(t, execs, m, f.Name, []shape{{[]uint64{192}, []uint64{64}}}, a, make(buf, 4*1024))
		c := listed(t, f, levels()[len(levels())-1], WholeGangs)
		if n := len(c.Listing.Plan.Loops.All); n > 0 {
			t.Errorf("%s: %d loops are left", f.Name, n)
		}
	}
}

// stencilSource has a stencil on the work-items from low to high, whose neighbours are clamped to these.
const stencilSource = `
kernel void stencil(global int *o, global const int *a, int low, int high, uint steps) {
 local int t[16][16], next[16][16]; int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * 64 + get_global_id(0); t[y][x] = a[at]; barrier(CLK_LOCAL_MEM_FENCE);
 int first = max(low + (int)get_group_id(0), 0), last = high - (int)get_group_id(1) > 15 ? 15 : high - (int)get_group_id(1), w = max(x - 1, first), e = min(x + 1, last), n = max(y - 1, first), s = min(y + 1, last);
 bool inside = false;
 for (uint i = 0; i < steps; i++) {
  inside = false;
  if (x >= (int)i + 1 && x < 15 - (int)i && y >= (int)i + 1 && y < 15 - (int)i && x >= first && x <= last && !(y < first) && last >= y) {
   inside = true;
   next[y][x] = t[y][x] * 3 + t[n][x] - t[s][x] * 5 + t[y][e] * 7 - t[y][w];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == steps - 1) break;
  if (inside) t[y][x] = next[y][x];
  barrier(CLK_LOCAL_MEM_FENCE);
 }
 if (inside) o[at] = next[y][x];
}`

// TestKnownSteps: code for launches with the same number of steps has its arrays in registers, although indices are clamped.
func TestKnownSteps(t *testing.T) {
	m := build(t, stencilSource)
	for _, x := range [][3]int{{0, 15, 1}, {-2, 16, 2}, {2, 14, 2}, {3, 9, 5}, {-1, 16, 3}, {-2147483648, 2147483647, 2}, {12, 4, 2}, {0, 15, 0}, {0, 15, 17}} {
		alikeOn(t, executorsOf(Options{Unfold: true}), m, "stencil", []shape{{[]uint64{64, 32}, []uint64{16, 16}}}, make(buf, 4*64*32), scrambled(64*32), i32(x[0]), i32(x[1]), i32(x[2]))
	}
	for _, lv := range levels() {
		c := compiled(t, m.Func("stencil"), Options{Level: lv})
		r := exec.NDRange{Dims: 2, Global: [3]uint64{64, backgroundItems / 16, 1}, Local: [3]uint64{16, 16, 1}}
		for i, steps := range []uint64{2, 2, 1000, 3, 4, 2} {
			env := &exec.Env{Range: r, Objects: []exec.Object{{Data: make([]byte, 1<<20)}, {Data: make([]byte, 1<<20)}}, Params: [][]uint64{{0}, {1 << ssa.ObjectShift}, {0}, {15}, {steps}}}
			c.base.forGroups(env) // starts to make it in the background
			waitMade(c)
			v := c.base.forGroups(env)
			if known := steps <= 3; v.local != r.Local || (v.Forms&spmd.Stepped != 0) != known || (v.Forms&spmd.Clamped != 0) != known || (v.Forms&spmd.Interior != 0) != known {
				t.Errorf("%s: launch %d with %d steps: code for %v with %v", lv.Name, i, steps, v.local, v.Forms)
			}
		}
	}
}

// TestStepParams finds the parameters that decide how often loops around barriers run.
func TestStepParams(t *testing.T) {
	loop := func(name, head string) string {
		return "kernel void " + name + "(global int *o, int n, uint from) { local int t[64]; int l = get_local_id(0); t[l] = l; " + head +
			" { barrier(CLK_LOCAL_MEM_FENCE); int x = t[(l + 1) % 64]; barrier(CLK_LOCAL_MEM_FENCE); t[l] = x + (int)i; } o[get_global_id(0)] = t[l]; }\n"
	}
	m := build(t, loop("steps", "for (int i = 0; i < n; i++)")+loop("both", "for (uint i = from; i < (uint)n; i++)")+
		loop("fixed", "for (uint i = from; i < from + 20; i++)")+loop("numbers", "for (int i = 0; i < 30; i++)"))
	for name, want := range map[string][]int{"steps": {1}, "both": {1, 2}, "fixed": nil, "numbers": nil} {
		if got := spmd.StepParams(m.Func(name), 4); !slices.Equal(got, want) {
			t.Errorf("%s: parameters %v, want %v", name, got, want)
		}
	}
}
