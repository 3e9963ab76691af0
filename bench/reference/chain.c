/* Chains of conversions in registers: to the other type and back, a[2] times. */

#include "reference.h"

/* SCALAR and BODY compute the next x from x. BODY does so for a vector of PER numbers. Eight
   vectors are computed at a time, to hide the instructions' latencies. */
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define CHAIN(NAME, T, VECTOR, PER, LOAD, STORE, SCALAR, BODY) \
	static inline __attribute__((always_inline)) VECTOR step_##NAME(VECTOR x) { return BODY; } \
	REFERENCE(chain_##NAME, 0) \
	{ \
		const T *in = a[1].p; \
		T *out = a[0].p; \
		enum { vectors = 8 }; \
		for (long i = lo; i < hi; i += vectors * PER) { \
			VECTOR x0 = LOAD(in + i), x1 = LOAD(in + i + PER), x2 = LOAD(in + i + 2 * PER), x3 = LOAD(in + i + 3 * PER); \
			VECTOR x4 = LOAD(in + i + 4 * PER), x5 = LOAD(in + i + 5 * PER), x6 = LOAD(in + i + 6 * PER), x7 = LOAD(in + i + 7 * PER); \
			for (long k = 0; k < a[2].i; k++) { \
				x0 = step_##NAME(x0), x1 = step_##NAME(x1), x2 = step_##NAME(x2), x3 = step_##NAME(x3); \
				x4 = step_##NAME(x4), x5 = step_##NAME(x5), x6 = step_##NAME(x6), x7 = step_##NAME(x7); \
			} \
			STORE(out + i, x0), STORE(out + i + PER, x1), STORE(out + i + 2 * PER, x2), STORE(out + i + 3 * PER, x3); \
			STORE(out + i + 4 * PER, x4), STORE(out + i + 5 * PER, x5), STORE(out + i + 6 * PER, x6), STORE(out + i + 7 * PER, x7); \
		} \
	}
#else
#define CHAIN(NAME, T, VECTOR, PER, LOAD, STORE, SCALAR, BODY) \
	REFERENCE(chain_##NAME, 0) \
	{ \
		const T *in = a[1].p; \
		T *out = a[0].p; \
		enum { block = 64 }; \
		for (long i = lo; i < hi; i += block) { \
			T b[block]; \
			memcpy(b, in + i, sizeof b); \
			for (long k = 0; k < a[2].i; k++) \
				for (int j = 0; j < block; j++) { \
					T x = b[j]; \
					b[j] = SCALAR; \
				} \
			memcpy(out + i, b, sizeof b); \
		} \
	}
#endif

#define CLAMP(x, lo, hi) ((x) > (lo) ? (x) < (hi) ? (x) : (hi) : (lo))
#define ZERO_NAN(x) ((x) == (x) ? (x) : 0)
#define NEAR (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define DOWN (_MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)
#define UP (_MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC)
#define TRUNC (_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)
#define F(x) _mm512_set1_ps(x)
#define MULADD(x, m, c) _mm512_fmadd_ps(x, F(m), F(c))
#define ORDERED(x) _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), x)

#define FLOATS(NAME, SCALAR, BODY) CHAIN(NAME, float, __m512, 16, _mm512_loadu_ps, _mm512_storeu_ps, SCALAR, BODY)
#define DOUBLES(NAME, SCALAR, BODY) CHAIN(NAME, double, __m512d, 8, _mm512_loadu_pd, _mm512_storeu_pd, SCALAR, BODY)
#define INTS(NAME, T, SCALAR, BODY) CHAIN(NAME, T, __m512i, 16, _mm512_loadu_si512, _mm512_storeu_si512, SCALAR, BODY)

/* An integer as a float is a float rounded, if it is small. */
FLOATS(float_uchar_sat_rte, fuse(rintf(CLAMP(x, 0, 255)), 1.25f, -20.0f),
	MULADD(_mm512_roundscale_ps(_mm512_min_ps(_mm512_max_ps(x, F(0)), F(255)), NEAR), 1.25f, -20.0f))
FLOATS(float_short_sat_rtn, fuse(floorf(CLAMP(ZERO_NAN(x), -32768, 32767)), 1.75f, -0.5f),
	MULADD(_mm512_roundscale_ps(_mm512_min_ps(_mm512_max_ps(ORDERED(x), F(-32768)), F(32767)), DOWN), 1.75f, -0.5f))

/* 2147483520 is the largest float below 2^31: what saturates comes back, rounded toward zero, as that. */
FLOATS(float_int_sat_rtp, fuse(ceilf(CLAMP(ZERO_NAN(x), -0x1p31f, 2147483520.0f)), 1.0625f, -3.5f),
	MULADD(_mm512_roundscale_ps(_mm512_min_ps(_mm512_max_ps(ORDERED(x), F(-0x1p31f)), F(2147483520.0f)), UP), 1.0625f, -3.5f))
FLOATS(float_int_rtn, fuse(floorf(x), 0.75f, 100.5f), MULADD(_mm512_roundscale_ps(x, DOWN), 0.75f, 100.5f))

#define I(x) _mm512_set1_epi32(x)
#define INT_CLAMP(x, lo, hi) _mm512_min_epi32(_mm512_max_epi32(x, I(lo)), I(hi))
INTS(int_short_sat, i32, CLAMP(x, -32768, 32767) * 3 - 7,
	_mm512_sub_epi32(_mm512_mullo_epi32(INT_CLAMP(x, -32768, 32767), I(3)), I(7)))
INTS(int_uchar_sat, i32, CLAMP(x, 0, 255) * 5 - 300,
	_mm512_sub_epi32(_mm512_mullo_epi32(INT_CLAMP(x, 0, 255), I(5)), I(300)))

static inline u32 uint_float_uint(u32 x)
{
	float y = x;
	y = bits_float(float_bits(y) + ((double)y < x));
	return y >= 0x1p32f ? 0xFFFFFFFF : (u32)y;
}
/* 2^32 comes back as 2^32-1. */
INTS(uint_float_rtp, u32, uint_float_uint(x) * 3 + 12345,
	_mm512_add_epi32(_mm512_mullo_epi32(_mm512_cvt_roundps_epu32(_mm512_cvt_roundepu32_ps(x, UP), TRUNC), I(3)), I(12345)))

#define D(x) _mm512_set1_pd(x)
#define MULADD_D(x, m, c) _mm512_fmadd_pd(x, D(m), D(c))
DOUBLES(double_int_sat_rte, fuse_double(rint(CLAMP(ZERO_NAN(x), -2147483648.0, 2147483647.0)), 1.25, -0.25),
	MULADD_D(_mm512_roundscale_pd(_mm512_min_pd(_mm512_max_pd(_mm512_maskz_mov_pd(_mm512_cmp_pd_mask(x, x, _CMP_ORD_Q), x), D(-2147483648.0)), D(2147483647.0)), NEAR), 1.25, -0.25))
static inline float double_float_rtz(double x)
{
	float y = x;
	return bits_float(float_bits(y) - (fabs((double)y) > fabs(x)));
}
DOUBLES(double_float_rtz, fuse_double(double_float_rtz(x), 1.0009765625, 0.3),
	MULADD_D(_mm512_cvtps_pd(_mm512_cvt_roundpd_ps(x, TRUNC)), 1.0009765625, 0.3))
