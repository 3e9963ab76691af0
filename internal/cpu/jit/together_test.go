//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/explain"
)

// togetherSource has kernels in which some lanes of a gang store small elements side by side. T is the elements' type. In some
// gangs all lanes store.
const togetherSource = `
#define ID int i = get_global_id(0)
#define SOME if (f[i] % 9 == 0) return
kernel void plain(global T *a, global const int *f, int n) { ID; SOME; a[i + n] = f[i] * 3; }
kernel void neighbours(global T *a, global const int *f, int n) { ID; SOME; a[i] = f[i]; a[i + 400] = f[i] + 1; a[i + 701] = a[i] + 7; }
kernel void ring(global T *a, global const int *f, int n) { ID; SOME; a[(i % n + 1) % n + i / n * n] = f[i] * 5; }
kernel void ring64(global T *a, global const int *f, int n) { ID; SOME; uint x = (uint)i % 64; a[(x + 1) % 64 + (uint)i / 64 * 64] = f[i] * 5; }
kernel void rings(global T *a, global const int *f, int n) { ID; uint x = (uint)i % 64; a[(x + 63) % 64 + (uint)i / 64 * 64] = f[i] * 5; }
kernel void wraps(global T *a, global const int *f, int n) { ID; a[i + 1 == n ? 0 : i + 1] = f[i] - 1; }
kernel void loop(global T *a, global const int *f, int n) { ID; SOME; for (int k = 0; k < 5; k++) a[i + k * 256] += f[i + k]; }
kernel void outside(global T *a, global const int *f, int n) { ID; SOME; a[i + 600 - n] = f[i]; a[i - n] = 7; }
kernel void tile(global T *a, global const int *f, int n) { ID; int l = get_local_id(0); local T t[96]; t[l] = 5; barrier(CLK_LOCAL_MEM_FENCE); if (f[i] % 9) t[l + n % 32] = f[i]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[l]; }
`

// TestTogether compares results and findings with the reference executor's.
func TestTogether(t *testing.T) {
	for _, typ := range []string{"uchar", "short"} {
		m := build(t, strings.ReplaceAll(togetherSource, "T ", typ+" "))
		for f := range kernelsOf(m) {
			shapes := []shape{{[]uint64{192}, []uint64{64}}, {[]uint64{200}, []uint64{40}}, line(53), line(5)}
			if f.Name == "wraps" {
				shapes = []shape{line(64)}
			}
			for _, seed := range []int{0, 1} { // with 1 most gangs store together
				alike(t, m, f.Name, shapes, scrambled(1600), buf(ints(400, func(i int) int { return i*(1+seed*8) + seed + i/50 })), i32(64))
			}
		}
	}
}

// TestTogetherShapes: no such store is only a scatter.
func TestTogetherShapes(t *testing.T) {
	m := build(t, strings.ReplaceAll(togetherSource, "T ", "short "))
	for _, lv := range levels() {
		for _, name := range []string{"plain", "neighbours", "loop"} {
			if shapes := compiled(t, m.Func(name), Options{Level: lv}).base.Shapes; shapes>>explain.Scattered&1 != 0 {
				t.Errorf("%s on %s: the shapes are %b", name, lv.Name, shapes)
			}
		}
	}
}
