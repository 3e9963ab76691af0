//go:build amd64 && (linux || darwin || windows)

package jit

import "testing"

// TestReplicas: vectors at one address for the whole gang, and parts of them, beside vectors of the lanes.
func TestReplicas(t *testing.T) {
	m := build(t, `
#define K(name, T, P) kernel void name(global T* d, global const P* c, int n) { int i = get_global_id(0); P m = *c; T v = d[i]; \
  T r = v * m.lo + m.hi; if (i % 5 == 2) { P k = c[n]; r -= k.lo * k.hi.s0; } for (int j = 0; j < (n & 3); j++) r += c[j].hi * v - c[j].odd; d[i] = r + v.s0 * m.even; c += n; if (n > 8) d[i] += c->lo; }
K(f4, float4, float8) K(f8, float8, float16) K(i2, int2, int4) K(i4, int4, int8) K(i8, int8, int16) K(s8, short8, short16) K(s4, ushort4, ushort8) K(c8, char8, char16) K(l2, long2, long4) K(l4, ulong4, ulong8) K(d4, double4, double8)
kernel void matrix(global float4* d, global const float16* c, int n) { int i = get_global_id(0); float4 v = d[i]; float16 m = c[n / 4]; d[i] = v.x * m.s0123 + v.y * m.s4567 + v.z * m.s89ab + v.w * m.scdef + m.s1234; }
kernel void three(global float3* d, global const float3* c, int n) { int i = get_global_id(0); float3 m = c[n]; d[i] = d[i] * m + m.zyx; }
kernel void local_(global float4* d, global const float8* c, int n) { local float8 l; int i = get_global_id(0); if (get_local_id(0) == 0) l = c[n]; barrier(CLK_LOCAL_MEM_FENCE); d[i] = d[i] * l.lo + l.hi; }
kernel void private_(global float4* d, global const float8* c, int n) { float8 p[4]; for (int k = 0; k < 4; k++) p[k] = c[k] + n; int i = get_global_id(0); d[i] = d[i] * p[n & 3].lo + p[n & 3].hi; }
`)
	d, c := make(buf, 128*128), make(buf, 10*128)
	for i := range d {
		d[i] = byte(i * 7 >> 3)
	}
	for i := range c {
		c[i] = byte(i * 5 >> 2)
	}
	for i := 3; i < len(d); i += 4 { // no infinities
		d[i] &= 0x3F
	}
	for i := 3; i < len(c); i += 4 {
		c[i] &= 0x3F
	}
	for _, f := range m.Funcs {
		for _, n := range []int{1, 6, 100} { // some outside
			if f.Kernel != nil {
				alike(t, m, f.Name, []shape{line(100), {[]uint64{64}, []uint64{64}}}, d, c, i32(n))
			}
		}
	}
}
