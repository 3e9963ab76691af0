/* Bits in registers, a vector of numbers at a time: kernels/hash.cl. */

#include "simd.h"

#define ROTATE(x, s) ((x) << (s) | (x) >> (32 - (s)))
static inline vu vu_all(u32 x) { return (vu)vi_all(x); }
static inline vu numbers(long i) { return (vu)(vi_lanes() + (i32)i); }

/* Stores four vectors as W groups of four numbers. */
#if defined(__AVX512F__)
static inline void store_fours(u32 *out, vu a, vu b, vu c, vu d)
{
	__m512i p = _mm512_unpacklo_epi32((__m512i)a, (__m512i)b), q = _mm512_unpackhi_epi32((__m512i)a, (__m512i)b);
	__m512i r = _mm512_unpacklo_epi32((__m512i)c, (__m512i)d), s = _mm512_unpackhi_epi32((__m512i)c, (__m512i)d);
	/* A group in each 16 bytes: the groups 4k, 4k+1, 4k+2, 4k+3. */
	__m512i g0 = _mm512_unpacklo_epi64(p, r), g1 = _mm512_unpackhi_epi64(p, r), g2 = _mm512_unpacklo_epi64(q, s), g3 = _mm512_unpackhi_epi64(q, s);
	__m512i x = _mm512_shuffle_i32x4(g0, g1, 0x44), y = _mm512_shuffle_i32x4(g2, g3, 0x44);
	__m512i z = _mm512_shuffle_i32x4(g0, g1, 0xEE), w = _mm512_shuffle_i32x4(g2, g3, 0xEE);
	_mm512_storeu_si512(out, _mm512_shuffle_i32x4(x, y, 0x88));
	_mm512_storeu_si512(out + 16, _mm512_shuffle_i32x4(x, y, 0xDD));
	_mm512_storeu_si512(out + 32, _mm512_shuffle_i32x4(z, w, 0x88));
	_mm512_storeu_si512(out + 48, _mm512_shuffle_i32x4(z, w, 0xDD));
}
#else
static inline void store_fours(u32 *out, vu a, vu b, vu c, vu d)
{
	__m256i p = _mm256_unpacklo_epi32((__m256i)a, (__m256i)b), q = _mm256_unpackhi_epi32((__m256i)a, (__m256i)b);
	__m256i r = _mm256_unpacklo_epi32((__m256i)c, (__m256i)d), s = _mm256_unpackhi_epi32((__m256i)c, (__m256i)d);
	__m256i g0 = _mm256_unpacklo_epi64(p, r), g1 = _mm256_unpackhi_epi64(p, r), g2 = _mm256_unpacklo_epi64(q, s), g3 = _mm256_unpackhi_epi64(q, s);
	__m256i *to = (__m256i *)out;
	_mm256_storeu_si256(to, _mm256_permute2x128_si256(g0, g1, 0x20)), _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(g2, g3, 0x20));
	_mm256_storeu_si256(to + 2, _mm256_permute2x128_si256(g0, g1, 0x31)), _mm256_storeu_si256(to + 3, _mm256_permute2x128_si256(g2, g3, 0x31));
}
#endif

/* Two vectors are computed at a time, because each step waits for the one before. */
#define ONE_STEP(f, a, b, c, d, x, t, s) a += f(b, c, d) + (x) + t, a = ROTATE(a, s) + b
#define STEP(f, a, b, c, d, x, t, s) ONE_STEP(f, a##0, b##0, c##0, d##0, x##0, t, s), ONE_STEP(f, a##1, b##1, c##1, d##1, x##1, t, s)
#define F(x, y, z) (((x) & (y)) | (~(x) & (z)))
#define G(x, y, z) (((x) & (z)) | ((y) & ~(z)))
#define H(x, y, z) ((x) ^ (y) ^ (z))
#define I(x, y, z) ((y) ^ ((x) | ~(z)))

REFERENCE(md5, 256)
{
	u32 *out = a[0].p;
	for (long i = lo; i < hi; i += 2 * W) {
		vu n0 = numbers(i), n1 = numbers(i + W);
		const vu w_0_0 = n0, w_1_0 = n0 ^ 0x5A5A5A5A, w_2_0 = vu_all(0x80), w_3_0 = vu_all(0);
		const vu w_4_0 = vu_all(0), w_5_0 = vu_all(0), w_6_0 = vu_all(0), w_7_0 = vu_all(0);
		const vu w_8_0 = vu_all(0), w_9_0 = vu_all(0), w_10_0 = vu_all(0), w_11_0 = vu_all(0);
		const vu w_12_0 = vu_all(0), w_13_0 = vu_all(0), w_14_0 = vu_all(64), w_15_0 = vu_all(0);
		const vu w_0_1 = n1, w_1_1 = n1 ^ 0x5A5A5A5A, w_2_1 = vu_all(0x80), w_3_1 = vu_all(0);
		const vu w_4_1 = vu_all(0), w_5_1 = vu_all(0), w_6_1 = vu_all(0), w_7_1 = vu_all(0);
		const vu w_8_1 = vu_all(0), w_9_1 = vu_all(0), w_10_1 = vu_all(0), w_11_1 = vu_all(0);
		const vu w_12_1 = vu_all(0), w_13_1 = vu_all(0), w_14_1 = vu_all(64), w_15_1 = vu_all(0);
		vu a0 = vu_all(0x67452301), b0 = vu_all(0xEFCDAB89), c0 = vu_all(0x98BADCFE), d0 = vu_all(0x10325476);
		vu a1 = a0, b1 = b0, c1 = c0, d1 = d0;
		STEP(F, a, b, c, d, w_0_, 0xD76AA478, 7); STEP(F, d, a, b, c, w_1_, 0xE8C7B756, 12);
		STEP(F, c, d, a, b, w_2_, 0x242070DB, 17); STEP(F, b, c, d, a, w_3_, 0xC1BDCEEE, 22);
		STEP(F, a, b, c, d, w_4_, 0xF57C0FAF, 7); STEP(F, d, a, b, c, w_5_, 0x4787C62A, 12);
		STEP(F, c, d, a, b, w_6_, 0xA8304613, 17); STEP(F, b, c, d, a, w_7_, 0xFD469501, 22);
		STEP(F, a, b, c, d, w_8_, 0x698098D8, 7); STEP(F, d, a, b, c, w_9_, 0x8B44F7AF, 12);
		STEP(F, c, d, a, b, w_10_, 0xFFFF5BB1, 17); STEP(F, b, c, d, a, w_11_, 0x895CD7BE, 22);
		STEP(F, a, b, c, d, w_12_, 0x6B901122, 7); STEP(F, d, a, b, c, w_13_, 0xFD987193, 12);
		STEP(F, c, d, a, b, w_14_, 0xA679438E, 17); STEP(F, b, c, d, a, w_15_, 0x49B40821, 22);
		STEP(G, a, b, c, d, w_1_, 0xF61E2562, 5); STEP(G, d, a, b, c, w_6_, 0xC040B340, 9);
		STEP(G, c, d, a, b, w_11_, 0x265E5A51, 14); STEP(G, b, c, d, a, w_0_, 0xE9B6C7AA, 20);
		STEP(G, a, b, c, d, w_5_, 0xD62F105D, 5); STEP(G, d, a, b, c, w_10_, 0x02441453, 9);
		STEP(G, c, d, a, b, w_15_, 0xD8A1E681, 14); STEP(G, b, c, d, a, w_4_, 0xE7D3FBC8, 20);
		STEP(G, a, b, c, d, w_9_, 0x21E1CDE6, 5); STEP(G, d, a, b, c, w_14_, 0xC33707D6, 9);
		STEP(G, c, d, a, b, w_3_, 0xF4D50D87, 14); STEP(G, b, c, d, a, w_8_, 0x455A14ED, 20);
		STEP(G, a, b, c, d, w_13_, 0xA9E3E905, 5); STEP(G, d, a, b, c, w_2_, 0xFCEFA3F8, 9);
		STEP(G, c, d, a, b, w_7_, 0x676F02D9, 14); STEP(G, b, c, d, a, w_12_, 0x8D2A4C8A, 20);
		STEP(H, a, b, c, d, w_5_, 0xFFFA3942, 4); STEP(H, d, a, b, c, w_8_, 0x8771F681, 11);
		STEP(H, c, d, a, b, w_11_, 0x6D9D6122, 16); STEP(H, b, c, d, a, w_14_, 0xFDE5380C, 23);
		STEP(H, a, b, c, d, w_1_, 0xA4BEEA44, 4); STEP(H, d, a, b, c, w_4_, 0x4BDECFA9, 11);
		STEP(H, c, d, a, b, w_7_, 0xF6BB4B60, 16); STEP(H, b, c, d, a, w_10_, 0xBEBFBC70, 23);
		STEP(H, a, b, c, d, w_13_, 0x289B7EC6, 4); STEP(H, d, a, b, c, w_0_, 0xEAA127FA, 11);
		STEP(H, c, d, a, b, w_3_, 0xD4EF3085, 16); STEP(H, b, c, d, a, w_6_, 0x04881D05, 23);
		STEP(H, a, b, c, d, w_9_, 0xD9D4D039, 4); STEP(H, d, a, b, c, w_12_, 0xE6DB99E5, 11);
		STEP(H, c, d, a, b, w_15_, 0x1FA27CF8, 16); STEP(H, b, c, d, a, w_2_, 0xC4AC5665, 23);
		STEP(I, a, b, c, d, w_0_, 0xF4292244, 6); STEP(I, d, a, b, c, w_7_, 0x432AFF97, 10);
		STEP(I, c, d, a, b, w_14_, 0xAB9423A7, 15); STEP(I, b, c, d, a, w_5_, 0xFC93A039, 21);
		STEP(I, a, b, c, d, w_12_, 0x655B59C3, 6); STEP(I, d, a, b, c, w_3_, 0x8F0CCC92, 10);
		STEP(I, c, d, a, b, w_10_, 0xFFEFF47D, 15); STEP(I, b, c, d, a, w_1_, 0x85845DD1, 21);
		STEP(I, a, b, c, d, w_8_, 0x6FA87E4F, 6); STEP(I, d, a, b, c, w_15_, 0xFE2CE6E0, 10);
		STEP(I, c, d, a, b, w_6_, 0xA3014314, 15); STEP(I, b, c, d, a, w_13_, 0x4E0811A1, 21);
		STEP(I, a, b, c, d, w_4_, 0xF7537E82, 6); STEP(I, d, a, b, c, w_11_, 0xBD3AF235, 10);
		STEP(I, c, d, a, b, w_2_, 0x2AD7D2BB, 15); STEP(I, b, c, d, a, w_9_, 0xEB86D391, 21);
		store_fours(out + 4 * i, a0 + 0x67452301, b0 + 0xEFCDAB89, c0 + 0x98BADCFE, d0 + 0x10325476);
		store_fours(out + 4 * (i + W), a1 + 0x67452301, b1 + 0xEFCDAB89, c1 + 0x98BADCFE, d1 + 0x10325476);
	}
}

static const u32 sha_constants[64] = {
	0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
	0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
	0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
	0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
	0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
	0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
	0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
	0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
};

REFERENCE(sha256, 256)
{
	u32 *out = a[0].p;
	for (long i = lo; i < hi; i += W) {
		vu number = numbers(i), zero = vu_all(0);
		vu w[16] = {number, number ^ 0x5A5A5A5A, vu_all(0x80000000), zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, vu_all(64)};
		vu a = vu_all(0x6A09E667), b = vu_all(0xBB67AE85), c = vu_all(0x3C6EF372), d = vu_all(0xA54FF53A);
		vu e = vu_all(0x510E527F), f = vu_all(0x9B05688C), g = vu_all(0x1F83D9AB), h = vu_all(0x5BE0CD19);
#pragma GCC unroll 64
		for (int i = 0; i < 64; i++) {
			if (i >= 16) {
				vu x = w[(i + 1) & 15], y = w[(i + 14) & 15];
				w[i & 15] += (ROTATE(x, 25) ^ ROTATE(x, 14) ^ x >> 3) + w[(i + 9) & 15] + (ROTATE(y, 15) ^ ROTATE(y, 13) ^ y >> 10);
			}
			vu s = h + (ROTATE(e, 26) ^ ROTATE(e, 21) ^ ROTATE(e, 7)) + ((e & f) ^ (~e & g)) + sha_constants[i] + w[i & 15];
			vu t = (ROTATE(a, 30) ^ ROTATE(a, 19) ^ ROTATE(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));
			h = g, g = f, f = e, e = d + s, d = c, c = b, b = a, a = s + t;
		}
		vi_store(out + i, (vi)(a + 0x6A09E667));
	}
}

REFERENCE(xorshift, 256)
{
	u32 *out = a[0].p;
	long n = a[1].i;
	for (long i = lo; i < hi; i += 4 * W) {
		vu x0 = numbers(i) * 2654435761u + 1, x1 = numbers(i + W) * 2654435761u + 1;
		vu x2 = numbers(i + 2 * W) * 2654435761u + 1, x3 = numbers(i + 3 * W) * 2654435761u + 1;
		for (long k = 0; k < n; k++) {
#define SHIFTS(x) x ^= x << 13, x ^= x >> 17, x ^= x << 5
			SHIFTS(x0), SHIFTS(x1), SHIFTS(x2), SHIFTS(x3);
		}
		vi_store(out + i, (vi)x0), vi_store(out + i + W, (vi)x1), vi_store(out + i + 2 * W, (vi)x2), vi_store(out + i + 3 * W, (vi)x3);
	}
}

static inline vu high(vu x, u32 y)
{
#if defined(__AVX512F__)
	__m512i even = _mm512_mul_epu32((__m512i)x, _mm512_set1_epi32(y)), odd = _mm512_mul_epu32(_mm512_srli_epi64((__m512i)x, 32), _mm512_set1_epi32(y));
	return (vu)_mm512_mask_mov_epi32(_mm512_srli_epi64(even, 32), 0xAAAA, odd);
#else
	__m256i even = _mm256_mul_epu32((__m256i)x, _mm256_set1_epi32(y)), odd = _mm256_mul_epu32(_mm256_srli_epi64((__m256i)x, 32), _mm256_set1_epi32(y));
	return (vu)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
#endif
}

REFERENCE(philox, 256)
{
	u32 *out = a[0].p;
	for (long i = lo; i < hi; i += W) {
		vu x = numbers(i), y = vu_all(0), z = y, w = y;
		u32 k0 = a[1].i, k1 = k0 + 1;
		for (int r = 0; r < 10; r++) {
			vu h0 = high(x, 0xD2511F53), l0 = 0xD2511F53 * x, h1 = high(z, 0xCD9E8D57), l1 = 0xCD9E8D57 * z;
			x = h1 ^ y ^ k0, y = l1, z = h0 ^ w ^ k1, w = l0;
			k0 += 0x9E3779B9, k1 += 0xBB67AE85;
		}
		store_fours(out + 4 * i, x, y, z, w);
	}
}

/* Eight chains at a time; gcc gathers no bytes. */
REFERENCE(fnv, 0)
{
	u32 *out = a[0].p;
	const u8 *in = a[1].p;
	for (long i = lo; i < hi; i += 8) {
		u32 h[8];
		for (int j = 0; j < 8; j++)
			h[j] = 2166136261u;
		for (int k = 0; k < 64; k++)
#pragma GCC unroll 8
			for (int j = 0; j < 8; j++)
				h[j] = (h[j] ^ in[(i + j) * 64 + k]) * 16777619u;
		memcpy(out + i, h, sizeof h);
	}
}
