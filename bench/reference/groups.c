/* Work-groups: kernels/groups.cl. */

#include "simd.h"

enum { GROUP = 256, TILE = 16 };

/* A row of the result, four vectors of columns at a time. */
#define MATMUL(NAME, T, FUSE, WIDTH) \
	REFERENCE(NAME, 4) \
	{ \
		T *restrict c = a[0].p; \
		const T *restrict x = a[1].p, *restrict y = a[2].p; \
		const long n = a[3].i; \
		for (long i = lo; i < hi; i++) \
			for (long j = 0; j < n; j += WIDTH) { \
				T sum[WIDTH] = {0}; \
				for (long k = 0; k < n; k++) { \
					T s = x[i * n + k]; \
					_Pragma("GCC unroll 64") \
					for (int v = 0; v < WIDTH; v++) \
						sum[v] = FUSE(s, y[k * n + j + v], sum[v]); \
				} \
				memcpy(c + i * n + j, sum, sizeof sum); \
			} \
	}
MATMUL(matmul_double, double, fuse_double, 32)

/* Rows [lo, hi) of c = x y + beta c; update says that beta is not 0. */
static inline __attribute__((always_inline)) void matmul(float *c, const float *x, const float *y, long n, float beta, int update, long lo, long hi)
{
	for (long i = lo; i < hi; i++)
		for (long j = 0; j < n; j += 4 * W) {
			vf s0 = vf_all(0), s1 = s0, s2 = s0, s3 = s0;
			for (long k = 0; k < n; k++) {
				vf s = vf_all(x[i * n + k]);
				const float *p = y + k * n + j;
				s0 = vf_fuse(s, vf_load(p), s0);
				s1 = vf_fuse(s, vf_load(p + W), s1);
				s2 = vf_fuse(s, vf_load(p + 2 * W), s2);
				s3 = vf_fuse(s, vf_load(p + 3 * W), s3);
			}
			float *p = c + i * n + j;
			if (update) {
				vf b = vf_all(beta);
				s0 = vf_fuse(b, vf_load(p), s0);
				s1 = vf_fuse(b, vf_load(p + W), s1);
				s2 = vf_fuse(b, vf_load(p + 2 * W), s2);
				s3 = vf_fuse(b, vf_load(p + 3 * W), s3);
			}
			vf_store(p, s0), vf_store(p + W, s1), vf_store(p + 2 * W, s2), vf_store(p + 3 * W, s3);
		}
}

REFERENCE(matmul_naive, 4) { matmul(a[0].p, a[1].p, a[2].p, a[3].i, 0, 0, lo, hi); }
REFERENCE(matmul_update, 4) { matmul(a[0].p, a[1].p, a[2].p, a[3].i, a[4].f, 1, lo, hi); }

/* A unit is a row of tiles. Tiles are copied, as to local memory, and a tile of the result
   stays in registers where they suffice. */
REFERENCE(matmul_tiled, 1)
{
	float *c = a[0].p;
	const float *x = a[1].p, *y = a[2].p;
	const long n = a[3].i;
	float s[TILE][TILE], t[TILE][TILE];
	for (long i = lo * TILE; i < hi * TILE; i += TILE)
		for (long j = 0; j < n; j += TILE)
			for (int half = 0; half < TILE; half += W) {
				vf sum[TILE];
				for (int u = 0; u < TILE; u++)
					sum[u] = vf_all(0);
				for (long k = 0; k < n; k += TILE) {
					for (int u = 0; u < TILE; u++) {
						memcpy(s[u], x + (i + u) * n + k, sizeof s[u]);
						memcpy(t[u], y + (k + u) * n + j, sizeof t[u]);
					}
					for (int v = 0; v < TILE; v++) {
						vf row = vf_load(t[v] + half);
#pragma GCC unroll 16
						for (int u = 0; u < TILE; u++)
							sum[u] = vf_fuse(vf_all(s[u][v]), row, sum[u]);
					}
				}
				for (int u = 0; u < TILE; u++)
					vf_store(c + (i + u) * n + j + half, sum[u]);
			}
}

/* A unit is four rows. */
REFERENCE(matmul_rows4, 1)
{
	float *c = a[0].p;
	const float *x = a[1].p, *y = a[2].p;
	const long n = a[3].i;
	for (long i = 4 * lo; i < 4 * hi; i += 4)
		for (long j = 0; j < n; j += 2 * W) {
			vf s00 = vf_all(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00;
			for (long k = 0; k < n; k++) {
				vf p = vf_load(y + k * n + j), q = vf_load(y + k * n + j + W);
				vf r0 = vf_all(x[i * n + k]), r1 = vf_all(x[(i + 1) * n + k]), r2 = vf_all(x[(i + 2) * n + k]), r3 = vf_all(x[(i + 3) * n + k]);
				s00 = vf_fuse(r0, p, s00), s01 = vf_fuse(r0, q, s01), s10 = vf_fuse(r1, p, s10), s11 = vf_fuse(r1, q, s11);
				s20 = vf_fuse(r2, p, s20), s21 = vf_fuse(r2, q, s21), s30 = vf_fuse(r3, p, s30), s31 = vf_fuse(r3, q, s31);
			}
			float *o = c + i * n + j;
			vf_store(o, s00), vf_store(o + W, s01), vf_store(o + n, s10), vf_store(o + n + W, s11);
			vf_store(o + 2 * n, s20), vf_store(o + 2 * n + W, s21), vf_store(o + 3 * n, s30), vf_store(o + 3 * n + W, s31);
		}
}

/* A unit is a work-group from here on. */
REFERENCE(reduce_float, 16)
{
	float *sums = a[0].p;
	const float *in = a[1].p;
	for (long g = lo; g < hi; g++) {
		float part[GROUP / 2];
		const float *p = in + g * GROUP;
		for (int l = 0; l < GROUP / 2; l++)
			part[l] = p[l] + p[l + GROUP / 2];
#define HALVE(S) \
		for (int l = 0; l < (S); l++) \
			part[l] += part[l + (S)];
		HALVE(64) HALVE(32) HALVE(16) HALVE(8) HALVE(4) HALVE(2) HALVE(1)
		sums[g] = part[0];
	}
}

REFERENCE(reduce_uint, 16)
{
	u32 *sums = a[0].p;
	const u32 *in = a[1].p;
	for (long g = lo; g < hi; g++) {
		u32 sum = 0;
		for (int k = 0; k < 16 * GROUP; k++)
			sum += in[g * 16 * GROUP + k];
		sums[g] = sum;
	}
}

REFERENCE(scan, 16)
{
	u32 *out = a[0].p;
	const u32 *in = a[1].p;
	for (long g = lo; g < hi; g++) {
		u32 sum = 0;
		for (int l = 0; l < GROUP; l++)
			out[g * GROUP + l] = sum += in[g * GROUP + l];
	}
}

/* Exchanges of a step j: for partners in different vectors two vectors are minimum and
   maximum of both, for partners in one it is permuted. */
static inline vi less_of(vi x, vi y, vm descending)
{
#if defined(__AVX512F__)
	__m512i least = _mm512_min_epu32((__m512i)x, (__m512i)y), most = _mm512_max_epu32((__m512i)x, (__m512i)y);
#else
	__m256i least = _mm256_min_epu32((__m256i)x, (__m256i)y), most = _mm256_max_epu32((__m256i)x, (__m256i)y);
#endif
	return vi_choose(descending, (vi)most, (vi)least);
}
static inline vi permute(vi x, vi order)
{
#if defined(__AVX512F__)
	return (vi)_mm512_permutexvar_epi32((__m512i)order, (__m512i)x);
#else
	return (vi)_mm256_permutevar8x32_epi32((__m256i)x, (__m256i)order);
#endif
}

REFERENCE(bitonic, 16)
{
	u32 *out = a[0].p;
	const u32 *in = a[1].p;
	const vm none = vm_none(), every = vm_all();
	for (long g = lo; g < hi; g++) {
		vi t[GROUP / W];
		for (int v = 0; v < GROUP / W; v++)
			t[v] = vi_load(in + g * GROUP + v * W);
		for (int k = 2; k <= GROUP; k <<= 1) {
			int j = k >> 1;
			for (; j >= W; j >>= 1)
				for (int base = 0; base < GROUP / W; base += 2 * (j / W)) {
					vm down = base * W & k ? every : none;
					for (int v = base; v < base + j / W; v++) {
						vi x = t[v], y = t[v + j / W];
						t[v] = less_of(x, y, down);
						t[v + j / W] = less_of(x, y, ~down);
					}
				}
			for (; j > 0; j >>= 1) {
				vi order = vi_lanes() ^ j;
				vm upper = ~vi_equal(vi_lanes() & j, vi_all(0));
				for (int v = 0; v < GROUP / W; v++) {
					vm down = ~vi_equal((vi_lanes() + v * W) & k, vi_all(0));
					t[v] = less_of(t[v], permute(t[v], order), upper ^ down);
				}
			}
		}
		for (int v = 0; v < GROUP / W; v++)
			vi_store(out + g * GROUP + v * W, t[v]);
	}
}

/* A unit is a row of tiles. */
REFERENCE(transpose_tiled, 2)
{
	float *out = a[0].p;
	const float *in = a[1].p;
	const long w = a[2].i;
	for (long y = lo * TILE; y < hi * TILE; y += TILE)
		for (long x = 0; x < w; x += TILE)
			for (int p = 0; p < TILE; p += 4)
				for (int q = 0; q < TILE; q += 4) {
					const float *s = in + (y + p) * w + x + q;
					float *d = out + (x + q) * w + y + p;
					__m128 r0 = _mm_loadu_ps(s), r1 = _mm_loadu_ps(s + w), r2 = _mm_loadu_ps(s + 2 * w), r3 = _mm_loadu_ps(s + 3 * w);
					_MM_TRANSPOSE4_PS(r0, r1, r2, r3);
					_mm_storeu_ps(d, r0), _mm_storeu_ps(d + w, r1), _mm_storeu_ps(d + 2 * w, r2), _mm_storeu_ps(d + 3 * w, r3);
				}
}

REFERENCE(blur_local, 16)
{
	float *restrict out = a[0].p;
	const float *restrict in = a[1].p;
	const long radius = a[2].i;
	for (long g = lo; g < hi; g++)
		for (long i = g * GROUP; i < (g + 1) * GROUP; i += 4 * W) {
			vf s0 = vf_all(0), s1 = s0, s2 = s0, s3 = s0;
			for (long k = 0; k <= 2 * radius; k++) {
				const float *p = in + i + k;
				s0 += vf_load(p), s1 += vf_load(p + W), s2 += vf_load(p + 2 * W), s3 += vf_load(p + 3 * W);
			}
			vf_store(out + i, s0), vf_store(out + i + W, s1), vf_store(out + i + 2 * W, s2), vf_store(out + i + 3 * W, s3);
		}
}

/* Each thread counts in its own four tables, to avoid waiting for its own stores. */
REFERENCE(histogram_local, 16)
{
	u32 *bins = a[0].p, mine[4][256] = {0};
	const u8 *in = a[1].p;
	const long each = a[2].i * GROUP;
	for (long i = lo * each; i < hi * each; i += 4) {
		mine[0][in[i]]++;
		mine[1][in[i + 1]]++;
		mine[2][in[i + 2]]++;
		mine[3][in[i + 3]]++;
	}
	for (int b = 0; b < 256; b++)
		__atomic_fetch_add(&bins[b], mine[0][b] + mine[1][b] + mine[2][b] + mine[3][b], __ATOMIC_RELAXED);
}

REFERENCE(histogram_global, 4096)
{
	u32 *bins = a[0].p;
	const u16 *in = a[1].p;
	for (long i = lo; i < hi; i++)
		__atomic_fetch_add(&bins[in[i]], 1, __ATOMIC_RELAXED);
}

/* Four tables, as in histogram_local. */
REFERENCE(histogram_levels, 4096)
{
	i32 *bins = a[0].p, mine[4][17] = {0};
	const i16 *in = a[1].p;
	for (long i = lo; i < hi; i++) {
		u16 x = in[i] ^ in[i] >> 15;
		mine[i & 3][x ? __builtin_clz(x) - 16 : 16]--;
	}
	for (int b = 0; b < 17; b++)
		__atomic_fetch_add(&bins[b], mine[0][b] + mine[1][b] + mine[2][b] + mine[3][b], __ATOMIC_RELAXED);
}

REFERENCE(histogram_skewed, 16)
{
	u32 *bins = a[0].p, mine[4][64] = {0};
	const i16 *in = a[1].p;
	const long each = a[2].i * GROUP;
	for (long i = lo * each; i < hi * each; i += 4) {
		mine[0][(in[i] >> 10) + 32]++;
		mine[1][(in[i + 1] >> 10) + 32]++;
		mine[2][(in[i + 2] >> 10) + 32]++;
		mine[3][(in[i + 3] >> 10) + 32]++;
	}
	for (int b = 0; b < 64; b++)
		__atomic_fetch_add(&bins[b], mine[0][b] + mine[1][b] + mine[2][b] + mine[3][b], __ATOMIC_RELAXED);
}

REFERENCE(count_above, 0)
{
	const float *in = a[1].p;
	float limit = a[2].f;
	u32 n = 0;
	for (long i = lo; i < hi; i++)
		n += in[i] > limit;
	__atomic_fetch_add((u32 *)a[0].p, n, __ATOMIC_RELAXED);
}

REFERENCE(maximum, 0)
{
	const u32 *in = a[1].p;
	u32 most = 0, *result = a[0].p;
	for (long i = lo; i < hi; i++)
		most = in[i] > most ? in[i] : most;
	u32 seen = __atomic_load_n(result, __ATOMIC_RELAXED);
	while (seen < most && !__atomic_compare_exchange_n(result, &seen, most, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}
