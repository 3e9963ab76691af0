// Declarations that the test programs share. They print errors and exit with 1.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define WANT(status, call)                                                                        \
	do {                                                                                      \
		long got_ = (long)(call);                                                         \
		if (got_ != (long)(status)) {                                                     \
			printf("%s:%d: %s: %ld, not %s\n", __FILE__, __LINE__, #call, got_, #status); \
			failures++;                                                               \
		}                                                                                 \
	} while (0)
#define OK(call) WANT(CL_SUCCESS, call)
#define TRUE(x) WANT(1, !!(x))
// MAKE checks the status that a call stores in e, and that only success returns an object.
#define MAKE(status, call)                                                                        \
	do {                                                                                      \
		e = -9999;                                                                        \
		void *made_ = (void *)(call);                                                     \
		WANT(status, e);                                                                  \
		if ((made_ != NULL) != (e == CL_SUCCESS)) {                                       \
			printf("%s:%d: %s: object %p\n", __FILE__, __LINE__, #call, made_);       \
			failures++;                                                               \
		}                                                                                 \
	} while (0)

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void setup(void)
{
	cl_int e;
	OK(clGetPlatformIDs(1, &platform, NULL));
	OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	OK(e);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &e);
	OK(e);
	if (failures)
		exit(1);
}

static cl_program build(const char *source, const char *options)
{
	cl_int e;
	cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &e);
	OK(e);
	OK(clBuildProgram(p, 0, NULL, options, NULL, NULL));
	return p;
}

static cl_uint count(cl_int (*query)(void *, cl_uint, size_t, void *, size_t *), void *object, cl_uint name)
{
	cl_uint n = 0;
	OK(query(object, name, sizeof n, &n, NULL));
	return n;
}
#define COUNT(query, object, name) count((void *)(query), object, name)
