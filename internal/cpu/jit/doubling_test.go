//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"strings"
	"testing"
)

// TestDoubling has kernels in which values are repeatedly computed from themselves twice. The paths back to the
// first value double with each step, so that an analysis that follows every path never ends. The test triggers
// every analysis of accesses and branches.
func TestDoubling(t *testing.T) {
	steps := []string{"x += x;", "x = x * x;", "x = x - (y + x); y = x + y;", "x = (x & (x + 1)) | x;", "x = x > y ? x + y : y - x;", "x = min(x, y) + max(x, y);", "x = (T)((U)x + (U)x);"}
	uses := []string{
		"o[i] = a[(x + 3) & 255] + a[x & 255];", "o[i] = a[(i + x) & 255]; if (n == 12345) o[i] = a[i + x] + a[i + x + 1] * a[i + x + 2] + a[i + x + 3];",
		"if (x > y) o[i] = a[i] * a[i + 1]; else o[i] = a[i + 2];", "int p[16]; for (int k = 0; k < 16; k++) p[k] = a[k]; o[i] = p[x & 15] + p[y & 15];", "o[i] = t[x & 15] + t[(uchar)y & 15];",
	}
	var src strings.Builder
	src.WriteString("constant int t[16] = {1, 2, 3};\n")
	n := 0
	for _, ty := range [][2]string{{"int", "long"}, {"uint", "ulong"}, {"long", "int"}, {"ushort", "uint"}} {
		fmt.Fprintf(&src, "#undef T\n#undef U\n#define T %s\n#define U %s\n", ty[0], ty[1])
		for _, step := range steps {
			for k, use := range uses {
				start := []string{"n", "i"}[(n+k)%2]
				fmt.Fprintf(&src, "kernel void k%d(global int* o, global const int* a, int n) { int i = get_global_id(0); T x = %s, y = n + 1;\n%s\n%s }\n", n, start, strings.Repeat(step, 60), use)
				n++
			}
		}
	}
	m := build(t, src.String())
	for k := range n {
		same(t, m, fmt.Sprintf("k%d", k), []uint64{66}, []uint64{66}, false, make(buf, 4*256), buf(floats(256, func(i int) float32 { return float32(i) })), i32(3))
	}
}
