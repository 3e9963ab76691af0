//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"sync"
	"testing"

	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// Kernels with atomic operations at addresses that are not multiples of the elements' size, in every way that
// they are compiled. The order of operations does not matter where lanes access the same address. The test
// chooses the start of p.
const misalignedKernels = `
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define AT(T, off) ((volatile global T*)(p + (off)))
#define INIT int i = get_global_id(0), x = a[i & 63]
#define ARGS (global const int* a, global uchar* p, global int* c, int o)
kernel void count ARGS { INIT; if (x & 1) atomic_fetch_add((volatile global atomic_int*)(p + o), 3); atomic_fetch_sub((volatile global atomic_int*)(p + o + 60), 5); c[i] = x; }
kernel void reduced ARGS { INIT; atomic_fetch_add((volatile global atomic_int*)(p + o), x); if (x & 3) atomic_fetch_and((volatile global atomic_int*)(p + o + 8), x); atomic_fetch_or((volatile global atomic_uint*)(p + o + 60), x);
  atomic_fetch_xor((volatile global atomic_int*)(p + o + 64), x); atomic_fetch_sub((volatile global atomic_int*)(p + o + 124), x); atomic_fetch_min((volatile global atomic_int*)(p + o + 132), x - 500); if (x & 1) atomic_fetch_max((volatile global atomic_uint*)(p + o + 140), x); c[i] = 1; }
kernel void reducedlong ARGS { INIT; atom_add(AT(long, o), x * 3L << 30); if (x & 3) atom_and(AT(ulong, o + 8), x); atom_xor(AT(long, o + 56), x * 5L << 30); atom_min(AT(long, o + 64), x - 500L); c[i] = 1; }
kernel void sums ARGS { INIT; atomic_add(AT(int, o), x); atomic_max(AT(uint, o + 60), x); }
kernel void sumstart ARGS { int i = get_global_id(0); for (int k = 0; k < 6; k++) atomic_or((volatile global uint*)(p + 61 * k), 1u << (i & 31)); }
kernel void row ARGS { INIT; atomic_add(AT(int, 4 * i + o), x); if (x & 1) atomic_xor(AT(uint, 4 * i + 400 + o), x); atom_add(AT(long, 8 * i + 800 + o), x * 7L); }
kernel void bins ARGS { INIT; atomic_inc(AT(int, 4 * (x & 15) + o)); if (x & 4) atomic_sub(AT(int, 4 * (x & 63) + o), 3); atomic_inc(AT(uint, (x & 127) * 5 + 400 + o)); }
kernel void results ARGS { INIT; c[i] = atomic_add(AT(int, 28 * i + o), x); c[i] ^= atomic_xchg(AT(int, 28 * i + o + 4), x + 1); c[i] += atomic_cmpxchg(AT(int, 28 * i + o + 8), 0, x + 5); c[i] -= atomic_cmpxchg(AT(int, 28 * i + o + 8), 1, x + 7);
  if (x & 1) c[i] += atomic_min(AT(int, 28 * i + o + 12), -x); long l = x & 2 ? atom_sub(AT(long, 28 * i + o + 16), x) : 3; c[i] += l;
  c[i] += (int)atomic_fetch_add((volatile global atomic_float*)(p + 28 * i + o + 24), x + 0.5f); c[i] ^= atomic_load((volatile global atomic_int*)(p + 28 * i + o + 24)); }
kernel void stores ARGS { INIT; if (x & 1) atomic_store((volatile global atomic_int*)(p + 4 * i + o), x); atomic_store((volatile global atomic_long*)(p + 8 * (63 - i) + 256 + o), x * 77L); if (i == 5) atomic_store((volatile global atomic_int*)(p + o + 900), x); }
kernel void chain ARGS { INIT; if (i == 9) c[0] = atomic_add(AT(int, o), x); if (i == 8) c[1] = atomic_xchg(AT(int, o + 60), x); if (i == 7) c[2] = atomic_load((volatile global atomic_int*)(p + o + 124)); if (i == 6) c[3] = atomic_cmpxchg(AT(int, o + 32), 0, x); }
kernel void unknown ARGS { INIT; volatile global int* q = x & 1 ? AT(int, 4 * i + o) : (volatile global int*)(c + 2 * i); atomic_add(q, x); c[2 * i + 1] = atomic_or(q, 0x55); }
kernel void locals ARGS { INIT; local uchar s[600]; int l = get_local_id(0); for (int k = l; k < 600; k += get_local_size(0)) s[k] = k * 7; barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc((local int*)(s + o + (x & 7) * 4)); atomic_add((local int*)(s + o + 60), x); if (x & 1) c[i] = atomic_xor((local int*)(s + o + 68 + 4 * l), x); atom_min((local long*)(s + 328 + o), (long)x << 20); barrier(CLK_LOCAL_MEM_FENCE);
  volatile int* g = x & 2 ? (volatile int*)(s + 340 + o + 4 * l) : (volatile int*)(p + 4 * i + o); atomic_fetch_add((volatile atomic_int*)g, x); barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) for (int k = 0; k < 600; k++) p[k + 600 * get_group_id(0) + 600] = s[k]; }
kernel void outside ARGS { INIT; atomic_add(AT(int, x * 1000 + o), x); c[i] = atomic_xchg(AT(int, 0x7fffffff), 1); }
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves ARGS { INIT; c[i] = as_short(atomic_exchange((volatile global atomic_half*)(p + 2 * i + o), (half)x)); }
`

// TestMisalignedAtomics compares atomic operations at misaligned offsets, and at aligned offsets in buffers
// that begin at misaligned addresses.
func TestMisalignedAtomics(t *testing.T) {
	m := build(t, misalignedKernels)
	a := scrambled(64)
	for f := range kernelsOf(m) {
		for _, at := range []struct{ base, off int }{{0, 1}, {0, 62}, {1, 0}, {2, 4}, {3, 61}, {4, 4}} {
			shapes := []shape{line(50), {[]uint64{64}, []uint64{32}}}
			alike(t, m, f.Name, shapes, a, shifted{make(buf, 4000), at.base}, make(buf, 1000), i32(at.off))
		}
	}
}

// TestMisalignedExclusion runs the reference executor and machine code concurrently on the same misaligned
// counters, some of which cross cache lines.
func TestMisalignedExclusion(t *testing.T) {
	m := build(t, `
kernel void add(global uchar* p, int o) { atomic_fetch_add((volatile global atomic_int*)(p + o), 1); }
kernel void bins(global uchar* p, int o) { int i = get_global_id(0); atomic_add((volatile global int*)(p + o + (i * 7 & 7) * 12), 1); }
kernel void floats(global uchar* p, int o) { atomic_fetch_add((volatile global atomic_float*)(p + o), 1.0f); }
kernel void results(global uchar* p, int o) { int i = get_global_id(0); if (atomic_add((volatile global int*)(p + o + (i & 7) * 12), 1) == -1) p[0] = 1; }
`)
	const items, launches = 5000, 20
	for f := range kernelsOf(m) {
		data := make([]byte, 256)
		execs := append(widths(1, 4), interp.Reference)
		var all sync.WaitGroup
		for _, exec := range execs {
			k := kernelOf(t, m, exec, f.Name)
			all.Go(func() {
				for range launches {
					args := []launch.Arg{launch.Memory(&launch.Buffer{Data: data}), launch.Value(i32(62))}
					if _, err := RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: []uint64{items}}, Workers: 2}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		sum := 0
		for k := range 8 {
			sum += int(binary.LittleEndian.Uint32(data[62+12*k:]))
		}
		want := len(execs) * launches * items
		if f.Name == "floats" {
			sum, want = int(binary.LittleEndian.Uint32(data[62:])), int(binary.LittleEndian.Uint32(f32(float32(want))))
		}
		if sum != want {
			t.Errorf("%s: %d, want %d", f.Name, sum, want)
		}
	}
}

const oddKernels = `
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define ARGS (global const uchar* a, global uchar* p, constant uchar* t, int o)
#define G(T, off) (*(global T*)(p + (off)))
#define R(T, off) (*(global const T*)(a + (off)))
#define C(T, off) (*(constant T*)(t + (off)))
kernel void contiguous ARGS { int i = get_global_id(0); G(int, 4 * i + o) = R(int, 4 * i + o) + 1; G(short, 2 * i + 400 + o) = R(short, 2 * i + o + 1); G(long, 8 * i + 600 + o) = R(long, 8 * i + o + 2); G(half, 2 * i + 1200 + o) = R(half, 2 * i + o + 3); }
kernel void vectors ARGS { int i = get_global_id(0); G(float4, 16 * i + o) = R(float4, 16 * i + o + 4); G(uchar16, 16 * i + o + 1100) = R(uchar16, 16 * i + 1); G(ushort8, 16 * i + o + 2200) = R(ushort8, 16 * i + o) * (ushort)3; G(int3, 16 * i + o + 3300) = R(int3, 16 * i + o); }
kernel void strided ARGS { int i = get_global_id(0); G(int, 12 * i + o) = R(int, 12 * i + o) ^ R(int, 12 * i + o + 7); G(short, 6 * i + 1000 + o) = R(short, 6 * i + o + 1); G(long, 24 * i + 2000 + o) = R(long, 24 * i + o); }
kernel void scattered ARGS { int i = get_global_id(0), k = i * 5 & 31; G(int, 4 * k + (i >> 5) * 128 + o) = R(int, R(uchar, i) + o); G(short, 2 * k + (i >> 5) * 64 + 600 + o) = R(short, R(uchar, i) * 3 + o); G(long, 8 * k + (i >> 5) * 256 + 1000 + o) = R(long, R(uchar, i) * 5 + o); G(float4, 16 * k + (i >> 5) * 512 + 2000 + o) = R(float4, R(uchar, i) + o); }
kernel void uniform ARGS { int i = get_global_id(0); G(int, 4 * i) = R(int, o) + R(short, o + 3) + C(int, o + 1) + (int)R(long, o + 9); if (i == 3) { G(int, 1001 + o) = 7; G(long, 1021 + o) = R(long, o + 60); G(float4, 1061 + o) = R(float4, o + 61); } }
kernel void tables ARGS { int i = get_global_id(0); G(int, 4 * i) = C(int, R(uchar, i) % 60 + o) + C(short, R(uchar, i) % 61 + o + 1) + C(int, 4 * (R(uchar, i) & 15) + o); }
kernel void locals ARGS { int i = get_global_id(0), l = get_local_id(0); local uchar s[1200]; *(local int*)(s + 4 * l + o) = R(int, 4 * i); *(local short*)(s + 2 * l + 300 + o) = i; *(local float4*)(s + 16 * (l & 31) + 600 + (o & 3)) = R(float4, (i & 31) * 16); barrier(CLK_LOCAL_MEM_FENCE);
  G(int, 4 * i) = *(local int*)(s + (R(uchar, i) & 127) + o) + *(local short*)(s + 2 * (l ^ 1) + 300 + o); G(long, 8 * i + 401) = *(local long*)(s + (l & 31) * 8 + 601); }
kernel void privates ARGS { int i = get_global_id(0); uchar s[64]; for (int k = 0; k < 64; k++) s[k] = R(uchar, i + k); *(int*)(s + (o & 31) + 1) ^= i; *(short*)(s + R(uchar, i) % 60) += 5; *(float4*)(s + 3) = R(float4, 4 * i); *(long*)(s + (R(uchar, i + 1) & 31)) *= 3; for (int k = 0; k < 64; k++) G(uchar, 64 * i + k) = s[k]; }
kernel void blocks ARGS { int i = get_global_id(0); struct S { int a[7]; char b; }; struct S x = *(global struct S*)(a + 32 * i + o); x.a[i & 3]++; *(global struct S*)(p + 32 * i + o) = x; }
kernel void edges ARGS { int i = get_global_id(0); G(int, 4 * i + 4096 - 130 + o) = i; G(int, 8 * i) += R(short, 4096 - 100 + 2 * i + o); }
kernel void vectoredges ARGS { int i = get_global_id(0); G(float4, 16 * i + 4096 - 500 + o) = R(float4, 4096 - 500 + 16 * i + o); }
`

// TestMisalignedAccesses compares loads and stores at misaligned offsets in every address space, and in buffers
// that begin at misaligned addresses.
func TestMisalignedAccesses(t *testing.T) {
	m := build(t, oddKernels)
	a := buf{}
	for i := range 4096 {
		a = append(a, byte(i*i*31>>3^i))
	}
	for f := range kernelsOf(m) {
		for _, at := range []struct{ base, off int }{{0, 1}, {0, 62}, {1, 0}, {2, 3}, {3, 61}} {
			shapes := []shape{line(1), line(50), {[]uint64{64}, []uint64{64}}}
			alike(t, m, f.Name, shapes, shifted{a, at.base}, shifted{make(buf, 4096), at.base + 1}, shifted{a[:128], at.base + 2}, i32(at.off))
		}
	}
}
