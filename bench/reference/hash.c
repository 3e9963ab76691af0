/* Bits in registers, a vector of numbers at a time: kernels/hash.cl. */

#include "simd.h"

#define ROTATE(x, s) ((x) << (s) | (x) >> (32 - (s)))
static inline vu vu_all(u32 x) { return (vu)vi_all(x); }
static inline vu numbers(long i) { return (vu)(vi_lanes() + (i32)i); }

/* Stores four vectors as W groups of four numbers. */
static inline void store_fours(u32 *out, vu a, vu b, vu c, vu d)
{
	u32 t[4][W];
	vi_store(t[0], (vi)a), vi_store(t[1], (vi)b), vi_store(t[2], (vi)c), vi_store(t[3], (vi)d);
	for (int j = 0; j < W; j++)
		for (int k = 0; k < 4; k++)
			out[4 * j + k] = t[k][j];
}

#define STEP(f, a, b, c, d, x, t, s) a += f(b, c, d) + (x) + t, a = ROTATE(a, s) + b
#define F(x, y, z) (((x) & (y)) | (~(x) & (z)))
#define G(x, y, z) (((x) & (z)) | ((y) & ~(z)))
#define H(x, y, z) ((x) ^ (y) ^ (z))
#define I(x, y, z) ((y) ^ ((x) | ~(z)))

REFERENCE(md5, 256)
{
	u32 *out = a[0].p;
	for (long i = lo; i < hi; i += W) {
		vu n = numbers(i), zero = vu_all(0);
		vu w[16] = {n, n ^ 0x5A5A5A5A, vu_all(0x80), zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, vu_all(64), zero};
		vu a = vu_all(0x67452301), b = vu_all(0xEFCDAB89), c = vu_all(0x98BADCFE), d = vu_all(0x10325476);
		STEP(F, a, b, c, d, w[0], 0xD76AA478, 7); STEP(F, d, a, b, c, w[1], 0xE8C7B756, 12);
		STEP(F, c, d, a, b, w[2], 0x242070DB, 17); STEP(F, b, c, d, a, w[3], 0xC1BDCEEE, 22);
		STEP(F, a, b, c, d, w[4], 0xF57C0FAF, 7); STEP(F, d, a, b, c, w[5], 0x4787C62A, 12);
		STEP(F, c, d, a, b, w[6], 0xA8304613, 17); STEP(F, b, c, d, a, w[7], 0xFD469501, 22);
		STEP(F, a, b, c, d, w[8], 0x698098D8, 7); STEP(F, d, a, b, c, w[9], 0x8B44F7AF, 12);
		STEP(F, c, d, a, b, w[10], 0xFFFF5BB1, 17); STEP(F, b, c, d, a, w[11], 0x895CD7BE, 22);
		STEP(F, a, b, c, d, w[12], 0x6B901122, 7); STEP(F, d, a, b, c, w[13], 0xFD987193, 12);
		STEP(F, c, d, a, b, w[14], 0xA679438E, 17); STEP(F, b, c, d, a, w[15], 0x49B40821, 22);
		STEP(G, a, b, c, d, w[1], 0xF61E2562, 5); STEP(G, d, a, b, c, w[6], 0xC040B340, 9);
		STEP(G, c, d, a, b, w[11], 0x265E5A51, 14); STEP(G, b, c, d, a, w[0], 0xE9B6C7AA, 20);
		STEP(G, a, b, c, d, w[5], 0xD62F105D, 5); STEP(G, d, a, b, c, w[10], 0x02441453, 9);
		STEP(G, c, d, a, b, w[15], 0xD8A1E681, 14); STEP(G, b, c, d, a, w[4], 0xE7D3FBC8, 20);
		STEP(G, a, b, c, d, w[9], 0x21E1CDE6, 5); STEP(G, d, a, b, c, w[14], 0xC33707D6, 9);
		STEP(G, c, d, a, b, w[3], 0xF4D50D87, 14); STEP(G, b, c, d, a, w[8], 0x455A14ED, 20);
		STEP(G, a, b, c, d, w[13], 0xA9E3E905, 5); STEP(G, d, a, b, c, w[2], 0xFCEFA3F8, 9);
		STEP(G, c, d, a, b, w[7], 0x676F02D9, 14); STEP(G, b, c, d, a, w[12], 0x8D2A4C8A, 20);
		STEP(H, a, b, c, d, w[5], 0xFFFA3942, 4); STEP(H, d, a, b, c, w[8], 0x8771F681, 11);
		STEP(H, c, d, a, b, w[11], 0x6D9D6122, 16); STEP(H, b, c, d, a, w[14], 0xFDE5380C, 23);
		STEP(H, a, b, c, d, w[1], 0xA4BEEA44, 4); STEP(H, d, a, b, c, w[4], 0x4BDECFA9, 11);
		STEP(H, c, d, a, b, w[7], 0xF6BB4B60, 16); STEP(H, b, c, d, a, w[10], 0xBEBFBC70, 23);
		STEP(H, a, b, c, d, w[13], 0x289B7EC6, 4); STEP(H, d, a, b, c, w[0], 0xEAA127FA, 11);
		STEP(H, c, d, a, b, w[3], 0xD4EF3085, 16); STEP(H, b, c, d, a, w[6], 0x04881D05, 23);
		STEP(H, a, b, c, d, w[9], 0xD9D4D039, 4); STEP(H, d, a, b, c, w[12], 0xE6DB99E5, 11);
		STEP(H, c, d, a, b, w[15], 0x1FA27CF8, 16); STEP(H, b, c, d, a, w[2], 0xC4AC5665, 23);
		STEP(I, a, b, c, d, w[0], 0xF4292244, 6); STEP(I, d, a, b, c, w[7], 0x432AFF97, 10);
		STEP(I, c, d, a, b, w[14], 0xAB9423A7, 15); STEP(I, b, c, d, a, w[5], 0xFC93A039, 21);
		STEP(I, a, b, c, d, w[12], 0x655B59C3, 6); STEP(I, d, a, b, c, w[3], 0x8F0CCC92, 10);
		STEP(I, c, d, a, b, w[10], 0xFFEFF47D, 15); STEP(I, b, c, d, a, w[1], 0x85845DD1, 21);
		STEP(I, a, b, c, d, w[8], 0x6FA87E4F, 6); STEP(I, d, a, b, c, w[15], 0xFE2CE6E0, 10);
		STEP(I, c, d, a, b, w[6], 0xA3014314, 15); STEP(I, b, c, d, a, w[13], 0x4E0811A1, 21);
		STEP(I, a, b, c, d, w[4], 0xF7537E82, 6); STEP(I, d, a, b, c, w[11], 0xBD3AF235, 10);
		STEP(I, c, d, a, b, w[2], 0x2AD7D2BB, 15); STEP(I, b, c, d, a, w[9], 0xEB86D391, 21);
		store_fours(out + 4 * i, a + 0x67452301, b + 0xEFCDAB89, c + 0x98BADCFE, d + 0x10325476);
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
