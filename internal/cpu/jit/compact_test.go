//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86"
)

const compactKernels = `
#define B barrier(CLK_LOCAL_MEM_FENCE)
#define SCAN_OF(n) local int t[n]; int l = get_local_id(0), i = get_global_id(0), x = a[i], on = x % 3 != 0, s = on; \
  t[l] = s; B; for (int d = 1; d < n; d <<= 1) { int m = l >= d ? t[l - d] : 0; B; t[l] = s += m; B; } int g = get_group_id(0) * n;
#define SCAN SCAN_OF(64)
#define K kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
K follow(global const int* a, global int* b) { SCAN; if (on) b[g + s - 1] = x; }
K twice(global const int* a, global int* b) { SCAN; if (on) b[(g + s - 1) * 2] = x; }
K back(global const int* a, global int* b) { SCAN; if (on) b[g + 64 - s] = x; }
K parts(global const int* a, global int* b) { SCAN; if (on) b[g + s - 1 + (x % 5 == 0) * 512] = x; }
K same(global const int* a, global int* b) { SCAN; if (on) b[g + s / 2] = x; }
K outside(global const int* a, global int* b) { SCAN; if (on) b[g + s - 3] = x; }
K floats(global const int* a, global float* b) { SCAN; if (on) b[g + s - 1] = x * 0.5f; }
K shorts(global const int* a, global short* b) { SCAN; if (on) b[g + s - 1] = x; }
K longs(global const int* a, global long* b) { SCAN; if (on) b[g + s - 1] = x; }
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void large(global const int* a, global int* b) { SCAN_OF(256); if (on) b[g + s - 1] = x; }
K last(global const int* a, global int* b) { SCAN; if (on) b[g + s - 1] = x; if (l == 63) b[600 + get_group_id(0)] = s; }
K beyond(global const int* a, global int* b) { SCAN; if (on) b[g + s + 700] = x; }
K before(global const int* a, global int* b) { SCAN; if (on) b[g + s - 70] = x; }
K both(global const int* a, global int* b) { SCAN; if (on) b[g + s - 1] = x; else b[600 + g + l - s] = x; }
K exclusive(global const int* a, global int* b) { SCAN; B; int e = l ? t[l - 1] : 0; b[i] = e; if (on) b[512 + g + e] = x; }
K total(global const int* a, global int* b) { SCAN; B; int n = t[63]; b[i] = n - s; b[600 + i] = n; }
K window(global const int* a, global int* b) { SCAN; b[i] = s; b[512 + i] = x & 1 ? s : on; }
K bits(global const int* a, global int* b) { local uint t[64]; uint l = get_local_id(0), i = get_global_id(0), x = a[i], on = ~x >> 2 & 1, s = on;
  t[l] = s; B; for (int d = 1; d < 64; d <<= 1) { int m = l >= d ? t[l - d] : 0; B; t[l] = s += m; B; } uint n = t[63]; b[get_group_id(0) * 64 + (on ? s - 1 : n + l - s)] = x; }
K counted(global const int* a, global int* b) { local int c; int l = get_local_id(0), i = get_global_id(0), x = a[i]; if (l == 0) c = 0; B; if (x & 1) b[get_group_id(0) * 64 + atomic_inc(&c)] = x; }
`

// TestCompaction compares stores of active lanes one after the other, and stores that only look like these.
func TestCompaction(t *testing.T) {
	m := build(t, compactKernels)
	a := scrambled(512)
	for f := range kernelsOf(m) {
		group := uint64(f.Kernel.ReqdGroupSize[0])
		alike(t, m, f.Name, []shape{{[]uint64{512}, []uint64{group}}}, a, make(buf, 8*1200))
		code := listed(t, f, x86.AVX512, WholeGangs)
		compressed := strings.Contains(code.Listing.Before, "vpcompressd")
		if want := !slices.Contains([]string{"shorts", "longs", "total", "window", "bits"}, f.Name); compressed != want {
			t.Errorf("%s: compressed elements: %v", f.Name, compressed)
		}
		if n := strings.Count(code.Listing.Before, "vpcompressd"); f.Name == "large" && n != 256/16 {
			t.Errorf("%s: %d compressions, want one for each gang", f.Name, n)
		}
		atKnown := strings.Contains(code.Listing.Before, "bzhi")
		if want := slices.Contains([]string{"follow", "outside", "floats", "large", "last", "beyond", "before", "both", "exclusive"}, f.Name); atKnown != want {
			t.Errorf("%s: compressed elements at known places: %v", f.Name, atKnown)
		}
		if f.Name == "large" && !strings.Contains(code.Listing.After, "], 65535") {
			t.Errorf("%s: masks in memory are loaded before they are tested", f.Name)
		}
	}
}
