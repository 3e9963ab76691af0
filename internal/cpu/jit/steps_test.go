//go:build amd64 && (linux || darwin || windows)

package jit

import "testing"

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
