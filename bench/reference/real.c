/* Kernels of PolyBench, Rodinia, SHOC and NVIDIA's samples: kernels/real.cl. */

#include "simd.h"

/* A unit is 16 columns of the result, from 16 rows of both matrices, transposed once. */
REFERENCE(syr2k, 1)
{
	enum { MOST = 512 };
	float *c = a[0].p;
	const float *x = a[1].p, *y = a[2].p, alpha = a[3].f, beta = a[4].f;
	const long n = a[5].i, m = a[6].i;
	vf p[MOST], q[MOST];
	for (long j = 16 * lo; j < 16 * hi; j += W) {
		for (long k = 0; k < m; k += W) {
			rows_load((vi *)p + k, x + j * m + k, 4 * m);
			rows_load((vi *)q + k, y + j * m + k, 4 * m);
		}
		for (long i = 0; i < n; i += 8) {
			vf s[8];
			for (int u = 0; u < 8; u++)
				s[u] = beta * vf_load(c + (i + u) * n + j);
			for (long k = 0; k < m; k++)
#pragma GCC unroll 8
				for (int u = 0; u < 8; u++)
					s[u] += vf_fuse(vf_all(alpha * x[(i + u) * m + k]), q[k], vf_all(alpha * y[(i + u) * m + k]) * p[k]);
			for (int u = 0; u < 8; u++)
				vf_store(c + (i + u) * n + j, s[u]);
		}
	}
}

/* Units are rows, W at a time. */
REFERENCE(adi_rows, 16)
{
	float *x = a[0].p, *b = a[1].p;
	const float *f = a[2].p;
	const long n = a[3].i;
	for (long i = lo; i < hi; i += W) {
		vf lastx = vf_all(0), lastb = vf_all(1);
		for (long k = 0; k < n; k += W) {
			vi t[W], u[W], v[W];
			rows_load(t, x + i * n + k, 4 * n);
			rows_load(u, b + i * n + k, 4 * n);
			rows_load(v, f + i * n + k, 4 * n);
#pragma GCC unroll 16
			for (int w = 0; w < W; w++) {
				vf by = (vf)v[w];
				if (k + w > 0) {
					t[w] = (vi)((vf)t[w] - lastx * by / lastb);
					u[w] = (vi)((vf)u[w] - by * by / lastb);
				}
				lastx = (vf)t[w], lastb = (vf)u[w];
			}
			rows_store(x + i * n + k, 4 * n, t);
			rows_store(b + i * n + k, 4 * n, u);
		}
	}
}

REFERENCE(adi_back, 16)
{
	const long n = a[3].i;
	for (long i = lo; i < hi; i++) {
		float *x = (float *)a[0].p + i * n;
		const float *f = (const float *)a[1].p + i * n, *b = (const float *)a[2].p + i * n;
		long k = n - 2;
		for (; k >= W; k -= W) {
			long j = k - W + 1;
			vf_store(x + j, vf_fuse_from(vf_load(x + j - 1), vf_load(f + j - 1), vf_load(x + j)) / vf_load(b + j - 1));
		}
		for (; k >= 1; k--)
			x[k] = fuse(-x[k - 1], f[k - 1], x[k]) / b[k - 1];
	}
}

/* Units are columns. */
REFERENCE(adi_columns, 128)
{
	const long n = a[3].i;
	for (long k = 1; k < n; k++) {
		float *restrict x = (float *)a[0].p + k * n, *restrict b = (float *)a[1].p + k * n;
		const float *f = (const float *)a[2].p + k * n, *lastx = x - n, *lastb = b - n;
#pragma GCC ivdep
		for (long j = lo; j < hi; j++) {
			x[j] = x[j] - lastx[j] * f[j] / lastb[j];
			b[j] = b[j] - f[j] * f[j] / lastb[j];
		}
	}
}

enum { WIDE = 8 };

/* WIDE vectors of columns at a time. */
REFERENCE(gemver_columns, 128)
{
	float *x = a[0].p;
	const float *m = a[1].p, *y = a[2].p, *z = a[3].p, beta = a[4].f;
	const long n = a[5].i;
	for (long i = lo; i < hi; i += WIDE * W) {
		const int wide = (hi - i) / W < WIDE ? (hi - i) / W : WIDE;
		vf s[WIDE];
		for (int v = 0; v < wide; v++)
			s[v] = vf_load(x + i + v * W);
		if (wide == WIDE)
			for (long j = 0; j < n; j++)
#pragma GCC unroll 8
				for (int v = 0; v < WIDE; v++)
					s[v] = vf_fuse(beta * vf_load(m + j * n + i + v * W), vf_all(y[j]), s[v]);
		else
			for (long j = 0; j < n; j++)
				for (int v = 0; v < wide; v++)
					s[v] = vf_fuse(beta * vf_load(m + j * n + i + v * W), vf_all(y[j]), s[v]);
		for (int v = 0; v < wide; v++)
			vf_store(x + i + v * W, s[v] + vf_load(z + i + v * W));
	}
}

/* Units are rows, W at a time. */
REFERENCE(mvt_rows, 64)
{
	float *x = a[0].p;
	const float *m = a[1].p, *y = a[2].p;
	const long n = a[3].i;
	for (long i = lo; i < hi; i += W) {
		vf s = vf_load(x + i);
		for (long k = 0; k < n; k += W) {
			vi t[W];
			rows_load(t, m + i * n + k, 4 * n);
#pragma GCC unroll 16
			for (int v = 0; v < W; v++)
				s = vf_fuse((vf)t[v], vf_all(y[k + v]), s);
		}
		vf_store(x + i, s);
	}
}

/* Units are columns after k. */
REFERENCE(gramschmidt, 64)
{
	const long k = a[3].i, rows = a[4].i, n = a[5].i;
	float *m = (float *)a[0].p + k + 1, *r = (float *)a[1].p + k * n + k + 1;
	const float *q = (const float *)a[2].p + k;
	enum { MOST = 4 };
	for (long j = lo; j < hi; j += MOST * W) {
		const int wide = (hi - j) / W < MOST ? (hi - j) / W : MOST;
		vf s[MOST];
		for (int v = 0; v < MOST; v++)
			s[v] = vf_all(0);
		if (wide == MOST)
			for (long i = 0; i < rows; i++)
#pragma GCC unroll 4
				for (int v = 0; v < MOST; v++)
					s[v] = vf_fuse(vf_all(q[i * n]), vf_load(m + i * n + j + v * W), s[v]);
		else
			for (long i = 0; i < rows; i++)
				for (int v = 0; v < wide; v++)
					s[v] = vf_fuse(vf_all(q[i * n]), vf_load(m + i * n + j + v * W), s[v]);
		for (int v = 0; v < wide; v++)
			vf_store(r + j + v * W, s[v]);
		for (long i = 0; i < rows; i++)
#pragma GCC unroll 4
			for (int v = 0; v < wide; v++)
				vf_store(m + i * n + j + v * W, vf_fuse_from(vf_all(q[i * n]), s[v], vf_load(m + i * n + j + v * W)));
	}
}

/* Four columns with four vectors of columns at a time; units are columns. */
REFERENCE(correlation, 4)
{
	float *matrix = a[0].p;
	const float *data = a[1].p;
	const long m = a[2].i, n = a[3].i;
	for (long f = lo; f < hi; f += 4)
		for (long j = f / W * W; j < m; j += 4 * W) {
			const int wide = (m - j) / W < 4 ? (m - j) / W : 4;
			vf s[4][4];
			for (int u = 0; u < 4; u++)
				for (int v = 0; v < 4; v++)
					s[u][v] = vf_all(0);
			if (wide == 4)
				for (long i = 0; i < n; i++)
#pragma GCC unroll 4
					for (int u = 0; u < 4; u++)
#pragma GCC unroll 4
						for (int v = 0; v < 4; v++)
							s[u][v] = vf_fuse(vf_all(data[i * m + f + u]), vf_load(data + i * m + j + v * W), s[u][v]);
			else
				for (int v = 0; v < wide; v++)
					for (long i = 0; i < n; i++)
#pragma GCC unroll 4
						for (int u = 0; u < 4; u++)
							s[u][v] = vf_fuse(vf_all(data[i * m + f + u]), vf_load(data + i * m + j + v * W), s[u][v]);
			for (int u = 0; u < 4 && f + u < m - 1; u++)
				for (long c = j > f + u ? j : f + u; c < j + wide * W; c++)
					matrix[c * m + f + u] = matrix[(f + u) * m + c] = c == f + u ? 1 : s[u][(c - j) / W][(c - j) % W];
		}
}

static inline float hotspot_cell(float t, float p, float n, float s, float w, float e, float c, float ix, float iy, float iz)
{
	float sum = fuse(fuse(-2.0f, t, s + n), iy, p);
	return fuse(c, fuse(80.0f - t, iz, fuse(fuse(-2.0f, t, e + w), ix, sum)), t);
}

/* A step of row y of the array from, whose row 0 is first, to a row. */
static inline void hotspot_row(float *restrict to, const float *from, long first, const float *power, long y, long w, long h, float c, float ix, float iy, float iz)
{
	const float *t = from + (y - first) * w, *n = y > 0 ? t - w : t, *s = y < h - 1 ? t + w : t, *p = power + y * w;
	to[0] = hotspot_cell(t[0], p[0], n[0], s[0], t[0], t[1], c, ix, iy, iz);
	for (long x = 1; x < w - 1; x++)
		to[x] = hotspot_cell(t[x], p[x], n[x], s[x], t[x - 1], t[x + 1], c, ix, iy, iz);
	to[w - 1] = hotspot_cell(t[w - 1], p[w - 1], n[w - 1], s[w - 1], t[w - 2], t[w - 1], c, ix, iy, iz);
}

/* Two steps; units are rows. */
REFERENCE(hotspot, 16)
{
	enum { MOST = 1024, ROWS = 16 };
	const float *power = a[1].p, *from = a[2].p;
	float *to = a[3].p;
	const long w = a[4].i, h = a[5].i;
	const float c = (float)a[12].f / (float)a[8].f, ix = 1 / (float)a[9].f, iy = 1 / (float)a[10].f, iz = 1 / (float)a[11].f;
	float between[(ROWS + 2) * MOST];
	const long first = lo > 0 ? lo - 1 : 0, end = hi < h ? hi + 1 : h;
	for (long y = first; y < end; y++)
		hotspot_row(between + (y - first) * w, from, 0, power, y, w, h, c, ix, iy, iz);
	for (long y = lo; y < hi; y++)
		hotspot_row(to + y * w, between, first, power, y, w, h, c, ix, iy, iz);
}

/* Units are columns. */
REFERENCE(srad, 8)
{
	const i32 *north = a[6].p, *south = a[7].p, *east = a[8].p, *west = a[9].p;
	const long rows = a[10].i;
	const float q0 = a[13].f;
	for (long j = lo; j < hi; j++) {
		float *restrict coefficient = (float *)a[0].p + j * rows, *restrict dn = (float *)a[1].p + j * rows, *restrict ds = (float *)a[2].p + j * rows;
		float *restrict de = (float *)a[3].p + j * rows, *restrict dw = (float *)a[4].p + j * rows;
		const float *image = a[5].p, *here = image + j * rows, *left = image + west[j] * rows, *right = image + east[j] * rows;
#pragma GCC ivdep
		for (long i = 0; i < rows; i++) {
			float x = here[i], n = here[north[i]] - x, s = here[south[i]] - x, w = left[i] - x, e = right[i] - x;
			float g = fuse(e, e, fuse(w, w, fuse(n, n, s * s))) / (x * x), l = (n + s + w + e) / x;
			float num = fuse_double(0.5, g, -((1.0 / 16.0) * (l * l))), den = fuse_double(0.25, l, 1);
			float q = num / (den * den);
			den = (q - q0) / (q0 * (1 + q0));
			float c = 1.0 / (1.0 + den);
			c = c < 0 ? 0 : c;
			c = c > 1 ? 1 : c;
			dn[i] = n, ds[i] = s, dw[i] = w, de[i] = e, coefficient[i] = c;
		}
	}
}

/* Units are blocks. A row of a block depends on the row above, and then on its own elements from left to right, by a
   maximum that takes four steps for 16 elements. */
REFERENCE(needle, 4)
{
	enum { TILE = 16 };
	i32 *items = a[0].p;
	const i32 *similar = a[1].p;
	const long columns = a[2].i, blocks = a[4].i;
	const i32 penalty = a[3].i;
	for (long g = lo; g < hi; g++) {
		long at = columns * TILE * (blocks - 1 - g) + TILE * g;
#if defined(__AVX512F__) && defined(__AVX512DQ__)
		__m512i above = _mm512_loadu_si512(items + at + 1), lowest = _mm512_set1_epi32(INT32_MIN / 2);
		i32 corner = items[at];
		for (int y = 1; y <= TILE; y++) {
			i32 *row = items + at + columns * y;
			__m512i first = _mm512_set1_epi32(corner), d = _mm512_alignr_epi32(above, first, 15), x;
			x = _mm512_max_epi32(_mm512_add_epi32(d, _mm512_loadu_si512(similar + at + columns * y + 1)), _mm512_sub_epi32(above, _mm512_set1_epi32(penalty)));
			corner = row[0];
			x = _mm512_mask_max_epi32(x, 1, x, _mm512_set1_epi32(corner - penalty));
			x = _mm512_max_epi32(x, _mm512_sub_epi32(_mm512_alignr_epi32(x, lowest, 15), _mm512_set1_epi32(penalty)));
			x = _mm512_max_epi32(x, _mm512_sub_epi32(_mm512_alignr_epi32(x, lowest, 14), _mm512_set1_epi32(2 * penalty)));
			x = _mm512_max_epi32(x, _mm512_sub_epi32(_mm512_alignr_epi32(x, lowest, 12), _mm512_set1_epi32(4 * penalty)));
			x = _mm512_max_epi32(x, _mm512_sub_epi32(_mm512_alignr_epi32(x, lowest, 8), _mm512_set1_epi32(8 * penalty)));
			_mm512_storeu_si512(row + 1, x);
			above = x;
		}
#else
		for (int y = 1; y <= TILE; y++) {
			i32 *row = items + at + columns * y, *above = row - columns, left = row[0];
			const i32 *r = similar + at + columns * y;
			for (int x = 1; x <= TILE; x++) {
				i32 d = above[x - 1] + r[x], n = above[x] - penalty, w = left - penalty;
				d = d < n ? n : d;
				row[x] = left = d < w ? w : d;
			}
		}
#endif
	}
}

/* Units are rows of tiles; four rows and four vectors of columns at a time. */
REFERENCE(lud_internal, 1)
{
	enum { TILE = 16 };
	float *m = a[0].p;
	const long n = a[1].i, offset = a[2].i, begin = offset + TILE;
	for (long i = begin + lo * TILE; i < begin + hi * TILE; i += 4)
		for (long j = begin; j < n; j += 4 * W) {
			const int wide = (n - j) / W < 4 ? (n - j) / W : 4;
			vf s[4][4];
			for (int u = 0; u < 4; u++)
				for (int v = 0; v < 4; v++)
					s[u][v] = vf_all(0);
			for (long k = offset; k < offset + TILE; k++) {
				vf p[4];
				for (int v = 0; v < 4; v++)
					p[v] = v < wide ? vf_load(m + k * n + j + v * W) : vf_all(0);
#pragma GCC unroll 4
				for (int u = 0; u < 4; u++)
#pragma GCC unroll 4
					for (int v = 0; v < 4; v++)
						s[u][v] = vf_fuse(vf_all(m[(i + u) * n + k]), p[v], s[u][v]);
			}
			for (int u = 0; u < 4; u++)
				for (int v = 0; v < wide; v++)
					vf_store(m + (i + u) * n + j + v * W, vf_load(m + (i + u) * n + j + v * W) - s[u][v]);
		}
}

/* Units are rows, which have a border of 1 and a pitch that is a multiple of the alignment. */
REFERENCE(stencil2d, 16)
{
	const float center = a[3].f, cardinal = a[4].f, diagonal = a[5].f;
	const long w = a[6].i, pitch = (w + 2 + a[2].i - 1) / a[2].i * a[2].i;
	for (long y = lo + 1; y <= hi; y++) {
		float *restrict out = (float *)a[1].p + y * pitch + 1;
		const float *in = (const float *)a[0].p + y * pitch + 1, *n = in - pitch, *s = in + pitch;
		for (long x = 0; x < w; x++) {
			float near = n[x] + s[x] + in[x + 1] + in[x - 1], far = n[x + 1] + s[x + 1] + n[x - 1] + s[x - 1];
			out[x] = fuse(diagonal, far, fuse(center, in[x], cardinal * near));
		}
	}
}

/* The four numbers of W points, transposed. */
static inline void points_load(vf t[4], const float *p, vi at)
{
	vi z[4];
	for (int j = 0; j < 4; j++) {
#if defined(__AVX512F__) && defined(__AVX512DQ__)
		__m512 x = _mm512_castps128_ps512(_mm_loadu_ps(p + 4 * at[j]));
		x = _mm512_insertf32x4(x, _mm_loadu_ps(p + 4 * at[j + 4]), 1);
		x = _mm512_insertf32x4(x, _mm_loadu_ps(p + 4 * at[j + 8]), 2);
		z[j] = (vi)_mm512_insertf32x4(x, _mm_loadu_ps(p + 4 * at[j + 12]), 3);
#else
		__m256 x = _mm256_castps128_ps256(_mm_loadu_ps(p + 4 * at[j]));
		z[j] = (vi)_mm256_insertf128_ps(x, _mm_loadu_ps(p + 4 * at[j + 4]), 1);
#endif
	}
	transpose16(z);
	memcpy(t, z, sizeof z);
}

/* Units are atoms. */
REFERENCE(lennard_jones, 64)
{
	float *force = a[0].p;
	const float *position = a[1].p;
	const long neighbours = a[2].i, n = a[7].i;
	const i32 *list = a[3].p;
	const vf cutoff = vf_all(a[4].f), lj1 = vf_all(a[5].f), lj2 = vf_all(a[6].f);
	for (long i = lo; i < hi; i += W) {
		vf p[4], q[4], fx = vf_all(0), fy = fx, fz = fx;
		points_load(p, position, vi_lanes() + (i32)i);
		for (long j = 0; j < neighbours; j++) {
			points_load(q, position, vi_load(list + j * n + i));
			vf dx = p[0] - q[0], dy = p[1] - q[1], dz = p[2] - q[2], r = vf_fuse(dz, dz, vf_fuse(dx, dx, dy * dy));
			vm near = vf_less(r, cutoff);
			r = 1 / r;
			vf r6 = r * r * r, c = r * r6 * vf_fuse_sub(lj1, r6, lj2);
			fx = vf_choose(near, vf_fuse(dx, c, fx), fx);
			fy = vf_choose(near, vf_fuse(dy, c, fy), fy);
			fz = vf_choose(near, vf_fuse(dz, c, fz), fz);
		}
		for (int v = 0; v < W; v++)
			_mm_storeu_ps(force + 4 * (i + v), _mm_setr_ps(fx[v], fy[v], fz[v], 0));
	}
}

#if defined(__AVX512F__)
#define LIBRARY(f) _ZGVeN16v_##f
#else
#define LIBRARY(f) _ZGVdN8v_##f
#endif
vf LIBRARY(expf)(vf), LIBRARY(logf)(vf), LIBRARY(log10f)(vf), LIBRARY(exp10f)(vf);

#define RATE(k, a, b, c) vf_store(rate + k * n + i, LIBRARY(expf)(vf_fuse_from(vf_all(c), ti, vf_fuse(vf_all(b), lt, vf_all(a)))))
#define RATE_T(k, a, c) vf_store(rate + k * n + i, LIBRARY(expf)(vf_fuse_from(vf_all(c), ti, vf_all(a))))
#define RATE_LOG(k, a, b) vf_store(rate + k * n + i, LIBRARY(expf)(vf_fuse(vf_all(b), lt, vf_all(a))))
#define RATE_OVER(k, a) for (int v = 0; v < W; v++) rate[k * n + i + v] = a * ti[v]
#define RATE_ALL(k, a) vf_store(rate + k * n + i, vf_all(a))

REFERENCE(s3d_rates, 64)
{
	float *rate = a[0].p;
	const float *temperature = a[1].p, unit = a[2].f;
	const long n = a[3].i;
	for (long i = lo; i < hi; i += W) {
		vf t = vf_load(temperature + i) * unit, lt = LIBRARY(logf)(t), ti;
		for (int v = 0; v < W; v++)
			ti[v] = 1.0 / t[v];
		RATE(0, 13.922f, 1.17f, -327.8f); RATE_T(1, 19.508f, 3108.7f); RATE(2, 21.275f, -1.21f, -183.4f); RATE(3, 31.498f, -0.99f, 863.6f);
		RATE_LOG(4, 34.64f, 0.87f); RATE_ALL(5, 2.15e13f); RATE(6, 18.021f, 1.85f, 527.7f); RATE_T(7, 26.612f, 3427.2f);
		RATE(8, 11.55f, -0.66f, 4475.2f); RATE(9, 18.168f, 0.9f, 2680.2f); RATE(10, 30.654f, 1.37f, 1028.4f); RATE_T(11, 23.655f, 4862.6f);
		RATE(12, 35.485f, -1.02f, 2403.2f); RATE_OVER(13, 6.35e17); RATE_OVER(14, 6.56e17); RATE_T(15, 25.077f, 5735.7f);
		RATE_ALL(16, 6.61e13f); RATE_LOG(17, 35.82f, 1.87f); RATE(18, 27.385f, -1.41f, 2747.4f); RATE(19, 13.044f, -1.26f, 5169.0f);
		RATE(20, 16.438f, 0.1f, 5984.2f); RATE(21, 21.679f, 0.75f, 6078.7f); RATE_ALL(22, 3.87e13f); RATE_ALL(23, 2.86e13f);
		RATE(24, 22.609f, 0.92f, 1175.7f); RATE(25, 20.893f, 0.01f, 3574.1f); RATE_ALL(26, 6.41e13f); RATE(27, 33.388f, 1.7f, 6008.7f);
		RATE_OVER(28, 6.07e17); RATE(29, 11.751f, -0.64f, 382.2f); RATE(30, 11.367f, -1.5f, 295.0f); RATE(31, 19.454f, -1.4f, 6007.2f);
		RATE_LOG(32, 13.862f, -0.47f); RATE(33, 13.194f, 1.98f, 6945.5f); RATE_T(34, 22.58f, -92.7f); RATE(35, 16.884f, 1.9f, 375.4f);
		RATE(36, 34.726f, 0.67f, 258.2f); RATE_T(37, 10.703f, 6830.2f); RATE_ALL(38, 2.34e13f); RATE_OVER(39, 2.78e17);
		RATE_ALL(40, 7.55e13f); RATE_OVER(41, 1.23e17); RATE(42, 17.265f, -0.44f, 4570.9f); RATE_ALL(43, 8.64e13f);
		RATE(44, 15.732f, -0.57f, 654.0f); RATE(45, 26.226f, 2.19f, 5739.4f); RATE_T(46, 26.977f, -230.2f); RATE_LOG(47, 33.654f, 1.71f);
		RATE_T(48, 14.642f, 1726.9f); RATE_ALL(49, 8.57e13f); RATE_OVER(50, 8.24e17); RATE_ALL(51, 6.26e13f);
		RATE(52, 24.265f, -0.96f, -787.5f); RATE_ALL(53, 4.47e13f); RATE_ALL(54, 3.34e13f); RATE(55, 25.247f, -0.44f, 2410.2f);
		RATE(56, 33.66f, -0.05f, 2719.5f); RATE_T(57, 33.512f, 6350.0f); RATE_T(58, 23.827f, -752.2f); RATE(59, 14.761f, -1.48f, 5413.4f);
		RATE(60, 22.311f, 1.47f, 3496.2f); RATE(61, 23.477f, 0.78f, 5295.8f); RATE(62, 24.568f, -0.48f, 1287.6f); RATE_OVER(63, 8.3e17);
		RATE(64, 25.926f, 0.57f, 3146.1f); RATE_OVER(65, 8.53e17); RATE_OVER(66, 5.48e17); RATE_ALL(67, 4.54e13f);
		RATE(68, 16.257f, -1.2f, 4388.8f); RATE_OVER(69, 6.28e17); RATE(70, 32.954f, 2.47f, 834.7f); RATE_ALL(71, 7.66e13f);
	}
}

static inline vf normal_at_least(vf x) { return vf_choose(vf_less(x, vf_all(0x1p-126f)), vf_all(0x1p-126f), x); }

#define FALLOFF(k, ctot, part, t1, t2, t3) \
	pr = vf_load(low + k * n + i) * (ctot * (1 / vf_load(rate + k * n + i))); \
	pcor = pr * (1 / (1 + pr)); \
	prlog = LIBRARY(log10f)(normal_at_least(pr)); \
	fcent = vf_fuse(vf_all(part), LIBRARY(expf)(-t * (1.0f / t1)), (1.0f - part) * LIBRARY(expf)(-t * (1.0f / t2))) + LIBRARY(expf)(-t3 * (1 / t)); \
	fclog = LIBRARY(log10f)(normal_at_least(fcent)); \
	xn = vf_fuse_from(vf_all(1.27f), fclog, vf_all(0.75f)); \
	cprlog = prlog - vf_fuse(vf_all(0.67f), fclog, vf_all(0.4f)); \
	sqr = cprlog * (1 / vf_fuse_from(vf_all(0.14f), cprlog, xn)); \
	pcor = LIBRARY(exp10f)(fclog * (1 / vf_fuse(sqr, sqr, vf_all(1)))) * pcor; \
	vf_store(forward + k * n + i, vf_load(rate + k * n + i) * pcor); \
	vf_store(backward + k * n + i, vf_load(reverse + k * n + i) * pcor)

REFERENCE(s3d_falloff, 64)
{
	float *forward = a[0].p, *backward = a[1].p;
	const float *temperature = a[2].p, *c = a[3].p, *rate = a[4].p, *reverse = a[5].p, *low = a[6].p, unit = a[7].f;
	const long n = a[8].i;
	for (long i = lo; i < hi; i += W) {
		vf t = vf_load(temperature + i) * unit, ctot = vf_all(0), pr, pcor, prlog, fcent, fclog, xn, cprlog, sqr;
		for (int k = 0; k < 22; k++)
			ctot += vf_load(c + k * n + i);
		vf some = vf_fuse(vf_all(5), vf_load(c + 5 * n + i), ctot + vf_load(c + i)) + vf_load(c + 9 * n + i);
		vf ctb = vf_fuse(vf_all(2), vf_load(c + 15 * n + i), vf_fuse(vf_all(0.5f), vf_load(c + 10 * n + i), some) + vf_load(c + 11 * n + i));
		vf ctc = vf_fuse(vf_all(1.5f), vf_load(c + 14 * n + i), vf_fuse(vf_all(1.5f), vf_load(c + 13 * n + i), some));
		FALLOFF(0, ctc, 0.1227f, 169.3f, 1979.6f, 5695.6f); FALLOFF(1, ctb, 0.1381f, 143.3f, 2372.1f, 4097.4f);
		FALLOFF(2, ctb, 0.2993f, 171.3f, 1034.4f, 5657.5f); FALLOFF(3, ctc, 0.3308f, 187.8f, 1122.2f, 8925.4f);
		FALLOFF(4, ctb, 0.4048f, 293.5f, 1199.1f, 5327.8f); FALLOFF(5, ctb, 0.0678f, 249.2f, 1513.8f, 4647.8f);
		FALLOFF(6, ctc, 0.24f, 279.6f, 2556.1f, 5293.0f); FALLOFF(7, ctb, 0.1172f, 281.4f, 2084.1f, 7502.1f);
		FALLOFF(8, ctb, 0.0903f, 83.2f, 2307.6f, 6126.6f); FALLOFF(9, ctc, 0.0826f, 285.8f, 2205.4f, 8008.1f);
	}
}

static inline void dct8(vf d[8])
{
	vf p0 = d[0] + d[7], p1 = d[1] + d[6], p2 = d[2] + d[5], p3 = d[3] + d[4];
	vf m0 = d[0] - d[7], m1 = d[1] - d[6], m2 = d[2] - d[5], m3 = d[3] - d[4];
	vf e0 = p0 + p3, e1 = p1 + p2, e2 = p0 - p3, e3 = p1 - p2;
	const float n = 0.35355339f;
	const vf a = vf_all(1.38703985f), b = vf_all(1.30656296f), c = vf_all(1.17587560f), f = vf_all(0.78569496f), g = vf_all(0.54119610f), h = vf_all(0.27589938f);
	d[0] = n * (e0 + e1);
	d[4] = n * (e0 - e1);
	d[2] = n * vf_fuse(b, e2, g * e3);
	d[6] = n * vf_fuse_sub(g, e2, b * e3);
	d[1] = n * vf_fuse(h, m3, vf_fuse(f, m2, vf_fuse(a, m0, c * m1)));
	d[3] = n * vf_fuse_from(f, m3, vf_fuse_from(a, m2, vf_fuse_sub(c, m0, h * m1)));
	d[5] = n * vf_fuse(c, m3, vf_fuse(h, m2, vf_fuse_sub(f, m0, a * m1)));
	d[7] = n * vf_fuse_from(a, m3, vf_fuse(c, m2, vf_fuse_sub(h, m0, f * m1)));
}

/* Transposes the 8 x 8 floats in each 32 bytes of eight registers. */
static inline void transpose32(vf d[8])
{
	vi z[8];
	memcpy(z, d, sizeof z);
	transpose16(z);
	transpose16(z + 4);
	for (int k = 0; k < 4; k++) {
#if defined(__AVX512F__) && defined(__AVX512DQ__)
		const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
		d[k] = (vf)_mm512_permutex2var_epi64((__m512i)z[k], low, (__m512i)z[k + 4]);
		d[k + 4] = (vf)_mm512_permutex2var_epi64((__m512i)z[k], high, (__m512i)z[k + 4]);
#else
		d[k] = (vf)_mm256_permute2x128_si256((__m256i)z[k], (__m256i)z[k + 4], 0x20);
		d[k + 4] = (vf)_mm256_permute2x128_si256((__m256i)z[k], (__m256i)z[k + 4], 0x31);
#endif
	}
}

/* Units are rows of blocks. */
REFERENCE(dct8x8, 4)
{
	const long stride = a[2].i, w = a[4].i;
	for (long y = 8 * lo; y < 8 * hi; y += 8)
		for (long x = 0; x < w; x += W) {
			float *out = (float *)a[0].p + y * stride + x;
			const float *in = (const float *)a[1].p + y * stride + x;
			vf d[8];
			for (int i = 0; i < 8; i++)
				d[i] = vf_load(in + i * stride);
			transpose32(d);
			dct8(d);
			transpose32(d);
			dct8(d);
			for (int i = 0; i < 8; i++)
				vf_store(out + i * stride, d[i]);
		}
}

/* Units are rows. */
REFERENCE(convolve_rows, 16)
{
	enum { RADIUS = 8, MOST = 2048 };
	const float *weights = a[2].p;
	const long w = a[3].i, pitch = a[5].i;
	float row[MOST + 2 * RADIUS] = {0};
	for (long y = lo; y < hi; y++) {
		float *out = (float *)a[0].p + y * pitch;
		memcpy(row + RADIUS, (const float *)a[1].p + y * pitch, 4 * w);
		memset(row + RADIUS + w, 0, 4 * RADIUS);
		for (long x = 0; x < w; x += 4 * W) {
			vf s[4] = {vf_all(0), vf_all(0), vf_all(0), vf_all(0)};
#pragma GCC unroll 17
			for (int j = 0; j <= 2 * RADIUS; j++)
#pragma GCC unroll 4
				for (int v = 0; v < 4; v++)
					s[v] = vf_fuse(vf_all(weights[2 * RADIUS - j]), vf_load(row + x + v * W + j), s[v]);
			for (int v = 0; v < 4; v++)
				vf_store(out + x + v * W, s[v]);
		}
	}
}
