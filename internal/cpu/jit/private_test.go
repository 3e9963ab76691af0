//go:build amd64 && (linux || darwin || windows)

package jit

import "testing"

const privateKernels = `
#define K(name, T, N) kernel void name(global const int* a, global T* b) { \
  int i = get_global_id(0); T t[N]; \
  for (int k = 0; k < N; k++) t[k] = (T)(a[i] * (k + 3)); \
  if (a[i] & 1) { t[a[i] % N] = (T)(7); t[2] = t[1]; } \
  if (a[i] & 2) for (int k = 0; k < N; k++) t[k] += t[N - 1 - k]; \
  b[i] = t[a[i] % N] + t[(i * 5) % N] + t[3]; }
K(chars, char, 7) K(uchars, uchar, 16) K(shorts, short, 9) K(ushorts, ushort, 33) K(ints, int, 8) K(floats, float, 12) K(longs, long, 5) K(doubles, double, 17)
K(c2, char2, 7) K(s4, short4, 5) K(i3, int3, 6) K(f4, float4, 8) K(l2, long2, 4) K(d16, double16, 4) K(uc16, uchar16, 4) K(h3, short3, 4)
kernel void zero(global const int* a, global int* b) { int i = get_global_id(0); int n = 0;
  for (int r = 0; r < a[i] % 4; r++) { int t[70] = {0}; uchar c[13] = {0}; if (a[i] & 8) { int u[6] = {0}; u[a[i] % 6] += 3; n += u[i % 6]; }
    t[a[i] % 70] = 1 + r; c[a[i] % 13] = 2; for (int k = 0; k < 70; k++) n = n * 3 + t[k] + c[k % 13]; }
  b[i] = n; }
typedef struct { int x; float y; char c[3]; short s; } S;
kernel void structs(global const int* a, global float* b) { int i = get_global_id(0); S s[4];
  for (int k = 0; k < 4; k++) { s[k].x = k; s[k].y = a[i]; s[k].c[k & 1] = 3 + k; s[k].s = a[i] + k; }
  S u = s[a[i] & 3]; b[i] = u.y + u.x + u.c[0] + s[(a[i] + 1) & 3].c[1] + s[i & 3].s; }
int sum(int* p, int n) { int s = 0; for (int k = 0; k < n; k++) s += p[k]; return s; }
kernel void passed(global const int* a, global int* b) { int i = get_global_id(0); int t[8], u[8]; for (int k = 0; k < 8; k++) { t[k] = a[i] + k; u[k] = a[i] * k; }
  int* p = a[i] & 1 ? t : u; p[a[i] & 7] = 9; b[i] = sum(p, 8) + t[a[i] & 7]; }
kernel void outside(global const int* a, global int* b) { int i = get_global_id(0); int t[8]; for (int k = 0; k < 8; k++) t[k] = k;
  t[a[i] - 500] = 5; b[i] = t[a[i] - 500] + t[a[i] & 7] + (a[i] == 17 ? t[a[0] + 100] : 0); }
kernel void far(global const int* a, global int* b) { int i = get_global_id(0); int t[8]; t[3] = 4; long k = ((long)a[i] & 1) << 38; k += 3; t[k] = 7; b[i] = t[k] + t[(a[i] & 2) + k]; if (a[0] > -1) t[a[0] + 8] = 1; }
kernel void shuffled(global const int* a, global int* b) { int i = get_global_id(0); int t[16]; for (int k = 0; k < 16; k++) t[k] = k * a[i];
  for (int k = 15; k > 0; k--) { int j = (a[i] >> (k & 3)) % (k + 1); int x = t[k]; t[k] = t[j]; t[j] = x; } int h = 0; for (int k = 0; k < 16; k++) h = h * 31 + t[k]; b[i] = h; }
kernel void mixed(global const int* a, global int* b) { int i = get_global_id(0); uint t[4]; uchar* p = (uchar*)t; for (int k = 0; k < 16; k++) p[k] = a[i] + k; b[i] = t[a[i] & 3] + p[a[i] & 15]; }
kernel void twoBarriers(global const int* a, global int* b) { int i = get_global_id(0), l = get_local_id(0); local int s[64]; int t[6]; for (int k = 0; k < 6; k++) t[k] = a[i] + k;
  s[l] = t[a[i] % 6]; barrier(CLK_LOCAL_MEM_FENCE); t[l % 6] = s[get_local_size(0) - 1 - l]; barrier(CLK_LOCAL_MEM_FENCE); b[i] = t[a[i] % 6] * 3 + t[l % 6]; }
kernel void large(global const int* a, global int* b) { int i = get_global_id(0); int t[20000]; for (int k = 0; k < 20000; k += 999) t[k] = a[i] + k; t[a[i]] = 5; b[i] = t[999 * (a[i] & 15)] + t[a[i]] + t[19999]; }
`

// TestPrivate compares accesses to private arrays.
func TestPrivate(t *testing.T) {
	m := build(t, privateKernels)
	a := scrambled(100)
	for f := range kernelsOf(m) {
		alike(t, m, f.Name, []shape{line(1), line(40), {[]uint64{100}, []uint64{50}}}, a, make(buf, 100*128))
	}
}

// keptSource has kernels that keep vectors from one barrier to the next.
const keptSource = `
#define B barrier(CLK_LOCAL_MEM_FENCE)
#define K(name, T, ...) kernel void name(global const T *a, global T *o, int n) { int l = get_local_id(0), i = get_global_id(0); __VA_ARGS__ }
K(sum, float4, float4 s = 0; for (int k = 0; k < n; k++) s += a[i + k] * (float)k; B; o[i] = s;)
K(two, float4, float4 s = a[i] * 2.0f, t = a[i] - 1.0f; B; o[i] = s + t; B; o[i] += s;)
K(part, float4, float4 s = a[i] * 2.0f; B; o[i] = s.x;)
K(some, float4, float4 s = 3; if (l % 3 == 1) s = a[i] * 2.0f; B; o[i] = s; if (l & 1) s = a[i + 1]; B; o[i] += s;)
K(rounds, float4, float4 s = 3; for (int k = 0; k < n; k++) { if (l % (k + 2) == 1) s += a[i + k]; B; o[i] = s; B; })
K(shorts, short8, short8 s = a[i] + (short)n; B; o[i] = s;)
K(pairs, double2, double2 s = a[i] + 1.0; B; o[i] = s * 2.0;)
K(three, float3, float3 s = a[i] * 2.0f; B; o[i] = s;)
K(many, int16, int16 s = a[i] + n; B; o[i] = s ^ n;)
`

// TestKeptVectors compares such kernels, in whole and in partial gangs.
func TestKeptVectors(t *testing.T) {
	m := build(t, keptSource)
	for _, f := range m.Funcs {
		alike(t, m, f.Name, []shape{{[]uint64{192}, []uint64{64}}, {[]uint64{150}, []uint64{50}}, {[]uint64{70}, []uint64{32}}}, scrambled(64*210), make(buf, 4*16*200), i32(3))
	}
}
