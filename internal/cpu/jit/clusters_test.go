//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/explain"
)

// clusterForms are indices at which clusters of lanes are at constant distances. The elements of the last one are in too many vectors.
var clusterForms = []string{
	"(l & 7) * 4 + (l >> 3) * 33", "(l & 7) * 3 + 1 + (l >> 3) * d", "(l & 3) * 2 + (l >> 2) * 9", "(l >> 3) * d + (l & 7) * 4 + e", "(l & 15) * 24 + (l >> 4)",
}

// clusterKernels returns kernels that read and write at these indices.
func clusterKernels() string {
	var b strings.Builder
	for n, form := range clusterForms {
		for k, t := range []string{"float", "float2", "uint", "double"} {
			u := []string{"int", "uint", "long"}[(k+n)%3]
			fmt.Fprintf(&b, "kernel void cluster_%d_%d(global %s *y, global const %s *x, int from, int d, long e) { %s l = get_local_id(0), f = from; local %s z[400];\n", n, k, t, t, u, t)
			fmt.Fprintf(&b, "for (int i = l; i < 400; i += get_local_size(0)) z[i] = x[i]; barrier(CLK_LOCAL_MEM_FENCE);\n")
			fmt.Fprintf(&b, "%s s = x[%s + f]; if (l %% 5 != 2) s += x[%s + f + 1]; z[(l & 7) * 4 + (l >> 3 & 7) * 33 + 2] = s; barrier(CLK_LOCAL_MEM_FENCE);\n", t, form, form)
			fmt.Fprintf(&b, "y[%s + f] = z[l] + z[l + 64] * (%s)3; y[%s + f + 500] = z[l * 3] - s; }\n", form, t, form)
		}
	}
	return b.String()
}

// TestClusters compares accesses at such indices. Some are before the buffer or after it.
func TestClusters(t *testing.T) {
	m := build(t, clusterKernels())
	data := filled(8*1000, func(i int) byte { return byte(i*37>>2 + i>>8) })
	for f := range kernelsOf(m) {
		for k, s := range []shape{{[]uint64{128}, []uint64{64}}, {[]uint64{100}, []uint64{50}}} {
			for j, from := range []int{0, -9, 700, 1 << 28, -1 << 31} {
				alike(t, m, f.Name, []shape{s}, make(buf, 8*1000), data, i32(from), i32([]int{40, 30, 1 << 29, -41, 24}[(j+k)%5]), append(i32(k-j), i32((k-j)>>31)...))
			}
		}
	}
}

// TestClustersGather: lanes at constant distances in clusters need no gather and no scatter.
func TestClustersGather(t *testing.T) {
	m := build(t, clusterKernels())
	for n := range clusterForms {
		for _, lv := range levels() {
			if lv.Lanes < 16 {
				continue // the ids are affine in gangs of 8
			}
			name := fmt.Sprintf("cluster_%d_0", n)
			c := compiled(t, m.Func(name), Options{Level: lv, Lanes: 16})
			if scattered := c.base.Shapes>>explain.Scattered&1 != 0; scattered != (n == len(clusterForms)-1) {
				t.Errorf("%s on %s: scattered: %v", name, lv.Name, scattered)
			}
		}
	}
}
