//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

const outsideKernels = `
typedef struct { int a[50]; float f; } Big;
kernel void copies(global const int* a, global int* b, global Big* s) { int i = get_global_id(0); Big x = s[i & 3], y[2] = {{{0}}};
  if (a[i] & 1) { x.a[a[i] % 50] = i; y[i & 1] = x; } if (a[i] & 2) s[i + 4] = y[a[i] & 1]; b[i] = y[0].a[i % 50] + y[1].a[a[i] % 50]; }
kernel void copyOutside(global const int* a, global int* b, global Big* s) { int i = get_global_id(0); Big x; x = s[a[i]]; b[i] = x.a[3]; if (i == 5) s[a[i] + 1000] = x; }
kernel void linear(global const int* a, global int* b, global Big* s) { size_t i = get_global_linear_id(), l = get_local_linear_id(); b[i] = l * 3 + get_global_id(0) + 100 * get_global_id(1); b[i + 300] += l; }
kernel void dims(global const int* a, global int* b, global Big* s) { int i = get_global_id(0), n = 0; int w = get_global_size(0);
  for (uint d = 0; d < 5; d++) n = n * 7 + get_global_id(d) + 3 * get_local_size(d) + get_group_id(d); b[(get_global_id(2) * get_global_size(1) + get_global_id(1)) * w + i] = n + get_global_id(a[i] & 3) + 5 * get_local_id(a[i] >> 3 & 3); }
int pick(int* p, int k) { local int* l = to_local(p); private int* q = to_private(p); global int* g = to_global(p); return (l ? 1000 + l[k] : 0) + (q ? 2000 + q[k] : 0) + (g ? 3000 + g[k] : 0); }
kernel void spaces(global int* a, global int* b, global Big* s) { int i = get_global_id(0); local int x[4]; x[i & 3] = 7; int y[4] = {1, 2, 3, 4}; barrier(CLK_LOCAL_MEM_FENCE);
  int* p = a[i] % 3 == 0 ? (int*)x : a[i] % 3 == 1 ? (int*)y : (int*)a; b[i] = pick(p, i & 3) + pick(a[i] & 8 ? a : 0, 1); if (a[0] == 0) b[i] += pick((int*)x, 0); }
__attribute__((noinline)) int deep(global const int* a, int* t, int i) { if (i < 0) return 1; t[i & 3] += a[i]; return t[i & 1] > 700 ? 3 : t[a[i] & 3]; }
__attribute__((noinline)) int twice(global const int* a, int i) { int t[4] = {i, 2, 3, 4}; for (int k = 0; k < a[i] % 3; k++) t[k] = deep(a, t, i) + deep(a, t, k - 1); return t[0] + t[1] * 3; }
kernel void called(global const int* a, global int* b, global Big* s) { int i = get_global_id(0); b[i] = i & 1 ? twice(a, i) : 5; for (int k = 0; k < 2; k++) b[i] += twice(a, i >> k); }
kernel void bools(global const int* a, global int* b, global Big* s) { int i = get_global_id(0); int4 x = (int4)(a[i], i, a[i] & 7, 3) > 5; b[i] = x[a[i] & 3] + 2 * (i & 1 ? x.x : x.w); }
`

// TestOutside compares host calls, and other rare operations.
func TestOutside(t *testing.T) {
	m := build(t, outsideKernels)
	a, s := scrambled(100), buf(ints(104*51, func(i int) int { return i }))
	for f := range kernelsOf(m) {
		shapes := []shape{line(1), line(40), {[]uint64{100}, []uint64{50}}}
		if f.Name == "linear" || f.Name == "dims" {
			shapes = append(shapes, shape{[]uint64{20, 5}, []uint64{20, 1}}, shape{[]uint64{20, 5}, []uint64{6, 2}}, shape{[]uint64{7, 5, 2}, []uint64{7, 5, 1}})
		}
		alike(t, m, f.Name, shapes, a, make(buf, 4*1000), s)
	}
}

// TestPrintf compares the kernels' output with the reference executor's.
func TestPrintf(t *testing.T) {
	m := build(t, `
kernel void p(global int* a) { int i = get_global_id(0), at = get_global_linear_id(); for (int k = 0; k < (i & 3); k++) a[at] = printf("%d.%d %s %v4hlf|", i, k, i & 1 ? "odd" : "even", (float4)(i, k, 0.5f, 1)); if (i % 7 == 0) printf("\n%c%ld\n", 'a' + i % 26, (long)i << 33); }
kernel void g(global int* a) { local int n; int l = get_local_id(0); if (l == 0) n = 0; barrier(CLK_LOCAL_MEM_FENCE); printf("%d ", l); atomic_inc(&n); barrier(CLK_LOCAL_MEM_FENCE); if (l == 1) printf("%d in %d,%d\n", n, (int)get_group_id(0), (int)get_group_id(1)); }
`)
	for _, f := range m.Funcs {
		for _, s := range []shape{line(50), {[]uint64{1000}, nil}, {[]uint64{20, 6}, []uint64{5, 3}}} {
			text := func(exec exec.Executor) string {
				k := kernelOf(t, m, exec, f.Name)
				var out bytes.Buffer
				args, bufs := arguments([]any{make(buf, 4096)})
				rep, err := RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: s.global, Local: s.local}, Workers: 2, Stdout: &out})
				if err != nil {
					t.Fatal(err)
				}
				if exec != interp.Reference && rep.Stats.Executor == interp.Reference.Name() {
					t.Errorf("%s is run by the reference executor", f.Name)
				}
				return fmt.Sprintf("%s%x", out.Bytes(), bufs)
			}
			want := text(interp.Reference)
			for _, lv := range levels() {
				for _, times := range []int{1, 2, 4} {
					if got := text(New(Options{Panics: true, Level: lv, Lanes: times * lv.Lanes})); got != want {
						t.Errorf("%s %s ×%d %v: printed %.300q, want %.300q", f.Name, lv.Name, times, s, got, want)
					}
				}
			}
		}
	}
}
