/* Accesses that are not side by side, and dot products: kernels/memory.cl. */

#include "simd.h"

/* Indices are below 2^31: gcc would take 64 bits. */
REFERENCE(gather, 0)
{
	float *out = a[0].p;
	const float *table = a[1].p;
	const u32 *index = a[2].p;
	for (long i = lo; i < hi; i += W)
		vf_store(out + i, vf_gather(table, vi_load(index + i)));
}

REFERENCE(scatter, 0)
{
	float *restrict out = a[0].p;
	const float *restrict in = a[1].p;
	const u32 *restrict index = a[2].p;
	for (long i = lo; i < hi; i++)
		out[index[i]] = in[i];
}

REFERENCE(lookup_uchar, 0)
{
	u8 *restrict out = a[0].p;
	const u8 *restrict in = a[1].p, *restrict table = a[2].p;
	long i = lo;
#if defined(__AVX512VBMI__)
	__m512i t0 = _mm512_loadu_si512(table), t1 = _mm512_loadu_si512(table + 64), t2 = _mm512_loadu_si512(table + 128), t3 = _mm512_loadu_si512(table + 192);
	for (; i + 64 <= hi; i += 64) {
		__m512i x = _mm512_loadu_si512(in + i);
		__m512i low = _mm512_permutex2var_epi8(t0, x, t1), high = _mm512_permutex2var_epi8(t2, x, t3);
		_mm512_storeu_si512(out + i, _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(x), high));
	}
#endif
	for (; i < hi; i++)
		out[i] = table[in[i]];
}

REFERENCE(interpolate, 0)
{
	float *out = a[0].p;
	const float *in = a[1].p, *table = a[2].p;
	const int n = a[3].i;
	for (long i = lo; i < hi; i += W) {
		vf x = vf_load(in + i) * (float)(n - 1);
		vi k = vi_min(vi_of(x), vi_all(n - 2));
		vf y = vf_gather(table, k);
		vf_store(out + i, vf_fuse(vf_gather(table + 1, k) - y, x - vf_of(k), y));
	}
}

REFERENCE(strided4, 0)
{
	float *restrict out = a[0].p;
	const float *restrict in = a[1].p;
	for (long i = lo; i < hi; i++)
		out[i] = in[4 * i] + in[4 * i + 1] + in[4 * i + 2] + in[4 * i + 3];
}

REFERENCE(half_size, 16)
{
	const long w = a[2].i;
	for (long y = lo; y < hi; y++) {
		u8 *restrict out = (u8 *)a[0].p + y * (w / 2);
		const u8 *restrict in = (const u8 *)a[1].p + 2 * y * w;
		for (long x = 0; x < w / 2; x++) {
			u16 s = in[2 * x] + in[2 * x + 1] + in[w + 2 * x] + in[w + 2 * x + 1] + 2;
			out[x] = s >> 2;
		}
	}
}

struct particle {
	float x, y, z, mass;
	i32 id, flags;
};

REFERENCE(structures, 0)
{
	float *restrict out = a[0].p;
	const struct particle *restrict in = a[1].p;
	for (long i = lo; i < hi; i++) {
		const struct particle *p = in + i;
		float e = p->mass * fuse(p->z, p->z, fuse(p->x, p->x, p->y * p->y));
		out[i] = p->flags & 1 ? e : 0;
	}
}

REFERENCE(reverse, 0)
{
	float *restrict out = a[0].p;
	const float *restrict in = a[1].p;
	const long n = a[2].i;
	for (long i = lo; i < hi; i++)
		out[i] = in[n - 1 - i];
}

/* A unit is 16 rows. */
REFERENCE(transpose_naive, 2)
{
	float *out = a[0].p;
	const float *in = a[1].p;
	const long w = a[2].i;
	for (long y = lo * 16; y < hi * 16; y++)
		for (long x = 0; x < w; x++)
			out[x * w + y] = in[y * w + x];
}

REFERENCE(sparse, 256)
{
	float *out = a[0].p;
	const i32 *start = a[1].p, *column = a[2].p;
	const float *number = a[3].p, *x = a[4].p;
	for (long i = lo; i < hi; i++) {
		float sum = 0;
		for (i32 k = start[i]; k < start[i + 1]; k++)
			sum = fuse(number[k], x[column[k]], sum);
		out[i] = sum;
	}
}

/* Every search has the number of steps of the longest. Two vectors are computed at a time. */
REFERENCE(binary_search, 1024)
{
	i32 *out = a[0].p;
	const u32 *key = a[1].p, *table = a[2].p;
	const int n = a[3].i;
	for (long i = lo; i < hi; i += 2 * W) {
		vu x0 = (vu)vi_load(key + i), x1 = (vu)vi_load(key + i + W);
		vi k0 = vi_all(0), k1 = k0;
		int left = n;
		while (left > 1) {
			int half = left / 2;
			k0 = vi_choose(vu_less((vu)vi_gather(table + half - 1, k0), x0), k0 + half, k0);
			k1 = vi_choose(vu_less((vu)vi_gather(table + half - 1, k1), x1), k1 + half, k1);
			left -= half;
		}
		vi_store(out + i, vi_count(k0, vu_less((vu)vi_gather(table, k0), x0)));
		vi_store(out + i + W, vi_count(k1, vu_less((vu)vi_gather(table, k1), x1)));
	}
}

REFERENCE(private_histogram, 256)
{
	u32 *out = a[0].p;
	const u8 *in = a[1].p;
	const long n = a[2].i, items = a[3].i;
	enum { block = 64 };
	for (long i = lo; i < hi; i += block) {
		u32 bins[block][16] = {0};
		for (long k = 0; k < n; k++)
			for (int j = 0; j < block; j++)
				bins[j][in[k * items + i + j] & 15]++;
		for (int j = 0; j < block; j++) {
			u32 most = 0;
			for (int k = 0; k < 16; k++)
				most = bins[j][k] > most ? bins[j][k] : most;
			out[i + j] = most;
		}
	}
}

/* Dot products. One operand of the instruction has unsigned bytes: 128 is added to them, and
   128 times the sum of the other operand is subtracted at the end. */
REFERENCE(dot_char4, 256)
{
	i32 *out = a[0].p;
	const i8 *matrix = a[1].p, *vector = a[2].p;
	const long n = a[3].i, rows = a[4].i;
#if defined(__AVX512VNNI__)
	i32 total = 0;
	for (long k = 0; k < 4 * n; k++)
		total += vector[k];
	for (long i = lo; i < hi; i += 4 * W) {
		__m512i s0 = _mm512_set1_epi32(-128 * total), s1 = s0, s2 = s0, s3 = s0, flip = _mm512_set1_epi8(-128);
		for (long k = 0; k < n; k++) {
			const i8 *p = matrix + 4 * (k * rows + i);
			i32 four;
			memcpy(&four, vector + 4 * k, 4);
			__m512i v = _mm512_set1_epi32(four);
			s0 = _mm512_dpbusd_epi32(s0, _mm512_xor_si512(_mm512_loadu_si512(p), flip), v);
			s1 = _mm512_dpbusd_epi32(s1, _mm512_xor_si512(_mm512_loadu_si512(p + 64), flip), v);
			s2 = _mm512_dpbusd_epi32(s2, _mm512_xor_si512(_mm512_loadu_si512(p + 128), flip), v);
			s3 = _mm512_dpbusd_epi32(s3, _mm512_xor_si512(_mm512_loadu_si512(p + 192), flip), v);
		}
		vi_store(out + i, (vi)s0), vi_store(out + i + W, (vi)s1), vi_store(out + i + 2 * W, (vi)s2), vi_store(out + i + 3 * W, (vi)s3);
	}
#else
	/* Bytes widened to 16 bits, even and odd ones apart, for pairs of products. */
	for (long i = lo; i < hi; i += W) {
		__m256i sum = _mm256_setzero_si256();
		for (long k = 0; k < n; k++) {
			__m256i p = _mm256_loadu_si256((const void *)(matrix + 4 * (k * rows + i)));
			i32 four;
			memcpy(&four, vector + 4 * k, 4);
			__m256i v = _mm256_set1_epi32(four);
			__m256i even = _mm256_madd_epi16(_mm256_srai_epi16(_mm256_slli_epi16(p, 8), 8), _mm256_srai_epi16(_mm256_slli_epi16(v, 8), 8));
			__m256i odd = _mm256_madd_epi16(_mm256_srai_epi16(p, 8), _mm256_srai_epi16(v, 8));
			sum = _mm256_add_epi32(sum, _mm256_add_epi32(even, odd));
		}
		_mm256_storeu_si256((void *)(out + i), sum);
	}
#endif
}

REFERENCE(dot_short2, 256)
{
	i32 *out = a[0].p;
	const i16 *matrix = a[1].p, *vector = a[2].p;
	const long n = a[3].i, rows = a[4].i;
	for (long i = lo; i < hi; i += 2 * W) {
		vi s0 = vi_all(0), s1 = s0;
		for (long k = 0; k < n; k++) {
			const i16 *p = matrix + 2 * (k * rows + i);
			i32 two;
			memcpy(&two, vector + 2 * k, 4);
#if defined(__AVX512BW__)
			s0 += (vi)_mm512_madd_epi16((__m512i)vi_load(p), (__m512i)vi_all(two));
			s1 += (vi)_mm512_madd_epi16((__m512i)vi_load(p + 2 * W), (__m512i)vi_all(two));
#else
			s0 += (vi)_mm256_madd_epi16((__m256i)vi_load(p), (__m256i)vi_all(two));
			s1 += (vi)_mm256_madd_epi16((__m256i)vi_load(p + 2 * W), (__m256i)vi_all(two));
#endif
		}
		vi_store(out + i, s0);
		vi_store(out + i + W, s1);
	}
}

REFERENCE(differences, 0)
{
	u32 *out = a[0].p;
	const u8 *x = a[1].p, *y = a[2].p;
	for (long i = lo; i < hi; i++) {
		__m128i s = _mm_sad_epu8(_mm_loadu_si128((const void *)(x + 16 * i)), _mm_loadu_si128((const void *)(y + 16 * i)));
		out[i] = _mm_cvtsi128_si32(s) + _mm_extract_epi16(s, 4);
	}
}

REFERENCE(average, 0)
{
	u8 *restrict out = a[0].p;
	const u8 *restrict x = a[1].p, *restrict y = a[2].p;
	for (long i = lo; i < hi; i++)
		out[i] = (x[i] + y[i] + 1) >> 1;
}

REFERENCE(add_saturated, 0)
{
	u8 *restrict out = a[0].p;
	const u8 *restrict x = a[1].p, *restrict y = a[2].p;
	long i = lo;
#if defined(__AVX512BW__)
	for (; i + 64 <= hi; i += 64)
		_mm512_storeu_si512(out + i, _mm512_adds_epu8(_mm512_loadu_si512(x + i), _mm512_loadu_si512(y + i)));
#else
	for (; i + 32 <= hi; i += 32)
		_mm256_storeu_si256((void *)(out + i), _mm256_adds_epu8(_mm256_loadu_si256((const void *)(x + i)), _mm256_loadu_si256((const void *)(y + i))));
#endif
	for (; i < hi; i++)
		out[i] = x[i] + y[i] < 255 ? x[i] + y[i] : 255;
}

REFERENCE(multiply_high, 0)
{
	i16 *restrict out = a[0].p;
	const i16 *restrict x = a[1].p, *restrict y = a[2].p;
	for (long i = lo; i < hi; i++)
		out[i] = x[i] * y[i] >> 16;
}
