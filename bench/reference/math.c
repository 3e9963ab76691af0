/* Arithmetic and mathematical functions: kernels/math.cl. The functions are those of glibc's
   vector library, which gcc itself uses only with -ffast-math; their errors are at most
   4 ulp. */

#include "simd.h"

#if defined(__AVX512F__)
#define LIBRARY(f) _ZGVeN16v_##f
#define LIBRARY2(f) _ZGVeN16vv_##f
#define LIBRARY_DOUBLE(f) _ZGVeN8v_##f
typedef __m512d vd;
#define vd_load _mm512_loadu_pd
#define vd_store _mm512_storeu_pd
#else
#define LIBRARY(f) _ZGVdN8v_##f
#define LIBRARY2(f) _ZGVdN8vv_##f
#define LIBRARY_DOUBLE(f) _ZGVdN4v_##f
typedef __m256d vd;
#define vd_load _mm256_loadu_pd
#define vd_store _mm256_storeu_pd
#endif

vf LIBRARY(sinf)(vf), LIBRARY(cosf)(vf), LIBRARY(expf)(vf), LIBRARY(logf)(vf), LIBRARY(atanf)(vf), LIBRARY(tanhf)(vf), LIBRARY2(powf)(vf, vf);
vd LIBRARY_DOUBLE(sin)(vd), LIBRARY_DOUBLE(exp)(vd);

#define ONE(NAME, F) \
	REFERENCE(NAME, 0) \
	{ \
		float *out = a[0].p; \
		const float *in = a[1].p; \
		for (long i = lo; i < hi; i += W) \
			vf_store(out + i, F(vf_load(in + i))); \
	}
ONE(sine, LIBRARY(sinf))
ONE(cosine, LIBRARY(cosf))
ONE(exponential, LIBRARY(expf))
ONE(logarithm, LIBRARY(logf))
ONE(arc_tangent, LIBRARY(atanf))
ONE(hyperbolic_tangent, LIBRARY(tanhf))
ONE(root, vf_sqrt)

#define ONE_DOUBLE(NAME, F) \
	REFERENCE(NAME, 0) \
	{ \
		double *out = a[0].p; \
		const double *in = a[1].p; \
		for (long i = lo; i < hi; i += W / 2) \
			vd_store(out + i, F(vd_load(in + i))); \
	}
ONE_DOUBLE(sine_double, LIBRARY_DOUBLE(sin))
ONE_DOUBLE(exponential_double, LIBRARY_DOUBLE(exp))

REFERENCE(power, 0)
{
	float *out = a[0].p;
	const float *x = a[1].p, *y = a[2].p;
	for (long i = lo; i < hi; i += W)
		vf_store(out + i, LIBRARY2(powf)(vf_load(x + i), vf_load(y + i)));
}

REFERENCE(rotate_points, 0)
{
	float *out = a[0].p;
	const float *in = a[1].p, *angle = a[2].p;
	for (long i = lo; i < hi; i += W) {
		vf s = LIBRARY(sinf)(vf_load(angle + i)), c = LIBRARY(cosf)(vf_load(angle + i));
		float sines[W], cosines[W];
		vf_store(sines, s), vf_store(cosines, c);
		for (int j = 0; j < W; j++) {
			float x = in[2 * (i + j)], y = in[2 * (i + j) + 1];
			out[2 * (i + j)] = fuse(cosines[j], x, -(sines[j] * y));
			out[2 * (i + j) + 1] = fuse(sines[j], x, cosines[j] * y);
		}
	}
}

/* A body is four floats in memory; a vector holds one coordinate of W bodies. Two vectors
   are computed at a time. */
struct force {
	vf mx, my, mz, x, y, z;
};
static inline void attract(struct force *f, const float *b, float softening)
{
	vf dx = b[0] - f->mx, dy = b[1] - f->my, dz = b[2] - f->mz;
	vf d = vf_fuse(dz, dz, vf_fuse(dx, dx, dy * dy)) + softening;
	vf s = b[3] / (d * vf_sqrt(d));
	f->x = vf_fuse(s, dx, f->x);
	f->y = vf_fuse(s, dy, f->y);
	f->z = vf_fuse(s, dz, f->z);
}

REFERENCE(nbody, 32)
{
	float *out = a[0].p;
	const float *bodies = a[1].p, softening = a[3].f;
	const long n = a[2].i;
	for (long i = lo; i < hi; i += 2 * W) {
		float m[3][2 * W];
		for (int j = 0; j < 2 * W; j++)
			for (int k = 0; k < 3; k++)
				m[k][j] = bodies[4 * (i + j) + k];
		struct force p = {vf_load(m[0]), vf_load(m[1]), vf_load(m[2]), vf_all(0), vf_all(0), vf_all(0)};
		struct force q = {vf_load(m[0] + W), vf_load(m[1] + W), vf_load(m[2] + W), vf_all(0), vf_all(0), vf_all(0)};
		for (long k = 0; k < n; k++) {
			attract(&p, bodies + 4 * k, softening);
			attract(&q, bodies + 4 * k, softening);
		}
		vf_store(m[0], p.x), vf_store(m[1], p.y), vf_store(m[2], p.z);
		vf_store(m[0] + W, q.x), vf_store(m[1] + W, q.y), vf_store(m[2] + W, q.z);
		for (int j = 0; j < 2 * W; j++) {
			for (int k = 0; k < 3; k++)
				out[4 * (i + j) + k] = m[k][j];
			out[4 * (i + j) + 3] = 0;
		}
	}
}

static inline vf normal(vf x)
{
	vf k = 1.0f / vf_fuse(vf_all(0.2316419f), (vf)((vi)x & 0x7FFFFFFF), vf_all(1));
	vf p = vf_fuse(k, vf_all(1.330274429f), vf_all(-1.821255978f));
	p = vf_fuse(k, p, vf_all(1.781477937f));
	p = vf_fuse(k, p, vf_all(-0.356563782f));
	p = k * vf_fuse(k, p, vf_all(0.319381530f));
	vf n = 0.39894228f * LIBRARY(expf)(-0.5f * x * x) * p;
	return vf_choose(vf_less(vf_all(0), x), 1.0f - n, n);
}

REFERENCE(black_scholes, 0)
{
	float *call = a[0].p, *put = a[1].p;
	const float *price = a[2].p, *strike = a[3].p, *years = a[4].p, rate = a[5].f, volatility = a[6].f;
	for (long i = lo; i < hi; i += W) {
		vf s = vf_load(price + i), x = vf_load(strike + i), t = vf_load(years + i), root = vf_sqrt(t);
		vf d1 = vf_fuse(vf_all(fuse(0.5f * volatility, volatility, rate)), t, LIBRARY(logf)(s / x)) / (volatility * root), d2 = vf_fuse_from(vf_all(volatility), root, d1);
		vf discounted = x * LIBRARY(expf)(-rate * t), n1 = normal(d1), n2 = normal(d2);
		vf_store(call + i, vf_fuse_sub(s, n1, discounted * n2));
		vf_store(put + i, vf_fuse_sub(discounted, 1.0f - n2, s * (1.0f - n1)));
	}
}

REFERENCE(horner, 0)
{
	float *out = a[0].p;
	const float *in = a[1].p;
	enum { vectors = 8 };
	for (long i = lo; i < hi; i += vectors * W) {
		vf x[vectors], s[vectors];
#pragma GCC unroll 8
		for (int v = 0; v < vectors; v++)
			x[v] = vf_load(in + i + v * W), s[v] = vf_all(0.5f);
		for (int k = 0; k < 64; k++)
#pragma GCC unroll 8
			for (int v = 0; v < vectors; v++)
				s[v] = vf_fuse(s[v], x[v], vf_all(0.25f));
#pragma GCC unroll 8
		for (int v = 0; v < vectors; v++)
			vf_store(out + i + v * W, s[v]);
	}
}

#if defined(__AVX512F__)
#define EACH_FOUR(v, k) _mm512_permute_ps(v, (k) * 0x55)
#else
#define EACH_FOUR(v, k) _mm256_permute_ps(v, (k) * 0x55)
#endif

REFERENCE(normalize, 0)
{
	float *out = a[0].p;
	const float *in = a[1].p;
	for (long i = 4 * lo; i < 4 * hi; i += W) {
		vf v = vf_load(in + i), x = EACH_FOUR(v, 0), y = EACH_FOUR(v, 1), z = EACH_FOUR(v, 2), w = EACH_FOUR(v, 3);
		vf_store(out + i, v / vf_sqrt(vf_fuse(w, w, vf_fuse(z, z, vf_fuse(x, x, y * y)))));
	}
}
