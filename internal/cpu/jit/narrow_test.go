//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"strings"
	"testing"
)

// TestNarrow compares values that are loaded, narrowed and widened again: scalars and vectors, in gangs of all
// widths, up to the end of their object and beyond.
func TestNarrow(t *testing.T) {
	var src strings.Builder
	var names []string
	kernel := func(s, n, w, mode string, lanes string) {
		// Used narrow, used wide in two ways, and all at once.
		uses := []string{"d[i] = x;", "e[i] = convert_W(x);", "f[i] = convert_S(x) + s[i];"}
		for _, use := range append(uses, strings.Join(uses, " ")) {
			name := fmt.Sprintf("k%d", len(names))
			names = append(names, name)
			body := "{ int i = get_global_id(0); N x = convert_N_sat" + mode + "(s[i]); " + use + " }\n"
			args := "(global const S* s, global N* d, global W* e, global S* f) "
			src.WriteString("kernel void " + name + strings.NewReplacer("S", s+lanes, "N", n+lanes, "W", w+lanes).Replace(args+body))
		}
	}
	for k, n := range []string{"char", "uchar", "short", "ushort"} {
		for j, lanes := range []string{"", "4"} {
			for i, s := range []string{"short", "ushort", "int", "uint", "float", "double"} {
				mode := ""
				if i >= 4 {
					mode = []string{"", "_rte", "_rtn", "_rtp"}[(i+j+k)%4]
				}
				kernel(s, n, []string{"int", "float"}[(i+j)%2], mode, lanes)
			}
		}
	}
	m := build(t, src.String())
	s := make(buf, 8*4*90)
	for i := range s {
		s[i] = byte(i * i >> 3 * 29)
		if i&4 != 0 {
			s[i] = byte(i>>5&1) * 255 // small values of both signs
		}
	}
	for _, name := range names {
		alike(t, m, name, []shape{line(100)}, s, make(buf, 400), make(buf, 1600), make(buf, 3200))
	}
}

// TestNarrowBounded compares values with known bounds of the narrow type's width. They fit into the narrow
// type, but into a signed one only as unsigned values.
func TestNarrowBounded(t *testing.T) {
	m := build(t, `
#define K(name, N, S, X) kernel void name(global const S* s, global N* d) { int i = get_global_id(0); d[i] = X; }
K(a, char, ushort, convert_char_sat((ushort)(s[i] & 0xa0))) K(b, char, uint, convert_char_sat(s[i] >> 24)) K(c, char, uchar, convert_char_sat(convert_int(s[i])))
K(e, short, ushort, convert_short_sat(convert_int_sat(s[i]))) K(f, short, uint, convert_short_sat(s[i] & 0x8fff)) K(g, short, uint, convert_short_sat(s[i] >> 16))
K(h, uchar, ushort, convert_uchar_sat((ushort)(s[i] & 0xa0))) K(j, ushort, uint, convert_ushort_sat(s[i] >> 16)) K(k, char, uint, convert_char(s[i] >> 24))
K(l, char4, ushort4, convert_char4_sat(s[i] & (ushort4)0xff)) K(m, short4, uint4, convert_short4_sat(s[i] >> 16)) K(n, char, uint, convert_char_sat(s[i] >> 25))`)
	s := filled(16*100, func(i int) byte { return byte(i * 211) })
	for _, name := range strings.Fields("a b c e f g h j k l m n") {
		alike(t, m, name, []shape{line(100)}, s, make(buf, 800))
	}
}

// TestWiden compares values that are widened as they are loaded, next to values that are not, up to the end of
// their object and beyond.
func TestWiden(t *testing.T) {
	m := build(t, `
#define K(name, S, W) kernel void name(global const S* s, global W* d, int n) { int i = get_global_id(0); d[i] = convert_##W(s[i]); if (n > 1) d[i] += convert_##W(s[i + n]) * (W)(s[i] == s[i + 1] ? 1 : 2); }
K(a, char, int) K(b, uchar, float) K(c, short, double) K(e, ushort, long) K(f, int, double) K(g, uint, double) K(h, float, double) K(j, uint, long) K(k, uchar, short) K(l, int, ulong)
#define V(name, S, W) kernel void name(global const S* s, global W* d, int n) { int i = get_global_id(0); W x = convert_##W(s[i]); if (n > 1) x += convert_##W(s[i + n]).wzyx; d[i] = x; }
V(va, char4, int4) V(vb, uchar4, float4) V(vc, short4, double4) V(ve, ushort4, long4) V(vf, int4, double4) V(vh, float4, double4)
kernel void vi(global const half* s, global float4* d, int n) { int i = get_global_id(0); d[i] = vload_half4(i, s) + vload_half(i + n, s); }
kernel void va4(global const uchar4* s, global uchar4* d, int n) { int i = get_global_id(0); uchar4 p = s[i]; ushort4 t = convert_ushort4(p) * (ushort4)(p.w, 3, p.x, 255) + (ushort)128; d[i] = convert_uchar4((t + (t >> (ushort)8)) >> (ushort)8); }
kernel void va8(global const short8* s, global int8* d, int n) { int i = get_global_id(0); short8 p = s[i]; d[i] = (int8)(p.s7, 1, p.s0, p.s3, 2, 3, p.s3, 4) + convert_int8(p); }
kernel void vk(global const ushort4* s, global uchar4* d, int n) { int i = get_global_id(0); d[i] = convert_uchar4(s[i] & (ushort4)(63, 255, 1, 0)) + convert_uchar4(s[i] & (ushort)511); }
kernel void vj(global const float* s, global half* d, int n) { int i = get_global_id(0); vstore_half4_rtz(vload4(i, s) + (float4)n, i, d); }
`)
	s := filled(1290, func(i int) byte { return byte(i * i >> 2 * 13) })
	for _, f := range m.Funcs {
		for _, n := range []int{1, 3} {
			alike(t, m, f.Name, []shape{line(100)}, s, make(buf, 99*32), i32(n))
			alike(t, m, f.Name, []shape{line(40)}, s[:n*7*16], make(buf, 39*32), i32(n))
		}
	}
}

// TestBytesAsWords compares bytes of structures that are extended to 16 bits, in one block, in several, and in a loop
// that loads others, up to the end of their object and beyond.
func TestBytesAsWords(t *testing.T) {
	m := build(t, `
kernel void pack(global const uchar4* s, global ushort* d) { int i = get_global_id(0); uchar4 p = s[i]; d[i] = (ushort)((ushort)(p.x >> 3) << 11 | (ushort)(p.y >> 2) << 5 | p.z >> 3) ^ (ushort)(p.w * 3); }
kernel void later(global const uchar4* s, global ushort* d) { int i = get_global_id(0); uchar4 p = s[i]; ushort x = p.y; if (i & 4) x = (ushort)(x * 5 + p.z); d[i] = x ^ (ushort)(p.z << 8 | p.x); }
kernel void loop(global const uchar4* s, global ushort* d) { int i = get_global_id(0); ushort x = 1; uchar4 p = s[i]; for (int k = 0; k < 5; k++) { x = (ushort)(x * 7 + p.w); p = s[i + k]; x ^= (ushort)(p.z << 3 | p.w); } d[i] = x; }
kernel void bytes(global const uchar4* s, global ushort* d) { int i = get_global_id(0); uchar4 p = s[i]; uchar b = p.y + p.z; d[i] = (ushort)(p.y << 4) + (ushort)b + (ushort)max(p.x, p.w); }
`)
	s := filled(4*190, func(i int) byte { return byte(i*i>>2 + i*91) })
	for _, name := range []string{"pack", "later", "loop", "bytes"} {
		for _, n := range []uint64{128, 185, 200} {
			alike(t, m, name, []shape{line(n)}, s, make(buf, 400))
		}
	}
}

// TestParts compares integers that lanes take out of neighbouring structures of 2 and 4 bytes, extended and otherwise, up
// to the end of their object and beyond.
func TestParts(t *testing.T) {
	var src strings.Builder
	var names []string
	results := map[string][]string{"char": {"short", "ushort_sat", "int", "float", "long", "char"}, "uchar": {"short", "ushort", "uint", "float", "double", "uchar"},
		"short": {"int", "uint_sat", "float", "long", "char_sat"}, "ushort": {"int", "uint", "float", "ulong", "ushort"}}
	for _, s := range []string{"char", "uchar", "short", "ushort"} {
		steps := []int{2, 4}
		if strings.Contains(s, "short") {
			steps = steps[:1]
		}
		for _, step := range steps {
			for k, to := range results[s] {
				w, _, _ := strings.Cut(to, "_")
				for i, body := range []string{"d[i] = C(p[E]);", "d[i] = C(p[0]) + C(p[LAST]);", "if (p[E] > 9 && i % 3) d[i] = C(p[LAST - E]);", "W x = C(p[LAST]); d[i] = x * C(p[0]) + C(s[i]);"} {
					name := fmt.Sprintf("k%d", len(names))
					names = append(names, name)
					body = strings.NewReplacer("C", "convert_"+to, "E", fmt.Sprint((i+k)%step), "LAST", fmt.Sprint(step-1), "W", w).Replace(body)
					fmt.Fprintf(&src, "kernel void %s(global const %s* s, global %s* d) { int i = get_global_id(0); global const %s* p = s + %d * i; %s }\n", name, s, w, s, step, body)
				}
			}
		}
	}
	m := build(t, src.String())
	s := make(buf, 777)
	for i := range s {
		s[i] = byte(i * i >> 2 * 31)
	}
	for _, name := range names {
		alike(t, m, name, []shape{line(190), line(200), line(128)}, s, make(buf, 1600))
	}
}
