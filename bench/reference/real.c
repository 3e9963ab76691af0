/* Kernels of PolyBench, Rodinia and SHOC: kernels/real.cl. */

#include "simd.h"

/* A unit is 16 columns of the result, from 16 rows of both matrices, transposed once. */
REFERENCE(syr2k, 1)
{
	enum { MOST = 512 };
	float *c = a[0].p;
	const float *x = a[1].p, *y = a[2].p, alpha = a[3].f, beta = a[4].f;
	const long n = a[5].i, m = a[6].i;
	vf p[MOST], q[MOST];
	for (long j = 16 * lo; j < 16 * hi; j += W) {
		for (long k = 0; k < m; k += W) {
			rows_load((vi *)p + k, x + j * m + k, 4 * m);
			rows_load((vi *)q + k, y + j * m + k, 4 * m);
		}
		for (long i = 0; i < n; i += 8) {
			vf s[8];
			for (int u = 0; u < 8; u++)
				s[u] = beta * vf_load(c + (i + u) * n + j);
			for (long k = 0; k < m; k++)
#pragma GCC unroll 8
				for (int u = 0; u < 8; u++)
					s[u] += vf_fuse(vf_all(alpha * x[(i + u) * m + k]), q[k], vf_all(alpha * y[(i + u) * m + k]) * p[k]);
			for (int u = 0; u < 8; u++)
				vf_store(c + (i + u) * n + j, s[u]);
		}
	}
}
