/* One element after the other: kernels/elements.cl. */

#include "reference.h"

#define IN(T, k) const T *restrict in##k = a[k].p
#define OUT(T, k) T *restrict out##k = a[k].p
#define EACH for (long i = lo; i < hi; i++)

REFERENCE(absolute, 0)
{
	OUT(float, 0); IN(float, 1);
	EACH out0[i] = fabsf(in1[i]);
}

REFERENCE(select_less, 0)
{
	OUT(u32, 0); IN(float, 1); IN(float, 2);
	EACH out0[i] = in1[i] < in2[i] ? float_bits(in1[i]) : 0;
}

REFERENCE(blend, 0)
{
	OUT(float, 0); IN(float, 1); IN(float, 2);
	float limit = a[3].f;
	EACH out0[i] = in1[i] > limit ? in1[i] : in2[i];
}

REFERENCE(exponent, 0)
{
	OUT(i32, 0); IN(u32, 1);
	EACH {
		i32 e = (i32)(in1[i] >> 23 & 0xFF) - 127;
		out0[i] = e == -127 ? 0 : e;
	}
}

REFERENCE(sort_key, 0)
{
	OUT(u32, 0); IN(u32, 1);
	EACH {
		u32 u = in1[i];
		out0[i] = u ^ ((u32)((i32)u >> 31) | 0x80000000);
	}
}

/* Blocks, so that gcc vectorises across elements with the steps inside. */
REFERENCE(inverse_root, 0)
{
	OUT(float, 0); IN(float, 1);
	enum { block = 128 };
	long steps = a[2].i;
	for (long b = lo; b < hi; b += block) {
		float y[block];
		for (int j = 0; j < block; j++)
			y[j] = bits_float(0x5F3759DF - ((i32)float_bits(in1[b + j]) >> 1));
		for (long k = 0; k < steps; k++)
			for (int j = 0; j < block; j++)
				y[j] = y[j] * fuse(-(0.5f * in1[b + j] * y[j]), y[j], 1.5f);
		memcpy(out0 + b, y, sizeof y);
	}
}

REFERENCE(rgb565, 0)
{
	OUT(u16, 0); IN(u32, 1);
	EACH {
		u32 p = in1[i];
		out0[i] = (p >> 3 & 31) << 11 | (p >> 10 & 63) << 5 | (p >> 19 & 31);
	}
}

static inline u32 bits_of(u32 x) { return __builtin_popcount(x) | (x ? __builtin_clz(x) : 32) << 8 | (x << 7 | x >> 25) << 16; }

REFERENCE(bits, 0)
{
	OUT(u32, 0); IN(u32, 1);
	long i = lo;
#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512CD__)
	for (; i + 16 <= hi; i += 16) {
		__m512i x = _mm512_loadu_si512(in1 + i);
		__m512i y = _mm512_or_si512(_mm512_popcnt_epi32(x), _mm512_slli_epi32(_mm512_lzcnt_epi32(x), 8));
		_mm512_storeu_si512(out0 + i, _mm512_or_si512(y, _mm512_slli_epi32(_mm512_rol_epi32(x, 7), 16)));
	}
#endif
	for (; i < hi; i++)
		out0[i] = bits_of(in1[i]);
}

REFERENCE(morton, 0)
{
	OUT(u32, 0); IN(u32, 1);
	EACH {
		u32 x = in1[i] & 0xFFFF, y = in1[i] >> 16;
#define SPREAD(v) \
	v = (v | v << 8) & 0x00FF00FF, v = (v | v << 4) & 0x0F0F0F0F, v = (v | v << 2) & 0x33333333, v = (v | v << 1) & 0x55555555
		SPREAD(x);
		SPREAD(y);
		out0[i] = x | y << 1;
	}
}

REFERENCE(bgra, 0)
{
	OUT(u32, 0); IN(u32, 1);
	long i = lo;
#if defined(__AVX512BW__)
	const __m512i order = _mm512_set4_epi32(0x0F0C0D0E, 0x0B08090A, 0x07040506, 0x03000102);
	for (; i + 16 <= hi; i += 16)
		_mm512_storeu_si512(out0 + i, _mm512_shuffle_epi8(_mm512_loadu_si512(in1 + i), order));
#endif
	for (; i < hi; i++) {
		u32 p = in1[i];
		out0[i] = (p & 0xFF00FF00) | (p >> 16 & 0xFF) | (p & 0xFF) << 16;
	}
}

REFERENCE(transpose4, 0)
{
	OUT(float, 0); IN(float, 1);
#if defined(__AVX512F__)
	const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
	EACH _mm512_storeu_ps(out0 + 16 * i, _mm512_permutexvar_ps(order, _mm512_loadu_ps(in1 + 16 * i)));
#else
	EACH {
		__m128 r0 = _mm_loadu_ps(in1 + 16 * i), r1 = _mm_loadu_ps(in1 + 16 * i + 4);
		__m128 r2 = _mm_loadu_ps(in1 + 16 * i + 8), r3 = _mm_loadu_ps(in1 + 16 * i + 12);
		_MM_TRANSPOSE4_PS(r0, r1, r2, r3);
		_mm_storeu_ps(out0 + 16 * i, r0), _mm_storeu_ps(out0 + 16 * i + 4, r1);
		_mm_storeu_ps(out0 + 16 * i + 8, r2), _mm_storeu_ps(out0 + 16 * i + 12, r3);
	}
#endif
}

REFERENCE(quaternion, 0)
{
	OUT(float, 0); IN(float, 1); IN(float, 2);
	long i = lo;
#if defined(__AVX512F__)
#define YZX(v) _mm512_permute_ps(v, _MM_SHUFFLE(3, 0, 2, 1))
#define ZXY(v) _mm512_permute_ps(v, _MM_SHUFFLE(3, 1, 0, 2))
	for (; i + 4 <= hi; i += 4) {
		__m512 p = _mm512_loadu_ps(in1 + 4 * i), q = _mm512_loadu_ps(in2 + 4 * i);
		__m512 pw = _mm512_permute_ps(p, 0xFF), qw = _mm512_permute_ps(q, 0xFF);
		__m512 cross = _mm512_fmsub_ps(YZX(p), ZXY(q), _mm512_mul_ps(ZXY(p), YZX(q)));
		__m512 dot = _mm512_mul_ps(_mm512_permute_ps(p, 0x00), _mm512_permute_ps(q, 0x00));
		dot = _mm512_fmadd_ps(_mm512_permute_ps(p, 0x55), _mm512_permute_ps(q, 0x55), dot);
		dot = _mm512_fmadd_ps(_mm512_permute_ps(p, 0xAA), _mm512_permute_ps(q, 0xAA), dot);
		__m512 last = _mm512_mask_sub_ps(cross, 0x8888, _mm512_setzero_ps(), dot);
		__m512 sum = _mm512_fmadd_ps(pw, q, _mm512_mul_ps(qw, _mm512_maskz_mov_ps(0x7777, p)));
		_mm512_storeu_ps(out0 + 4 * i, _mm512_add_ps(sum, last));
	}
#endif
	for (; i < hi; i++) {
		const float *p = in1 + 4 * i, *q = in2 + 4 * i;
		float *r = out0 + 4 * i;
		r[0] = fuse(p[3], q[0], q[3] * p[0]) + fuse(p[1], q[2], -(p[2] * q[1]));
		r[1] = fuse(p[3], q[1], q[3] * p[1]) + fuse(p[2], q[0], -(p[0] * q[2]));
		r[2] = fuse(p[3], q[2], q[3] * p[2]) + fuse(p[0], q[1], -(p[1] * q[0]));
		r[3] = p[3] * q[3] - fuse(p[2], q[2], fuse(p[1], q[1], p[0] * q[0]));
	}
}

REFERENCE(complex_multiply, 0)
{
	OUT(float, 0); IN(float, 1); IN(float, 2);
	EACH {
		float ax = in1[2 * i], ay = in1[2 * i + 1], bx = in2[2 * i], by = in2[2 * i + 1];
		out0[2 * i] = fuse(ax, bx, -(ay * by));
		out0[2 * i + 1] = fuse(ax, by, ay * bx);
	}
}

REFERENCE(deinterleave, 0)
{
	OUT(float, 0); OUT(float, 1); IN(float, 2);
	for (long i = 4 * lo; i < 4 * hi; i++) {
		out0[i] = in2[2 * i];
		out1[i] = in2[2 * i + 1];
	}
}

REFERENCE(cross, 0)
{
	OUT(float, 0); IN(float, 1); IN(float, 2);
	long i = lo;
#if defined(__AVX512F__)
	for (; i + 4 <= hi; i += 4) {
		__m512 p = _mm512_loadu_ps(in1 + 4 * i), q = _mm512_loadu_ps(in2 + 4 * i);
		__m512 r = _mm512_maskz_fmsub_ps(0x7777, YZX(p), ZXY(q), _mm512_mul_ps(ZXY(p), YZX(q)));
		_mm512_storeu_ps(out0 + 4 * i, r);
	}
#endif
	for (; i < hi; i++) {
		const float *p = in1 + 4 * i, *q = in2 + 4 * i;
		float *r = out0 + 4 * i;
		r[0] = fuse(p[1], q[2], -(p[2] * q[1]));
		r[1] = fuse(p[2], q[0], -(p[0] * q[2]));
		r[2] = fuse(p[0], q[1], -(p[1] * q[0]));
		r[3] = 0;
	}
}

REFERENCE(planar, 0)
{
	OUT(u8, 0); OUT(u8, 1); OUT(u8, 2); IN(u8, 3);
	EACH {
		out0[i] = in3[4 * i];
		out1[i] = in3[4 * i + 1];
		out2[i] = in3[4 * i + 2];
	}
}

REFERENCE(packed3, 0)
{
	OUT(float, 0); IN(float, 1);
	float gain = a[2].f;
	EACH {
		out0[3 * i] = in1[3 * i + 2] * gain;
		out0[3 * i + 1] = in1[3 * i + 1] * gain;
		out0[3 * i + 2] = in1[3 * i] * gain;
	}
}

REFERENCE(matrix_vector, 0)
{
	OUT(float, 0); IN(float, 1); IN(float, 2);
	long i = lo;
#if defined(__AVX512F__)
	__m512 c0 = _mm512_broadcast_f32x4(_mm_loadu_ps(in2)), c1 = _mm512_broadcast_f32x4(_mm_loadu_ps(in2 + 4));
	__m512 c2 = _mm512_broadcast_f32x4(_mm_loadu_ps(in2 + 8)), c3 = _mm512_broadcast_f32x4(_mm_loadu_ps(in2 + 12));
	for (; i + 4 <= hi; i += 4) {
		__m512 v = _mm512_loadu_ps(in1 + 4 * i);
		__m512 s = _mm512_fmadd_ps(_mm512_permute_ps(v, 0x00), c0, _mm512_mul_ps(_mm512_permute_ps(v, 0x55), c1));
		s = _mm512_fmadd_ps(_mm512_permute_ps(v, 0xAA), c2, s);
		_mm512_storeu_ps(out0 + 4 * i, _mm512_fmadd_ps(_mm512_permute_ps(v, 0xFF), c3, s));
	}
#endif
	for (; i < hi; i++)
		for (int k = 0; k < 4; k++) {
			const float *v = in1 + 4 * i;
			out0[4 * i + k] = fuse(v[3], in2[12 + k], fuse(v[2], in2[8 + k], fuse(v[0], in2[k], v[1] * in2[4 + k])));
		}
}

REFERENCE(saxpy, 0)
{
	OUT(float, 0); IN(float, 1);
	float s = a[2].f;
	EACH out0[i] = fuse(s, in1[i], out0[i]);
}

// The sum of both neighbours in rings of a[2] elements.
REFERENCE(rings, 0)
{
	OUT(float, 0); IN(float, 1);
	long n = a[2].i;
	for (long i = lo; i < hi;) {
		long first = i - i % n, last = first + n - 1, end = last < hi ? last : hi;
		if (i == first) {
			out0[i] = in1[last] + in1[i + 1];
			i++;
		}
		for (; i < end; i++)
			out0[i] = in1[i - 1] + in1[i + 1];
		if (i < hi) {
			out0[i] = in1[i - 1] + in1[first];
			i++;
		}
	}
}

// Particles are x, y, z, mass and three velocities and a charge.
REFERENCE(particles, 0)
{
	OUT(float, 0);
	float t = a[1].f;
	EACH
		for (int k = 0; k < 3; k++)
			out0[8 * i + k] = fuse(out0[8 * i + 4 + k], t, out0[8 * i + k]);
}

REFERENCE(triad, 0)
{
	OUT(float, 0); IN(float, 1); IN(float, 2);
	float s = a[3].f;
	EACH out0[i] = fuse(s, in2[i], in1[i]);
}

REFERENCE(daxpy, 0)
{
	OUT(double, 0); IN(double, 1);
	double s = a[2].f;
	EACH out0[i] = fuse_double(s, in1[i], out0[i]);
}

REFERENCE(copy, 0)
{
	OUT(u32, 0); IN(u32, 1);
	memcpy(out0 + lo, in1 + lo, (hi - lo) * sizeof *out0);
}

REFERENCE(fill, 0)
{
	OUT(float, 0);
	float x = a[1].f;
	EACH out0[i] = x;
}
