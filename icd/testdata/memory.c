// Memory that several devices and the host use in turn: sub-buffers, mapping, memory of the
// host's own, and the times of commands.
#include "check.h"

enum { n = 1024, part = 256 };

static cl_command_queue queues[4];
static cl_uint devices;
static cl_kernel add;

// step lets a device add x to m's elements.
static void step(cl_uint on, cl_mem m, int x, size_t size)
{
	OK(clSetKernelArg(add, 0, sizeof m, &m));
	OK(clSetKernelArg(add, 1, sizeof x, &x));
	OK(clEnqueueNDRangeKernel(queues[on % devices], add, 1, NULL, &size, NULL, 0, NULL, NULL));
	OK(clFinish(queues[on % devices]));
}

// parts changes a buffer through sub-buffers, as a whole and by mapping, each on another device.
static void parts(cl_mem_flags flags, void *own)
{
	cl_int e;
	int want[n], got[n];
	for (int i = 0; i < n; i++)
		want[i] = i;
	if (own)
		memcpy(own, want, sizeof want);
	cl_mem m = clCreateBuffer(context, flags, sizeof want, own ? own : want, &e);
	OK(e);
	cl_mem subs[n / part];
	for (int i = 0; i < n / part; i++) {
		cl_buffer_region r = {i * part * sizeof(int), part * sizeof(int)};
		subs[i] = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &e);
		OK(e);
		step(i, subs[i], i + 1, part);
		for (int j = 0; j < part; j++)
			want[i * part + j] += i + 1;
	}
	step(1, m, 100, n);
	for (int i = 0; i < n; i++)
		want[i] += 100;
	// What is mapped for writing reaches the next device, and nothing else changes.
	int *p = clEnqueueMapBuffer(queues[0], subs[2], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 16, 64, 0, NULL, NULL, &e);
	OK(e);
	for (int i = 0; i < 16; i++) {
		WANT(want[2 * part + 4 + i], p[i]);
		p[i] = want[2 * part + 4 + i] = -i;
	}
	OK(clEnqueueUnmapMemObject(queues[0], subs[2], p, 0, NULL, NULL));
	OK(clFinish(queues[0]));
	step(1, subs[2], 7, part);
	for (int i = 0; i < part; i++)
		want[2 * part + i] += 7;
	// All of a part is overwritten without being read.
	p = clEnqueueMapBuffer(queues[0], subs[3], CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, part * sizeof(int), 0, NULL, NULL, &e);
	OK(e);
	for (int i = 0; i < part; i++)
		p[i] = want[3 * part + i] = 3 * i;
	OK(clEnqueueUnmapMemObject(queues[0], subs[3], p, 0, NULL, NULL));
	OK(clFinish(queues[0]));
	step(0, m, 1, n);
	for (int i = 0; i < n; i++)
		want[i]++;
	OK(clEnqueueReadBuffer(queues[(devices - 1)], m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
	WANT(0, memcmp(got, want, sizeof got));
	if (own) { // the host's memory holds what a map shows
		p = clEnqueueMapBuffer(queues[0], m, CL_TRUE, CL_MAP_READ, 0, sizeof want, 0, NULL, NULL, &e);
		OK(e);
		TRUE(p == own);
		WANT(0, memcmp(own, want, sizeof want));
		OK(clEnqueueUnmapMemObject(queues[0], m, p, 0, NULL, NULL));
		OK(clFinish(queues[0]));
	}
	for (int i = 0; i < n / part; i++)
		OK(clReleaseMemObject(subs[i]));
	OK(clReleaseMemObject(m));
}

// times checks the profile of a kernel, a copy and a map.
static void times(cl_uint on)
{
	cl_int e;
	cl_event ev[3];
	size_t size = n;
	int x = 1;
	cl_mem m = clCreateBuffer(context, 0, n * sizeof(int), NULL, &e);
	OK(e);
	OK(clEnqueueFillBuffer(queues[on], m, &x, sizeof x, 0, n * sizeof x, 0, NULL, &ev[0]));
	OK(clSetKernelArg(add, 0, sizeof m, &m));
	OK(clSetKernelArg(add, 1, sizeof x, &x));
	OK(clEnqueueNDRangeKernel(queues[on], add, 1, NULL, &size, NULL, 0, NULL, &ev[1]));
	int *p = clEnqueueMapBuffer(queues[on], m, CL_TRUE, CL_MAP_READ, 0, n * sizeof x, 0, NULL, &ev[2], &e);
	OK(e);
	WANT(2, p[n - 1]);
	cl_ulong before = 0;
	for (int i = 0; i < 3; i++) {
		cl_ulong t[5];
		for (int j = 0; j < 5; j++)
			OK(clGetEventProfilingInfo(ev[i], CL_PROFILING_COMMAND_QUEUED + j, sizeof t[j], &t[j], NULL));
		TRUE(t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3] && t[3] <= t[4]);
		TRUE(before <= t[2]); // in order
		before = t[3];
		if (i == 1)
			TRUE(t[3] > t[2]);
		OK(clReleaseEvent(ev[i]));
	}
	OK(clEnqueueUnmapMemObject(queues[on], m, p, 0, NULL, NULL));
	OK(clFinish(queues[on]));
	OK(clReleaseMemObject(m));
}

int main(void)
{
	cl_int e;
	cl_device_id d[4];
	setup();
	OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 4, d, &devices));
	if (devices > 4)
		devices = 4;
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
	context = clCreateContext(NULL, devices, d, NULL, NULL, &e);
	OK(e);
	cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
	for (cl_uint i = 0; i < devices; i++) {
		queues[i] = clCreateCommandQueueWithProperties(context, d[i], profiling, &e);
		OK(e);
	}
	cl_program p = build("kernel void add(global int *a, int x) { a[get_global_id(0)] += x; }", "");
	add = clCreateKernel(p, "add", &e);
	OK(e);
	static int own[n] __attribute__((aligned(4096)));
	parts(CL_MEM_COPY_HOST_PTR, NULL);
	parts(CL_MEM_USE_HOST_PTR, own);
	parts(CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, NULL);
	for (cl_uint i = 0; i < devices; i++) {
		times(i);
		OK(clReleaseCommandQueue(queues[i]));
	}
	OK(clReleaseKernel(add));
	OK(clReleaseProgram(p));
	OK(clReleaseContext(context));
	return failures != 0;
}
