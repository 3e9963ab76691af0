/* Chains of operations as in image and sound programs: kernels/pixels.cl. */

#include "reference.h"

#define ROWS(NAME, T, U, NUMBER, PASS) \
	REFERENCE(stream_##NAME, 0) { row_##NAME((T *)a[0].p + lo, (const U *)a[1].p + lo, hi - lo PASS); } \
	REFERENCE(cached_##NAME, 0) \
	{ \
		enum { block = 256 }; \
		long pitch = a[NUMBER].i, repeats = a[NUMBER + 1].i; \
		for (long b = lo; b < hi; b += block) \
			for (long r = 0; r < repeats; r++) \
				for (long k = 0; k < 8; k++) \
					row_##NAME((T *)a[0].p + k * pitch + b, (const U *)a[1].p + k * pitch + b, hi - b < block ? hi - b : block PASS); \
	}
#define GAIN , a[2].f

#if defined(__AVX512F__) && defined(__AVX512BW__)
#define NEAR (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define DOWN (_MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)
#define LOAD_BYTES(p) _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)(p))))
/* Rounds and saturates; a negative number becomes 0 first. */
#define STORE_BYTES(p, x) \
	_mm_storeu_si128((void *)(p), _mm512_cvtusepi32_epi8(_mm512_cvt_roundps_epu32(_mm512_max_ps(x, _mm512_setzero_ps()), NEAR)))
#endif

static inline float clamp(float x, float lo, float hi) { return x > lo ? x < hi ? x : hi : lo; }

static inline void row_scale(u8 *restrict out, const u8 *restrict in, long n, float gain)
{
	long i = 0;
#if defined(__AVX512BW__)
	for (; i + 16 <= n; i += 16)
		STORE_BYTES(out + i, _mm512_mul_ps(LOAD_BYTES(in + i), _mm512_set1_ps(gain)));
#endif
	for (; i < n; i++)
		out[i] = (int)rintf(clamp(in[i] * gain, 0, 255));
}
ROWS(scale, u8, u8, 3, GAIN)

static inline void row_mix(u8 *restrict out, const u8 *restrict x, const u8 *restrict y, long n, float t)
{
	long i = 0;
#if defined(__AVX512BW__)
	for (; i + 16 <= n; i += 16) {
		__m512 p = LOAD_BYTES(x + i), q = LOAD_BYTES(y + i);
		STORE_BYTES(out + i, _mm512_fmadd_ps(_mm512_sub_ps(q, p), _mm512_set1_ps(t), p));
	}
#endif
	for (; i < n; i++) {
		float p = x[i], q = y[i];
		out[i] = (int)rintf(clamp(fuse(q - p, t, p), 0, 255));
	}
}
REFERENCE(stream_mix, 0) { row_mix((u8 *)a[0].p + lo, (const u8 *)a[1].p + lo, (const u8 *)a[2].p + lo, hi - lo, a[3].f); }
REFERENCE(cached_mix, 0)
{
	enum { block = 256 };
	long pitch = a[4].i, repeats = a[5].i;
	for (long b = lo; b < hi; b += block)
		for (long r = 0; r < repeats; r++)
			for (long k = 0; k < 8; k++) {
				long at = k * pitch + b;
				row_mix((u8 *)a[0].p + at, (const u8 *)a[1].p + at, (const u8 *)a[2].p + at, hi - b < block ? hi - b : block, a[3].f);
			}
}

static inline void row_audio(i16 *restrict out, const i16 *restrict in, long n, float gain)
{
	long i = 0;
#if defined(__AVX512BW__)
	for (; i + 16 <= n; i += 16) {
		__m512 x = _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm256_loadu_si256((const void *)(in + i))));
		_mm256_storeu_si256((void *)(out + i), _mm512_cvtsepi32_epi16(_mm512_cvt_roundps_epi32(_mm512_mul_ps(x, _mm512_set1_ps(gain)), NEAR)));
	}
#endif
	for (; i < n; i++)
		out[i] = (int)rintf(clamp(in[i] * gain, -32768, 32767));
}
ROWS(audio, i16, i16, 3, GAIN)

static inline void row_halves(u16 *restrict out, const u16 *restrict in, long n, float gain)
{
	long i = 0;
#if defined(__AVX512F__)
	for (; i + 16 <= n; i += 16) {
		__m512 x = _mm512_cvtph_ps(_mm256_loadu_si256((const void *)(in + i)));
		x = _mm512_fmadd_ps(x, _mm512_set1_ps(gain), _mm512_set1_ps(1));
		_mm256_storeu_si256((void *)(out + i), _mm512_cvtps_ph(x, NEAR));
	}
#else
	for (; i + 8 <= n; i += 8) {
		__m256 x = _mm256_cvtph_ps(_mm_loadu_si128((const void *)(in + i)));
		x = _mm256_fmadd_ps(x, _mm256_set1_ps(gain), _mm256_set1_ps(1));
		_mm_storeu_si128((void *)(out + i), _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
	}
#endif
	for (; i < n; i++)
		out[i] = _cvtss_sh(fuse(_cvtsh_ss(in[i]), gain, 1.0f), _MM_FROUND_TO_NEAREST_INT);
}
ROWS(halves, u16, u16, 3, GAIN)

static inline void row_fixed(i32 *restrict out, const float *restrict in, long n, float scale)
{
	long i = 0;
#if defined(__AVX512F__)
	for (; i + 16 <= n; i += 16) {
		__m512 x = _mm512_mul_ps(_mm512_loadu_ps(in + i), _mm512_set1_ps(scale));
		__m512i y = _mm512_cvt_roundps_epi32(x, DOWN);
		y = _mm512_mask_mov_epi32(y, _mm512_cmp_ps_mask(x, _mm512_set1_ps(0x1p31f), _CMP_GE_OQ), _mm512_set1_epi32(0x7FFFFFFF));
		_mm512_storeu_si512(out + i, _mm512_maskz_mov_epi32(_mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), y));
	}
#endif
	for (; i < n; i++) {
		float x = in[i] * scale;
		out[i] = x >= 0x1p31f ? 0x7FFFFFFF : x == x ? (int)floorf(x) : 0;
	}
}
ROWS(fixed, i32, float, 3, GAIN)

/* c * alpha / 255, rounded; alpha itself stays. */
static inline void row_premultiply(u8 *restrict out, const u8 *restrict in, long n)
{
	long i = 0;
#if defined(__AVX512BW__)
	const __m512i alpha = _mm512_set4_epi32(0x0F0F0F0F, 0x0B0B0B0B, 0x07070707, 0x03030303);
	for (; i + 32 <= n; i += 32) {
		__m256i p = _mm256_loadu_si256((const void *)(in + i));
		__m256i w = _mm256_shuffle_epi8(p, _mm512_castsi512_si256(alpha));
		w = _mm256_or_si256(w, _mm256_set1_epi32(0xFF000000));
		__m512i t = _mm512_mullo_epi16(_mm512_cvtepu8_epi16(p), _mm512_cvtepu8_epi16(w));
		t = _mm512_add_epi16(t, _mm512_set1_epi16(128));
		t = _mm512_srli_epi16(_mm512_add_epi16(t, _mm512_srli_epi16(t, 8)), 8);
		_mm256_storeu_si256((void *)(out + i), _mm512_cvtepi16_epi8(t));
	}
#else
	const __m128i alpha = _mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
	for (; i + 16 <= n; i += 16) {
		__m128i p = _mm_loadu_si128((const void *)(in + i));
		__m128i w = _mm_or_si128(_mm_shuffle_epi8(p, alpha), _mm_set1_epi32(0xFF000000));
		__m256i t = _mm256_mullo_epi16(_mm256_cvtepu8_epi16(p), _mm256_cvtepu8_epi16(w));
		t = _mm256_add_epi16(t, _mm256_set1_epi16(128));
		t = _mm256_srli_epi16(_mm256_add_epi16(t, _mm256_srli_epi16(t, 8)), 8);
		_mm_storeu_si128((void *)(out + i), _mm_packus_epi16(_mm256_castsi256_si128(t), _mm256_extracti128_si256(t, 1)));
	}
#endif
	for (; i < n; i++) {
		u16 t = in[i] * (i % 4 == 3 ? 255 : in[i | 3]) + 128;
		out[i] = (u16)(t + (t >> 8)) >> 8;
	}
}
ROWS(premultiply, u8, u8, 2, )
