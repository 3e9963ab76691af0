//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// Kernels whose atomic operations change elements of b: those of c_… in copies of b, those of d_… never. In
// the others both may be.
const copyKernels = `
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define ARGS (global const int* a, global int* b, global int* c)
#define I int i = get_global_id(0), x = a[i]
kernel void c_inc ARGS { I; atomic_inc(&b[x & 15]); }
kernel void c_add ARGS { I; if (x & 1) atomic_add(&b[x & 31], x); }
kernel void c_sub ARGS { I; atomic_sub(&b[x & 31], 7); if (x & 4) atomic_sub(&b[x >> 2 & 15], x * 3); }
kernel void c_dec ARGS { I; if (x % 3) atomic_dec(&b[(x & 7) + 5]); }
kernel void c_min ARGS { I; atomic_min(&b[x & 7], x * 77 - 5000); if (x & 1) atomic_min(&b[x >> 3 & 7], -x); }
kernel void c_max ARGS { I; if (x & 2) atomic_max((global uint*)&b[x & 7], x * -77u); }
kernel void c_and ARGS { I; if (x & 3) atomic_and(&b[x & 15], x | -1024); }
kernel void c_or ARGS { I; atomic_or(&b[x & 15], 1 << (x & 31)); }
kernel void c_xor ARGS { I; atomic_xor(&b[x & 15], x * 31); }
kernel void c_long ARGS { I; atom_add((global long*)b + (x & 7), x * 12345678901L); if (x & 1) atom_sub((global long*)b + (x & 3), 9L << 31); }
kernel void c_byte ARGS { I; atomic_inc(&b[((global const uchar*)a)[i] >> 3]); }
kernel void c_pair ARGS { I; atomic_add(&b[2 * (x & 7) + 1], 5); }
kernel void c_far ARGS { I; if (x & 1) atomic_add(&b[(x & 7) + 9], x); }
kernel void row ARGS { I; atomic_add(&b[get_local_id(0) & 31], x); }
kernel void c_side ARGS { I; int l = get_local_id(0); if (l < 32) atomic_add(&b[l], x); }
kernel void c_one ARGS { I; atomic_add(&b[x & 7], x); atomic_add(&b[3], 100); }
kernel void c_loop ARGS { I; for (int k = 0; k < x % 5; k++) atomic_add(&b[(x + k) & 15], k + 1); }
kernel void c_walk ARGS { I; for (int k = 0; k < 32; k += x & 3) { if (!(x & 3)) break; atomic_inc(&b[k]); } }
kernel void c_outside ARGS { I; atomic_add(&b[x], 3); }
kernel void c_before ARGS { I; if (x & 1) atomic_inc(&b[(x & 31) - 4]); }
kernel void c_two ARGS { I; atomic_add(&b[x & 15], x); atomic_or(&c[x & 15], x); }
kernel void c_odd ARGS { I; atomic_add((global int*)((global char*)b + 4 * (x & 7) + 2), 300); atomic_inc(&b[(x & 7) + 16]); }
kernel void c_same ARGS { I; atomic_add(&b[x & 15], x); atomic_sub(&c[x & 7], 3); }
kernel void group ARGS { I; local int s[32]; int l = get_local_id(0); if (l < 32) s[l] = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_add(&s[x & 31], x); barrier(CLK_LOCAL_MEM_FENCE); if (l < 32) atomic_add(&b[l], s[l]); }
kernel void d_result ARGS { I; if (i == 0) c[0] = atomic_add(&b[x & 7], x); }
kernel void d_read ARGS { I; if (i == 0) { atomic_add(&b[x & 7], x); c[1] = b[x & 7]; } }
kernel void d_mixed ARGS { I; if (i < 8) atomic_add(&b[x & 7], 1); else if (i < 16) atomic_xor(&b[(x & 7) + 8], 1); }
kernel void d_order ARGS { I; atomic_fetch_add((volatile global atomic_int*)&b[x & 7], x); }
kernel void d_fence ARGS { I; atomic_add(&b[x & 7], x); mem_fence(CLK_GLOBAL_MEM_FENCE); }
kernel void d_host ARGS { I; atomic_fetch_add_explicit((volatile global atomic_int*)&b[x & 7], x, memory_order_relaxed, memory_scope_all_svm_devices); }
kernel void d_float ARGS { I; if (i == 0) atomic_xchg(&b[x & 7], x); }
kernel void aliased ARGS { I; if (i == 300) { atomic_add(&b[x & 7], 7); c[9] = c[x & 7] + 1; } else atomic_add(&b[32 + (x & 15)], 1); }
`

// copiedIn returns how many objects have copies in a launch of n work-items.
func copiedIn(t *testing.T, f *ssa.Func, n uint64, workers int, data ...[]byte) int {
	t.Helper()
	c := compiled(t, f, Options{Level: levels()[0]})
	env := &exec.Env{Range: exec.NDRange{Dims: 1, Global: [3]uint64{n, 1, 1}, Local: [3]uint64{64, 1, 1}}}
	for i, d := range data {
		env.Objects = append(env.Objects, exec.Object{Data: d})
		env.Params = append(env.Params, []uint64{uint64(i) << ssa.ObjectShift})
	}
	x, err := c.NewExecution(env, workers)
	if err != nil {
		t.Fatal(err)
	}
	defer x.End(nil)
	return len(x.(*execution).copied)
}

// TestCopies compares atomic operations that workers collect in copies of an object.
func TestCopies(t *testing.T) {
	m := build(t, copyKernels)
	a := scrambled(4000)
	for f := range kernelsOf(m) {
		if f.Name == "aliased" {
			continue
		}
		shapes := []shape{line(1), {[]uint64{4000}, nil}, {[]uint64{1920}, []uint64{64}}, {[]uint64{1000}, []uint64{50}}, {[]uint64{67, 30}, nil}}
		alike(t, m, f.Name, shapes, a, scrambled(64), scrambled(64))
		alike(t, m, f.Name, shapes[1:3], a, shifted{scrambled(61)[:4*60+3], 4}, scrambled(64))
		alike(t, m, f.Name, shapes[1:2], a, shifted{scrambled(61), 2}, scrambled(64))
	}
}

// TestCopied checks which launches have copies.
func TestCopied(t *testing.T) {
	m := build(t, copyKernels)
	funcs := map[string]*ssa.Func{}
	a, b := make([]byte, 16000), make([]byte, 512)
	for f := range kernelsOf(m) {
		funcs[f.Name] = f
		if f.Name[1] != '_' {
			continue
		}
		want := 0
		if f.Name[0] == 'c' {
			want = 1
		}
		if f.Name == "c_two" || f.Name == "c_same" {
			want = 2
		}
		if got := copiedIn(t, f, 4000, 2, a, b[:128], b[256:384]); got != want {
			t.Errorf("%s: %d objects with copies, want %d", f.Name, got, want)
		}
	}
	inc := funcs["c_inc"]
	for _, x := range []struct {
		what    string
		b, c    []byte
		n       uint64
		workers int
		want    int
	}{
		{"enough work-items", b[:128], b[128:], 256, 2, 1},
		{"few work-items", b[:128], b[128:], 192, 2, 0},
		{"work-items of many workers", b[:128], b[128:], 256, 3, 0},
		{"the buffer is the source", a[:128], b, 4000, 2, 0},
		{"the buffer ends in the source", a[15996:16000:16000], b, 4000, 2, 0},
		{"misaligned", b[2:130], b[256:], 4000, 2, 0},
		{"empty", nil, b, 4000, 2, 0},
		{"large", make([]byte, mostCopied+4), b, 1 << 22, 2, 0},
		{"almost large", make([]byte, mostCopied), b, 1 << 22, 2, 1},
	} {
		if got := copiedIn(t, inc, x.n, x.workers, a, x.b, x.c); got != x.want {
			t.Errorf("%s: %d objects with copies, want %d", x.what, got, x.want)
		}
	}
}

// TestCopiesAliased checks that a work-item reads the values that it has added through another name, and that one buffer may
// be two arguments, or parts of it.
func TestCopiesAliased(t *testing.T) {
	m := build(t, copyKernels)
	for _, name := range []string{"aliased", "c_add", "c_same", "row"} {
		for _, from := range []int{0, 4, 64} {
			alike(t, m, name, []shape{{[]uint64{3000}, nil}}, scrambled(3000), scrambled(64), again{1, from})
		}
	}
}

// TestCopiesEnd checks that workers merge their copies in every launch, also if they are used again by launches with other objects.
func TestCopiesEnd(t *testing.T) {
	m := build(t, copyKernels)
	for _, e := range Executors(Options{Panics: true}) {
		for _, name := range []string{"c_sub", "c_min", "c_and"} {
			got, want := kernelOf(t, m, e, name), kernelOf(t, m, interp.Reference, name)
			for k := range 20 {
				var bufs [2][][]byte
				for i, kernel := range []*launch.Kernel{got, want} {
					args, bs := arguments([]any{scrambled(6000), scrambled(32 + k%3*700), scrambled(8)})
					if _, err := RunRobust(&launch.Launch{Kernel: kernel, Args: args, Range: launch.Range{Global: []uint64{uint64(6000 - k%4*1500)}}, Workers: 2}); err != nil {
						t.Fatal(err)
					}
					bufs[i] = bs
				}
				if n := differ(bufs[1][1], bufs[0][1]); n >= 0 {
					t.Fatalf("%s %s: launch %d: byte %d: % x, want % x", name, e.Name(), k, n, binary.LittleEndian.Uint32(bufs[0][1][n&^3:]), binary.LittleEndian.Uint32(bufs[1][1][n&^3:]))
				}
			}
		}
	}
}
