/* The work of some rows by OpenBLAS and FFTW, as "compare -libraries" measures it: on one thread, the whole work in one
   call. The results differ from the kernels' in rounding: the libraries choose the order of sums. */

#include <cblas.h>
#include <complex.h>
#include <fftw3.h>
#include "reference.h"

/* c = x y, with square matrices of n rows. */
REFERENCE(openblas_sgemm, 0)
{
	const int n = a[3].i;
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a[1].p, n, a[2].p, n, 0, a[0].p, n);
}

REFERENCE(openblas_dgemm, 0)
{
	const int n = a[3].i;
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a[1].p, n, a[2].p, n, 0, a[0].p, n);
}

/* The second matrix is transposed. */
REFERENCE(openblas_sgemm_transposed, 0)
{
	const int n = a[3].i;
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, 1, a[1].p, n, a[2].p, n, 0, a[0].p, n);
}

/* A step of an LU decomposition: the product of column k and row k is subtracted from the rest. */
REFERENCE(openblas_dger, 0)
{
	double *m = a[0].p;
	const int n = a[1].i, k = a[2].i, rest = n - k - 1;
	const double *row = m + k * n + k + 1, *column = m + (k + 1) * n + k;
	cblas_dger(CblasRowMajor, rest, rest, -1, column, n, row, 1, m + (k + 1) * n + k + 1, n);
}

/* Transforms of 256 points each. A plan is made once for each number of transforms, with the fastest algorithm of
   those that FFTW tries. */
REFERENCE(fftw_256, 0)
{
	static fftwf_plan plan;
	static long planned;
	int n = 256;
	if (planned != hi) {
		fftwf_complex *in = fftwf_alloc_complex(hi * n), *out = fftwf_alloc_complex(hi * n);
		if (!in || !out)
			abort();
		plan = fftwf_plan_many_dft(1, &n, hi, in, NULL, 1, n, out, NULL, 1, n, FFTW_FORWARD, FFTW_PATIENT | FFTW_PRESERVE_INPUT);
		planned = hi;
		fftwf_free(in), fftwf_free(out);
	}
	fftwf_execute_dft(plan, a[1].p, a[0].p);
}
