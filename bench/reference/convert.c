/* The conversions. For each, one function converts rows of numbers; the streamed and the
   cached form call it.

   Where gcc compiles the plain expression as well, only that is used (PLAIN). Otherwise, as
   for saturating conversions of floats, a body converts 16 numbers. */

#include "reference.h"

/* Eight rows for the cached kernels, in blocks that the first cache holds. */
#define CACHED(ROW, out, in, pitch, repeats) \
	enum { block = 256 }; \
	for (long b = lo; b < hi; b += block) \
		for (long r = 0; r < (repeats); r++) \
			for (long k = 0; k < 8; k++) \
				ROW((out) + k * (pitch) + b, (in) + k * (pitch) + b, hi - b < block ? hi - b : block)

#define FORMS(S, D, MODE) \
	REFERENCE(stream_##S##_##D##MODE, 0) { row_##S##_##D##MODE((D *)a[0].p + lo, (const S *)a[1].p + lo, hi - lo); } \
	REFERENCE(cached_##S##_##D##MODE, 0) \
	{ \
		CACHED(row_##S##_##D##MODE, (D *)a[0].p, (const S *)a[1].p, a[2].i, a[3].i); \
	}

#define PLAIN(S, D, MODE, EXPR) \
	static inline void row_##S##_##D##MODE(D *restrict out, const S *restrict in, long n) \
	{ \
		for (long i = 0; i < n; i++) { \
			S x = in[i]; \
			out[i] = EXPR; \
		} \
	} \
	FORMS(S, D, MODE)

#define BODY(S, D, MODE, STEP, ...) \
	static inline void row_##S##_##D##MODE(D *restrict out, const S *restrict in, long n) \
	{ \
		_Pragma("GCC unroll 4") \
		for (long i = 0; i < n; i += STEP) { \
			__VA_ARGS__; \
		} \
	} \
	FORMS(S, D, MODE)

/* VECTOR has a body for 16 numbers at in + i, for AVX-512; BOTH has another for 8, for AVX2.
   n is a multiple of 16. */
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define VECTOR(S, D, MODE, EXPR, ...) BODY(S, D, MODE, 16, __VA_ARGS__)
#define BOTH(S, D, MODE, WIDE, NARROW) BODY(S, D, MODE, 16, WIDE)
#else
#define VECTOR(S, D, MODE, EXPR, ...) PLAIN(S, D, MODE, EXPR)
#define BOTH(S, D, MODE, WIDE, NARROW) BODY(S, D, MODE, 8, NARROW)
#endif

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef u16 half;

#define CLAMP(x, lo, hi) ((x) > (lo) ? (x) < (hi) ? (x) : (hi) : (lo))
#define ZERO_NAN(x) ((x) == (x) ? (x) : 0)
#define LOADF _mm512_loadu_ps(in + i)
#define NONAN(v) _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(v, v, _CMP_ORD_Q), v)
#define NEAR (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define DOWN (_MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)
#define UP (_MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC)
#define TRUNC (_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)
#define POSITIVE(v) _mm512_max_ps(v, _mm512_setzero_ps()) /* 0 of a NaN */
/* Out of range the result is 2^31, below as above: only values above need a correction. */
#define BELOW(v, x) _mm512_min_ps(v, _mm512_set1_ps(x))

/* AVX2 narrows 8 integers by packing twice, which saturates. */
#define WITHIN(v, lo, hi) _mm256_min_ps(_mm256_max_ps(v, _mm256_set1_ps(lo)), _mm256_set1_ps(hi))
static inline __m256 ordered(__m256 x) { return _mm256_and_ps(x, _mm256_cmp_ps(x, x, _CMP_ORD_Q)); }
static inline __m128i shorts(__m256i x) { return _mm_packs_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1)); }
static inline __m128i ushorts(__m256i x) { return _mm_packus_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1)); }
static inline __m256i rounded(__m256 x, int to_nearest) { return to_nearest ? _mm256_cvtps_epi32(x) : _mm256_cvttps_epi32(x); }

BOTH(float, uchar, _sat_rte,
	_mm_storeu_si128((void *)(out + i), _mm512_cvtusepi32_epi8(_mm512_cvt_roundps_epu32(POSITIVE(LOADF), NEAR))),
	__m128i p = shorts(rounded(WITHIN(_mm256_loadu_ps(in + i), 0, 255), 1)); _mm_storel_epi64((void *)(out + i), _mm_packus_epi16(p, p)))
BOTH(float, uchar, _sat,
	_mm_storeu_si128((void *)(out + i), _mm512_cvtusepi32_epi8(_mm512_cvt_roundps_epu32(POSITIVE(LOADF), TRUNC))),
	__m128i p = shorts(rounded(WITHIN(_mm256_loadu_ps(in + i), 0, 255), 0)); _mm_storel_epi64((void *)(out + i), _mm_packus_epi16(p, p)))
BOTH(float, char, _sat_rtp,
	_mm_storeu_si128((void *)(out + i), _mm512_cvtsepi32_epi8(_mm512_cvt_roundps_epi32(BELOW(NONAN(LOADF), 127), UP))),
	__m128i p = shorts(rounded(_mm256_ceil_ps(WITHIN(ordered(_mm256_loadu_ps(in + i)), -128, 127)), 0)); _mm_storel_epi64((void *)(out + i), _mm_packs_epi16(p, p)))
BOTH(float, short, _sat_rtn,
	_mm256_storeu_si256((void *)(out + i), _mm512_cvtsepi32_epi16(_mm512_cvt_roundps_epi32(BELOW(NONAN(LOADF), 32767), DOWN))),
	_mm_storeu_si128((void *)(out + i), shorts(rounded(_mm256_floor_ps(WITHIN(ordered(_mm256_loadu_ps(in + i)), -32768, 32767)), 0))))
BOTH(float, ushort, _sat_rte,
	_mm256_storeu_si256((void *)(out + i), _mm512_cvtusepi32_epi16(_mm512_cvt_roundps_epu32(POSITIVE(LOADF), NEAR))),
	_mm_storeu_si128((void *)(out + i), ushorts(rounded(WITHIN(_mm256_loadu_ps(in + i), 0, 65535), 1))))
VECTOR(float, int, _rte, (int)rintf(x), _mm512_storeu_si512(out + i, _mm512_cvt_roundps_epi32(LOADF, NEAR)))
PLAIN(float, int, _rtz, (int)x)
VECTOR(float, int, _rtp, (int)ceilf(x), _mm512_storeu_si512(out + i, _mm512_cvt_roundps_epi32(LOADF, UP)))
VECTOR(float, int, _rtn, (int)floorf(x), _mm512_storeu_si512(out + i, _mm512_cvt_roundps_epi32(LOADF, DOWN)))

/* Replaces 2^31, the result of values that are too large, by 2^31-1, and a NaN's by 0. */
#if defined(__AVX512F__)
static inline __m512i int_sat(__m512 x, __m512i converted)
{
	__m512i y = _mm512_mask_mov_epi32(converted, _mm512_cmp_ps_mask(x, _mm512_set1_ps(0x1p31f), _CMP_GE_OQ), _mm512_set1_epi32(0x7FFFFFFF));
	return _mm512_maskz_mov_epi32(_mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), y);
}
#endif
#define INT_SAT(y) ((y) >= 0x1p31f ? 0x7FFFFFFF : (y) == (y) ? (int)(y) : 0)
VECTOR(float, int, _sat, INT_SAT(x), __m512 x = LOADF; _mm512_storeu_si512(out + i, int_sat(x, _mm512_cvt_roundps_epi32(x, TRUNC))))
VECTOR(float, int, _sat_rte, INT_SAT(rintf(x)), __m512 x = LOADF; _mm512_storeu_si512(out + i, int_sat(x, _mm512_cvt_roundps_epi32(x, NEAR))))
/* Values that are too large become 2^32-1, as required. */
VECTOR(float, uint, _sat_rtp, x >= 0x1p32f ? 0xFFFFFFFF : x > 0 ? (uint)ceilf(x) : 0,
	_mm512_storeu_si512(out + i, _mm512_cvt_roundps_epu32(POSITIVE(LOADF), UP)))
VECTOR(float, long, _rtn, (long)floorf(x),
	_mm512_storeu_si512(out + i, _mm512_cvt_roundps_epi64(_mm256_loadu_ps(in + i), DOWN));
	_mm512_storeu_si512(out + i + 8, _mm512_cvt_roundps_epi64(_mm256_loadu_ps(in + i + 8), DOWN)))
PLAIN(float, double, , x)

#define LOADI _mm512_loadu_si512(in + i)
VECTOR(int, uchar, _sat, CLAMP(x, 0, 255), _mm_storeu_si128((void *)(out + i), _mm512_cvtusepi32_epi8(_mm512_max_epi32(LOADI, _mm512_setzero_si512()))))
VECTOR(int, short, _sat, CLAMP(x, -32768, 32767), _mm256_storeu_si256((void *)(out + i), _mm512_cvtsepi32_epi16(LOADI)))
PLAIN(int, float, , x)
/* Without a rounding instruction: round to nearest, and step back where that rounded up. */
static inline float int_float_rtz(int x)
{
	float y = x;
	u32 step = x >= 0 ? (double)y > x : (double)y < x;
	return bits_float(float_bits(y) - step);
}
VECTOR(int, float, _rtz, int_float_rtz(x), _mm512_storeu_ps(out + i, _mm512_cvt_roundepi32_ps(LOADI, TRUNC)))
PLAIN(int, long, , x)
VECTOR(int, double, , x,
	_mm512_storeu_pd(out + i, _mm512_cvtepi32_pd(_mm256_loadu_si256((void *)(in + i))));
	_mm512_storeu_pd(out + i + 8, _mm512_cvtepi32_pd(_mm256_loadu_si256((void *)(in + i + 8)))))
PLAIN(uint, ushort, , x)
static inline float uint_float_rtp(uint x)
{
	float y = x;
	return bits_float(float_bits(y) + ((double)y < x));
}
VECTOR(uint, float, _rtp, uint_float_rtp(x), _mm512_storeu_ps(out + i, _mm512_cvt_roundepu32_ps(LOADI, UP)))
VECTOR(short, char, _sat, CLAMP(x, -128, 127), _mm_storeu_si128((void *)(out + i), _mm256_cvtsepi16_epi8(_mm256_loadu_si256((void *)(in + i)))))
PLAIN(short, float, , x)
PLAIN(short, int, , x)
VECTOR(ushort, uchar, _sat, x < 255 ? x : 255, _mm_storeu_si128((void *)(out + i), _mm256_cvtusepi16_epi8(_mm256_loadu_si256((void *)(in + i)))))
PLAIN(ushort, uchar, , x)
VECTOR(ushort, uint, , x, _mm512_storeu_si512(out + i, _mm512_cvtepu16_epi32(_mm256_loadu_si256((void *)(in + i)))))
VECTOR(uchar, int, , x, _mm512_storeu_si512(out + i, _mm512_cvtepu8_epi32(_mm_loadu_si128((void *)(in + i)))))
VECTOR(uchar, float, , x, _mm512_storeu_ps(out + i, _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((void *)(in + i))))))
PLAIN(uchar, ushort, , x)
PLAIN(char, short, , x)
VECTOR(long, int, _sat, CLAMP(x, -2147483647 - 1, 2147483647),
	_mm256_storeu_si256((void *)(out + i), _mm512_cvtsepi64_epi32(LOADI));
	_mm256_storeu_si256((void *)(out + i + 8), _mm512_cvtsepi64_epi32(_mm512_loadu_si512(in + i + 8))))
static inline double long_double_rtn(long x)
{
	double y = x;
	long up = y >= 0x1p63 || (long)y > x, bits;
	memcpy(&bits, &y, 8);
	bits += y > 0 ? -up : up;
	memcpy(&y, &bits, 8);
	return y;
}
VECTOR(long, double, _rtn, long_double_rtn(x),
	_mm512_storeu_pd(out + i, _mm512_cvt_roundepi64_pd(LOADI, DOWN));
	_mm512_storeu_pd(out + i + 8, _mm512_cvt_roundepi64_pd(_mm512_loadu_si512(in + i + 8), DOWN)))
PLAIN(ulong, uint, , x)
PLAIN(double, float, , x)
static inline float double_float_rtz(double x)
{
	float y = x;
	return bits_float(float_bits(y) - (fabs((double)y) > fabs(x)));
}
#define LOADD(k) _mm512_loadu_pd(in + i + (k))
VECTOR(double, float, _rtz, double_float_rtz(x),
	_mm256_storeu_ps(out + i, _mm512_cvt_roundpd_ps(LOADD(0), TRUNC));
	_mm256_storeu_ps(out + i + 8, _mm512_cvt_roundpd_ps(LOADD(8), TRUNC)))
#if defined(__AVX512F__)
static inline __m256i double_int_sat(__m512d x)
{
	x = _mm512_min_pd(_mm512_maskz_mov_pd(_mm512_cmp_pd_mask(x, x, _CMP_ORD_Q), x), _mm512_set1_pd(2147483647.0));
	return _mm512_cvt_roundpd_epi32(x, NEAR);
}
static inline __m512i double_long_sat(__m512d x)
{
	__m512i y = _mm512_cvt_roundpd_epi64(x, NEAR);
	y = _mm512_mask_mov_epi64(y, _mm512_cmp_pd_mask(x, _mm512_set1_pd(0x1p63), _CMP_GE_OQ), _mm512_set1_epi64(0x7FFFFFFFFFFFFFFF));
	return _mm512_maskz_mov_epi64(_mm512_cmp_pd_mask(x, x, _CMP_ORD_Q), y);
}
#endif
VECTOR(double, int, _sat_rte, (int)rint(CLAMP(ZERO_NAN(x), -2147483648.0, 2147483647.0)),
	_mm256_storeu_si256((void *)(out + i), double_int_sat(LOADD(0)));
	_mm256_storeu_si256((void *)(out + i + 8), double_int_sat(LOADD(8))))
PLAIN(double, int, _rtz, (int)x)
VECTOR(double, long, _sat_rte, x >= 0x1p63 ? 0x7FFFFFFFFFFFFFFF : x == x ? (long)rint(x) : 0,
	_mm512_storeu_si512(out + i, double_long_sat(LOADD(0)));
	_mm512_storeu_si512(out + i + 8, double_long_sat(LOADD(8))))

/* vcvtps2ph takes the rounding as an immediate. */
#define HALF(MODE, ROUND) \
	BOTH(float, half, MODE, \
		_mm256_storeu_si256((void *)(out + i), _mm512_cvtps_ph(LOADF, ROUND)), \
		_mm_storeu_si128((void *)(out + i), _mm256_cvtps_ph(_mm256_loadu_ps(in + i), ROUND)))
HALF(_rte, NEAR)
HALF(_rtz, TRUNC)
HALF(_rtp, UP)
BOTH(half, float, ,
	_mm512_storeu_ps(out + i, _mm512_cvtph_ps(_mm256_loadu_si256((void *)(in + i)))),
	_mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((void *)(in + i)))))
