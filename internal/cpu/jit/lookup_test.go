//go:build amd64 && (linux || darwin || windows)

package jit

import "testing"

// TestLookup compares loads from small tables in constant memory, by indices that are always in bounds and by
// indices that may not be.
func TestLookup(t *testing.T) {
	m := build(t, `
constant uchar squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
constant float halves[8] = {0, 0.5f, 1, 1.5f, 2, 2.5f, 3, 3.5f};
constant short odd[40] = {1, -3, 5, -7, 9, -11, 13, -15, 17, -19, 21};
#define K(name, T, I, at) kernel void name(global const I* s, constant T* t, global T* d) { int i = get_global_id(0); I x = s[i]; d[i] = t[at] + (T)x; }
K(a, uchar, uchar, x) K(b, char, uchar, x + 3) K(c, uchar, ushort, x & 127) K(e, uchar, int, x & 63) K(f, uchar, uint, x >> 27)
K(g, ushort, uchar, x & 63) K(h, short, int, 2 + (x & 31)) K(j, int, uchar, x & 31) K(k, float, int, x & 15) K(l, uchar, uchar, x % 200) K(n, short, uchar, x) K(o, uchar, char, x & 15)
kernel void p(global const uchar* s, constant uchar* t, global uchar* d) { int i = get_global_id(0); uchar x = s[i]; if (x & 1) x = t[x]; else if (x & 2) x = t[x & 63] + squares[x >> 4]; d[i] = x; }
kernel void q(global const uchar4* s, constant uchar* t, global float* d) { int i = get_global_id(0); uchar4 x = s[i]; d[i] = t[x.x] + t[x.w] * halves[x.y & 7] + odd[x.z % 40] + squares[x.z & 15]; }
kernel void r(global const uchar* s, constant uchar* t, global uchar* d) { int i = get_global_id(0); uchar x = s[i]; for (int k = 0; k < 5; k++) x = t[(uchar)(x + k)]; d[i] = x; }
`)
	s, table := make(buf, 1200), make(buf, 300)
	for i := range s {
		s[i] = byte(i * i >> 2 * 13)
	}
	for i := range table {
		table[i] = byte(i*37 + i>>3)
	}
	for _, f := range m.Funcs {
		for _, n := range []int{0, 15, 16, 128, 255, 256, 300} {
			from := n % 3
			alike(t, m, f.Name, []shape{line(100)}, s, shifted{table[:n+from], from}, make(buf, 400))
		}
	}
}
