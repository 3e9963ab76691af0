// Hosts that flush subnormals, change the rounding mode or trap. Kernels nevertheless compute
// in the default floating-point environment, in machine code and on the reference executor
// (driver_test.go runs this program with both), and constants are folded in it. Calls leave
// the host's environment as it was. The program is built with -ffast-math, whose start-up
// code sets FTZ and DAZ. It computes nothing itself: the expected bits are NumPy's.
#include "check.h"
#include <pthread.h>
#include <stdint.h>
#include <xmmintrin.h>

#define CONTROL 0xffc0u

static const unsigned states[] = {
	0x1f80, // the default
	0x9fc0, // FTZ and DAZ, as -ffast-math sets them
	0x3f80, // round down
	0x5f80, // round up
	0xffc0, // round to zero, FTZ, DAZ
	0x1900, // traps: invalid operation, division by zero, overflow
};
enum { nstates = sizeof states / sizeof *states, values = 8, items = 1 << 14 };

static const uint32_t a[values] = {0x00800000, 0x00000001, 0x000116c2, 0x3f800000, 0x40490fdb, 0x7f7fffff, 0xbf99999a, 0x80400001};
static const int32_t n[values] = {16777217, 16777219, -16777217, 2147483647, 33554435, 5, -7, 123456789};
static const uint64_t d[values] = {0x0010000000000000, 1, 0x3ff0000000000000, 0x400921fb54442d18, 0x7fefffffffffffff, 0x8008000000000000, 0x12345, 0xbff3333333333333};
static const uint32_t h[values] = {0x33d6bf95, 0x3dcccccd, 0x477fe000, 0x37fba882, 0xb727c5ac, 0x45001000, 0x3eaaaaab, 0x3380d959};

static const uint32_t want[4][values] = {
	{0x00400000, 0x00000000, 0x00008b61, 0x3f000000, 0x3fc90fdb, 0x7effffff, 0xbf19999a, 0x80200000}, // a * 0.5f
	{0x002aaaab, 0x00000000, 0x00005ceb, 0x3eaaaaab, 0x3f860a92, 0x7eaaaaaa, 0xbecccccd, 0x80155556}, // a / 3
	{0x3a83126f, 0x3a83126f, 0x3a83126f, 0x3f8020c5, 0x4049203d, 0x7f7fffff, 0xbf9978d5, 0x3a83126f}, // a + 1e-3f
	{0x4b800000, 0x4b800002, 0xcb800000, 0x4f000000, 0x4c000001, 0x40a00000, 0xc0e00000, 0x4ceb79a3}, // (float)n
};
static const uint64_t wantd[values] = {0x0005555555555555, 0, 0x3fd5555555555555, 0x3ff0c152382d7365, 0x7fd5555555555555, 0x8002aaaaaaaaaaab, 0x6117, 0xbfd9999999999999}; // d / 3
static const uint16_t wanth[values] = {0x0002, 0x2e66, 0x7bff, 0x01f7, 0x80a8, 0x6800, 0x3555, 0x0001}; // (half)h
static const uint32_t folded[3] = {0x3eaaaaab, 0x00266666, 0x4b800000};

static const char *source =
	"constant float third = 1.0f / 3.0f, small = 0x1p-126f * 0.3f, large = 16777217;\n"
	"kernel void k(global const float *a, global const int *n, global const double *d, global const float *h,\n"
	"              global float4 *out, global double *dout, global half *hout, global float *folded) {\n"
	"  size_t i = get_global_id(0), j = i & 7;\n"
	"  out[i] = (float4)(a[j] * 0.5f, a[j] / 3, a[j] + 1e-3f, (float)n[j]);\n"
	"  dout[i] = d[j] / 3;\n"
	"  vstore_half(h[j], i, hout);\n"
	"  if (i == 0) { folded[0] = third; folded[1] = small; folded[2] = large; folded[3] = 1 / (a[0] - a[0]); }\n" // a division by zero
	"}\n";

// Each thread has the environment state.
static __thread unsigned state;

static void unchanged(int line)
{
	unsigned now = _mm_getcsr() & CONTROL;
	if (now != state) {
		printf("line %d: MXCSR is %#x, not %#x\n", line, now, state);
		__sync_fetch_and_add(&failures, 1);
		_mm_setcsr(state);
	}
}
#define SAME(call)                        \
	do {                              \
		OK(call);                 \
		unchanged(__LINE__);      \
	} while (0)

static void CL_CALLBACK on_built(cl_program p, void *user) { __sync_fetch_and_add((int *)user, 1); }
static void CL_CALLBACK on_native(void *args) { _mm_setcsr(0xffc0); } // and does not restore it

static cl_mem buffer(size_t size, const void *content)
{
	cl_int e;
	cl_mem m = clCreateBuffer(context, content ? CL_MEM_COPY_HOST_PTR : 0, size, (void *)content, &e);
	SAME(e);
	return m;
}

static void compare(const char *what, long i, uint64_t got, uint64_t want)
{
	if (got == want || failures > 20)
		return;
	printf("MXCSR %#x: %s %ld: %#llx, not %#llx\n", state, what, i, (unsigned long long)got, (unsigned long long)want);
	__sync_fetch_and_add(&failures, 1);
}

static void run(cl_program p)
{
	cl_int e;
	cl_kernel k = clCreateKernel(p, "k", &e);
	SAME(e);
	cl_command_queue q = clCreateCommandQueueWithProperties(context, device, NULL, &e);
	SAME(e);
	static __thread uint32_t out[items][4], f[4];
	static __thread uint64_t dout[items];
	static __thread uint16_t hout[items];
	cl_mem m[] = {buffer(sizeof a, a), buffer(sizeof n, n), buffer(sizeof d, d), buffer(sizeof h, h),
		buffer(sizeof out, NULL), buffer(sizeof dout, NULL), buffer(sizeof hout, NULL), buffer(sizeof f, NULL)};
	for (int i = 0; i < 8; i++)
		SAME(clSetKernelArg(k, i, sizeof *m, &m[i]));
	const size_t global = items;
	SAME(clEnqueueNativeKernel(q, on_native, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
	for (int i = 0; i < 3; i++) // in the first launch helper threads sleep
		SAME(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL));
	SAME(clEnqueueReadBuffer(q, m[4], CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
	SAME(clEnqueueReadBuffer(q, m[5], CL_FALSE, 0, sizeof dout, dout, 0, NULL, NULL));
	SAME(clEnqueueReadBuffer(q, m[6], CL_FALSE, 0, sizeof hout, hout, 0, NULL, NULL));
	SAME(clEnqueueReadBuffer(q, m[7], CL_FALSE, 0, sizeof f, f, 0, NULL, NULL));
	SAME(clFinish(q));
	for (int i = 0; i < items; i++) {
		static const char *const what[4] = {"a * 0.5f", "a / 3", "a + 1e-3f", "(float)n"};
		for (int c = 0; c < 4; c++)
			compare(what[c], i, out[i][c], want[c][i & 7]);
		compare("d / 3", i, dout[i], wantd[i & 7]);
		compare("vstore_half", i, hout[i], wanth[i & 7]);
	}
	for (int i = 0; i < 3; i++)
		compare("constant", i, f[i], folded[i]);

	static const cl_image_format format = {CL_RGBA, CL_HALF_FLOAT}, bytes = {CL_RGBA, CL_UNORM_INT8};
	static const cl_image_desc desc = {CL_MEM_OBJECT_IMAGE2D, 1, 1};
	static const size_t zero[3], one[3] = {1, 1, 1};
	cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &e);
	SAME(e);
	uint16_t halves[4];
	SAME(clEnqueueFillImage(q, image, h, zero, one, 0, NULL, NULL));
	SAME(clEnqueueReadImage(q, image, CL_TRUE, zero, one, 0, 0, halves, 0, NULL, NULL));
	for (int i = 0; i < 4; i++)
		compare("half of an image", i, halves[i], wanth[i]);
	SAME(clReleaseMemObject(image));
	image = clCreateImage(context, 0, &bytes, &desc, NULL, &e);
	SAME(e);
	static const uint32_t colour[4] = {0x3e9eb852, 0x3f35c28f, 0x3f6e147b, 0x3f800000}; // 0.31, 0.71, 0.93, 1: times 255 79.05, 181.05, 237.15, 255
	static const unsigned char nearest[4] = {79, 181, 237, 255};
	unsigned char got[4];
	SAME(clEnqueueFillImage(q, image, colour, zero, one, 0, NULL, NULL));
	SAME(clEnqueueReadImage(q, image, CL_TRUE, zero, one, 0, 0, got, 0, NULL, NULL));
	for (int i = 0; i < 4; i++)
		compare("byte of an image", i, got[i], nearest[i]);
	SAME(clReleaseMemObject(image));

	for (int i = 0; i < 8; i++)
		SAME(clReleaseMemObject(m[i]));
	SAME(clReleaseKernel(k));
	SAME(clReleaseCommandQueue(q));
}

static void *with(void *arg)
{
	state = *(const unsigned *)arg;
	_mm_setcsr(state);
	for (int async = 0; async < 2; async++) {
		cl_int e;
		cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &e);
		SAME(e);
		volatile int done = 0;
		SAME(clBuildProgram(p, 0, NULL, "-cl-std=CL1.2", async ? on_built : NULL, async ? (void *)&done : NULL));
		while (async && !done)
			clWaitForEvents(0, NULL);
		run(p);
		SAME(clReleaseProgram(p));
	}
	_mm_setcsr(0x1f80);
	return NULL;
}

int main(void)
{
#ifdef __FAST_MATH__
	if ((_mm_getcsr() & 0x8040) != 0x8040)
		printf("-ffast-math set neither FTZ nor DAZ\n"), failures++;
#endif
	state = 0xffc0;
	_mm_setcsr(state); // the environment in which the driver is loaded, which its first threads would inherit
	setup();
	unchanged(__LINE__);
	_mm_setcsr(0x1f80);
	for (int i = 0; i < nstates; i++)
		with((void *)&states[i]);
	pthread_t t[nstates]; // and concurrently
	for (int i = 0; i < nstates; i++)
		pthread_create(&t[i], NULL, with, (void *)&states[i]);
	for (int i = 0; i < nstates; i++)
		pthread_join(t[i], NULL);
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
	return failures != 0;
}
