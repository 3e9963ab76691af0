//go:build amd64 && (linux || darwin || windows)

package jit

import "testing"

// Kernels with barriers. The code of g_… runs whole work-groups. The gangs of s_… switch at barriers, because
// work-items reach some of them independently.
const groupKernels = `
#define B barrier(CLK_LOCAL_MEM_FENCE)
#define IDS int l = get_local_id(0), n = get_local_size(0), i = get_global_id(0)
kernel void g_reverse(global const int* a, global int* b, local int* t) { IDS; t[l] = a[i]; B; b[i] = t[n - 1 - l]; }
kernel void g_kept(global const int* a, global int* b, local int* t) { IDS; int x = a[i]; float f = x * 0.25f; bool odd = x & 1; uchar c = x; long w = x * 12345678901L; t[l] = x; B;
  int y = t[(l + 1) % n]; B; t[l] = y + 1; B; b[i] = t[(l + 3) % n] + x + (int)f + (odd ? 7 : 3) + c + (int)(w >> 20) + y; }
kernel void g_vectors(global const int* a, global int* b, local int* t) { IDS; float4 v = convert_float4((int4)(a[i], l, i, 3)); int3 w = (int3)(a[i], i, l); double2 d = (double2)(a[i], i); char16 c = (char16)(a[i]);
  t[l] = a[i]; B; v *= t[(l + 1) % n]; w += t[0]; d += t[n - 1]; c += (char16)(t[l]); B; t[l] = (int)(v.x + v.y + v.z + v.w) + w.x + w.y * 3 + w.z; B; b[i] = t[n - 1 - l] + (int)(d.x - d.y) + c.s3 * c.sf; }
kernel void g_loop(global const int* a, global int* b, local int* t) { IDS; int x = a[i], y = l, z = 1; for (int k = 0; k < 5; k++) { t[l] = x; B; int u = t[(l + k) % n]; x = y; y = u + k; z = z * 3 + x; B; } b[i] = x + y * 5 + z; }
kernel void g_swap(global const int* a, global int* b, local int* t) { IDS; int x = a[i], y = ~a[i]; for (int k = 0; k < 4; k++) { int u = x; x = y; y = u; B; } b[i] = x * 3 + y; }
kernel void g_last(global const int* a, global int* b, local int* t) { IDS; int x = a[i], old = 0, k = 0; do { old = x; t[l] = x; B; x = x * 5 + t[(l + 1) % n]; B; } while (++k < 3); b[i] = old ^ x; }
kernel void g_tree(global const int* a, global int* b, local int* t) { IDS; t[l] = a[i]; B; int m = n; while (m > 1) { int h = (m + 1) / 2; if (l + h < m) t[l] += t[l + h]; B; m = h; } b[i] = t[0] + l; }
kernel void g_scan(global const int* a, global int* b, local int* t) { IDS; int p = 0; t[l] = a[i]; B; for (int s = 1; s < n; s <<= 1) { t[(1 - p) * 128 + l] = l >= s ? t[p * 128 + l] + t[p * 128 + l - s] : t[p * 128 + l]; p = 1 - p; B; } b[i] = t[p * 128 + l]; }
kernel void g_nested(global const int* a, global int* b, local int* t) { IDS; int s = a[i]; for (int k = 1; k < 4; k++) { for (int j = 0; j < k; j++) { t[l] = s; B; s += t[(l + j) % n] * k; B; } s ^= k; for (int j = 0; j < (a[i] & 3); j++) s += j * l; } b[i] = s; }
kernel void g_branch(global const int* a, global int* b, local int* t) { IDS; int s = a[i]; if (get_group_id(0) & 1) { t[l] = s; B; s = t[n - 1 - l]; } else if (n > 20) { t[l] = s * 2; B; s = t[(l + 5) % n]; B; t[l] = s; B; s += t[0]; } else s = -s; b[i] = s; }
kernel void g_rows(global const int* a, global int* b, local int* t) { IDS; int r = get_local_id(1), m = get_local_size(1), g = get_global_id(1) * get_global_size(0) + i; t[r * n + l] = a[g % 100]; B; int x = t[(m - 1 - r) * n + l]; B; t[r * n + l] = x + r; B; b[g] = t[r * n + (l + 1) % n] + x; }
kernel void g_pointer(global const int* a, global int* b, local int* t) { IDS; global const int* p = a + l; local int* q = t + l; int s = 0; for (int k = 0; k < 3; k++) { *q = *p; B; s += t[(l + 1) % n]; p += 2; B; } b[i] = s; }
kernel void g_private(global const int* a, global int* b, local int* t) { IDS; int u[4]; for (int k = 0; k < 4; k++) u[k] = a[i] + k; t[l] = u[a[i] & 3]; B; u[l & 3] = t[n - 1 - l]; B; b[i] = u[a[i] & 3] + u[1]; }
kernel void g_atomics(global const int* a, global int* b, local int* t) { IDS; local int c; if (l == 0) c = 0; t[l] = 0; B; if (a[i] & 1) atomic_inc(&c); atomic_add(&t[a[i] % n], 3); B; b[i] = c * 100 + t[l]; }
kernel void g_outside(global const int* a, global int* b, local int* t) { IDS; t[l] = a[i]; B; int x = t[l + (a[i] > 900 ? 5000 : 0)]; B; b[i] = x; if (l == 3) b[i + 100000] = 1; }
kernel void g_uninitialised(global const int* a, global int* b, local int* t) { IDS; local int u[64]; b[i] = u[l % 64]; B; u[l % 64] = a[i]; }
kernel void g_behind(global const int* a, global int* b, local int* t) { IDS; uchar s = 3; for (int k = 0; k < 3; k++) { t[l] = 0; B; int v = t[(l + 1) % n]; B; for (int j = 0; j < (a[i] & 1); j++) for (uchar m = 0; m < 3; m++) s += m; s += v; } b[i] = s; }
kernel void g_counter(global const int* a, global int* b, local int* t) { IDS; int k = 0, m = 0; float f = 1; while (k < (a[i] & 7)) { k++; f *= 1.5f; m = k * 3; } t[l] = k; B; int x = t[n - 1 - l]; B; t[l] = m + k; B; b[i] = x + k * 100 + t[(l + 1) % n] + (int)f; }
kernel void g_found(global const int* a, global int* b, local int* t) { IDS; int s = 0, j = 0, k = 0; t[l] = a[i]; B; for (k = 0; k < 5; k++) { for (j = 0; j < n; j++) { if (t[j] % 11 == (l & 7)) goto out; s += t[j]; } s -= k; } out: B; t[l] = k * 64 + j; B; b[i] = t[n - 1 - l] + s + j; }
kernel void g_stride(global const int* a, global int* b, local int* t) { IDS; int s = 0; for (int k = i; k < 1200; k += get_global_size(0)) s += a[k]; t[l] = s; B; for (int h = n / 2; h > 0; h /= 2) { if (l < h) t[l] += t[l + h]; B; } b[i] = t[0] + s; }
kernel void g_rounds(global const int* a, global int* b, local int* t) { IDS; int s = 0, r = 0; for (r = 0; r < 3; r++) { int k = 0; t[l] = a[i] + r; B; do { s += t[(l + k) % n]; } while (++k < (a[i] & 3) && s < 3000); B; t[l] = k; B; s += t[n - 1 - l] * k; B; } b[i] = s; }
kernel void g_plane(global const int* a, global int* b, local int* t) { IDS; int m = get_local_size(1), at = get_local_id(1) * n + l, y = get_global_id(1) - get_global_offset(1), z = get_global_id(2) - get_global_offset(2), g = (z * get_global_size(1) + y) * get_global_size(0) + i - get_global_offset(0);
  t[at] = a[g] + l; B; b[g] = t[n * m - 1 - at] + 1000 * (get_group_id(0) + 10 * get_group_id(1) + 100 * get_group_id(2)); }
kernel __attribute__((reqd_work_group_size(16, 2, 1))) void g_tile(global const int* a, global int* b, local int* t) { int l = get_local_id(0), m = get_local_id(1), x = l * 2 + get_group_id(0) * 32, y = m + get_group_id(1) * 2, w = 2 * get_global_size(0) - 5, h = get_global_size(1) - 1, g = get_global_id(1) * get_global_size(0) + get_global_id(0);
  if (x < w / 32 * 32 && y < (h & 30)) { t[m * 16 + l] = a[g]; B; b[g] = t[(1 - m) * 16 + 15 - l]; } else { t[m * 16 + l] = x < w ? a[g] : 7; B; b[g] = t[(1 - m) * 16 + 15 - l] * 3; } }
kernel void g_both(global const int* a, global int* b, local int* t) { IDS; int g = get_group_id(0), s = 0; t[l] = a[i]; if (g % 5 != 2 && (n * g + 77) / (g + 3) % 4 != 1) { B; s = t[n - 1 - l]; } else { for (int k = 0; k < 2; k++) { B; s += t[(l + k) % n]; } s *= 3; } b[i] = s; }
kernel void s_alone(global const int* a, global int* b, local int* t) { IDS; int s = a[i]; for (int k = 0; k < t[0] + 2; k++) { B; s += k; } b[i] = s; }
kernel void g_early(global const int* a, global int* b, local int* t) { IDS; if (i >= 1000) return; t[l] = a[i]; B; b[i] = t[n - 1 - l]; }
kernel void g_between(global const int* a, global int* b, local int* t) { IDS; t[l] = a[i]; B; if (a[i] % 3 == 0) return; t[l] += 5; B; b[i] = t[n - 1 - l]; }
kernel void g_leaving(global const int* a, global int* b, local int* t) { IDS; int x = a[i] * 3; t[l] = x; B; if (l >= (n + 1) / 2) return; t[l] += t[n - 1 - l]; B; b[i] = t[(n + 1) / 2 - 1 - l] + x; B; if (l >= (n + 3) / 4) return; t[l] *= x; B; int y = t[(n + 3) / 4 - 1 - l]; B; t[l] = y; B; if (l == 1) return; B; b[i] += t[0] + y - x; }
kernel void g_leaving_early(global const int* a, global int* b, local int* t) { IDS; if (i >= 1000) return; t[l] = a[i]; B; if (l & 1) { if (a[i] % 5 == 0) return; t[l] += 9; } B; b[i] = t[l ^ 1]; B; if (a[i] & 1) return; t[l] = i; B; b[i] ^= t[n - 1 - l]; }
kernel void g_leaving_loop(global const int* a, global int* b, local int* t) { IDS; int s = 0; t[l] = a[i]; B; if (a[i] % 3 == 0) return; s = t[l]; for (int k = 0; k < 4; k++) { B; t[l] += s + k; B; s += t[(l + k) % n]; b[i] = s; } B; b[i] += t[n - 1 - l]; }
kernel void g_leaving_all(global const int* a, global int* b, local int* t) { IDS; t[l] = a[i]; B; if (get_group_id(0) == 1) return; t[l] += l; B; if (a[i] & 1) return; if (get_group_id(0) == 2) return; t[l] ^= 77; B; b[i] = t[n - 1 - l]; }
kernel void g_leaving_last(global const int* a, global int* b, local int* t) { IDS; t[l] = a[i]; B; b[i] = t[n - 1 - l]; B; if (a[i] & 1) return; b[i] += 5; }
kernel void s_inside(global const int* a, global int* b, local int* t) { IDS; for (int k = 0; k < 3; k++) { t[l] = a[i] + k; B; if (a[i] % 4 == k) return; b[i] = t[n - 1 - l]; B; } }
`

// TestGroups compares kernels with barriers, for work-groups of many sizes.
func TestGroups(t *testing.T) {
	m := build(t, groupKernels)
	a := scrambled(1200)
	for f := range kernelsOf(m) {
		for _, lv := range levels() {
			c := compiled(t, f, Options{Level: lv})
			if whole := f.Name[0] == 'g'; c.base.Groups != whole {
				t.Errorf("%s on %s: code for whole work-groups: %v", f.Name, lv.Name, !whole)
			}
		}
		shapes := []shape{line(1), line(13), line(64), {[]uint64{256}, []uint64{64}}, {[]uint64{500}, []uint64{100}}, {[]uint64{70}, []uint64{32}}}
		if f.Name == "g_rows" {
			shapes = []shape{{[]uint64{32, 12}, []uint64{16, 4}}, {[]uint64{10, 9}, []uint64{5, 9}}, {[]uint64{64, 2}, []uint64{64, 2}}, {[]uint64{40, 6}, []uint64{20, 3}}}
		}
		if f.Name == "g_plane" {
			shapes = []shape{{[]uint64{32, 30}, []uint64{16, 1}}, {[]uint64{16, 30, 2}, []uint64{16, 3, 1}}, {[]uint64{35, 7, 3}, []uint64{16, 2, 1}}, {[]uint64{9, 20, 5}, []uint64{3, 1, 5}}, {[]uint64{5, 12}, []uint64{8, 1}}}
		}
		if f.Name == "g_tile" {
			shapes = []shape{{[]uint64{80, 8}, []uint64{16, 2}}, {[]uint64{16, 60}, []uint64{16, 2}}}
		}
		alike(t, m, f.Name, shapes, a, make(buf, 4*1200), 4*256)
	}
}

// TestCopiedBarriers: copies of a barrier, for gangs that agree on a branch and for others, are one barrier.
func TestCopiedBarriers(t *testing.T) {
	m := build(t, `kernel void waits(global int *o) {
	int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), v = 0;
	if (i > 34) return;
	local int x[64];
	x[l] = i;
	for (int k = 0; k < 2; k++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		x[l] += k;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int j = 0; j < 8; j++)
			v = v * 3 - x[j % n];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	o[47 - i] = v;
}`)
	alike(t, m, "waits", []shape{line(9), line(17), line(33)}, make(buf, 4*48))
}
