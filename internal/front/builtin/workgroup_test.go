package builtin_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestWorkGroup tests the work-group functions on groups of 1, 7 and 64, with values whose reductions a Go loop
// computes.
func TestWorkGroup(t *testing.T) {
	ops := []struct {
		name     string
		f        func(a, b int64) int64
		identity int64
	}{
		{"add", func(a, b int64) int64 { return a + b }, 0},
		{"min", func(a, b int64) int64 { return min(a, b) }, 1<<63 - 1},
		{"max", func(a, b int64) int64 { return max(a, b) }, -1 << 63},
		{"mul", func(a, b int64) int64 { return a * b }, 1},
		{"and", func(a, b int64) int64 { return a & b }, -1},
		{"or", func(a, b int64) int64 { return a | b }, 0},
		{"xor", func(a, b int64) int64 { return a ^ b }, 0},
	}
	var src strings.Builder
	src.WriteString("kernel void k(global const long *in, global long *out) {\n\tsize_t i = get_global_id(0), n = get_global_size(0);\n\tlong x = in[i];\n")
	for j, op := range ops {
		for k, form := range []string{"reduce", "scan_inclusive", "scan_exclusive"} {
			fmt.Fprintf(&src, "\tout[%d * n + i] = work_group_%s_%s(x);\n", 3*j+k, form, op.name)
		}
	}
	src.WriteString("\tout[21 * n + i] = work_group_broadcast(x, get_local_size(0) - 1);\n\tout[22 * n + i] = work_group_all(x != 3) * 8 + work_group_any(x == 3) * 4 + work_group_reduce_logical_xor(x == 3) * 2 + work_group_scan_exclusive_logical_or(x == 3);\n\tout[23 * n + i] = work_group_reduce_add((float)x) + work_group_reduce_max((double)x);\n}\n")
	k := build(t, src.String())
	const n = 448
	in := make([]int64, n)
	for i := range in {
		in[i] = int64(i*2654435761>>7)%100 - 40
	}
	for _, size := range []int{1, 7, 64} {
		out := make([]int64, 24*n)
		k.run(t, n, size, raw(in), raw(out))
		check := func(row, i int, want int64) {
			t.Helper()
			if got := out[row*n+i]; got != want {
				t.Fatalf("groups of %d, row %d, work-item %d: %d, want %d", size, row, i, got, want)
			}
		}
		for base := 0; base < n; base += size {
			group := in[base : base+size]
			sum, biggest, threes := int64(0), group[0], int64(0)
			for _, x := range group {
				sum, biggest = sum+x, max(biggest, x)
				if x == 3 {
					threes++
				}
			}
			for j, op := range ops {
				acc := op.identity
				for i, x := range group {
					check(3*j+2, base+i, acc)
					acc = op.f(acc, x)
					check(3*j+1, base+i, acc)
				}
				for i := range group {
					check(3*j, base+i, acc)
				}
			}
			seen := int64(0)
			for i, x := range group {
				check(21, base+i, group[size-1])
				flags := threes%2*2 + seen
				if threes == 0 {
					flags += 8
				} else {
					flags += 4
				}
				check(22, base+i, flags)
				if x == 3 {
					seen = 1
				}
				check(23, base+i, sum+biggest)
			}
		}
	}
}
