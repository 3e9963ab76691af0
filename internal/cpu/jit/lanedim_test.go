//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
)

// laneDimSource has kernels whose neighbours in memory are not neighbours in the first dimension.
const laneDimSource = `
kernel void columns(global const int *a, global int *y, int w) { size_t i = get_global_id(0) + get_global_size(0) * get_global_id(2), j = get_global_id(1); y[i * w + j] = a[i * w + j] + get_work_dim() * 100 + (int)get_global_linear_id(); }
kernel void locals(global const int *a, global int *y, local int *t) { size_t l = get_local_linear_id(), g = get_global_linear_id(); t[l] = a[g]; barrier(CLK_LOCAL_MEM_FENCE); y[g] = t[l ^ 1] * 1000 + (int)get_group_id(1) * 100 + (int)get_local_id(1) + (int)get_local_size(1) + (int)get_num_groups(1); }
kernel void outside(global const int *a, global int *y, int n) { size_t i = get_global_id(0), j = get_global_id(1), k = get_global_id(2), l = (k * get_global_size(1) + j) * get_global_size(0) + i; y[l] = (i + j + k) % 7 == 5 ? a[i + j - 8] : n; if ((i + 2 * j) % 5 == 3) y[l + 5000] = 1; }
kernel void across(global const int *a, global int *y, local int *t) { size_t x = get_local_id(0), z = get_local_id(1), w = get_local_size(1), i = get_global_id(0) * get_global_size(1) + get_global_id(1); t[x * w + z] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); y[i] = t[x * w + (z ^ 1) % w] * 1000 + (int)get_group_id(1) * 100 + (int)z; if (i % 7 == 3) y[i + 5000] = t[z + 5000 * x]; barrier(CLK_LOCAL_MEM_FENCE); if (z % 3 == 1) y[i + 6000] = 1; }
kernel void counted(global const int *a, global int *y, local int *t) { size_t i = get_global_id(0) * get_global_size(1) + get_global_id(1); if (get_local_linear_id() == 0) t[0] = 0; barrier(CLK_LOCAL_MEM_FENCE); y[i] = a[i] + atomic_inc(t); }
kernel void ids(global const int *a, global int *y, int w) { int i = get_group_id(0) * get_local_size(0) + get_local_id(0), j = get_local_id(1) + get_group_id(1) * get_local_size(1); y[get_global_linear_id()] = a[(j * w + i) & 1023] + get_group_id(1); if (i % 5 == 2) y[j + 2000 * i + 100000 * get_global_id(2)] = i; }
kernel void parts(global const int *a, global int *y, int w) { uint i = get_group_id(0) * 8 + get_local_id(0); ulong j = get_local_id(1) + get_group_id(1) * 4ul; y[get_global_linear_id()] = a[get_group_id(0) + get_num_groups(0) * get_group_id(1)] + get_local_id(0) * 10 + get_local_size(1) * get_local_linear_id(); if (i % 3 == 2) y[j + 2000 * i + 100000 * get_global_id(2)] = i; }
kernel void rows(global const int *a, global int *y, int n) { y[get_global_id(1) * n + get_global_id(0)] = a[get_global_id(1) * n + get_global_id(0)] + get_global_offset(1); }
`

// TestLaneDim compares the results, and the violations with their order, of launches whose lanes are along
// another dimension.
func TestLaneDim(t *testing.T) {
	m := build(t, laneDimSource)
	a := scrambled(4096)
	shapes := []shape{
		{[]uint64{3, 200}, []uint64{1, 8}}, {[]uint64{1, 256}, []uint64{1, 64}}, {[]uint64{40, 5}, []uint64{8, 5}},
		{[]uint64{2, 3, 100}, []uint64{1, 1, 4}}, {[]uint64{5, 33, 2}, []uint64{1, 33, 1}}, line(100),
		{[]uint64{16, 32}, []uint64{8, 16}}, {[]uint64{12, 40}, []uint64{4, 20}}, {[]uint64{8, 16, 4}, []uint64{4, 8, 2}},
	}
	execs := executorsOf(Options{}, Options{LaneDim: 1}, Options{LaneDim: 2})
	for _, f := range m.Funcs {
		for _, s := range shapes {
			if f.Name == "locals" || f.Name == "across" || f.Name == "counted" {
				alikeOn(t, execs, m, f.Name, []shape{s}, a, make(buf, 4*1024), 4*4*256)
				continue
			}
			alikeOn(t, execs, m, f.Name, []shape{s}, a, make(buf, 4*1024), i32(200))
		}
	}
}

// TestLaneDimChoice: the choice of the dimension depends on the neighbours in memory and on the length of rows.
func TestLaneDimChoice(t *testing.T) {
	m := build(t, laneDimSource)
	lv := Level()
	if lv == nil {
		t.Skip("no machine code here")
	}
	for _, x := range []struct {
		kernel        string
		global, local [3]uint64
		want          int
	}{
		{"columns", [3]uint64{512, 512, 1}, [3]uint64{16, 16, 1}, 1},
		{"rows", [3]uint64{512, 512, 1}, [3]uint64{1, 64, 1}, 0},
		{"rows", [3]uint64{1, 512, 1}, [3]uint64{1, 64, 1}, 1},
		{"locals", [3]uint64{1, 512, 1}, [3]uint64{1, 64, 1}, 1},
		{"locals", [3]uint64{64, 64, 1}, [3]uint64{16, 16, 1}, 0},
		{"across", [3]uint64{64, 64, 1}, [3]uint64{16, 16, 1}, 1},
		{"counted", [3]uint64{64, 64, 1}, [3]uint64{16, 16, 1}, 0}, // the kernel observes the order of a group's work-items
		{"outside", [3]uint64{64, 64, 64}, [3]uint64{1, 1, 1}, 0},
	} {
		c, err := Compile(m.Func(x.kernel), lv)
		if err != nil {
			t.Fatal(err)
		}
		r := exec.NDRange{Dims: 3, Global: x.global, Local: x.local}
		if got := c.bestLaneDim(&r, false, 0); got != x.want {
			t.Errorf("%s over %v in groups of %v: lanes along %d, want %d", x.kernel, x.global, x.local, got, x.want)
		}
	}
}
