//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/run/exec"
)

// TestGather compares accesses at varying offsets: elements and vectors of all sizes, in objects at any
// alignment, up to the last byte and beyond.
func TestGather(t *testing.T) {
	m := build(t, `
#define K(name, T) kernel void name(global const int* a, global const T* s, global T* d, int n) { int i = get_global_id(0); int k = a[i] % n; T x = s[k]; \
  if (a[i] & 1) { x += s[(k + i) % n]; d[a[i + 1] % 4 + i * 4] = x; } if (a[i] & 4) d[i * 4 + 2] = x; if (i == 17 || i == 40) x += s[k + n]; d[i * 4] += x; if (i == 5) d[a[i] + 100000] = x; }
K(c1, char) K(c2, char2) K(c3, char3) K(c4, char4) K(c8, char8) K(c16, char16) K(s1, short) K(s2, short2) K(s3, short3) K(s4, short4) K(s8, short8) K(s16, short16)
K(i1, int) K(i2, int2) K(i3, int3) K(i4, int4) K(i16, int16) K(l1, long) K(l2, long2) K(l3, long3) K(l4, long4) K(l8, long8)
#define V(name, T) kernel void name(global const int* a, global const T* s, global T* d, int n) { int i = get_global_id(0); int k = a[i] % n; T##3 x = vload3(k / 3, s) + vload3(i & 1, s + (k & 3)); vstore3(x, i * 4 + (a[i] & 3), d); T##2 y = vload2(k / 2 - (i & 1), s + 1); vstore2(y, i * 4 + (a[i] & 1), d + 4000); }
V(vc, char) V(vs, short) V(vi, int) V(vl, long)
kernel void same(global const int* a, global const int* s, global int* d, int n) { int i = get_global_id(0); d[0] = a[i]; d[n & 7] = a[i] * 3; if (a[i] & 1) d[20] = i; }
kernel void both(global const int* a, global const uchar* s, global int* d, int n) { int i = get_global_id(0); ulong k = (ulong)a[i] * 3; d[i] = s[a[i] & 63] + s[k % 70] + (a[i] & 4 ? s[k + 5000] : 0) + s[(ulong)a[i] << 20]; d[i + 100] = s[a[i] + 5000]; }
kernel void bools(global const int* a, global const char* s, global char* d, int n) { int i = get_global_id(0); local bool f[200]; int l = get_local_id(0); f[(l * 7) % 200] = a[i] & 1; barrier(CLK_LOCAL_MEM_FENCE); d[i] = f[(l * 7) % 200] + f[7]; }
`)
	a := scrambled(101)
	s := filled(64*64, func(i int) byte { return byte(i * 37 >> 2) })
	for _, f := range m.Funcs {
		shapes := []shape{line(1), line(40), {[]uint64{100}, []uint64{100}}}
		if f.Name == "same" {
			shapes = []shape{line(8)}
		}
		if f.Name[0] == 'v' {
			shapes = []shape{line(40)}
		}
		for _, from := range []int{0, 1, 2, 3} {
			if f.Name != "c1" && f.Name != "s1" && f.Name != "vc" && f.Name != "vs" && from > 0 {
				break
			}
			alike(t, m, f.Name, shapes, a, shifted{s[:32*64+from], from}, make(buf, 100*4*128), i32(29))
		}
	}
}

// TestScatterLaneByLane: code for processors with slow scatters, with negative offsets, equal ones in a gang, of which
// the last lane's stays, and some out of bounds.
func TestScatterLaneByLane(t *testing.T) {
	m := build(t, `
#define K(name, T) kernel void name(global const int* a, global T* d, int n) { int i = get_global_id(0), g = i & ~7; global T* e = d + 400; e[a[i] % 3 + g - 200] = i; e[50 + i * 5 % 128] = 1 - i; if (n == 29 && i == 37) e[n + 4000] = i; e[a[i] % 7 + g + 500 + (n == 31 ? i * 20 : 0)] = i * 3; }
K(i, int) K(f, float) K(l, long) K(d, double)
kernel void mixed(global const int* a, global uchar* d, int n) { int i = get_global_id(0), g = i & ~7; d[i] += a[i]; global ulong* e = (global ulong*)(d + 4000); e[a[i] % 5 + g] = i; global uint* u = (global uint*)d; u[a[i] % 5 + g + 400] = a[i] + n; }
`)
	a := scrambled(200)
	for _, lv := range levels() {
		execs := []exec.Executor{New(Options{Panics: true, Level: lv, SlowGathers: true})}
		for f := range kernelsOf(m) {
			for _, n := range []int{28, 29, 31} {
				alikeOn(t, execs, m, f.Name, []shape{line(128), line(100)}, a, make(buf, 8*1200), i32(n))
			}
			c, err := newCode(f, Options{Level: lv, SlowGathers: true})
			if err != nil {
				t.Fatal(err)
			}
			out, err := c.add(variantKey{level: lv}).generate(true, nil, new(timing.Clock))
			if err != nil {
				t.Fatal(err)
			}
			stores := 0
			for _, i := range explain.New(out.plan, out.gang, out.Code, false).Insts {
				if op := i.Inst.Op; i.Inst.HasMem && (op == asm.VPEXTRD || op == asm.VPEXTRQ) {
					stores++
				}
			}
			if stores == 0 && lv.Scatters {
				t.Errorf("%s on %s: no elements are stored one by one", f.Name, lv.Name)
			}
		}
	}
}

const oneAddressKernels = `
kernel void ends(global const int* a, global int* b) { size_t i = get_global_id(0), g = get_group_id(0); if (get_local_id(0) == get_local_size(0) - 1) b[g] = a[i]; }
kernel void some(global const int* a, global int* b) { size_t i = get_global_id(0), g = get_group_id(0); if (get_local_id(0) < 8 && a[i] % 3 == 1) b[g] = a[i]; }
kernel void none(global const int* a, global int* b) { size_t i = get_global_id(0), g = get_group_id(0); if (a[i] % 3 > 3) b[g] = a[i]; }
kernel void bytes(global const int* a, global char* b) { size_t i = get_global_id(0), g = get_group_id(0); if (get_local_id(0) < 8 && a[i] % 3 == 1) b[g + 2] = a[i]; }
kernel void shorts(global const int* a, global short* b) { int i = get_global_id(0), g = get_group_id(0); if (get_local_id(0) < 8 && a[i] % 3 == 1) b[g] = a[i]; }
kernel void doubles(global const int* a, global double* b) { int i = get_global_id(0), g = get_group_id(0); if (get_local_id(0) < 8 && a[i] % 3 == 1) b[g] = a[i]; }
kernel void both(global const int* a, global int2* b) { int i = get_global_id(0), g = get_group_id(0); if (get_local_id(0) < 8 && a[i] % 3 == 1) b[g] = (int2)(a[i], i); }
kernel void after(global const int* a, global int* b) { int i = get_global_id(0), g = get_group_id(0); if (get_local_id(0) < 8 && a[i] % 3 == 1) b[g + 5000] = a[i]; }
`

// TestOneAddress compares stores of several lanes to one address, where the last active one's value stays.
func TestOneAddress(t *testing.T) {
	m := build(t, oneAddressKernels)
	a := scrambled(512)
	for f := range kernelsOf(m) {
		alike(t, m, f.Name, []shape{{[]uint64{512}, []uint64{64}}, {[]uint64{512}, []uint64{512}}}, a, make(buf, 8*1200))
		if code := listed(t, f, x86.AVX512, WholeGangs).Listing.Before; f.Name != "both" && strings.Contains(code, "vpscatter") {
			t.Errorf("%s: a scatter to one address", f.Name)
		}
	}
}
