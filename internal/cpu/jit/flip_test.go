//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"maps"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/x86"
)

// TestFlip compares accesses at an id XOR a uniform number, for elements and vectors of all sizes in local and
// global memory. The number is constant or not, affects some or all lanes, or reverses them. The index is alone
// or next to other terms, reaches the last element and beyond, and ids may begin inside a gang.
func TestFlip(t *testing.T) {
	m := build(t, `
#define K(name, T) kernel void name(global T* d, global const T* s, constant uint* us, int n) { \
  local T t[80]; uint l = get_local_id(0), u = us[get_group_id(0)]; size_t g = get_global_id(0), lsz = get_local_size(0); \
  t[l] = s[g]; barrier(CLK_LOCAL_MEM_FENCE); T x = t[l]; if ((l ^ u) < lsz) x = t[l ^ u]; barrier(CLK_LOCAL_MEM_FENCE); \
  if ((l ^ u) < lsz && (l & 6) != 2) t[l ^ u] = x + (T)3; barrier(CLK_LOCAL_MEM_FENCE); \
  for (uint j = u; j > 0; j >>= 1) { uint k = l ^ j; if (k > l && k < lsz) { T a = t[l], b = t[k]; if (l & 16) { t[l] = b + a; t[k] = a; } } barrier(CLK_LOCAL_MEM_FENCE); } \
  d[g] = t[l] + x; d[2 * n - 1 - (g ^ 64)] = t[79 - (l ^ u & 15)]; } \
kernel void name##_global(global T* d, global const T* s, constant uint* us, int n) { \
  size_t g = get_global_id(0); uint u = us[3]; d[g] = s[g ^ 5] + s[n - 1 - (g ^ u)] + s[((uint)g ^ 7) + (us[5] & 3)]; \
  T x = s[(g ^ 37) + us[2]]; if (g == 3) x += s[(g ^ us[4]) + 3 * n]; d[2 * n + ((int)g ^ 9)] = x; d[3 * n + 127 - (g ^ 64)] = s[95 - ((uint)g ^ u)]; d[n + (g ^ us[7])] = s[g]; }
K(c1, char) K(c2, char2) K(c3, char3) K(c4, char4) K(c16, char16) K(s1, short) K(s2, short2) K(s8, short8) K(i1, int) K(i2, int2) K(i3, int3) K(i4, int4) K(i16, int16) K(l1, long) K(l2, long2) K(l4, long4) K(l16, long16)
kernel void rows(global int* d, global const int* s, constant uint* us, int n) { local int t[3][64]; int l = get_local_id(0), r = get_local_id(1); uint u = us[get_group_id(0) % 9]; t[r][l] = s[l + r * 7]; if (r == 0) t[2][l] = 4; barrier(CLK_LOCAL_MEM_FENCE);
  int x = t[r][l ^ u & 63], y = t[r + 2][l ^ u & 63] + t[0][64 * r + (l ^ 3)] + t[r][(ulong)u - (l ^ u)]; d[get_global_id(0) * 2 + r] = x * 3 + y; barrier(CLK_LOCAL_MEM_FENCE); t[r][l ^ u & 31] = y; barrier(CLK_LOCAL_MEM_FENCE); d[n + get_global_id(0) * 2 + r] = t[r][l]; }
kernel void bools(global char* d, global const char* s, constant uint* us, int n) { local bool f[128]; uint l = get_local_id(0), u = us[get_group_id(0)]; f[l] = s[get_global_id(0)] & 1; f[l ^ 64] = u & 1; barrier(CLK_LOCAL_MEM_FENCE); d[get_global_id(0)] = f[l ^ u & 127] + 2 * f[l ^ 1]; }
`)
	s := filled(2048*128, func(i int) byte { return byte(i*37>>2 + i>>8) })
	us := buf{}
	for _, u := range []int{0, 1, 6, 13, 21, 40, 63, 70, 16, 32, 8, 3, 1 << 20, -1} {
		us = append(us, i32(u)...)
	}
	for _, f := range m.Funcs {
		shapes := []shape{{[]uint64{768}, []uint64{64}}, {[]uint64{288}, []uint64{24}}, {[]uint64{420}, []uint64{35}}}
		switch {
		case f.Name == "rows":
			shapes = []shape{{[]uint64{256, 2}, []uint64{64, 2}}, {[]uint64{144, 2}, []uint64{16, 1}}, {[]uint64{100, 2}, []uint64{20, 2}}}
		case strings.HasSuffix(f.Name, "_global"):
			shapes = []shape{line(64), {[]uint64{105}, []uint64{21}}}
		}
		alike(t, m, f.Name, shapes, make(buf, 4*1024*128), s, us, i32(1024))
	}
}

// TestReversedRows: an unsigned index that falls below 0 is out of bounds, even when it is added to a row's
// index. A signed one reaches the previous row.
func TestReversedRows(t *testing.T) {
	m := build(t, `
kernel void loads(global int *d, global const int (*a)[64], uint c, uint n) { uint g = get_global_id(0); d[g] = a[n][c - g]; }
kernel void stores(global int *d, global int (*a)[64], uint c, uint n) { uint g = get_global_id(0); a[n][c - g] = g; }
kernel void flipped(global int *d, global const int (*a)[64], uint c, uint n) { uint g = get_global_id(0); d[g] = a[n][c - (g ^ 5)] + a[n][2 * c - (g ^ n)]; }
kernel void before(global int *d, global int (*a)[64], int c, int n) { int g = get_global_id(0); d[g] = a[n][c - g]; a[n + 2][c - (g ^ n)] = g; }
`)
	s := filled(64*64*4, func(i int) byte { return byte(i*37>>2 + i>>8) })
	for _, f := range m.Funcs {
		for _, c := range []int{3, 40, 63, 1 << 20} {
			alike(t, m, f.Name, []shape{line(64)}, make(buf, 64*4), s, i32(c), i32(5))
		}
	}
}

// TestFlippedShape: the accesses of a sorting network are no gathers.
func TestFlippedShape(t *testing.T) {
	m := build(t, `kernel void k(global int *p, int u) {
	local short s[256];
	uint i = get_local_id(0);
	s[i] = p[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint j = 128; j > 0; j >>= 1) {
		if ((i ^ j) > i) {
			short x = s[i], y = s[i ^ j];
			s[i] = min(x, y);
			s[i ^ j] = max(x, y);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	p[get_global_id(0) ^ u] = s[255 - (i ^ u)];
}`)
	for _, lv := range x86.Levels {
		code := listed(t, m.Func("k"), lv, WholeGangs)
		// By line: the code may contain a part of the kernel twice.
		got := map[int]explain.Shape{}
		for _, a := range code.Listing.Accesses {
			got[m.Source.Location(a.Value.Pos).Line] = a.Shape
		}
		want := map[int]explain.Shape{4: explain.Contiguous, 8: explain.Flipped, 9: explain.Contiguous, 10: explain.Flipped, 14: explain.Flipped}
		if !lv.Target().Masks.Has(2) { // the level has no masked stores of 2 bytes
			want[10] = explain.Scattered
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: lines' accesses are %v, want %v", lv.Name, got, want)
		}
	}
}
