//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// Kernels with barriers that depend on quotients of global ids.
const warpKernels = `
#define SIZE(x, y) kernel __attribute__((reqd_work_group_size(x, y, 1)))
SIZE(32, 1) void warps(global float *out, global const float *in, int count) {
    local float t[32];
    const uint warp = get_global_id(0) / 32, warps = get_global_size(0) / 32;
    float s = 0;
    for (long pos = warp * (long)count / warps; pos < (warp + 1) * (long)count / warps; pos++) {
        t[get_local_id(0)] = in[pos * 32 + get_local_id(0)];
        if (in[pos] > 0) { barrier(CLK_LOCAL_MEM_FENCE); s += t[31 - get_local_id(0)]; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0) - get_global_offset(0)] = s;
}
SIZE(16, 1) void pairs(global float *out, global const float *in, int count) {
    local float t[16];
    const int l = get_local_id(0), pair = (int)get_global_id(0) >> 5, x = get_global_id(0) & ~15;
    t[l] = in[x + l];
    float s = in[pair];
    if (in[pair] > 0) { barrier(CLK_LOCAL_MEM_FENCE); s += t[15 - l]; barrier(CLK_LOCAL_MEM_FENCE); }
    if (get_global_id(0) + 16 * count < 112) { t[l] *= s; barrier(CLK_LOCAL_MEM_FENCE); s -= t[l ^ 1]; }
    out[get_global_id(0) - get_global_offset(0)] = s + (get_global_id(0) + 48) / 96;
}
SIZE(4, 8) void rows(global float *out, global const float *in, int count) {
    local float t[32];
    const int l = get_local_id(0) + 4 * get_local_id(1), row = get_global_id(1) / 8, column = get_global_id(0) / 4;
    float s = count;
    t[l] = in[l];
    if (in[row * 5 + column] > 0) { barrier(CLK_LOCAL_MEM_FENCE); s += t[31 - l]; }
    out[(get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0)] = s + row;
}
`

// TestAligned compares kernels with barriers that depend on quotients of ids, at offsets that are multiples of the
// work-group size and at others. Machine code runs all at the former, and those without divergence in a gang at the latter.
func TestAligned(t *testing.T) {
	m := build(t, warpKernels)
	tests := []struct {
		kernel  string
		offset  []uint64
		global  []uint64
		local   []uint64
		machine bool // machine code runs it
	}{
		{"warps", []uint64{0}, []uint64{256}, []uint64{32}, true},
		{"warps", []uint64{64}, []uint64{128}, []uint64{32}, true},
		{"warps", []uint64{0}, []uint64{32}, []uint64{32}, true},
		{"warps", []uint64{16}, []uint64{64}, []uint64{32}, false},
		{"warps", []uint64{32}, []uint64{64}, []uint64{32}, true},
		{"pairs", []uint64{0}, []uint64{256}, []uint64{16}, true},
		{"pairs", []uint64{48}, []uint64{160}, []uint64{16}, true},
		{"pairs", []uint64{40}, []uint64{160}, []uint64{16}, false},
		{"rows", []uint64{0, 0}, []uint64{16, 24}, []uint64{4, 8}, true},
		{"rows", []uint64{8, 16}, []uint64{16, 24}, []uint64{4, 8}, true},
		{"rows", []uint64{8, 4}, []uint64{16, 24}, []uint64{4, 8}, true},
	}
	execs := append([]exec.Executor{interp.Reference}, widths(0, 1)...)
	in := make(buf, 4*2048)
	for i := range len(in) / 4 {
		copy(in[4*i:], f32(float32((i*7+i/5)%13)-6))
	}
	for _, reversed := range []bool{false, true} {
		if reversed {
			slices.Reverse(tests)
		}
		want, errors := make([]buf, len(tests)), make([]string, len(tests))
		for n, e := range execs {
			for i, x := range tests {
				k := kernelOf(t, m, e, x.kernel)
				out := make(buf, 4*512)
				rep, err := launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: []launch.Arg{mem(out), mem(in), launch.Value(i32(3))},
					Range: launch.Range{Offset: x.offset, Global: x.global, Local: x.local}, Workers: 2})
				if rep == nil {
					t.Fatal(x.kernel, err)
				}
				message := fmt.Sprint(err)
				if n == 0 {
					want[i], errors[i] = out, message
					continue
				}
				if at := differ(want[i], out); at >= 0 || message != errors[i] {
					t.Errorf("%s %v on %s: byte %d differs: %s, want %s", x.kernel, x.offset, e.Name(), at, message, errors[i])
				}
				if machine := rep.Stats.Executor != interp.Reference.Name(); machine != x.machine {
					t.Errorf("%s %v on %s: run by %s", x.kernel, x.offset, e.Name(), rep.Stats.Executor)
				}
			}
		}
	}
}
