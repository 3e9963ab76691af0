// Events that the driver logs: log MODE (driver_test.go). Without a mode there are none.
#include "check.h"

static const char *source =
	"kernel void out(global int *a) { a[get_global_id(0) + (1 << 20)] = 9; }\n"
	"kernel void endless(global int *a) { while (a[0] == 0) a[1]++; }\n"
	"kernel void large(global int *a) { int p[9000000]; p[a[1]] = 1; a[0] = p[a[2]]; }\n";

static void CL_CALLBACK on_error(const char *text, const void *info, size_t n, void *user)
{
	fprintf(stderr, "host: %s", text);
}

// launch builds the program again and returns the status of clFinish.
static cl_int launch(cl_context c, const char *name, int times)
{
	cl_int e;
	cl_command_queue q = clCreateCommandQueueWithProperties(c, device, NULL, &e);
	OK(e);
	cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, &e);
	OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
	cl_kernel k = clCreateKernel(p, name, &e);
	OK(e);
	cl_mem m = clCreateBuffer(c, 0, 64, NULL, &e);
	OK(clSetKernelArg(k, 0, sizeof m, &m));
	size_t n = 4;
	cl_int zero = 0;
	OK(clEnqueueFillBuffer(q, m, &zero, 4, 0, 64, 0, NULL, NULL));
	for (int i = 0; i < times; i++)
		OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &n, 0, NULL, NULL));
	printf("ready\n");
	fflush(stdout);
	e = clFinish(q);
	OK(clReleaseMemObject(m));
	OK(clReleaseKernel(k));
	OK(clReleaseProgram(p));
	OK(clReleaseCommandQueue(q));
	return e;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	cl_uint n;
	cl_int e;
	if (!strcmp(mode, "gpu")) {
		OK(clGetPlatformIDs(1, &platform, NULL));
		for (int i = 0; i < 3; i++)
			WANT(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, NULL, &n));
		return failures != 0;
	}
	if (!strcmp(mode, "none")) { // the environment names no device that exists
		OK(clGetPlatformIDs(1, &platform, NULL));
		WANT(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &n));
		clCreateContextFromType(NULL, CL_DEVICE_TYPE_DEFAULT, NULL, NULL, &e);
		WANT(CL_DEVICE_NOT_FOUND, e);
		return failures != 0;
	}
	if (!*mode)
		return 0;
	if (strcmp(mode, "endless"))
		freopen("/dev/null", "w", stdout);
	setup();
	if (!strcmp(mode, "all")) // a program that already has a device gets no hint about others
		WANT(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, NULL, &n));
	if (!strcmp(mode, "faults"))
		for (int i = 0; i < 5; i++)
			launch(context, "out", 100);
	if (!strcmp(mode, "callback"))
		for (int i = 0; i < 2; i++) {
			cl_context c = clCreateContext(NULL, 1, &device, on_error, NULL, &e);
			OK(e);
			launch(c, "out", 10);
			OK(clReleaseContext(c));
		}
	if (!strcmp(mode, "endless"))
		launch(context, "endless", 1);
	if (!strcmp(mode, "slow"))
		for (int i = 0; i < 2; i++)
			launch(context, "large", 2);
	if (!strcmp(mode, "options")) {
		cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &e);
		static const char *const bad[] = {"-cl-frobnicate", "--frobnicate", "-cl-std=CL9", "-Q", "frobnicate", "-D", "-I", "-cl-std=CL1.2 -x", "-cl-fast-relaxed-maths"};
		for (int i = 0; i < (int)(sizeof bad / sizeof *bad); i++)
			if (clBuildProgram(p, 0, NULL, bad[i], NULL, NULL) != CL_INVALID_BUILD_OPTIONS)
				fprintf(stderr, "%s is no error\n", bad[i]), failures++;
		static const char *const good[] = {"", "-w", "-Werror", "-cl-mad-enable -cl-fast-relaxed-math", "-D X=1 -DY", "-I . -I.", "-cl-std=CL3.0 -cl-kernel-arg-info", "-g"};
		for (int i = 0; i < (int)(sizeof good / sizeof *good); i++)
			if (clBuildProgram(p, 0, NULL, good[i], NULL, NULL) != CL_SUCCESS)
				fprintf(stderr, "%s is an error\n", good[i]), failures++;
		OK(clReleaseProgram(p));
	}
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
	return failures != 0;
}
