//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

const longKernels = `
kernel void average(global const uchar *a, global uchar *b, int n) { size_t i = get_global_id(0); b[i] = rhadd(a[i], a[i + n]); }
kernel void narrow(global const ushort *a, global uchar *b, int n) { int i = get_global_id(0); b[i] = convert_uchar_sat(a[i + n] - 77); }
kernel void horner(global const float *a, global float *b, int n) { int i = get_global_id(0); float x = a[i], s = 0.5f; for (int k = 0; k < n + 5; k++) s = s * x + 0.25f; b[i] = s; }
kernel void chain(global const float *a, global float *b, int n) { int i = get_global_id(0); float x = a[i]; for (int k = 0; k < 9; k++) x = convert_uchar_sat_rte(x) * 1.25f - n; b[i] = x; }
kernel void rows(global const float *a, global float *b, int n) { int i = get_global_id(0) + 50 * get_global_id(1); float x = a[i], s = n; for (int k = 0; k < 9; k++) s = s * x + k; b[i] = s; }
kernel void vectors(global const char4 *a, global char4 *b, int n) { int i = get_global_id(0); b[i] = max(a[i].wzyx, a[i + n]); }
kernel void doubles(global const float2 *a, global double2 *b, int n) { int i = get_global_id(0); double2 x = convert_double2(a[i]); for (int k = 0; k < n; k++) x = x * x + 0.5; b[i] = x; }
kernel void backwards(global const int *a, global int *b, int n) { int i = get_global_id(0); b[n + 400 - i] = a[2 * i] * 3 ^ i; }
kernel void chosen(global const int *a, global short *b, int n) { int i = get_global_id(0); b[i] = a[i] > n ? i : 7; }
kernel void divided(global const long *a, global long *b, int n) { int i = get_global_id(0); b[i] = a[i] / (a[i + 1] | 1) + i; }
kernel void scattered(global const uchar *a, global int *b, int n) { int i = get_global_id(0); b[a[i] + n] = 1; }
kernel void looked(constant uchar *a, global uchar *b, int n) { int i = get_global_id(0); b[i] = a[a[i + n]]; }
kernel void parted(global const int *a, global int *b, int n) { int i = get_global_id(0); int x = a[i]; while (x > 0) x = x / 2 - 1; b[i] = x; }
kernel void private_(global const int *a, global int *b, int n) { int i = get_global_id(0); int t[4]; for (int k = 0; k < 4; k++) t[k] = a[i] + k; b[i] = t[n & 3]; }
`

// TestLongGangs: kernels whose gangs may be longer than a mask register, and some whose gangs may not. Sizes
// leave every kind of remainder; accesses fail at the beginning, in the middle and at the end of a gang.
func TestLongGangs(t *testing.T) {
	m := build(t, longKernels)
	in := floats(1200, func(i int) float32 { return float32(i%251)/125 - 1 })
	short := map[string]bool{"scattered": true, "parted": true, "private_": true}
	for _, lv := range levels() {
		lanes := 8 * lv.Lanes
		for _, f := range m.Funcs {
			c := compiled(t, f, Options{Level: lv, Lanes: lanes})
			want := lanes
			if short[f.Name] || f.Name == "looked" && !lv.Target().Tables.Has(1) {
				want = lv.Masked()
			}
			if c.base.lanes != want || c.base.Lanes != want {
				t.Errorf("%s %s: %d lanes, want %d", f.Name, lv.Name, c.base.lanes, want)
			}
			for _, n := range []int{0, -3, 130} {
				for _, global := range [][]uint64{{128}, {256}, {300}, {383, 2}, {60}} {
					for _, size := range []int{4800, 517, 100} {
						list := []any{buf(in[:size]), make(buf, 4900-size), i32(n)}
						want, werr := run(t, m, f.Name, interp.Reference, global, nil, list)
						got, gerr := run(t, m, f.Name, New(Options{Panics: true, Level: lv, Lanes: lanes}), global, nil, list)
						if werr != gerr {
							t.Errorf("%s %s %v n %d size %d: error %q, want %q", f.Name, lv.Name, global, n, size, gerr, werr)
						}
						for i := range want {
							if f.Name != "scattered" && !bytes.Equal(want[i], got[i]) {
								t.Errorf("%s %s %v n %d size %d: buffer %d differs", f.Name, lv.Name, global, n, size, i)
							}
						}
						if t.Failed() {
							return
						}
					}
				}
			}
		}
	}
}

// TestLongWhere: gangs become longer if that pays and no row has a remainder.
func TestLongWhere(t *testing.T) {
	m := build(t, longKernels)
	for _, x := range []struct {
		kernel string
		items  uint64
		long   bool
	}{
		{"average", 1 << 10, true}, {"average", 1<<10 + 64, false}, {"chain", 1 << 10, true}, {"chain", 96, false},
		{"doubles", 1 << 10, false}, {"scattered", 1 << 10, false}, {"parted", 1 << 10, false}, {"private_", 1 << 10, false},
	} {
		r := exec.NDRange{Dims: 1, Global: [3]uint64{x.items, 1, 1}, Local: [3]uint64{1, 1, 1}}
		c, err := compileKernel(m.Func(x.kernel), Options{Panics: true, Level: x86.AVX512}, &r)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.base.lanes > x86.AVX512.Masked(); got != x.long {
			t.Errorf("%s, %d work-items: %d lanes", x.kernel, x.items, c.base.lanes)
		}
	}
}
