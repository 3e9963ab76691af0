/* Coordinates and pixels of images, clamped to the edge. */
#ifndef SAMPLING_H
#define SAMPLING_H

#include "simd.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)
static inline vf vf_min(vf a, vf b) { return _mm512_min_ps(a, b); }
static inline vf vf_max(vf a, vf b) { return _mm512_max_ps(a, b); }
static inline vf vf_floor(vf a) { return _mm512_floor_ps(a); }
static inline vi vi_max(vi a, vi b) { return (vi)_mm512_max_epi32((__m512i)a, (__m512i)b); }
static inline vi vi_round(vf a) { return (vi)_mm512_cvtps_epi32(a); }
#else
static inline vf vf_min(vf a, vf b) { return _mm256_min_ps(a, b); }
static inline vf vf_max(vf a, vf b) { return _mm256_max_ps(a, b); }
static inline vf vf_floor(vf a) { return _mm256_floor_ps(a); }
static inline vi vi_max(vi a, vi b) { return (vi)_mm256_max_epi32((__m256i)a, (__m256i)b); }
static inline vi vi_round(vf a) { return (vi)_mm256_cvtps_epi32(a); }
#endif

/* x / 255 for x from 0 to 255, exactly rounded */
static inline vf unorm(vi x)
{
	vf f = vf_of(x);
	return vf_fuse(f, vf_all(0x1.010102p-8f), f * vf_all(-0x1.fdfdfep-33f));
}

static inline vi clamped(vf x, int n) { return vi_of(vf_min(vf_max(x, vf_all(0)), vf_all(n - 1))); }

struct two { vi i, j; vf w0, w1; };

static inline struct two neighbours(vf x, int n)
{
	vf h = x - 0.5f, f = vf_floor(h), w = h - f;
	vi i = vi_of(vf_min(vf_max(f, vf_all(-1)), vf_all(n - 1)));
	return (struct two){vi_max(i, vi_all(0)), vi_min(i + 1, vi_all(n - 1)), 1 - w, w};
}

static inline vi channel(vf x) { return vi_round(vf_min(vf_max(x * 255, vf_all(0)), vf_all(255))); }

static inline int edge(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

#endif
