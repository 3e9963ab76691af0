//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"math"
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

const testedKernels = `
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void t_twiddle(global float2 *out, global const float2 *in, global const float2 *root, int n) {
	local float2 t[64];
	int l = get_local_id(0), g = get_group_id(0) * 64;
	t[l] = in[g + l + n];
	barrier(CLK_LOCAL_MEM_FENCE);
	float2 w = root[l % 8 * 3];
	float2 x = t[(l + 5) & 63] * w + root[l % 8 * 3].yx;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[g + l] = x - t[63 - l];
}
kernel void t_again(global int *a, global const int *b) {
	local int t[64];
	int l = get_local_id(0), i = get_global_id(0);
	t[l] = a[i] + b[l * 2];
	barrier(CLK_LOCAL_MEM_FENCE);
	a[i] = t[l ^ 1];
	barrier(CLK_GLOBAL_MEM_FENCE);
	t[l] = a[i ^ 3] + a[i] + b[l * 2];
	barrier(CLK_LOCAL_MEM_FENCE);
	a[i] = t[l] - t[l ^ 2];
}
kernel void t_xor(global uint *out, global const int *in, global const uchar *small, uint n) {
	local uint t[64];
	int l = get_local_id(0), i = get_global_id(0);
	t[l] = i;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = t[l ^ 1] + in[l ^ (n & 15)] - small[l * 3] + in[63 - l] * in[l / 8 * 4 + (l & 3)];
}
kernel void t_rows(global float *out, global const float *in, int align) {
	local float t[4 * 258];
	int l = get_local_id(0), w = get_local_size(0), row = (int)get_group_id(1) * 2, column = (int)get_group_id(0) * w + l;
	int wide = (int)get_num_groups(0) * w + 2, pitch = wide + (wide % align == 0 ? 0 : align - wide % align);
	for (int i = 0; i < 4; i++) t[i * 258 + l + 1] = in[(row + i) * pitch + column + 1];
	if (l == 0) for (int i = 0; i < 4; i++) t[i * 258] = in[(row + i) * pitch + column];
	if (l == w - 1) for (int i = 0; i < 4; i++) t[i * 258 + l + 2] = in[(row + i) * pitch + column + 2];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < 2; i++) {
		local float *p = t + (i + 1) * 258 + l + 1;
		out[(row + 1 + i) * pitch + column + 1] = p[0] * 4 - p[-1] - p[1] - p[258] - p[-258];
	}
}
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void t_masked(global float *out, global const float *in, global const float *all, int n) {
	local float t[64];
	int l = get_local_id(0), i = get_group_id(0) * 64 + l;
	t[l] = all[i];
	if (i < n) t[l] += in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (i < n) out[i] = t[l ^ 3];
}
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void t_border(global float *out, global const float *in, int n, int edge) {
	local float t[64];
	int l = get_local_id(0), left = (int)get_group_id(0) * 60 - edge, i = left + l;
	if (i >= 0 && i < n) t[l] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	int low = max(-left, 0), high = min(63, n - 1 - left), west = max(l - 1, low), east = min(l + 1, high);
	if (l >= 2 && l < 62 && l >= low && l <= high) out[i] = t[west] - 2 * t[l] + t[east];
}
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void t_border_u(global float *out, global const float *in, uint n, uint edge) {
	local float t[64];
	uint l = get_local_id(0), left = (uint)get_group_id(0) * 60 - edge, i = left + l;
	if (i < n && !(n <= i + 1)) t[l] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	uint high = min(63u, n - 1 - left), east = min(l + 1, high);
	if (l < 62 && l <= high && i < n) out[i] = t[l] + t[east];
}`

// testedVariant returns the code of f for work-groups of a size. Launches must test its bounds.
func testedVariant(t *testing.T, f *ssa.Func, lv *x86.Level, local [3]uint64) (*Code, *variant) {
	t.Helper()
	c, err := newCode(f, Options{Panics: true, Level: lv})
	if err != nil {
		t.Fatal(err)
	}
	v := c.variant(variantKey{level: lv, local: local}, nil)
	if v.err != nil || v.extents == nil {
		t.Fatalf("%s: no bounds to test: %v", lv.Name, v.err)
	}
	return c, v
}

// TestTested: a launch whose accesses are in bounds uses code without checks; one with a short buffer, a buffer that it may
// not write, or a written buffer that overlaps one whose loads are hoisted does not.
func TestTested(t *testing.T) {
	f := build(t, testedKernels).Func("t_twiddle")
	for _, lv := range levels() {
		r := exec.NDRange{Dims: 1, Global: [3]uint64{256, 1, 1}, Local: [3]uint64{64, 1, 1}}
		c, v := testedVariant(t, f, lv, r.Local)
		all := make([]byte, 1<<16)
		out, in, root := all[:8*256], all[1<<13:][:8*(256+10)], all[1<<14:][:8*22]
		for _, x := range []struct {
			what          string
			out, in, root []byte
			n             uint64
			constant      bool
			want          bool
		}{
			{"all in bounds", out, in, root, 10, false, true},
			{"a short table", out, in, root[:8*22-1], 10, false, false},
			{"an empty table", out, in, nil, 10, false, false},
			{"a short result", out[:8*256-4], in, root, 10, false, false},
			{"a long way", out, in, root, 11, false, false},
			{"a way back", out, in, root, uint64(^uint32(0)), false, false},
			{"a constant result", out, in, root, 0, true, false},
			{"the result in the input", in, in, root, 0, false, true},
			{"the result in the table", all[1<<14+8*21:][:8*256], in, root, 0, false, false},
			{"the result behind the table", all[1<<14+8*22:][:8*256], in, root, 0, false, true},
		} {
			env := &exec.Env{Range: r, Objects: []exec.Object{{Data: x.out, ReadOnly: x.constant}, {Data: x.in}, {Data: x.root}}}
			for i := range uint64(3) {
				env.Params = append(env.Params, []uint64{i << ssa.ObjectShift})
			}
			env.Params = append(env.Params, []uint64{x.n})
			if got := v.holds(env); got != x.want {
				t.Errorf("%s: %s: the accesses are in bounds: %v", lv.Name, x.what, got)
			}
			chosen, err := c.choose(v, env, 1)
			if err != nil || (chosen.key.checks == checkAll) == x.want {
				t.Errorf("%s: %s: the code checks accesses: %v, %v", lv.Name, x.what, chosen.key.checks, err)
			}
		}
	}
}

// TestMasked: a launch in which the accesses under masks would be in bounds without these uses code without their checks; else it uses
// code that checks no others, if these are in bounds.
func TestMasked(t *testing.T) {
	f := build(t, testedKernels).Func("t_masked")
	for _, lv := range levels() {
		r := exec.NDRange{Dims: 1, Global: [3]uint64{256, 1, 1}, Local: [3]uint64{64, 1, 1}}
		c, v := testedVariant(t, f, lv, r.Local)
		all := make([]byte, 4*256)
		for _, x := range []struct {
			out, in, all int // sizes
			want         checks
		}{{256, 256, 256, checkFewest}, {255, 256, 256, checkMasked}, {256, 255, 256, checkMasked}, {256, 256, 255, checkAll}} {
			env := &exec.Env{Range: r, Objects: []exec.Object{{Data: all[:4*x.out]}, {Data: all[:4*x.in]}, {Data: all[:4*x.all]}}}
			env.Params = [][]uint64{{0}, {1 << ssa.ObjectShift}, {2 << ssa.ObjectShift}, {250}}
			if chosen, err := c.choose(v, env, 1); err != nil || chosen.key.checks != x.want {
				t.Errorf("%s: %+v: checks %d, %v", lv.Name, x, chosen.key.checks, err)
			}
		}
	}
}

// TestBorder: the tests of a launch rely on the tests of work-groups in the interior, which alone load whole tiles.
func TestBorder(t *testing.T) {
	f := build(t, testedKernels).Func("t_border")
	for _, lv := range levels() {
		r := exec.NDRange{Dims: 1, Global: [3]uint64{5 * 64, 1, 1}, Local: [3]uint64{64, 1, 1}}
		_, v := testedVariant(t, f, lv, r.Local)
		if v.Forms&spmd.Interior == 0 {
			t.Errorf("%s: no code for the interior", lv.Name)
		}
		out, in := make([]byte, 4*300), make([]byte, 4*300)
		for _, x := range []struct {
			size, n, edge int
			want          bool
		}{{300, 300, 2, true}, {300, 301, 2, false}, {290, 290, 2, true}, {290, 291, 2, false}, {300, 300, -2, true}, {300, 300, 70, true}, {100, -1, 2, false}} {
			env := &exec.Env{Range: r, Objects: []exec.Object{{Data: out[:4*x.size]}, {Data: in[:4*x.size]}}}
			env.Params = [][]uint64{{0}, {1 << ssa.ObjectShift}, {uint64(uint32(x.n))}, {uint64(uint32(x.edge))}}
			if got := v.holds(env); got != x.want {
				t.Errorf("%s: %+v: in bounds: %v", lv.Name, x, got)
			}
		}
	}
}

// TestApart: code whose loads pass stores is for buffers that do not overlap, and its stores may be non-temporal only if all
// work-items together write much.
func TestApart(t *testing.T) {
	f := build(t, testedKernels).Func("t_rows")
	for _, lv := range levels() {
		r := exec.NDRange{Dims: 2, Global: [3]uint64{512, 4, 1}, Local: [3]uint64{256, 1, 1}}
		_, v := testedVariant(t, f, lv, r.Local)
		if lines := lv.Lanes%16 == 0; lines && v.StreamBytes != 8 || !lines && v.StreamBytes != 0 {
			t.Errorf("%s: each work-item writes %d bytes", lv.Name, v.StreamBytes)
		}
		const pitch = 528
		all := make([]byte, 4*pitch*30)
		for _, x := range []struct {
			from  int // row of out in all; in begins with row 10
			align uint64
			want  bool
		}{{0, 16, true}, {0, 32, false}, {0, 0, false}, {0, uint64(^uint32(0)), false}, {1, 16, false}, {10, 16, false}, {19, 16, false}, {20, 16, true}} {
			const rows = 10
			env := &exec.Env{Range: r, Objects: []exec.Object{{Data: all[4*pitch*x.from:][:4*pitch*rows]}, {Data: all[4*pitch*10:][:4*pitch*rows]}}}
			env.Params = [][]uint64{{0}, {1 << ssa.ObjectShift}, {x.align}}
			if got := v.holds(env); got != x.want {
				t.Errorf("%s: %+v: the code may be used: %v", lv.Name, x, got)
			}
		}
	}
}

// TestTestedResults: loads that are executed once, or once for several equal ones, give the same results.
func TestTestedResults(t *testing.T) {
	m := build(t, testedKernels)
	numbers := func(n int) buf { return buf(floats(n, func(i int) float32 { return float32(i*i%97) - 31.5 })) }
	execs := Executors(Options{Panics: true})
	for _, groups := range []int{1, 5} {
		in := numbers(700)
		s := []shape{{[]uint64{uint64(64 * groups)}, []uint64{64}}}
		for _, size := range []int{8 * 320, 8*64*groups - 8} {
			alikeOn(t, execs, m, "t_twiddle", s, make(buf, size), in, numbers(44), make([]byte, 4))
		}
		alikeOn(t, execs, m, "t_again", s, in, numbers(128))
		rows := []shape{{[]uint64{uint64(256 * groups), 2}, []uint64{256, 1}}, {[]uint64{uint64(64 * groups), 2}, []uint64{64, 1}}}
		for _, align := range []byte{16, 7} {
			alikeOn(t, execs, m, "t_rows", rows, make(buf, 4*6*1400), numbers(6*1400), []byte{align, 0, 0, 0})
		}
		alikeOn(t, execs, m, "t_xor", s, make(buf, 4*320), in, numbers(50), []byte{5, 0, 0, 0})
	}
}

// TestBorderResults: code without the checks of accesses under masks, and code for the interior, give the same results and reports. Sums
// of ids and arguments may wrap.
func TestBorderResults(t *testing.T) {
	m := build(t, testedKernels)
	execs := Executors(Options{Panics: true})
	in := buf(floats(320, func(i int) float32 { return float32(i*i%97) - 31.5 }))
	s := []shape{{[]uint64{320}, []uint64{64}}}
	for _, n := range []int{1, 250, 320, 400, -1} {
		alikeOn(t, execs, m, "t_masked", s, make(buf, 4*320), in, in, i32(n))
	}
	for _, x := range [][2]int{{320, 2}, {302, 2}, {319, 0}, {400, 2}, {320, -60}, {320, 60}, {320, 200}, {-1, 2}, {math.MaxInt32, math.MaxInt32 - 63}, {math.MaxInt32, math.MinInt32 + 50}, {math.MinInt32, 1}} {
		for _, kernel := range []string{"t_border", "t_border_u"} {
			alikeOn(t, execs, m, kernel, s, make(buf, 4*320), in, i32(x[0]), i32(x[1]))
		}
	}
}
