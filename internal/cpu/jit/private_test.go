//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// A shape is the size of a launch: global and local.
type shape struct{ global, local []uint64 }

// line returns a shape of one dimension with one work-group.
func line(n uint64) shape { return shape{[]uint64{n}, []uint64{n}} }

// alike runs a kernel on the reference executor and as machine code on each level, with gangs of each width,
// and compares buffers and findings.
func alike(t *testing.T, m *ssa.Module, kernel string, shapes []shape, list ...any) {
	t.Helper()
	var execs []exec.Executor
	for _, lv := range levels() {
		execs = append(execs, New(Options{Panics: true, Level: lv, Lanes: lv.Lanes}), New(Options{Panics: true, Level: lv, Lanes: 2 * lv.Lanes}), New(Options{Panics: true, Level: lv, Lanes: 4 * lv.Lanes}))
	}
	alikeOn(t, execs, m, kernel, shapes, list...)
}

// alikeOn is alike for the given executors.
func alikeOn(t *testing.T, execs []exec.Executor, m *ssa.Module, kernel string, shapes []shape, list ...any) {
	t.Helper()
	type outcome struct {
		bufs  [][]byte
		err   string
		found []string
	}
	all := func(exec exec.Executor) (out []outcome) {
		k := kernelOf(t, m, exec, kernel)
		for _, s := range shapes {
			args, bufs := arguments(list)
			rep, err := RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: s.global, Local: s.local, NonUniform: true}, Workers: 2})
			o := outcome{bufs: bufs}
			if err != nil {
				o.err = err.Error()
			}
			if rep != nil {
				for _, f := range rep.Findings {
					o.found = append(o.found, k.Locate(f)+": "+f.String())
				}
			}
			if rep == nil || exec != interp.Reference && rep.Stats.Executor == interp.Reference.Name() {
				t.Errorf("%s %v is not run by %s", kernel, s, exec.Name())
			}
			out = append(out, o)
		}
		return out
	}
	want := all(interp.Reference)
	for _, exec := range execs {
		got := all(exec)
		for k, w := range want {
			who := fmt.Sprintf("%s %s %v", kernel, exec.Name(), shapes[k])
			g := got[k]
			if w.err != g.err {
				t.Errorf("%s: error %q, want %q", who, g.err, w.err)
			}
			if !slices.Equal(w.found, g.found) {
				t.Errorf("%s: found\n%s\nwant\n%s", who, strings.Join(g.found, "\n"), strings.Join(w.found, "\n"))
			}
			for i := range w.bufs {
				if n := differ(w.bufs[i], g.bufs[i]); n >= 0 {
					e := min(n&^3+32, len(w.bufs[i]))
					t.Fatalf("%s: buffer %d differs at byte %d: got % x, want % x", who, i, n, g.bufs[i][n&^3:e], w.bufs[i][n&^3:e])
				}
			}
		}
	}
}

// differ returns the index of the first difference of two buffers, or -1.
func differ(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	n := 0
	for a[n] == b[n] {
		n++
	}
	return n
}

const privateKernels = `
#define K(name, T, N) kernel void name(global const int* a, global T* b) { \
  int i = get_global_id(0); T t[N]; \
  for (int k = 0; k < N; k++) t[k] = (T)(a[i] * (k + 3)); \
  if (a[i] & 1) { t[a[i] % N] = (T)(7); t[2] = t[1]; } \
  if (a[i] & 2) for (int k = 0; k < N; k++) t[k] += t[N - 1 - k]; \
  b[i] = t[a[i] % N] + t[(i * 5) % N] + t[3]; }
K(chars, char, 7) K(uchars, uchar, 16) K(shorts, short, 9) K(ushorts, ushort, 33) K(ints, int, 8) K(floats, float, 12) K(longs, long, 5) K(doubles, double, 17)
K(c2, char2, 7) K(s4, short4, 5) K(i3, int3, 6) K(f4, float4, 8) K(l2, long2, 4) K(d16, double16, 4) K(uc16, uchar16, 4) K(h3, short3, 4)
kernel void zero(global const int* a, global int* b) { int i = get_global_id(0); int n = 0;
  for (int r = 0; r < a[i] % 4; r++) { int t[70] = {0}; uchar c[13] = {0}; if (a[i] & 8) { int u[6] = {0}; u[a[i] % 6] += 3; n += u[i % 6]; }
    t[a[i] % 70] = 1 + r; c[a[i] % 13] = 2; for (int k = 0; k < 70; k++) n = n * 3 + t[k] + c[k % 13]; }
  b[i] = n; }
typedef struct { int x; float y; char c[3]; short s; } S;
kernel void structs(global const int* a, global float* b) { int i = get_global_id(0); S s[4];
  for (int k = 0; k < 4; k++) { s[k].x = k; s[k].y = a[i]; s[k].c[k & 1] = 3 + k; s[k].s = a[i] + k; }
  S u = s[a[i] & 3]; b[i] = u.y + u.x + u.c[0] + s[(a[i] + 1) & 3].c[1] + s[i & 3].s; }
int sum(int* p, int n) { int s = 0; for (int k = 0; k < n; k++) s += p[k]; return s; }
kernel void passed(global const int* a, global int* b) { int i = get_global_id(0); int t[8], u[8]; for (int k = 0; k < 8; k++) { t[k] = a[i] + k; u[k] = a[i] * k; }
  int* p = a[i] & 1 ? t : u; p[a[i] & 7] = 9; b[i] = sum(p, 8) + t[a[i] & 7]; }
kernel void outside(global const int* a, global int* b) { int i = get_global_id(0); int t[8]; for (int k = 0; k < 8; k++) t[k] = k;
  t[a[i] - 500] = 5; b[i] = t[a[i] - 500] + t[a[i] & 7] + (a[i] == 17 ? t[a[0] + 100] : 0); }
kernel void far(global const int* a, global int* b) { int i = get_global_id(0); int t[8]; t[3] = 4; long k = ((long)a[i] & 1) << 38; k += 3; t[k] = 7; b[i] = t[k] + t[(a[i] & 2) + k]; if (a[0] > -1) t[a[0] + 8] = 1; }
kernel void shuffled(global const int* a, global int* b) { int i = get_global_id(0); int t[16]; for (int k = 0; k < 16; k++) t[k] = k * a[i];
  for (int k = 15; k > 0; k--) { int j = (a[i] >> (k & 3)) % (k + 1); int x = t[k]; t[k] = t[j]; t[j] = x; } int h = 0; for (int k = 0; k < 16; k++) h = h * 31 + t[k]; b[i] = h; }
kernel void mixed(global const int* a, global int* b) { int i = get_global_id(0); uint t[4]; uchar* p = (uchar*)t; for (int k = 0; k < 16; k++) p[k] = a[i] + k; b[i] = t[a[i] & 3] + p[a[i] & 15]; }
kernel void twoBarriers(global const int* a, global int* b) { int i = get_global_id(0), l = get_local_id(0); local int s[64]; int t[6]; for (int k = 0; k < 6; k++) t[k] = a[i] + k;
  s[l] = t[a[i] % 6]; barrier(CLK_LOCAL_MEM_FENCE); t[l % 6] = s[get_local_size(0) - 1 - l]; barrier(CLK_LOCAL_MEM_FENCE); b[i] = t[a[i] % 6] * 3 + t[l % 6]; }
kernel void large(global const int* a, global int* b) { int i = get_global_id(0); int t[20000]; for (int k = 0; k < 20000; k += 999) t[k] = a[i] + k; t[a[i]] = 5; b[i] = t[999 * (a[i] & 15)] + t[a[i]] + t[19999]; }
`

// TestPrivate compares accesses to private arrays.
func TestPrivate(t *testing.T) {
	m := build(t, privateKernels)
	a := buf{}
	for i := range 100 {
		a = append(a, i32(i*7919%1000)...)
	}
	for _, f := range m.Funcs {
		if f.Kernel == nil {
			continue
		}
		alike(t, m, f.Name, []shape{line(1), line(40), {[]uint64{100}, []uint64{50}}}, a, make(buf, 100*128))
	}
}
