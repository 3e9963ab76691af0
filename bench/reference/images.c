/* Images: kernels/images.cl. Coordinates are clamped to the edge. */

#include "sampling.h"

struct at { vf u, v; };

static inline struct at rotated(vf x, long y, float c, float s)
{
	vf cy = vf_all(fuse(y, -s, 40.3f)), sy = vf_all(fuse(y, c, -30.4f));
	return (struct at){vf_fuse(x, vf_all(c), cy), vf_fuse(x, vf_all(s), sy)};
}

static inline vf luma(vf r, vf g, vf b) { return vf_fuse(r, vf_all(0.299f), vf_fuse(g, vf_all(0.587f), b * 0.114f)); }

REFERENCE(image_rgba8, 1)
{
	float *out = a[0].p;
	const u32 *im = a[1].p;
	const float c = a[2].f, s = a[3].f;
	const int n = a[4].i;
	for (long y = lo; y < hi; y++)
		for (int x = 0; x < n; x += W) {
			struct at p = rotated(vf_of(vi_lanes() + x), y, c, s);
			vi t = vi_gather(im, clamped(p.v, n) * n + clamped(p.u, n));
			vf_store(out + y * n + x, luma(unorm(t & 255), unorm(t >> 8 & 255), unorm(t >> 16 & 255)));
		}
}

REFERENCE(image_rgba8_linear, 1)
{
	float *out = a[0].p;
	const u32 *im = a[1].p;
	const float c = a[2].f, s = a[3].f;
	const int n = a[4].i;
	for (long y = lo; y < hi; y++)
		for (int x = 0; x < n; x += W) {
			struct at p = rotated(vf_of(vi_lanes() + x), y, c, s);
			struct two u = neighbours(p.u, n), v = neighbours(p.v, n);
			vi i = v.i * n, j = v.j * n;
			vi t[4] = {vi_gather(im, i + u.i), vi_gather(im, i + u.j), vi_gather(im, j + u.i), vi_gather(im, j + u.j)};
			vf w[4] = {u.w0 * v.w0, u.w1 * v.w0, u.w0 * v.w1, u.w1 * v.w1}, r = w[0] * unorm(t[0] & 255), g = w[0] * unorm(t[0] >> 8 & 255), b = w[0] * unorm(t[0] >> 16 & 255);
			for (int k = 1; k < 4; k++)
				r += w[k] * unorm(t[k] & 255), g += w[k] * unorm(t[k] >> 8 & 255), b += w[k] * unorm(t[k] >> 16 & 255);
			vf_store(out + y * n + x, luma(r, g, b));
		}
}

/* Elements of 16 bytes: whole ones, one after the other. */
static inline float luma4(__m128 t)
{
	return fuse(t[0], 0.299f, fuse(t[1], 0.587f, t[2] * 0.114f));
}

REFERENCE(image_float4, 1)
{
	float *out = a[0].p;
	const float *im = a[1].p;
	const float c = a[2].f, s = a[3].f;
	const int n = a[4].i;
	for (long y = lo; y < hi; y++)
		for (int x = 0; x < n; x += W) {
			struct at p = rotated(vf_of(vi_lanes() + x), y, c, s);
			vi at = 4 * (clamped(p.v, n) * n + clamped(p.u, n));
			vf_store(out + y * n + x, luma(vf_gather(im, at), vf_gather(im + 1, at), vf_gather(im + 2, at)));
		}
}

REFERENCE(image_float4_linear, 1)
{
	float *out = a[0].p;
	const float *im = a[1].p;
	const float c = a[2].f, s = a[3].f;
	const int n = a[4].i;
	for (long y = lo; y < hi; y++)
		for (int x = 0; x < n; x += W) {
			struct at p = rotated(vf_of(vi_lanes() + x), y, c, s);
			struct two u = neighbours(p.u, n), v = neighbours(p.v, n);
			vf w[4] = {u.w0 * v.w0, u.w1 * v.w0, u.w0 * v.w1, u.w1 * v.w1};
			for (int k = 0; k < W; k++) {
				const float *i = im + 4l * v.i[k] * n, *j = im + 4l * v.j[k] * n;
				__m128 t = 0 + w[0][k] * _mm_loadu_ps(i + 4 * u.i[k]);
				t += w[1][k] * _mm_loadu_ps(i + 4 * u.j[k]);
				t += w[2][k] * _mm_loadu_ps(j + 4 * u.i[k]);
				t += w[3][k] * _mm_loadu_ps(j + 4 * u.j[k]);
				out[y * n + x + k] = luma4(t);
			}
		}
}

/* Green and blue of such images are zero. */
REFERENCE(image_float, 1)
{
	float *out = a[0].p;
	const float *im = a[1].p;
	const float c = a[2].f, s = a[3].f;
	const int n = a[4].i;
	for (long y = lo; y < hi; y++)
		for (int x = 0; x < n; x += W) {
			struct at p = rotated(vf_of(vi_lanes() + x), y, c, s);
			vf_store(out + y * n + x, vf_fuse(vf_gather(im, clamped(p.v, n) * n + clamped(p.u, n)), vf_all(0.299f), vf_all(0)));
		}
}

REFERENCE(image_float_linear, 1)
{
	float *out = a[0].p;
	const float *im = a[1].p;
	const float c = a[2].f, s = a[3].f;
	const int n = a[4].i;
	for (long y = lo; y < hi; y++)
		for (int x = 0; x < n; x += W) {
			struct at p = rotated(vf_of(vi_lanes() + x), y, c, s);
			struct two u = neighbours(p.u, n), v = neighbours(p.v, n);
			vi i = v.i * n, j = v.j * n;
			vf t = 0 + u.w0 * v.w0 * vf_gather(im, i + u.i);
			t += u.w1 * v.w0 * vf_gather(im, i + u.j);
			t += u.w0 * v.w1 * vf_gather(im, j + u.i);
			t += u.w1 * v.w1 * vf_gather(im, j + u.j);
			vf_store(out + y * n + x, vf_fuse(t, vf_all(0.299f), vf_all(0)));
		}
}

REFERENCE(image_volume, 1)
{
	float *out = a[0].p;
	const float *im = a[1].p;
	const float c = a[2].f, s = a[3].f;
	const int n = a[4].i, size = n / 4, depth = 16;
	for (long y = lo; y < hi; y++)
		for (int x = 0; x < n; x += W) {
			struct at p = rotated(vf_of(vi_lanes() + x), y, c, s);
			struct two u = neighbours(p.u * 0.25f, size), v = neighbours(p.v * 0.25f, size);
			vf w[4] = {u.w0 * v.w0, u.w1 * v.w0, u.w0 * v.w1, u.w1 * v.w1}, sum = vf_all(0);
			vi at[4] = {v.i * size + u.i, v.i * size + u.j, v.j * size + u.i, v.j * size + u.j};
			for (int k = 0; k < 16; k++) {
				float h = k + 0.25f - 0.5f, f = floorf(h), wz[2] = {1 - (h - f), h - f};
				int z[2] = {f < 0 ? 0 : (int)f, f + 1 > depth - 1 ? depth - 1 : (int)f + 1};
				vf t = vf_all(0);
				for (int j = 0; j < 2; j++)
					for (int i = 0; i < 4; i++)
						t += w[i] * wz[j] * vf_gather(im + z[j] * size * size, at[i]);
				sum += t;
			}
			vf_store(out + y * n + x, sum);
		}
}

REFERENCE(image_blur, 1)
{
	u32 *out = a[0].p;
	const u32 *im = a[1].p;
	const int n = a[2].i;
	for (long y = lo; y < hi; y++)
		for (int x = 0; x < n; x += W) {
			vf sum[4] = {vf_all(0), vf_all(0), vf_all(0), vf_all(0)};
			for (int j = -1; j <= 1; j++) {
				const u32 *row = im + edge(y + j, n) * (long)n;
				for (int i = -1; i <= 1; i++) {
					vi t;
					if (x + i >= 0 && x + i + W <= n)
						t = vi_load(row + x + i);
					else
						for (int k = 0; k < W; k++)
							t[k] = row[edge(x + i + k, n)];
					for (int k = 0; k < 4; k++)
						sum[k] += unorm(t >> 8 * k & 255);
				}
			}
			vi p = vi_all(0);
			for (int k = 0; k < 4; k++)
				p |= channel(sum[k] * (1 / 9.0f)) << 8 * k;
			vi_store(out + y * n + x, p);
		}
}

REFERENCE(image_write, 1)
{
	u32 *out = a[0].p;
	const float c = a[1].f, s = a[2].f;
	const int n = a[3].i;
	for (long y = lo; y < hi; y++)
		for (int x = 0; x < n; x += W) {
			struct at p = rotated(vf_of(vi_lanes() + x), y, c, s);
			vf u = p.u * 0.001f, v = p.v * 0.001f;
			vi_store(out + y * n + x, channel(u) | channel(v) << 8 | channel(u - v) << 16 | (vi)vi_all(255) << 24);
		}
}

/* Rows side by side, in order of the columns. */
REFERENCE(image_rows, 16)
{
	float *out = a[0].p;
	const float *im = a[1].p;
	const int n = a[2].i;
	for (long y = lo; y < hi; y += W) {
		vf sum = vf_all(0);
		vi at = (vi_lanes() + (int)y) * n;
		for (int x = 0; x < n; x++)
			sum += vf_gather(im + x, at);
		vf_store(out + y, sum);
	}
}
