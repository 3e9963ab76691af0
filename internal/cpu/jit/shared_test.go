//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"math"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// neighbours has kernels whose rows load what their neighbours load: w is the length of a row.
const neighbours = `
#define PIXEL(T) global const T* p = a + (get_global_id(1) + 1) * w + get_global_id(0) + 1
#define RESULT c[(get_global_id(1) + 1) * 80 + get_global_id(0) + 1]
kernel void least(global const uchar* a, global uchar* c, int w) { PIXEL(uchar); RESULT = min(min(min(min(p[-w - 1], p[-w]), min(p[-w + 1], p[-1])), min(min(p[0], p[1]), min(p[w - 1], p[w]))), p[w + 1]); }
kernel void laplace(global const float* a, global float* c, int w) { PIXEL(float); float s = p[-w - 1] + p[-w] + p[-w + 1] + p[-1] + p[1] + p[w - 1] + p[w] + p[w + 1]; RESULT = 8.0f * p[0] - s; }
kernel void column(global const short* a, global short* c, int w) { PIXEL(short); RESULT = p[0] * 2 + p[w] + p[2 * w] + p[3 * w] - p[4 * w + 1] + p[4 * w]; }
kernel void apart(global const int* a, global int* c, int w) { size_t x = get_global_id(0), y = get_global_id(1); RESULT = a[y * w + x] + a[(y + 2) * w + x] * 3 + a[y * w + 2 * w + x + 1] + a[(y + 4) * w + x + 1] * 5; }
kernel void unrelated(global const int* a, global int* c, int w) { size_t x = get_global_id(0), y = get_global_id(1); RESULT = a[y * w + x] + a[y * (w + 1) + x] * 3 + a[y * w + x + y] * 5 + a[(y + 1) * w + x] * 7 + a[(y + 1) * (w + 1) + x] * 11; }
kernel void branch(global const int* a, global int* c, int w) { PIXEL(int); if (get_global_id(0) & 4) RESULT = p[0] + p[w] + p[-w] + p[1] + p[w + 1] + p[1 - w]; else RESULT = p[2] - p[w + 2] + p[-w]; }
kernel void wrapped(global const int* a, global int* c, int w, long k) { size_t x = get_global_id(0), y = get_global_id(1); global const int* p = a + k + x + y; RESULT = p[w + 1] + p[w + 1 + 3] * 3 + (p + 2)[w] * 5 + (p + 3)[w + 2] * 7; }
`

// TestSharedLoads compares such kernels with the reference executor, with row lengths for which 32-bit sums wrap.
func TestSharedLoads(t *testing.T) {
	m := build(t, neighbours)
	const size = 4 * 90 * 80
	execs := executorsOf(Options{Coarse: true})
	in := filled(size, func(i int) byte { return byte(i*37>>3) & 0x3f }) // no NaN
	for f := range kernelsOf(m) {
		o := spmd.Options{RowUniform: true, Versions: true, Coarsen: spmd.Coarsening{Registers: x86.AVX512.VectorRegs(), Piece: 64, Always: true}, Rows: 64}
		if p, err := spmd.Prepare(f, o); err != nil || p.Rows < 2 {
			t.Errorf("%s: %v", f.Name, err)
		}
		shapes := []shape{{[]uint64{64, 8}, []uint64{1, 1}}, {[]uint64{77, 11}, []uint64{1, 1}}, {[]uint64{70, 75}, []uint64{1, 1}}}
		for _, w := range []int32{80, 0, 1, -3, 7, 1 << 25, 1 << 26, -1 << 26, math.MaxInt32, math.MinInt32, math.MinInt32 + 1} {
			args := []any{in, make(buf, size), i32(int(w))}
			if f.Name == "wrapped" {
				k := -int64(w + 1)
				args = append(args, append(i32(int(k)), i32(int(k>>32))...)) // the accesses at w+1 are in bounds
			}
			alikeOn(t, execs, m, f.Name, shapes, args...)
		}
	}
}

// TestCoarseUsed: launches use the code for gangs of several rows, also where it leaves under a condition.
func TestCoarseUsed(t *testing.T) {
	for source, names := range map[string][]string{nests: {"product", "guarded"}, neighbours: {"least", "laplace"}} {
		for _, f := range build(t, source).Funcs {
			if f.Kernel == nil || !slices.Contains(names, f.Name) {
				continue
			}
			for _, lv := range levels() {
				c := compiled(t, f, Options{Level: lv, Coarse: true})
				rg := &exec.NDRange{Global: [3]uint64{512, 8, 1}, Local: [3]uint64{1, 1, 1}}
				env := launchOf(c, rg)
				for i := range env.Params { // each its own object
					env.Objects = append(env.Objects, exec.Object{Data: make([]byte, 1<<10)})
					env.Params[i][0] = uint64(i+1) << ssa.ObjectShift
				}
				if c.base.coarseFor(env) == nil {
					t.Errorf("%s: %s: no code for several rows", lv.Name, f.Name)
				}
			}
		}
	}
}
