//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// Kernels that violate bounds often. The first violation in order of work-items is late in time, or at a place
// where many others have violated before.
const manyKernels = `
#define ARGS (global int* a, global int* b, constant int* c, int n)
kernel void late ARGS { int i = get_global_id(0), s = 0; if ((i & 7) == 5) for (int k = 0; k < n; k++) s += a[100000 + k + i];
  if ((i & 7) == 2) b[-2 - i] = s; if ((i & 7) == 0) s += a[200000 - i]; b[i & 1023] = s; }
kernel void same ARGS { int i = get_global_id(0), s = 0; for (int k = 0; k < n; k++) { int at = k == n - 1 || (i & 15) > 9 ? 100000 + i : 0; s += a[at]; } b[i & 1023] = s; }
kernel void kinds ARGS { int i = get_global_id(0), s = 0; for (int k = 0; k < n; k++) { int m = (i + k) & 3; const int* p = m == 0 ? 0 : m == 1 ? (const int*)(a + 100000 + k) : m == 2 ? (const int*)(((ulong)77 + k) << 40) : (const int*)(b + i + k - n); s += p[k]; } b[i & 1023] = s; }
kernel void writes ARGS { int i = get_global_id(0); for (int k = 0; k < n; k++) { global int* p = (i & 3) == (k & 3) ? (global int*)((ulong)c + 4 * k) : a + 100000 * ((i ^ k) & 1); p[i & 31] = k; atomic_add(p + (k & 1), 1); } }
kernel void phases ARGS { local int s[64]; int l = get_local_id(0), i = get_global_id(0); s[l & 63] = l; if (l > 20) for (int k = 0; k < n; k++) s[l & 63] += a[100000 + l + k]; barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 30) for (int k = 0; k < n; k++) s[l & 63] -= a[-5 - l - k]; barrier(CLK_LOCAL_MEM_FENCE); if (l == 1) s[100 + l] = 4; barrier(CLK_LOCAL_MEM_FENCE); b[i & 1023] = s[(l + 1) & 63]; }
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void unfolded ARGS { local int s[64]; int l = get_local_id(0), i = get_global_id(0); s[l] = a[i & 31]; barrier(CLK_LOCAL_MEM_FENCE); b[i & 1023] = a[100000 + s[l ^ 1]] + a[l * 30]; barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 40) s[l] += a[i * 100 - 900] + a[l < 20 ? 200000 : l]; barrier(CLK_LOCAL_MEM_FENCE); for (int k = 0; k < n; k++) if (s[l] != 7) b[1020 + ((i + k) & 15)] = s[63 - l]; if (l == 2) b[-3] = 1; }
kernel void turns ARGS { local int s[64]; int l = get_local_id(0), i = get_global_id(0); s[l & 63] = 0; for (int k = 0; k < n; k++) { barrier(CLK_LOCAL_MEM_FENCE); if (l + k > n + 3) s[l & 63] += a[100000 + k]; if (a[0] == 1 && l > 3) s[70 + l + k] = 3; } b[i & 1023] = s[l & 63]; }
kernel void plane ARGS { int x = get_global_id(0), y = get_global_id(1), s = 0; if (x + y > 3) for (int k = 0; k < n; k++) s += a[100000 * (y & 1) + k * 1000 * (x & 1)]; if ((x & 7) == 6) s += b[100000 + x]; b[(x + y * 32) & 1023] = s; }
kernel void uniform ARGS { int i = get_global_id(0), s = 0; if (i & 1) for (int k = 0; k < n; k++) s += a[100000 + k]; s += a[200000]; if ((i & 31) == 31) b[50000] = s; }
kernel void said ARGS { int i = get_global_id(0), s = 0; for (int k = 0; k < n / 16; k++) { if (i & 1) s += a[100000 + k]; if ((i & 31) == 9) printf("%d", k); if ((i & 15) == 8 && k > 3) s += b[-1 - k]; } b[i & 1023] = s; }
`

// TestManyFindings compares the findings of millions of violations on several threads: the first at each place,
// the order of places, and the counts.
func TestManyFindings(t *testing.T) {
	m := build(t, manyKernels)
	execs := widths(1, 4)
	for f := range kernelsOf(m) {
		shapes := []shape{{[]uint64{2000}, []uint64{50}}, {[]uint64{1000}, nil}, {[]uint64{6400}, []uint64{64}}}
		switch f.Name {
		case "plane":
			shapes = []shape{{[]uint64{64, 32}, []uint64{8, 4}}, {[]uint64{50, 30}, []uint64{50, 1}}, {[]uint64{33, 40}, []uint64{5, 7}}}
		case "phases":
			shapes = append(shapes, shape{[]uint64{130, 12}, []uint64{50, 1}}, shape{[]uint64{100, 5, 4}, []uint64{50, 2, 1}})
		case "unfolded": // a run of machine code takes several rows of work-groups
			shapes = []shape{shapes[2], {[]uint64{128, 20}, []uint64{64, 1}}, {[]uint64{192, 3, 4}, []uint64{64, 1, 1}}}
		case "said":
			shapes = shapes[:2]
		}
		for _, s := range shapes {
			found := func(e exec.Executor, workers int) (list []string) {
				k := kernelOf(t, m, e, f.Name)
				args, _ := arguments([]any{append(buf(i32(1)), make(buf, 4000)...), make(buf, 4096), make(buf, 400), i32(200)})
				rep, err := RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: s.global, Local: s.local, NonUniform: true}, Workers: workers})
				if rep == nil {
					t.Fatal(err)
				}
				if e != interp.Reference && rep.Stats.Executor == interp.Reference.Name() {
					t.Errorf("%s %v is not run by %s", f.Name, s, e.Name())
				}
				for _, f := range rep.Findings {
					list = append(list, k.Locate(f)+": "+f.String())
				}
				return list
			}
			want := found(interp.Reference, 1)
			if len(want) == 0 {
				t.Errorf("%s %v: found %q", f.Name, s, want)
			}
			for i, e := range execs {
				workers := []int{1, 4, 2}[i%3]
				if got := found(e, workers); !slices.Equal(got, want) {
					t.Errorf("%s %v, %s, %d workers: found\n%s\nwant\n%s", f.Name, s, e.Name(), workers, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		}
	}
}
