/* Steps of well-known algorithms: kernels/algorithms.cl. */

#include "simd.h"

enum { GROUP = 256, POINTS = 256, HALO = 8, MEANS = 24 };

/* Units are rows, W at a time. */
REFERENCE(row_dot_float, 64)
{
	float *out = a[0].p;
	const float *x = a[1].p, *y = a[2].p;
	const long n = a[3].i;
	for (long i = lo; i < hi; i += W) {
		vf s = vf_all(0);
		for (long k = 0; k < n; k += W) {
			vi t[W], u[W];
			rows_load(t, x + i * n + k, 4 * n);
			rows_load(u, y + i * n + k, 4 * n);
#pragma GCC unroll 16
			for (int v = 0; v < W; v++)
				s = vf_fuse((vf)t[v], (vf)u[v], s);
		}
		vf_store(out + i, s);
	}
}

/* The halfs in the low parts of words. */
static inline vf halfs(vi x)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
	return _mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)x));
#else
	__m256i y = _mm256_and_si256((__m256i)x, _mm256_set1_epi32(0xFFFF));
	return _mm256_cvtph_ps(_mm_packus_epi32(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1)));
#endif
}

REFERENCE(row_dot_half, 64)
{
	float *out = a[0].p;
	const u16 *x = a[1].p, *y = a[2].p;
	const long n = a[3].i;
	for (long i = lo; i < hi; i += W) {
		vf s = vf_all(0);
		for (long k = 0; k < n; k += 2 * W) {
			vi t[W];
			rows_load(t, x + i * n + k, 2 * n);
#pragma GCC unroll 16
			for (int v = 0; v < W; v++) {
				s = vf_fuse(halfs(t[v]), vf_all(_cvtsh_ss(y[k + 2 * v])), s);
				s = vf_fuse(halfs((vi)((vu)t[v] >> 16)), vf_all(_cvtsh_ss(y[k + 2 * v + 1])), s);
			}
		}
		vf_store(out + i, s);
	}
}

REFERENCE(row_dot_char, 64)
{
	i32 *out = a[0].p;
	const i8 *x = a[1].p, *y = a[2].p;
	const long n = a[3].i;
	for (long i = lo; i < hi; i++) {
		i32 s = 0;
		for (long k = 0; k < n; k++)
			s += x[i * n + k] * y[i * n + k];
		out[i] = s;
	}
}

REFERENCE(row_dot_short, 64)
{
	i32 *out = a[0].p;
	const i16 *x = a[1].p, *y = a[2].p;
	const long n = a[3].i;
	for (long i = lo; i < hi; i++) {
		i32 s = 0;
		for (long k = 0; k < n; k++)
			s += x[i * n + k] * y[k];
		out[i] = s;
	}
}

/* In any order. */
REFERENCE(row_dot_any, 64)
{
	float *out = a[0].p;
	const float *x = a[1].p, *y = a[2].p;
	const long n = a[3].i;
	for (long i = lo; i < hi; i++) {
		vf s = vf_all(0), t = s;
		for (long k = 0; k < n; k += 2 * W) {
			s = vf_fuse(vf_load(x + i * n + k), vf_load(y + i * n + k), s);
			t = vf_fuse(vf_load(x + i * n + k + W), vf_load(y + i * n + k + W), t);
		}
		s += t;
		float sum = 0;
		for (int v = 0; v < W; v++)
			sum += s[v];
		out[i] = sum;
	}
}

REFERENCE(row_prefix, 64)
{
	float *out = a[0].p;
	const float *in = a[1].p;
	const long n = a[2].i;
	for (long i = lo; i < hi; i += W) {
		vf s = vf_all(0);
		for (long k = 0; k < n; k += W) {
			vi t[W];
			rows_load(t, in + i * n + k, 4 * n);
#pragma GCC unroll 16
			for (int v = 0; v < W; v++)
				t[v] = (vi)(s += (vf)t[v]);
			rows_store(out + i * n + k, 4 * n, t);
		}
	}
}

/* Four rows and four vectors of columns at a time. */
REFERENCE(matmul_row, 4)
{
	float *c = a[0].p;
	const float *x = a[1].p, *y = a[2].p;
	const long n = a[3].i;
	for (long i = lo; i < hi; i += 4)
		for (long j = 0; j < n; j += 4 * W) {
			vf s[4][4];
			for (int u = 0; u < 4; u++)
				for (int v = 0; v < 4; v++)
					s[u][v] = vf_all(0);
			for (long k = 0; k < n; k++)
#pragma GCC unroll 4
				for (int u = 0; u < 4; u++) {
					vf r = vf_all(x[(i + u) * n + k]);
#pragma GCC unroll 4
					for (int v = 0; v < 4; v++)
						s[u][v] = vf_fuse(r, vf_load(y + k * n + j + v * W), s[u][v]);
				}
			for (int u = 0; u < 4; u++)
				for (int v = 0; v < 4; v++)
					vf_store(c + (i + u) * n + j + v * W, s[u][v]);
		}
}

/* A unit is 16 columns of the result, from 16 rows of the second factor, transposed once. */
REFERENCE(matmul_transposed, 1)
{
	enum { MOST = 512 };
	float *c = a[0].p;
	const float *x = a[1].p, *y = a[2].p;
	const long n = a[3].i;
	vi panel[MOST];
	for (long j = 16 * lo; j < 16 * hi; j += W) {
		for (long k = 0; k < n; k += W)
			rows_load(panel + k, y + j * n + k, 4 * n);
		for (long i = 0; i < n; i += 8) {
			vf s[8];
			for (int u = 0; u < 8; u++)
				s[u] = vf_all(0);
			for (long k = 0; k < n; k++)
#pragma GCC unroll 8
				for (int u = 0; u < 8; u++)
					s[u] = vf_fuse(vf_all(x[(i + u) * n + k]), (vf)panel[k], s[u]);
			for (int u = 0; u < 8; u++)
				vf_store(c + (i + u) * n + j, s[u]);
		}
	}
}

/* Units are work-groups. */
REFERENCE(argmin, 16)
{
	float *least = a[0].p;
	i32 *where = a[1].p;
	const float *in = a[2].p;
	for (long g = lo; g < hi; g++) {
		vf best = vf_load(in + g * GROUP);
		vi at = vi_lanes();
		for (int l = W; l < GROUP; l += W) {
			vf x = vf_load(in + g * GROUP + l);
			vm m = vf_less(x, best);
			best = vf_choose(m, x, best);
			at = vi_choose(m, vi_lanes() + l, at);
		}
		float x = best[0];
		i32 i = at[0];
		for (int v = 1; v < W; v++)
			if (best[v] < x || best[v] == x && at[v] < i)
				x = best[v], i = at[v];
		least[g] = x, where[g] = g * GROUP + i;
	}
}

REFERENCE(segmented_scan, 16)
{
	i32 *out = a[0].p;
	const i32 *in = a[1].p;
	const u8 *head = a[2].p;
	for (long g = lo; g < hi; g++) {
		u32 s = 0;
		for (long l = g * GROUP; l < (g + 1) * GROUP; l++) {
			s = (head[l] < 32 ? 0 : s) + (u32)in[l];
			out[l] = s;
		}
	}
}

REFERENCE(radix_pass, 16)
{
	u32 *out = a[0].p;
	const u32 *in = a[1].p, shift = a[2].i;
	for (long g = lo; g < hi; g++) {
		const u32 *p = in + g * GROUP;
		u32 at[17] = {0};
		for (int l = 0; l < GROUP; l++)
			at[(p[l] >> shift & 15) + 1]++;
		for (int d = 0; d < 16; d++)
			at[d + 1] += at[d];
		for (int l = 0; l < GROUP; l++)
			out[g * GROUP + at[p[l] >> shift & 15]++] = p[l];
	}
}

/* Units are rows. */
REFERENCE(spmv_csr, 256)
{
	double *y = a[0].p;
	const u32 *start = a[1].p;
	const u16 *column = a[2].p;
	const double *number = a[3].p, *x = a[4].p;
	for (long i = lo; i < hi; i++) {
		double s = 0;
		for (u32 k = start[i]; k < start[i + 1]; k++)
			s = fuse_double(number[k], x[column[k]], s);
		y[i] = s;
	}
}

REFERENCE(spmv_ell, 256)
{
	float *y = a[0].p;
	const i32 *column = a[1].p;
	const float *number = a[2].p, *x = a[3].p;
	const long width = a[4].i, n = a[5].i;
	for (long i = lo; i < hi; i += W) {
		vf s = vf_all(0);
		for (long k = 0; k < width; k++)
			s = vf_fuse(vf_load(number + k * n + i), vf_gather(x, vi_load(column + k * n + i)), s);
		vf_store(y + i, s);
	}
}

REFERENCE(lu_step, 8)
{
	double *m = a[0].p;
	const long n = a[1].i, k = a[2].i;
	const double *restrict u = m + k * n;
	for (long i = k + 1 + lo; i < k + 1 + hi; i++) {
		double *restrict row = m + i * n, f = -row[k];
		for (long j = k + 1; j < n; j++)
			row[j] = fuse_double(f, u[j], row[j]);
	}
}

/* A stage of several transforms of n points side by side, in place; real and imaginary parts are separate. */
static inline void fft_stage(float *restrict tr, float *restrict ti, const float *restrict sr, const float *restrict si, const float (*root)[2], int n)
{
	enum { Q = POINTS / 4 };
	float wr[3][Q], wi[3][Q];
	for (int q = 1; q < 4; q++)
		for (int k = 0; k < n; k++)
			wr[q - 1][k] = root[q * k * (Q / n)][0], wi[q - 1][k] = root[q * k * (Q / n)][1];
	for (int b = 0; b < Q; b += n)
		for (int k = 0; k < n; k++) {
			int l = b + k, j = 4 * b + k;
			float vr[4], vj[4];
			vr[0] = sr[l], vj[0] = si[l];
#pragma GCC unroll 4
			for (int q = 1; q < 4; q++) {
				float x = sr[l + q * Q], y = si[l + q * Q];
				vr[q] = fuse(x, wr[q - 1][k], -(y * wi[q - 1][k])), vj[q] = fuse(x, wi[q - 1][k], y * wr[q - 1][k]);
			}
			float ar = vr[0] + vr[2], ai = vj[0] + vj[2], br = vr[0] - vr[2], bi = vj[0] - vj[2];
			float cr = vr[1] + vr[3], ci = vj[1] + vj[3], dr = vr[1] - vr[3], di = vj[1] - vj[3];
			tr[j] = ar + cr, ti[j] = ai + ci;
			tr[j + n] = br + di, ti[j + n] = bi - dr;
			tr[j + 2 * n] = ar - cr, ti[j + 2 * n] = ai - ci;
			tr[j + 3 * n] = br - di, ti[j + 3 * n] = bi + dr;
		}
}

REFERENCE(fft_radix4, 4)
{
	float (*out)[2] = a[0].p;
	const float (*in)[2] = a[1].p, (*root)[2] = a[2].p;
	float r[2][POINTS], i[2][POINTS];
	for (long g = lo; g < hi; g++) {
		for (int l = 0; l < POINTS; l++)
			r[0][l] = in[g * POINTS + l][0], i[0][l] = in[g * POINTS + l][1];
		fft_stage(r[1], i[1], r[0], i[0], root, 1);
		fft_stage(r[0], i[0], r[1], i[1], root, 4);
		fft_stage(r[1], i[1], r[0], i[0], root, 16);
		fft_stage(r[0], i[0], r[1], i[1], root, 64);
		for (int l = 0; l < POINTS; l++)
			out[g * POINTS + l][0] = r[0][l], out[g * POINTS + l][1] = i[0][l];
	}
}

REFERENCE(heat_steps, 16)
{
	float *out = a[0].p;
	const float *in = a[1].p, r = a[2].f;
	for (long g = lo; g < hi; g++) {
		const long first = g * (GROUP - 2 * HALO);
		float t[2][GROUP];
		memcpy(t[0], in + first, sizeof t[0]);
		for (int step = 0; step < HALO; step++) {
			const float *restrict s = t[step & 1];
			float *restrict u = t[~step & 1];
			u[0] = s[0], u[GROUP - 1] = s[GROUP - 1];
			for (int l = 1; l < GROUP - 1; l++)
				u[l] = fuse(r, fuse(-2, s[l], s[l - 1]) + s[l + 1], s[l]);
		}
		memcpy(out + first, t[HALO & 1] + HALO, (GROUP - 2 * HALO) * sizeof(float));
	}
}

/* Units are points. */
REFERENCE(k_means, 0)
{
	u8 *nearest = a[0].p;
	const float *x = a[1].p, *y = a[2].p, *z = a[3].p, *means = a[4].p;
	for (long i = lo; i < hi; i += W) {
		vf px = vf_load(x + i), py = vf_load(y + i), pz = vf_load(z + i), least = vf_all(INFINITY);
		vi best = vi_all(0);
		for (int m = 0; m < MEANS; m++) {
			vf dx = px - vf_all(means[3 * m]), dy = py - vf_all(means[3 * m + 1]), dz = pz - vf_all(means[3 * m + 2]);
			vf d = vf_fuse(dz, dz, vf_fuse(dx, dx, dy * dy));
			vm nearer = vf_less(d, least);
			least = vf_choose(nearer, d, least);
			best = vi_choose(nearer, vi_all(m), best);
		}
		for (int v = 0; v < W; v++)
			nearest[i + v] = best[v];
	}
}

/* Units are rows. */
REFERENCE(floyd_warshall, 8)
{
	const i32 *in = a[1].p;
	const long n = a[2].i, k = a[3].i;
	for (long i = lo; i < hi; i++) {
		i32 *restrict out = (i32 *)a[0].p + i * n;
		const i32 d = in[i * n + k];
		for (long j = 0; j < n; j++) {
			i32 s = d + in[k * n + j];
			out[j] = in[i * n + j] < s ? in[i * n + j] : s;
		}
	}
}

static u32 queens_below(u32 all, u32 columns, u32 left, u32 right)
{
	u32 free = all & ~(columns | left | right), count = 0;
	if (columns == all)
		return 1;
	for (; free; free &= free - 1) {
		u32 bit = free & -free;
		count += queens_below(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
	}
	return count;
}

/* Units are places of the first two queens. */
REFERENCE(queens, 1)
{
	u32 *ways = a[0].p;
	const long n = a[1].i;
	for (long i = lo; i < hi; i++) {
		u32 x = 1u << i / n, y = 1u << i % n;
		ways[i] = y & (x | x << 1 | x >> 1) ? 0 : queens_below((1u << n) - 1, x | y, (x << 1 | y) << 1, (x >> 1 | y) >> 1);
	}
}

static inline void lattice_cell(float *restrict to, const float *restrict from, long n, long w, long x, long xm, long xp, long y, long ym, long yp, float omega)
{
	float f0 = from[y * w + x];
	float f1 = from[n + y * w + xm], f2 = from[2 * n + ym * w + x], f3 = from[3 * n + y * w + xp], f4 = from[4 * n + yp * w + x];
	float f5 = from[5 * n + ym * w + xm], f6 = from[6 * n + ym * w + xp], f7 = from[7 * n + yp * w + xp], f8 = from[8 * n + yp * w + xm];
	float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
	float u = (f1 + f5 + f8 - f3 - f6 - f7) / rho, v = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
	float base = 1.0f - 1.5f * (u * u + v * v), keep = 1.0f - omega;
	float c = omega * rho / 9.0f, d = omega * rho / 36.0f, s = u + v, t = v - u;
	to += y * w + x;
	to[0] = keep * f0 + omega * rho * (4.0f / 9.0f) * base;
	to[n] = keep * f1 + c * (base + 3.0f * u + 4.5f * u * u);
	to[2 * n] = keep * f2 + c * (base + 3.0f * v + 4.5f * v * v);
	to[3 * n] = keep * f3 + c * (base - 3.0f * u + 4.5f * u * u);
	to[4 * n] = keep * f4 + c * (base - 3.0f * v + 4.5f * v * v);
	to[5 * n] = keep * f5 + d * (base + 3.0f * s + 4.5f * s * s);
	to[6 * n] = keep * f6 + d * (base + 3.0f * t + 4.5f * t * t);
	to[7 * n] = keep * f7 + d * (base - 3.0f * s + 4.5f * s * s);
	to[8 * n] = keep * f8 + d * (base - 3.0f * t + 4.5f * t * t);
}

/* Units are rows. */
REFERENCE(lattice, 4)
{
	float *to = a[0].p;
	const float *from = a[1].p, omega = a[4].f;
	const long w = a[2].i, h = a[3].i, n = w * h;
	for (long y = lo; y < hi; y++) {
		long ym = y == 0 ? h - 1 : y - 1, yp = y == h - 1 ? 0 : y + 1;
		lattice_cell(to, from, n, w, 0, w - 1, 1, y, ym, yp, omega);
#pragma GCC ivdep
		for (long x = 1; x < w - 1; x++)
			lattice_cell(to, from, n, w, x, x - 1, x + 1, y, ym, yp, omega);
		lattice_cell(to, from, n, w, w - 1, w - 2, 0, y, ym, yp, omega);
	}
}

/* Units are work-groups, w of them a row. */
REFERENCE(marching_squares, 16)
{
	u32 *cells = a[0].p, *count = a[1].p;
	const float *field = a[2].p, level = a[4].f;
	const long w = a[3].i, groups = a[5].i;
	for (long g = lo; g < hi; g++) {
		u32 *out = cells + g * GROUP, *p = out, at = g / groups * w + g % groups * GROUP;
		for (u32 end = at + GROUP; at < end; at += W) {
			vi one = vi_all(1), none = vi_all(0);
			vf high = vf_all(level);
			vi kind = vi_choose(vf_less(high, vf_load(field + at)), one, none) | vi_choose(vf_less(high, vf_load(field + at + 1)), one + 1, none) |
				vi_choose(vf_less(high, vf_load(field + at + w)), one * 4, none) | vi_choose(vf_less(high, vf_load(field + at + w + 1)), one * 8, none);
			vi cell = (vi)((vu)(vi_lanes() + at) << 4) | kind;
#if defined(__AVX512F__) && defined(__AVX512DQ__)
			vm crossed = ~(vi_equal(kind, none) | vi_equal(kind, vi_all(15)));
			_mm512_mask_compressstoreu_epi32(p, crossed, (__m512i)cell);
			p += __builtin_popcount(crossed);
#else
			for (int v = 0; v < W; v++)
				if (kind[v] != 0 && kind[v] != 15)
					*p++ = cell[v];
#endif
		}
		count[g] = p - out;
	}
}
