//go:build amd64 && (linux || darwin || windows)

package jit

import "testing"

// overwriteSource has kernels of work-groups of 64 that read local memory which they have written, and which they have not.
const overwriteSource = `
#define B barrier(CLK_LOCAL_MEM_FENCE)
#define K(name, ...) kernel __attribute__((reqd_work_group_size(64, 1, 1))) void name(global const int *a, global int *o) { int l = get_local_id(0), i = get_global_id(0); __VA_ARGS__ }
#define TREE(name, T) K(name, local T t[64]; t[l] = (T)a[i]; for (int s = 32; s > 0; s >>= 1) { B; if (l < s) t[l] += t[l + s]; } B; o[i] = (int)t[0] + (int)t[l];)
TREE(floats, float) TREE(doubles, double) TREE(shorts, short) TREE(chars, uchar) TREE(longs, long)
K(all, local int t[64]; t[l] = a[i]; B; o[i] = t[63 - l]; B; t[l] = l;)
K(most, local int t[65]; t[l] = a[i]; B; o[i] = t[64 - l]; B; t[l + 1] = a[i];)
K(before, local int t[64]; o[i] = t[l]; B; t[l] = a[i]; B; o[i] += t[63 - l] * 3;)
K(other, local int t[64]; local int u[64]; t[l] = a[i]; B; o[i] = t[63 - l] + u[l]; B; u[l] = a[i];)
K(some, local int t[64]; if (l != 3) t[l] = a[i]; B; o[i] = t[63 - l]; B; t[l] = i;)
K(odd, local int t[64]; if (a[i] & 1) t[l] = a[i]; B; o[i] = t[63 - l]; B; t[l] = i;)
K(late, local int t[128]; t[l] = a[i]; B; o[i] = t[63 - l]; t[l + 64] = i; B; o[i] ^= t[127 - l];)
K(early, local int t[128]; t[l] = a[i]; B; o[i] = t[63 - l] + t[l + 64]; B; t[l + 64] = i; B; o[i] ^= t[127 - l];)
K(spread, local int t[128]; t[2 * l] = a[i]; t[2 * l + 1] = i; B; o[i] = t[127 - l] + t[l];)
K(steps3, local int t[64]; t[l] = a[i]; B; if (l < 3) t[l] += t[l + 5]; B; if (l < 16) t[l] += t[l + 1]; B; if (l < 4) t[l + 1] -= t[l * 2]; B; o[i] = t[l];)
`

// TestOverwrite compares such kernels: later work-groups find local memory clear where they have not written it.
func TestOverwrite(t *testing.T) {
	m := build(t, overwriteSource)
	a := scrambled(640)
	execs := executorsOf(Options{Unfold: true})
	for _, f := range m.Funcs {
		alikeOn(t, execs, m, f.Name, []shape{{[]uint64{640}, []uint64{64}}}, a, make(buf, 4*640))
	}
}

// tileSource has kernels with tiles of 64 vectors in local memory. Work-groups of 64 write some of the tiles whole.
const tileSource = `
#define B barrier(CLK_LOCAL_MEM_FENCE)
#define K(name, ...) kernel void name(global const int *a, global int *o) { int x = get_local_id(0), y = get_local_id(1), l = y * get_local_size(0) + x, i = get_global_linear_id(); __VA_ARGS__ }
K(all, local int16 t[64]; t[l] = (int16)(a[i % 640]); B; o[i] = t[63 - l].s5;)
K(most, local int16 t[65]; t[l] = (int16)(a[i % 640]); B; o[i] = t[64 - l].s5;)
K(before, local int16 t[64]; o[i] = t[l].s1; t[l] = (int16)(a[i % 640]); B; o[i] += t[63 - l].s5;)
K(some, local int16 t[64]; if (l != 3) t[l] = (int16)(a[i % 640]); B; o[i] = t[63 - l].s5;)
K(other, local int16 t[64]; local int u[64]; t[l] = (int16)(a[i % 640]); B; o[i] = t[63 - l].s5 + u[l]; B; u[l] = i;)
K(halves, local int8 t[128]; t[l] = (int8)(a[i % 640]); t[l + 64] = (int8)(i); B; o[i] = t[63 - l].s5 ^ t[127 - l].s2;)
K(plane, local int16 t[8][8]; t[y][x] = (int16)(a[i % 640]); B; o[i] = t[7 - y][7 - x].s5;)
K(outside, local int16 t[64]; t[l + (l == 5) * 640] = (int16)(a[i % 640]); B; o[i] = t[63 - l].s5;)
K(byData, local int16 t[64]; t[a[i % 640] & 63] = (int16)(i); B; o[i] = t[63 - l].s5 != 0;)
K(returns, local int16 t[64]; t[l] = (int16)(a[(i ^ 5) % 700]); B; if (i % 3 == 0) return; o[i] = t[63 - l].s5;)
`

// TestTiles compares such kernels in launches that would clear much local memory.
func TestTiles(t *testing.T) {
	m := build(t, tileSource)
	a := scrambled(640)
	shapes := []shape{{[]uint64{64 * 80}, []uint64{64}}, {[]uint64{64 * 80}, []uint64{32}}, {[]uint64{64*80 - 7}, []uint64{64}}, {[]uint64{8 * 10, 64}, []uint64{8, 8}}, {[]uint64{4 * 20, 64}, []uint64{4, 16}}}
	for _, f := range m.Funcs {
		for _, s := range shapes {
			alikeOn(t, widths(1, 2), m, f.Name, []shape{s}, a, make(buf, 4*64*80))
		}
	}
}
