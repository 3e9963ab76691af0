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
