//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86"
)

// fieldKernels write several fields of structures. Kernels w_… access the structures as vectors.
const fieldKernels = `
typedef struct { float x, y, z, m, vx, vy, vz, q; } P8;
typedef struct { int a, b, c, d; } P4;
typedef struct { uint a, b; } P2;
typedef struct { double x, y, u, v; } D4;
typedef struct { float f[16]; } P16;
typedef struct { float x, y; int n, k; } M4;
kernel void w_move(global P8 *p, global const int *s, float t) { int i = get_global_id(0); p[i].x += p[i].vx * t; p[i].y += p[i].vy * t; p[i].z += p[i].vz * t; }
kernel void copy(global P8 *p, global const int *s, float t) { int i = get_global_id(0); P8 q = p[i]; q.x = q.x * q.vx + q.m; q.y = q.y * q.vy + q.m; q.z = q.z * q.vz + q.m; q.q = t; p[i] = q; }
kernel void w_ints(global P4 *p, global const int *s, float t) { int i = get_global_id(0); int k = s[i]; p[i].a = (p[i].a ^ k) - 3; p[i].b = (p[i].c ^ k) - 3; p[i].d = (p[i].c ^ k) - 3; }
kernel void w_all(global P4 *p, global const int *s, float t) { int i = get_global_id(0); P4 q = p[i]; q.a = min(q.a, 7); q.b = min(q.b, 8); q.c = min(q.c, 9); q.d = min(q.d, 10); p[i] = q; }
kernel void w_pairs(global P2 *p, global const int *s, float t) { int i = get_global_id(0); uint a = p[i].a, b = p[i].b; p[i].a = a + b; p[i].b = b + a; }
kernel void both(global P2 *p, global const int *s, float t) { int i = get_global_id(0); p[i].b = p[i].a; p[i].a = p[i].b; }
kernel void w_swapped(global P2 *p, global const int *s, float t) { int i = get_global_id(0); uint a = p[i].a; p[i].a = p[i].b; p[i].b = a; }
kernel void w_rotated(global P4 *p, global const int *s, float t) { int i = get_global_id(0); int a = p[i].a; p[i].a = p[i].b; p[i].b = p[i].c; p[i].c = p[i].d; p[i].d = a; }
kernel void w_doubles(global D4 *p, global const int *s, float t) { int i = get_global_id(0); p[i].x += p[i].u * t; p[i].y += p[i].v * t; }
kernel void w_set(global P8 *p, global const int *s, float t) { int i = get_global_id(0); p[i].x = t; p[i].y = t; p[i].vx = t; p[i].vz = t; }
kernel void w_sixteen(global P16 *p, global const int *s, float t) { int i = get_global_id(0); p[i].f[2] = p[i].f[9] * t; p[i].f[3] = p[i].f[8] * t; p[i].f[14] = p[i].f[15] * t; }
kernel void w_other(global M4 *p, global const int *s, float t) { int i = get_global_id(0); p[i].x += t; int n = p[i].n; p[i].y += t; p[i].k = n + 1; }
kernel void w_tested(global P8 *p, global const int *s, float t) { int i = get_global_id(0); if (i < s[0] % 100 + 20) { p[i].x += p[i].vx * t; p[i].y += p[i].vy * t; } }
kernel void w_shared(global P8 *p, global const int *s, float t) { int i = get_global_id(0); float m = p[i].m; p[i].x += m; p[i].y += m; p[i].z += m; if (m > 100) p[i].q = m; }
kernel void w_indices(global float *p, global const int *s, float t) { int i = get_global_id(0); for (int k = 2; k < 8; k++) p[i * 8 + k] = k; }
kernel void w_wrapped(global float *p, global const int *s, float t) { uint i = get_global_id(0); p[i * 4 - 1] += t; p[i * 4 - 3] += t; p[i * 4 - 2] += t; }
kernel void again(global P8 *p, global const int *s, float t) { int i = get_global_id(0); p[i].x = t; p[i].y = p[i].x * 2; p[i].x = p[i].y + 1; p[i].z = p[i].x; }
kernel void overlap(global P8 *p, global const int *s, float t) { int i = get_global_id(0); global P8 *n = p + 1; p[i].x = n[i].m + t; n[i].vx = p[i].z; p[i].y = n[i].q + t; n[i].vy = t; }
kernel void bits(global P8 *p, global const int *s, float t) { int i = get_global_id(0); p[i].x += t; int k = *(global int *)&p[i].x; p[i].y += t; p[i].m = as_float(k); }
kernel void atomics(global P4 *p, global const int *s, float t) { int i = get_global_id(0); p[i].a += 1; atomic_inc((global int *)&p[i].b); p[i].b += 1; p[i].c += p[i].b; }
kernel void aliased(global P4 *p, global int *s, float t) { int i = get_global_id(0); p[i].a += 5; int k = s[i * 4 + 1]; p[i].b += 5; s[i * 4] = k; p[i].c += 5; }
`

// TestFields compares kernels that write fields of structures; the last structure is in the buffer wholly,
// partly, or not at all.
func TestFields(t *testing.T) {
	m := build(t, fieldKernels)
	for f := range kernelsOf(m) {
		for _, lv := range []*x86.Level{x86.AVX2, x86.AVX512} {
			c, _, err := List(f, lv, WholeGangs)
			if err != nil {
				t.Fatal(f.Name, err)
			}
			whole := 0
			for _, a := range c.Listing.Accesses {
				if vt, _ := a.Value.AccessType(); vt.N > 1 && a.Checked != "" {
					whole++
				}
			}
			if want := strings.HasPrefix(f.Name, "w_"); want != (whole > 0) && (lv == x86.AVX512 || f.Name != "w_sixteen") {
				t.Errorf("%s on %s: %d accesses to whole structures", f.Name, lv.Name, whole)
			}
		}
		const items = 70
		for _, size := range []int{64 * 72, 64 * 35, 32*items - 20, 32 * 64, 16*items - 8} {
			p := filled(size, func(i int) byte { return byte(i*i>>3 + i) })
			s := make(buf, size)
			copy(s, p[1:])
			alike(t, m, f.Name, []shape{line(items)}, p, s, f32(0.75))
		}
	}
}

// TestFieldsAliased passes one buffer as two arguments.
func TestFieldsAliased(t *testing.T) {
	m := build(t, fieldKernels)
	p := filled(16*80, func(i int) byte { return byte(i*i>>3 + i) })
	alike(t, m, "aliased", []shape{line(64)}, p, again{0, 0}, f32(0.75))
}
