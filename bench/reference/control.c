/* Loops that elements leave at different times: kernels/control.cl. Vectors go on until
   their last element is done. */

#include "simd.h"

/* A unit is a row. Two vectors are computed at a time, to hide latencies. */
REFERENCE(mandelbrot, 4)
{
	u32 *out = a[0].p;
	const int w = a[1].i, h = a[2].i, limit = a[3].i;
	for (long y = lo; y < hi; y++) {
		vf cy = vf_all(-1.5f + 3.0f * y / h);
		for (long x = 0; x < w; x += 2 * W) {
			vf cx0 = -2.0f + 3.0f * vf_of(vi_lanes() + (i32)x) / (float)w, cx1 = -2.0f + 3.0f * vf_of(vi_lanes() + (i32)x + W) / (float)w;
			vf zx0 = vf_all(0), zy0 = zx0, zx1 = zx0, zy1 = zx0;
			vi n0 = vi_all(0), n1 = n0;
			vm m0 = vm_all(), m1 = m0;
			for (int k = 0; k < limit; k++) {
				vf s0 = zy0 * zy0, s1 = zy1 * zy1;
				m0 &= vf_less(vf_fuse(zx0, zx0, s0), vf_all(4));
				m1 &= vf_less(vf_fuse(zx1, zx1, s1), vf_all(4));
				if (!vm_any(m0 | m1))
					break;
				n0 = vi_count(n0, m0);
				n1 = vi_count(n1, m1);
				vf t0 = vf_fuse_sub(zx0, zx0, s0) + cx0, t1 = vf_fuse_sub(zx1, zx1, s1) + cx1;
				zy0 = vf_fuse(2.0f * zx0, zy0, cy);
				zy1 = vf_fuse(2.0f * zx1, zy1, cy);
				zx0 = t0;
				zx1 = t1;
			}
			vi_store(out + y * w + x, n0);
			vi_store(out + y * w + x + W, n1);
		}
	}
}

REFERENCE(collatz, 256)
{
	u32 *out = a[0].p;
	for (long i = lo; i < hi; i += 2 * W) {
		vi x0 = vi_lanes() + (i32)i + 1, x1 = x0 + W, n0 = vi_all(0), n1 = n0;
		for (;;) {
			vm m0 = ~vi_equal(x0, vi_all(1)), m1 = ~vi_equal(x1, vi_all(1));
			if (!vm_any(m0 | m1))
				break;
			n0 = vi_count(n0, m0);
			n1 = vi_count(n1, m1);
			vi odd0 = -(x0 & 1), odd1 = -(x1 & 1), next0 = (vi)((vu)x0 >> 1), next1 = (vi)((vu)x1 >> 1);
			next0 = (odd0 & (3 * x0 + 1)) | (~odd0 & next0);
			next1 = (odd1 & (3 * x1 + 1)) | (~odd1 & next1);
			x0 = vi_choose(m0, next0, x0);
			x1 = vi_choose(m1, next1, x1);
		}
		vi_store(out + i, n0);
		vi_store(out + i + W, n1);
	}
}

REFERENCE(search, 256)
{
	i32 *out = a[0].p;
	const i32 *table = a[1].p;
	const long rows = a[2].i, columns = a[4].i;
	vi key = vi_all(a[3].i);
	for (long i = lo; i < hi; i += W) {
		vi found = vi_all(-1);
		vm left = vm_all();
		for (long k = 0; k < rows; k++) {
			vm hit = vi_equal(vi_load(table + k * columns + i), key) & left;
			found = vi_choose(hit, vi_all(k), found);
			left &= ~hit;
			if (!vm_any(left))
				break;
		}
		vi_store(out + i, found);
	}
}

REFERENCE(ray_sphere, 4)
{
	float *out = a[0].p;
	const float *spheres = a[1].p;
	const int n = a[2].i, w = a[3].i, h = a[4].i;
	for (long py = lo; py < hi; py++)
		for (long px = 0; px < w; px += W) {
			vf dx = vf_of(vi_lanes() + (i32)(px - w / 2)) * 2.0f / (float)w, dy = vf_all((py - h / 2) * 2.0f / h), dz = vf_all(1);
			vf r = 1.0f / vf_sqrt(vf_fuse(dz, dz, vf_fuse(dx, dx, dy * dy)));
			dx *= r, dy *= r, dz *= r;
			vf best = vf_all(1e30f), shade = vf_all(0);
			for (int k = 0; k < n; k++) {
				const float *s = spheres + 4 * k;
				vf b = vf_fuse(dz, vf_all(s[2]), vf_fuse(dx, vf_all(s[0]), dy * s[1]));
				float c = fuse(-s[3], s[3], fuse(s[2], s[2], fuse(s[0], s[0], s[1] * s[1])));
				vf d = vf_fuse_sub(b, b, vf_all(c));
				vm hit = vf_less(vf_all(0), d);
				if (!vm_any(hit))
					continue;
				vf t = b - vf_sqrt(d);
				hit &= vf_less(vf_all(0), t) & vf_less(t, best);
				best = vf_choose(hit, t, best);
				shade = vf_choose(hit, vf_fuse_sub(dz, t, vf_all(s[2])) / s[3], shade);
			}
			vf_store(out + py * w + px, vf_choose(vf_less(best, vf_all(1e30f)), -shade, vf_all(0)));
		}
}

static inline vf magnitude(vf x) { return (vf)((vi)x & 0x7FFFFFFF); }

REFERENCE(cube_root, 256)
{
	float *out = a[0].p;
	const float *in = a[1].p;
	for (long i = lo; i < hi; i += 2 * W) {
		vf x0 = vf_load(in + i), x1 = vf_load(in + i + W), y0 = x0, y1 = x1;
		vm m0 = vm_all(), m1 = m0;
		for (int k = 0; k < 40; k++) {
			vf z0 = y0 - vf_fuse_sub(y0 * y0, y0, x0) / (3.0f * y0 * y0), z1 = y1 - vf_fuse_sub(y1 * y1, y1, x1) / (3.0f * y1 * y1);
			m0 &= vf_less(1e-6f * magnitude(z0), magnitude(z0 - y0));
			m1 &= vf_less(1e-6f * magnitude(z1), magnitude(z1 - y1));
			if (!vm_any(m0 | m1))
				break;
			y0 = vf_choose(m0, z0, y0);
			y1 = vf_choose(m1, z1, y1);
		}
		vf_store(out + i, y0);
		vf_store(out + i + W, y1);
	}
}

REFERENCE(classify, 0)
{
	float *restrict out = a[0].p;
	const float *restrict in = a[1].p;
	for (long i = lo; i < hi; i++) {
		float x = in[i], y = 0;
		for (int k = 0; k < 4; k++)
			y = (y + x) * 0.25f;
		y = x < 50 ? sqrtf(x) : y;
		y = x < 0 ? fuse(x, x, 3.0f) : y;
		out[i] = x < -50 ? -x : y;
	}
}
