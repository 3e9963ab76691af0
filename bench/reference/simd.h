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

#endif
