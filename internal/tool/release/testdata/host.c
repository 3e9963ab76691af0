// A host that loads a driver by its path, as OpenCL's loader does, and runs a kernel on it:
// where there is a driver for another machine, but no loader.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void ok(cl_int status, const char *call)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", call, status);
	exit(1);
}

static const char *source = "kernel void triple(global float *p) { p[get_global_id(0)] *= 3; }";

int main(int argc, char **argv)
{
	void *lib = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!lib) {
		fprintf(stderr, "%s\n", argc == 2 ? dlerror() : "usage: host DRIVER");
		return 2;
	}
	cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *) = dlsym(lib, "clIcdGetPlatformIDsKHR");
	if (!platforms) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	cl_platform_id platform;
	ok(platforms(1, &platform, NULL), "clIcdGetPlatformIDsKHR");
	cl_icd_dispatch *cl = *(cl_icd_dispatch **)platform; // the first word of every handle
	char name[100];
	ok(cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL), "clGetPlatformInfo");
	cl_device_id device;
	ok(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
	cl_int e;
	cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	ok(e, "clCreateContext");
	cl_command_queue queue = cl->clCreateCommandQueue(context, device, 0, &e);
	ok(e, "clCreateCommandQueue");
	cl_program program = cl->clCreateProgramWithSource(context, 1, &source, NULL, &e);
	ok(e, "clCreateProgramWithSource");
	ok(cl->clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
	cl_kernel kernel = cl->clCreateKernel(program, "triple", &e);
	ok(e, "clCreateKernel");
	float x[4] = {1, 2, 3, 4};
	cl_mem buffer = cl->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof x, x, &e);
	ok(e, "clCreateBuffer");
	ok(cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
	size_t n = 4;
	ok(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
	ok(cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL), "clEnqueueReadBuffer");
	printf("%s: %g %g %g %g\n", name, x[0], x[1], x[2], x[3]);
	return 0;
}
