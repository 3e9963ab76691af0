//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/explain"
)

// windowForms are indices that repeat within a gang, or stay the same for several lanes. The distances of the last ones are
// negative or unknown.
var windowForms = []string{
	"(l & 7) * 4", "(l >> 3) * 4", "(l & 3) * 3 + (l >> 3 & 1)", "l >> 2 & 3", "(l & 1) * 700", "(l >> 2 & 1) * 300000",
	"(l & 7) * 90", "(l & 7) * -2 + 40", "(l & 7) * d",
}

// maxWindows is the number of forms that are windows in gangs of 16.
const maxWindows = 7

// windowKernels returns kernels that read at the indices and one more, by several types of indices and elements.
func windowKernels() string {
	var b strings.Builder
	for n, form := range windowForms {
		for k, t := range []string{"float", "short", "double"} {
			u := []string{"int", "uint", "size_t", "long"}[(k+n)%4]
			fmt.Fprintf(&b, "kernel void window_%d_%d(global %s *y, global const %s *x, int from, int d) { %s l = get_local_id(0), f = from; local %s z[40];\n", n, k, t, t, u, t)
			fmt.Fprintf(&b, "for (int i = l; i < 40; i += get_local_size(0)) z[i] = x[i] + (%s)1; barrier(CLK_LOCAL_MEM_FENCE);\n", t)
			fmt.Fprintf(&b, "%s s = x[%s + f]; for (int k = 0; k < 5; k++) s = s * (%s)3 + z[%s + k]; if (l %% 3 != 1) s += x[%s + f + 1];\n", t, form, t, form, form)
			b.WriteString("y[get_global_id(0)] = s; }\n")
		}
	}
	return b.String()
}

// TestWindows compares loads at such indices. Some are before the buffer or after it.
func TestWindows(t *testing.T) {
	m := build(t, windowKernels())
	data := filled(8*800, func(i int) byte { return byte(i*37>>2 + i>>8) })
	for f := range kernelsOf(m) {
		for k, s := range []shape{{[]uint64{128}, []uint64{64}}, {[]uint64{100}, []uint64{50}}} {
			alike(t, m, f.Name, []shape{s}, make(buf, 8*128), data, i32([]int{0, 3, -9, 60, 90, 1590}[(k+len(f.Name)+f.NumValues())%6]), i32(3))
		}
	}
}

// TestWindowsGather: lanes at constant distances need no gather.
func TestWindowsGather(t *testing.T) {
	m := build(t, windowKernels())
	for n := range windowForms {
		for _, lv := range levels() {
			if lv.Lanes < 16 {
				continue // the ids are affine in gangs of 8
			}
			name := fmt.Sprintf("window_%d_0", n)
			c := compiled(t, m.Func(name), Options{Level: lv, Lanes: 16})
			if window := c.base.Shapes>>explain.Window&1 != 0; window != (n < maxWindows) {
				t.Errorf("%s on %s: a window: %v", name, lv.Name, window)
			}
		}
	}
}
