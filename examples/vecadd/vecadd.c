#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char *source =
	"kernel void add(global const float *a, global const float *b, global float *c) {\n"
	"    size_t i = get_global_id(0);\n"
	"    c[i] = a[i] + b[i];\n"
	"}\n";

int main(void)
{
	cl_platform_id platform;
	cl_device_id device;
	clGetPlatformIDs(1, &platform, NULL);
	clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
	float a[4] = {1, 2, 3, 4}, b[4] = {10, 20, 30, 40}, c[4];
	cl_mem ma = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof a, a, NULL);
	cl_mem mb = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof b, b, NULL);
	cl_mem mc = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof c, NULL, NULL);
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	clBuildProgram(program, 1, &device, "", NULL, NULL);
	cl_kernel add = clCreateKernel(program, "add", NULL);
	clSetKernelArg(add, 0, sizeof ma, &ma);
	clSetKernelArg(add, 1, sizeof mb, &mb);
	clSetKernelArg(add, 2, sizeof mc, &mc);
	size_t n = 4;
	clEnqueueNDRangeKernel(queue, add, 1, NULL, &n, NULL, 0, NULL, NULL);
	clEnqueueReadBuffer(queue, mc, CL_TRUE, 0, sizeof c, c, 0, NULL, NULL);
	printf("%g %g %g %g\n", c[0], c[1], c[2], c[3]);
	return 0;
}
