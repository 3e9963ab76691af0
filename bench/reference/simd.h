/* Vectors of 32-bit numbers as wide as the processor's, for what gcc does not vectorise:
   loops that elements leave at different times, and calls of the vector library. */
#ifndef SIMD_H
#define SIMD_H

#include "reference.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)

enum { W = 16 };
typedef __m512 vf;
typedef i32 vi __attribute__((vector_size(64)));
typedef u32 vu __attribute__((vector_size(64)));
typedef __mmask16 vm;

static inline vf vf_all(float x) { return _mm512_set1_ps(x); }
static inline vf vf_load(const float *p) { return _mm512_loadu_ps(p); }
static inline void vf_store(float *p, vf x) { _mm512_storeu_ps(p, x); }
static inline vf vf_fuse(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
static inline vf vf_fuse_sub(vf a, vf b, vf c) { return _mm512_fmsub_ps(a, b, c); }
static inline vf vf_fuse_from(vf a, vf b, vf c) { return _mm512_fnmadd_ps(a, b, c); } /* c - a*b */
static inline vf vf_sqrt(vf x) { return _mm512_sqrt_ps(x); }
static inline vf vf_of(vi x) { return _mm512_cvtepi32_ps((__m512i)x); }
static inline vm vf_less(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static inline vf vf_choose(vm m, vf yes, vf no) { return _mm512_mask_mov_ps(no, m, yes); }
static inline vi vi_all(i32 x) { return (vi)_mm512_set1_epi32(x); }
static inline vi vi_load(const void *p) { return (vi)_mm512_loadu_si512(p); }
static inline void vi_store(void *p, vi x) { _mm512_storeu_si512(p, (__m512i)x); }
static inline vm vi_equal(vi a, vi b) { return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b); }
static inline vi vi_choose(vm m, vi yes, vi no) { return (vi)_mm512_mask_mov_epi32((__m512i)no, m, (__m512i)yes); }
static inline vi vi_count(vi n, vm m) { return (vi)_mm512_mask_add_epi32((__m512i)n, m, (__m512i)n, _mm512_set1_epi32(1)); }
static inline vf vf_gather(const float *p, vi i) { return _mm512_i32gather_ps((__m512i)i, p, 4); }
static inline vi vi_gather(const void *p, vi i) { return (vi)_mm512_i32gather_epi32((__m512i)i, p, 4); }
static inline vi vi_of(vf x) { return (vi)_mm512_cvttps_epi32(x); }
static inline vm vu_less(vu a, vu b) { return _mm512_cmplt_epu32_mask((__m512i)a, (__m512i)b); }
static inline vi vi_min(vi a, vi b) { return (vi)_mm512_min_epi32((__m512i)a, (__m512i)b); }
static inline vm vm_all(void) { return 0xFFFF; }
static inline vm vm_none(void) { return 0; }
static inline int vm_any(vm m) { return m != 0; }

#else

enum { W = 8 };
typedef __m256 vf;
typedef i32 vi __attribute__((vector_size(32)));
typedef u32 vu __attribute__((vector_size(32)));
typedef vi vm;

static inline vf vf_all(float x) { return _mm256_set1_ps(x); }
static inline vf vf_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void vf_store(float *p, vf x) { _mm256_storeu_ps(p, x); }
static inline vf vf_fuse(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
static inline vf vf_fuse_sub(vf a, vf b, vf c) { return _mm256_fmsub_ps(a, b, c); }
static inline vf vf_fuse_from(vf a, vf b, vf c) { return _mm256_fnmadd_ps(a, b, c); }
static inline vf vf_sqrt(vf x) { return _mm256_sqrt_ps(x); }
static inline vf vf_of(vi x) { return _mm256_cvtepi32_ps((__m256i)x); }
static inline vm vf_less(vf a, vf b) { return (vm)_mm256_cmp_ps(a, b, _CMP_LT_OQ); }
static inline vf vf_choose(vm m, vf yes, vf no) { return _mm256_blendv_ps(no, yes, (__m256)m); }
static inline vi vi_all(i32 x) { return (vi)_mm256_set1_epi32(x); }
static inline vi vi_load(const void *p) { return (vi)_mm256_loadu_si256(p); }
static inline void vi_store(void *p, vi x) { _mm256_storeu_si256(p, (__m256i)x); }
static inline vm vi_equal(vi a, vi b) { return a == b; }
static inline vi vi_choose(vm m, vi yes, vi no) { return (vi)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)m); }
static inline vi vi_count(vi n, vm m) { return n - m; }
static inline vf vf_gather(const float *p, vi i) { return _mm256_i32gather_ps(p, (__m256i)i, 4); }
static inline vi vi_gather(const void *p, vi i) { return (vi)_mm256_i32gather_epi32(p, (__m256i)i, 4); }
static inline vi vi_of(vf x) { return (vi)_mm256_cvttps_epi32(x); }
static inline vm vu_less(vu a, vu b) { return (vm)((vi)(a ^ 0x80000000) < (vi)(b ^ 0x80000000)); }
static inline vi vi_min(vi a, vi b) { return (vi)_mm256_min_epi32((__m256i)a, (__m256i)b); }
static inline vm vm_all(void) { return vi_all(-1); }
static inline vm vm_none(void) { return vi_all(0); }
static inline int vm_any(vm m) { return _mm256_movemask_ps((__m256)m) != 0; }

#endif

/* 0, 1, 2, ... */
static inline vi vi_lanes(void)
{
	static const i32 lanes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
	return vi_load(lanes);
}

/* Transposes the 4 x 4 words of 4 bytes in each 16 bytes of four registers. */
static inline void transpose16(vi z[4])
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
	__m512i a = _mm512_unpacklo_epi32((__m512i)z[0], (__m512i)z[1]), b = _mm512_unpacklo_epi32((__m512i)z[2], (__m512i)z[3]);
	__m512i c = _mm512_unpackhi_epi32((__m512i)z[0], (__m512i)z[1]), d = _mm512_unpackhi_epi32((__m512i)z[2], (__m512i)z[3]);
	z[0] = (vi)_mm512_unpacklo_epi64(a, b), z[1] = (vi)_mm512_unpackhi_epi64(a, b);
	z[2] = (vi)_mm512_unpacklo_epi64(c, d), z[3] = (vi)_mm512_unpackhi_epi64(c, d);
#else
	__m256i a = _mm256_unpacklo_epi32((__m256i)z[0], (__m256i)z[1]), b = _mm256_unpacklo_epi32((__m256i)z[2], (__m256i)z[3]);
	__m256i c = _mm256_unpackhi_epi32((__m256i)z[0], (__m256i)z[1]), d = _mm256_unpackhi_epi32((__m256i)z[2], (__m256i)z[3]);
	z[0] = (vi)_mm256_unpacklo_epi64(a, b), z[1] = (vi)_mm256_unpackhi_epi64(a, b);
	z[2] = (vi)_mm256_unpacklo_epi64(c, d), z[3] = (vi)_mm256_unpackhi_epi64(c, d);
#endif
}

/* W words from each of W rows: t[k] has the rows' words k. */
static inline void rows_load(vi t[W], const void *p, long stride)
{
	for (int c = 0; c < W / 4; c++) {
		vi *z = t + 4 * c;
		for (int j = 0; j < 4; j++) {
			const char *q = (const char *)p + j * stride + 16 * c;
#if defined(__AVX512F__) && defined(__AVX512DQ__)
			__m512i x = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)q));
			x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(q + 4 * stride)), 1);
			x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(q + 8 * stride)), 2);
			z[j] = (vi)_mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(q + 12 * stride)), 3);
#else
			__m256i x = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)q));
			z[j] = (vi)_mm256_inserti128_si256(x, _mm_loadu_si128((const __m128i *)(q + 4 * stride)), 1);
#endif
		}
		transpose16(z);
	}
}

/* The reverse; it overwrites t. */
static inline void rows_store(void *p, long stride, vi t[W])
{
	for (int c = 0; c < W / 4; c++) {
		transpose16(t + 4 * c);
		for (int j = 0; j < 4; j++)
			for (int k = 0; k < W / 4; k++)
				memcpy((char *)p + (4 * k + j) * stride + 16 * c, (char *)&t[4 * c + j] + 16 * k, 16);
	}
}

#endif
