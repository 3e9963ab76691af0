/* The machine's limits, which the table shows beside the rows' rates: limits.go. */

#include "simd.h"

/* A unit is 2^20 multiply-adds. Eight sums hide the latency of four cycles on two ports. */
enum { UNIT = 1 << 20, SUMS = 8 };

#define LIMIT(name, type, width, all, fuse_add, add_up) \
	REFERENCE(name, 1) \
	{ \
		for (long u = lo; u < hi; u++) { \
			type s[SUMS], x = all(0.5f), y = all(0.25f); \
			for (int k = 0; k < SUMS; k++) \
				s[k] = all((float)(k + u)); \
			for (int i = 0; i < UNIT / (width * SUMS); i++) \
				for (int k = 0; k < SUMS; k++) { \
					s[k] = fuse_add(s[k], x, y); \
					__asm__("" : "+x"(s[k])); \
				} \
			for (int k = 1; k < SUMS; k++) \
				s[0] = add_up(s[0], s[k]); \
			memcpy((char *)a[0].p + u % 64 * 64, &s[0], sizeof s[0]); \
		} \
	}

#if defined(__AVX512F__)
LIMIT(limit_float, __m512, 16, _mm512_set1_ps, _mm512_fmadd_ps, _mm512_add_ps)
LIMIT(limit_double, __m512d, 8, _mm512_set1_pd, _mm512_fmadd_pd, _mm512_add_pd)
#elif defined(__AVX2__)
LIMIT(limit_float, __m256, 8, _mm256_set1_ps, _mm256_fmadd_ps, _mm256_add_ps)
LIMIT(limit_double, __m256d, 4, _mm256_set1_pd, _mm256_fmadd_pd, _mm256_add_pd)
#else
#define same(x) (x)
#define plus(x, y) ((x) + (y))
LIMIT(limit_float, float, 1, same, fuse, plus)
LIMIT(limit_double, double, 1, same, fuse_double, plus)
#endif

#if defined(__AVX512FP16__)
LIMIT(limit_half, __m512h, 32, _mm512_set1_ph, _mm512_fmadd_ph, _mm512_add_ph)
#else /* halves are computed as floats */
REFERENCE(limit_half, 1) { limit_float(a, lo, hi); }
#endif

/* A unit is a cache line that is copied. */
REFERENCE(limit_copy, 0) { memcpy((char *)a[0].p + 64 * lo, (char *)a[1].p + 64 * lo, 64 * (hi - lo)); }
