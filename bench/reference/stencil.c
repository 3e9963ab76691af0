/* Neighbourhoods: kernels/stencil.cl. A unit is a row of the result. */

#include "reference.h"

/* For a row y: its inner pixels x of w, p at the pixel, out at the result. */
#define STENCIL(NAME, T, WIDTH, ROW) \
	REFERENCE(NAME, 16) \
	{ \
		const long w = a[WIDTH].i; \
		for (long y = lo + 1; y <= hi; y++) { \
			T *restrict out = (T *)a[0].p + y * w; \
			const T *restrict in = (const T *)a[1].p + y * w; \
			for (long x = 1; x < w - 1; x++) { \
				const T *p = in + x; \
				ROW; \
			} \
		} \
	}

/* 16 bits suffice for sums of weighted bytes, and gcc uses 16-bit operations. */
STENCIL(box_uchar, u8, 2,
	u16 s = p[-w - 1] + p[-w] + p[-w + 1] + p[-1] + p[0] + p[1] + p[w - 1] + p[w] + p[w + 1];
	out[x] = (u32)s * 57 >> 9)

STENCIL(gauss_uchar, u8, 2,
	u16 s = p[-w - 1] + 2 * p[-w] + p[-w + 1] + 2 * p[-1] + 4 * p[0] + 2 * p[1] + p[w - 1] + 2 * p[w] + p[w + 1] + 8;
	out[x] = s >> 4)

REFERENCE(gauss_uchar4, 16)
{
	const long w = 4 * a[2].i;
	for (long y = lo + 1; y <= hi; y++) {
		u8 *restrict out = (u8 *)a[0].p + y * w;
		const u8 *restrict in = (const u8 *)a[1].p + y * w;
		for (long x = 4; x < w - 4; x++) {
			const u8 *p = in + x;
			u16 s = p[-w - 4] + 2 * p[-w] + p[-w + 4] + 2 * p[-4] + 4 * p[0] + 2 * p[4] + p[w - 4] + 2 * p[w] + p[w + 4] + 8;
			out[x] = s >> 4;
		}
	}
}

static inline u16 distance(i16 x) { return x < 0 ? -x : x; }

STENCIL(sobel_uchar, u8, 2,
	i16 gx = p[-w + 1] + 2 * p[1] + p[w + 1] - p[-w - 1] - 2 * p[-1] - p[w - 1];
	i16 gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
	u16 s = distance(gx) + distance(gy);
	out[x] = s < 255 ? s : 255)

#define ORDER(x, y) t = x < y ? x : y, y = x < y ? y : x, x = t
STENCIL(median_uchar, u8, 2,
	u8 a = p[-w - 1]; u8 b = p[-w]; u8 c = p[-w + 1]; u8 d = p[-1]; u8 e = p[0]; u8 f = p[1]; u8 g = p[w - 1]; u8 h = p[w]; u8 i = p[w + 1]; u8 t;
	ORDER(b, c); ORDER(e, f); ORDER(h, i); ORDER(a, b); ORDER(d, e); ORDER(g, h); ORDER(b, c); ORDER(e, f); ORDER(h, i);
	ORDER(a, d); ORDER(f, i); ORDER(e, h); ORDER(d, g); ORDER(b, e); ORDER(c, f); ORDER(e, h); ORDER(e, c); ORDER(g, e); ORDER(e, c);
	out[x] = e)

static inline u8 less(u8 x, u8 y) { return x < y ? x : y; }

STENCIL(erode_uchar, u8, 2,
	out[x] = less(less(less(less(p[-w - 1], p[-w]), less(p[-w + 1], p[-1])), less(less(p[0], p[1]), less(p[w - 1], p[w]))), p[w + 1]))

STENCIL(laplace, float, 2,
	float s = p[-w - 1] + p[-w] + p[-w + 1] + p[-1] + p[1] + p[w - 1] + p[w] + p[w + 1];
	out[x] = fuse(8.0f, p[0], -s))

STENCIL(jacobi, float, 2, out[x] = 0.25f * (p[-w] + p[-1] + p[1] + p[w]))

STENCIL(convolve3, float, 3,
	const float *k = a[2].p;
	float s = k[0] * p[-w - 1];
	s = fuse(k[1], p[-w], s); s = fuse(k[2], p[-w + 1], s);
	s = fuse(k[3], p[-1], s); s = fuse(k[4], p[0], s); s = fuse(k[5], p[1], s);
	s = fuse(k[6], p[w - 1], s); s = fuse(k[7], p[w], s); s = fuse(k[8], p[w + 1], s);
	out[x] = s)

REFERENCE(convolve5, 16)
{
	const long w = a[3].i;
	float k[25];
	memcpy(k, a[2].p, sizeof k);
	for (long y = lo; y < hi; y++) {
		float *restrict out = (float *)a[0].p + (y + 2) * w + 2;
		const float *restrict in = (const float *)a[1].p + y * w;
		for (long x = 0; x < w - 4; x++) {
			float s = 0;
#pragma GCC unroll 5
			for (int i = 0; i < 5; i++)
#pragma GCC unroll 5
				for (int j = 0; j < 5; j++)
					s = fuse(k[i * 5 + j], in[i * w + x + j], s);
			out[x] = s;
		}
	}
}

REFERENCE(clamped, 16)
{
	const long w = a[2].i, h = a[3].i;
	for (long y = lo; y < hi; y++) {
		float *restrict out = (float *)a[0].p + y * w;
		const float *restrict in = (const float *)a[1].p + y * w;
		const float *u = y > 0 ? in - w : in, *d = y < h - 1 ? in + w : in;
		out[0] = 0.2f * (in[0] + in[0] + in[1] + u[0] + d[0]);
		for (long x = 1; x < w - 1; x++)
			out[x] = 0.2f * (in[x] + in[x - 1] + in[x + 1] + u[x] + d[x]);
		out[w - 1] = 0.2f * (in[w - 1] + in[w - 2] + in[w - 1] + u[w - 1] + d[w - 1]);
	}
}
