// Lifetimes: reference counts, stale handles, destructor callbacks, events,
// binaries, separate compilation.
#include "check.h"
#include <unistd.h>

static volatile int destroyed, seen_status = 99, done;
static void CL_CALLBACK on_destroy(cl_mem m, void *user) { destroyed = destroyed * 10 + *(int *)user; }
static void CL_CALLBACK on_context_end(cl_context c, void *user) { ++*(volatile int *)user; }
static void CL_CALLBACK on_status(cl_event ev, cl_int status, void *user) { seen_status = status; }
static void CL_CALLBACK on_done(cl_program p, void *user) { done++; }

static void soon(volatile int *p, int v)
{
	for (int i = 0; i < 2000 && *p != v; i++)
		usleep(1000);
	WANT(v, *p);
}

static void counts(void)
{
	cl_int e;
	cl_mem m = clCreateBuffer(context, 0, 256, NULL, &e);
	WANT(1, COUNT(clGetMemObjectInfo, m, CL_MEM_REFERENCE_COUNT));
	OK(clRetainMemObject(m));
	WANT(2, COUNT(clGetMemObjectInfo, m, CL_MEM_REFERENCE_COUNT));
	OK(clReleaseMemObject(m));
	int first = 1, second = 2;
	OK(clSetMemObjectDestructorCallback(m, on_destroy, &first));
	OK(clSetMemObjectDestructorCallback(m, on_destroy, &second));
	cl_buffer_region r = {0, 128};
	cl_mem s = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &e), parent;
	OK(clReleaseMemObject(m));
	WANT(0, destroyed); // the sub-buffer needs it
	OK(clGetMemObjectInfo(s, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
	TRUE(parent == m);
	WANT(CL_INVALID_MEM_OBJECT, clReleaseMemObject(m)); // released once too often
	OK(clReleaseMemObject(s));
	soon(&destroyed, 21);
	WANT(CL_INVALID_MEM_OBJECT, clRetainMemObject(s));
	WANT(CL_INVALID_MEM_OBJECT, clGetMemObjectInfo(m, CL_MEM_SIZE, 0, NULL, NULL));
	// A context lives as long as the objects created in it.
	volatile int ended = 0;
	cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &e), c2;
	OK(clSetContextDestructorCallback(c, on_context_end, (void *)&ended));
	cl_command_queue q = clCreateCommandQueue(c, device, 0, &e);
	OK(clReleaseContext(c));
	OK(clGetCommandQueueInfo(q, CL_QUEUE_CONTEXT, sizeof c2, &c2, NULL));
	TRUE(c2 == c);
	WANT(0, ended);
	WANT(CL_INVALID_CONTEXT, clReleaseContext(c));
	OK(clRetainContext(c2)); // the queue keeps it alive, so the host may retain it again
	WANT(1, COUNT(clGetContextInfo, c2, CL_CONTEXT_REFERENCE_COUNT));
	OK(clReleaseContext(c2));
	WANT(0, ended);
	OK(clReleaseCommandQueue(q));
	soon(&ended, 1);
	WANT(CL_INVALID_COMMAND_QUEUE, clFlush(q));
	WANT(CL_INVALID_CONTEXT, clReleaseContext(c));
}

static void events(void)
{
	cl_int e, status;
	cl_event user = clCreateUserEvent(context, &e), marker, read;
	OK(e);
	char byte = 0;
	cl_mem m = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 1, "x", &e);
	OK(clEnqueueMarkerWithWaitList(queue, 1, &user, &marker));
	OK(clEnqueueReadBuffer(queue, m, 0, 0, 1, &byte, 1, &marker, &read));
	OK(clGetEventInfo(read, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	TRUE(status > CL_COMPLETE);
	WANT(CL_COMMAND_READ_BUFFER, COUNT(clGetEventInfo, read, CL_EVENT_COMMAND_TYPE));
	WANT(CL_INVALID_VALUE, clSetEventCallback(read, 77, on_status, NULL));
	WANT(CL_INVALID_VALUE, clSetEventCallback(read, CL_COMPLETE, NULL, NULL));
	OK(clSetEventCallback(read, CL_COMPLETE, on_status, NULL));
	WANT(CL_INVALID_VALUE, clSetUserEventStatus(user, 1));
	WANT(CL_INVALID_EVENT, clSetUserEventStatus(marker, CL_COMPLETE));
	OK(clSetUserEventStatus(user, CL_COMPLETE));
	WANT(CL_INVALID_OPERATION, clSetUserEventStatus(user, CL_COMPLETE));
	OK(clWaitForEvents(1, &read));
	WANT('x', byte);
	soon(&seen_status, CL_COMPLETE);
	cl_ulong t;
	WANT(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(read, CL_PROFILING_COMMAND_END, sizeof t, &t, NULL));
	OK(clReleaseEvent(read));
	OK(clReleaseEvent(marker));
	OK(clReleaseEvent(user));
	WANT(CL_INVALID_EVENT, clReleaseEvent(user));
	// A failed user event fails the commands that wait for it.
	user = clCreateUserEvent(context, &e);
	OK(clEnqueueReadBuffer(queue, m, 0, 0, 1, &byte, 1, &user, &read));
	OK(clSetUserEventStatus(user, -77));
	WANT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &read));
	OK(clGetEventInfo(read, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	TRUE(status < 0);
	OK(clReleaseEvent(read));
	OK(clReleaseEvent(user));
	OK(clReleaseMemObject(m));
}

static int run(cl_program p)
{
	cl_int e;
	int got = -1;
	size_t one = 1;
	cl_kernel k = clCreateKernel(p, "k", &e);
	OK(e);
	cl_mem m = clCreateBuffer(context, 0, 4, NULL, &e);
	OK(clSetKernelArg(k, 0, sizeof m, &m));
	OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, m, 1, 0, 4, &got, 0, NULL, NULL));
	clReleaseMemObject(m), clReleaseKernel(k);
	return got;
}

static cl_program source(const char *text)
{
	cl_int e;
	cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
	OK(e);
	return p;
}

static void programs(void)
{
	cl_int e, s;
	cl_program h = source("#define H 40\nint twice(int);"), a = source("#include \"the h.h\"\nkernel void k(global int *a) { *a = twice(H) + V; }"), b = source("int twice(int x) { return 2 * x; }"), objects[2] = {a, b};
	const char *name = "the h.h";
	OK(clCompileProgram(a, 0, NULL, "-D V=3", 1, &h, &name, NULL, NULL));
	OK(clCompileProgram(b, 0, NULL, NULL, 0, NULL, NULL, on_done, NULL));
	soon(&done, 1);
	cl_program bad = clLinkProgram(context, 0, NULL, "", 1, &a, NULL, NULL, &e);
	WANT(CL_LINK_PROGRAM_FAILURE, e);
	char log[500] = "";
	OK(clGetProgramBuildInfo(bad, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
	TRUE(strstr(log, "'twice'"));
	cl_program lib = clLinkProgram(context, 0, NULL, "-create-library", 1, &b, NULL, NULL, &e);
	OK(e);
	OK(clGetProgramBuildInfo(lib, device, CL_PROGRAM_BINARY_TYPE, sizeof s, &s, NULL));
	WANT(CL_PROGRAM_BINARY_TYPE_LIBRARY, s);
	objects[1] = lib;
	cl_program p = clLinkProgram(context, 1, &device, NULL, 2, objects, NULL, NULL, &e);
	OK(e);
	WANT(83, run(p));
	size_t size;
	OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
	unsigned char *bin = malloc(size);
	OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bin, &bin, NULL));
	cl_program again = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&bin, &s, &e);
	OK(e);
	OK(clBuildProgram(again, 0, NULL, "", NULL, NULL));
	WANT(83, run(again));
	bin[size / 2] ^= 1;
	MAKE(CL_INVALID_BINARY, clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&bin, &s, &e));
	free(bin);
	cl_program all[] = {h, a, b, bad, lib, p, again};
	for (int i = 0; i < 7; i++)
		OK(clReleaseProgram(all[i]));
	// Options as real programs write them.
	p = build("kernel void k(global int *a) { *a = A + sizeof(B); }", " -I. -I\"dir with space\"  -D A=5 -D \"B=long int\" -DC -w -cl-fast-relaxed-math");
	WANT(13, run(p));
	OK(clReleaseProgram(p));
}

static void CL_CALLBACK native(void *args) { **(int **)args = ((int *)args)[2]; }

static void commands(void)
{
	cl_int e, got[4];
	cl_mem m = clCreateBuffer(context, 0, 16, NULL, &e);
	struct {
		cl_mem mem;
		int value;
	} args = {m, 42};
	const void *place = &args.mem;
	OK(clEnqueueNativeKernel(queue, native, &args, sizeof args, 1, &m, &place, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, m, 1, 0, 4, got, 0, NULL, NULL));
	WANT(42, got[0]);
	int *p = clEnqueueMapBuffer(queue, m, 1, CL_MAP_WRITE, 4, 8, 0, NULL, NULL, &e);
	OK(e);
	WANT(1, COUNT(clGetMemObjectInfo, m, CL_MEM_MAP_COUNT));
	p[0] = 7;
	OK(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, m, 1, 0, 16, got, 0, NULL, NULL));
	WANT(7, got[1]);
	WANT(0, COUNT(clGetMemObjectInfo, m, CL_MEM_MAP_COUNT));
	OK(clReleaseMemObject(m));
	cl_ulong d, h;
	OK(clGetDeviceAndHostTimer(device, &d, &h));
}

// A build for one device is no build for another.
static void devices(void)
{
	cl_int e;
	cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	cl_device_id d[2], many[4];
	cl_uint n;
	OK(clGetDeviceInfo(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof n, &n, NULL));
	if (!n)
		return; // a GPU
	OK(clCreateSubDevices(device, equally, 4, many, &n));
	WANT(4, n);
	memcpy(d, many, sizeof d);
	cl_context c = clCreateContext(NULL, 2, d, NULL, NULL, &e);
	OK(e);
	cl_command_queue q[2];
	for (int i = 0; i < 2; i++) {
		q[i] = clCreateCommandQueue(c, d[i], 0, &e);
		OK(e);
	}
	const char *s = "kernel void k(global int *a) { a[0] = N; }", *other = "kernel void k(global int *a TAIL) { a[0] = 1; }";
	cl_program p = clCreateProgramWithSource(c, 1, &s, NULL, &e);
	cl_build_status status;
	char text[64];
	size_t sizes[2];
	OK(clBuildProgram(p, 1, &d[1], "-DN=11", NULL, NULL));
	OK(clGetProgramBuildInfo(p, d[0], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
	WANT(CL_BUILD_NONE, status);
	OK(clGetProgramBuildInfo(p, d[1], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
	WANT(CL_BUILD_SUCCESS, status);
	OK(clGetProgramBuildInfo(p, d[0], CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL));
	TRUE(!*text);
	WANT(CL_INVALID_DEVICE, clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
	OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
	TRUE(!sizes[0] && sizes[1]);
	cl_mem m = clCreateBuffer(c, 0, 4, NULL, &e);
	cl_kernel k = clCreateKernel(p, "k", &e);
	OK(e);
	OK(clSetKernelArg(k, 0, sizeof m, &m));
	WANT(CL_INVALID_PROGRAM_EXECUTABLE, clEnqueueTask(q[0], k, 0, NULL, NULL));
	WANT(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(k, d[0], CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
	OK(clEnqueueTask(q[1], k, 0, NULL, NULL));
	OK(clFinish(q[1]));
	OK(clReleaseKernel(k));
	// With other options for the other device: each runs its own build.
	OK(clBuildProgram(p, 1, &d[0], "-DN=22", NULL, NULL));
	k = clCreateKernel(p, "k", &e);
	OK(clSetKernelArg(k, 0, sizeof m, &m));
	for (int i = 0; i < 2; i++) {
		int got = 0;
		OK(clEnqueueTask(q[i], k, 0, NULL, NULL));
		OK(clEnqueueReadBuffer(q[i], m, 1, 0, 4, &got, 0, NULL, NULL));
		WANT(i ? 11 : 22, got);
	}
	OK(clReleaseKernel(k));
	// The binaries differ too.
	OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
	unsigned char *bin[2] = {malloc(sizes[0]), malloc(sizes[1])};
	OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bin, bin, NULL));
	cl_program b = clCreateProgramWithBinary(c, 2, d, sizes, (const unsigned char **)bin, NULL, &e);
	OK(clBuildProgram(b, 0, NULL, "", NULL, NULL));
	k = clCreateKernel(b, "k", &e);
	OK(clSetKernelArg(k, 0, sizeof m, &m));
	for (int i = 0; i < 2; i++) {
		int got = 0;
		OK(clEnqueueTask(q[i], k, 0, NULL, NULL));
		OK(clEnqueueReadBuffer(q[i], m, 1, 0, 4, &got, 0, NULL, NULL));
		WANT(i ? 11 : 22, got);
	}
	OK(clReleaseKernel(k));
	OK(clReleaseProgram(b));
	// A binary for one device makes a program of that device.
	b = clCreateProgramWithBinary(c, 1, &d[1], &sizes[1], (const unsigned char **)&bin[1], NULL, &e);
	WANT(1, COUNT(clGetProgramInfo, b, CL_PROGRAM_NUM_DEVICES));
	WANT(CL_INVALID_DEVICE, clBuildProgram(b, 1, &d[0], "", NULL, NULL));
	OK(clReleaseProgram(b));
	free(bin[0]);
	free(bin[1]);
	OK(clReleaseProgram(p));
	// A program that is compiled for one device is linked only for that device.
	p = clCreateProgramWithSource(c, 1, &s, NULL, &e);
	OK(clCompileProgram(p, 1, &d[0], "-DN=3", 0, NULL, NULL, NULL, NULL));
	MAKE(CL_INVALID_OPERATION, clLinkProgram(c, 1, &d[1], "", 1, &p, NULL, NULL, &e));
	b = clLinkProgram(c, 0, NULL, "", 1, &p, NULL, NULL, &e);
	OK(e);
	OK(clGetProgramBuildInfo(b, d[1], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
	WANT(CL_BUILD_NONE, status);
	k = clCreateKernel(b, "k", &e);
	OK(clSetKernelArg(k, 0, sizeof m, &m));
	OK(clEnqueueTask(q[0], k, 0, NULL, NULL));
	OK(clFinish(q[0]));
	OK(clReleaseKernel(k));
	OK(clReleaseProgram(b));
	OK(clReleaseProgram(p));
	// A kernel whose arguments differ between devices cannot be created.
	p = clCreateProgramWithSource(c, 1, &other, NULL, &e);
	OK(clBuildProgram(p, 1, &d[0], "-DTAIL=", NULL, NULL));
	OK(clBuildProgram(p, 1, &d[1], "-DTAIL=,int\\ b", NULL, NULL));
	MAKE(CL_INVALID_KERNEL_DEFINITION, clCreateKernel(p, "k", &e));
	OK(clReleaseProgram(p));
	OK(clReleaseMemObject(m));
	for (int i = 0; i < 2; i++)
		OK(clReleaseCommandQueue(q[i]));
	OK(clReleaseContext(c));
	for (int i = 0; i < 4; i++)
		OK(clReleaseDevice(many[i]));
}

// The queries of cl_intel_required_subgroup_size, and the sizes that a kernel requires.
static void sub_groups(void)
{
	enum { SIZES = 0x4108, SPILL = 0x4109, COMPILED = 0x410A };
	static const struct { const char *attribute; size_t required, size; } cases[] = {
		{"", 0, 32}, {"__attribute__((intel_reqd_sub_group_size(8)))", 8, 8},
		{"__attribute__((intel_reqd_sub_group_size(16)))", 16, 16}, {"__attribute__((intel_reqd_sub_group_size(32)))", 32, 32},
	};
	size_t sizes[4] = {0}, n, x, most, local[3], shape[2] = {10, 9};
	cl_ulong spilled;
	char text[256];
	cl_int e;
	OK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
	OK(clGetDeviceInfo(device, SIZES, sizeof sizes, sizes, &n));
	WANT(3 * sizeof(size_t), n);
	TRUE(sizes[0] == 8 && sizes[1] == 16 && sizes[2] == 32);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text, "%s kernel void k(global int *a) { *a = get_max_sub_group_size(); }", cases[i].attribute);
		cl_program p = source(text);
		OK(clBuildProgram(p, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
		WANT(cases[i].size, run(p));
		cl_kernel k = clCreateKernel(p, "k", &e);
		OK(e);
		OK(clGetKernelSubGroupInfo(k, device, COMPILED, 0, NULL, sizeof x, &x, NULL));
		WANT(cases[i].required, x);
		OK(clGetKernelSubGroupInfo(k, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof shape, shape, sizeof x, &x, NULL));
		WANT(cases[i].size, x);
		OK(clGetKernelSubGroupInfo(k, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof shape, shape, sizeof x, &x, NULL));
		WANT((90 + cases[i].size - 1) / cases[i].size, x);
		x = 3;
		OK(clGetKernelSubGroupInfo(k, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof x, &x, sizeof local, local, NULL));
		TRUE(local[0] == 3 * cases[i].size && local[1] == 1 && local[2] == 1);
		OK(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof x, &x, NULL));
		WANT(cases[i].required ? 1024 : most, x);
		OK(clGetKernelWorkGroupInfo(k, device, SPILL, sizeof spilled, &spilled, NULL));
		WANT(0, spilled);
		OK(clReleaseKernel(k));
		OK(clReleaseProgram(p));
	}
	cl_program p = source("__attribute__((intel_reqd_sub_group_size(64))) kernel void k(void) { }");
	WANT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(p, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
	OK(clReleaseProgram(p));
}

int main(void)
{
	setup();
	counts();
	events();
	programs();
	commands();
	devices();
	sub_groups();
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
	return failures != 0;
}
