//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"strings"
	"testing"
)

// TestTimes compares products with constants.
func TestTimes(t *testing.T) {
	var src strings.Builder
	constants := []string{"3", "5", "7", "9", "15", "17", "-1", "-3", "-7", "31", "33", "65537", "65535", "0x7fffffff", "0x80000001", "-5", "6", "12", "24", "28", "-6", "-8", "-24", "11", "0x60", "0x7ffffffe"}
	long := append(constants, "0x100000001L", "0xffffffffL", "0x7fffffffffffffffL", "-0x100000000L", "0x300000000L", "-0x300000000L", "0xf00000000L", "0x8000000000000000UL", "0x8000000000000001UL", "0x4000000000000003L")
	for _, k := range []struct {
		t    string
		with []string
	}{{"int", constants}, {"uint", constants}, {"short", constants}, {"long", long}, {"ulong", long}} {
		for _, lanes := range []string{"", "2"} {
			v := k.t + lanes
			fmt.Fprintf(&src, "kernel void %s_%s(global const %s* s, global %s* d) { int i = get_global_id(0); %s x = s[i];\n", k.t, lanes, v, v, v)
			for i, c := range k.with {
				fmt.Fprintf(&src, "  d[i * %d + %d] = x * (%s)(%s);\n", len(k.with), i, v, c)
			}
			src.WriteString("}\n")
		}
	}
	m := build(t, src.String())
	s := filled(16*70, func(i int) byte { return byte(i * i >> 2 * 13) })
	for _, f := range m.Funcs {
		alike(t, m, f.Name, []shape{line(70)}, s, make(buf, 70*16*len(long)))
	}
}

// TestShortProducts compares 32-bit products of 8-bit and 16-bit values, and sums over the components of
// vectors of bytes.
func TestShortProducts(t *testing.T) {
	var src strings.Builder
	types := []string{"char", "uchar", "short", "ushort"}
	for _, x := range types {
		for _, y := range types {
			fmt.Fprintf(&src, `kernel void %[1]s_%[2]s(global const %[1]s* s, global const %[2]s* p, global int* d) { int i = get_global_id(0); uint u = (uint)s[i] * (uint)p[i + 1];
  d[i * 4] = (int)s[i] * (int)p[i]; d[i * 4 + 1] = (int)p[i] * (int)s[3]; d[i * 4 + 2] = u; d[i * 4 + 3] = (int)s[i] * 201 + (p[i] & 0x7fff) * (s[i + 1] & 0x7ffe); }
kernel void dot_%[1]s_%[2]s(global const %[1]s4* s, global const %[2]s4* p, global int4* d) { int i = get_global_id(0); int4 a = convert_int4(s[i]) * convert_int4(p[i]), b = convert_int4(s[i]) * convert_int4(p[2]);
  float4 f = convert_float4(s[i]); d[i] = (int4)(a.x + a.y + a.z + a.w, b.x - b.y + b.z * b.w, convert_int(f.x * 0.3f + f.y * 0.6f + f.z * 0.1f), b.w); }
`, x, y)
		}
	}
	m := build(t, src.String())
	s := make(buf, 600)
	for i := range s {
		s[i] = byte(i * i >> 2 * 13)
		if i%5 < 2 {
			s[i] = 0x80 * byte(i&1) // the least values
		}
	}
	for _, f := range m.Funcs {
		alike(t, m, f.Name, []shape{line(70)}, s, s[1:], make(buf, 70*16))
	}
}

// TestTernary compares bitwise functions of two, three and four values.
func TestTernary(t *testing.T) {
	m := build(t, `
#define K(name, T, e) kernel void name(global const T* s, global T* d) { int i = get_global_id(0); T u = s[7], a = s[i], b = s[i + 1], c = s[i + 2]; d[i] = e; }
K(a, uint, (a & b) | (~a & c)) K(b, uint, (a & b) ^ (a & c) ^ (b & c)) K(c, uint, a ^ b ^ c) K(d, uint, b ^ (a | ~c)) K(e, uint, ~(a & b & c)) K(f, uint, (a | a << 8) & 0xff00ff)
K(g, uchar, (a ^ b) & (c | u)) K(h, short, (a & 15) | (b & ~15)) K(j, ulong, (a ^ (b & c)) | (u & ~b)) K(k, uint4, (a & b) | (~a & c)) K(l, uchar4, (a ^ u) & ~(b | c)) K(n, ushort2, a ^ ~b ^ c.yx)
K(o, uint, ((a & b) | c) + ((a & b) ^ c)) K(p, int, ~(~(a | b) & ~c)) K(q, long2, bitselect(a, b, c)) K(r, char, bitselect(a, b, u)) K(v, uint8, (a & (uint8)(1, 2, 3, 4, 5, 6, 7, 8)) | (b & ~c))
kernel void w(global const uint* s, global uint* d) { int i = get_global_id(0); uint u = s[7], a = s[i], b = s[i + 1], x = a ^ b; for (uint k = 0; k < (s[i + 2] & 7) + 1; k++) { uint t = a & b; if (k & 1) x = (x | t) & u; else x ^= t | k; a = b; b = x; } d[i] = x & (a | b); }
`)
	s := filled(16*80, func(i int) byte { return byte(i * i >> 2 * 13) })
	for _, f := range m.Funcs {
		alike(t, m, f.Name, []shape{line(70)}, s, make(buf, 70*32))
	}
}
