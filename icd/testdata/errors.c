// The status codes that the specification gives for wrong arguments, for each kind of object.
#include "check.h"

static void *const foreign = (void *)&failures; // no handle at all

static void devices(void)
{
	cl_int e;
	cl_uint n;
	cl_device_id d;
	char buf[8];
	WANT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &d, NULL));
	WANT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL));
	WANT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 20, 1, &d, NULL));
	WANT(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &d, &n));
	WANT(CL_INVALID_DEVICE, clGetDeviceInfo(NULL, CL_DEVICE_NAME, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetDeviceInfo(device, 0x7777, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof buf, buf, NULL));
	cl_context_properties none[] = {CL_CONTEXT_PLATFORM, 0, 0}, unknown[] = {0x7777, 1, 0}, twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
	MAKE(CL_INVALID_PLATFORM, clCreateContext(none, 1, &device, NULL, NULL, &e));
	MAKE(CL_INVALID_PROPERTY, clCreateContext(unknown, 1, &device, NULL, NULL, &e));
	MAKE(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &device, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateContext(NULL, 0, &device, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateContext(NULL, 1, NULL, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateContext(NULL, 1, &device, NULL, &e, &e));
	d = NULL;
	MAKE(CL_INVALID_DEVICE, clCreateContext(NULL, 1, &d, NULL, NULL, &e));
	cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 4096, 0}, affinity[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0};
	WANT(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(device, equally, 1, &d, &n));
	WANT(CL_INVALID_VALUE, clCreateSubDevices(device, affinity, 1, &d, &n));
	WANT(CL_INVALID_VALUE, clCreateSubDevices(device, NULL, 1, &d, &n));
}

static void queues(void)
{
	cl_int e;
	cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0}, bad[] = {CL_QUEUE_PROPERTIES, 1 << 20, 0};
	MAKE(CL_INVALID_CONTEXT, clCreateCommandQueueWithProperties(NULL, device, NULL, &e));
	MAKE(CL_INVALID_DEVICE, clCreateCommandQueueWithProperties(context, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, bad, &e));
	MAKE(CL_INVALID_QUEUE_PROPERTIES, clCreateCommandQueueWithProperties(context, device, on_device, &e));
	WANT(CL_INVALID_COMMAND_QUEUE, clFinish(NULL));
	WANT(CL_INVALID_COMMAND_QUEUE, clFinish((cl_command_queue)context));
	WANT(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, 0x7777, 0, NULL, NULL));
	WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(NULL, 0, NULL, NULL));
	WANT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 1, NULL, NULL));
	cl_event none = NULL;
	WANT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 1, &none, NULL));
	WANT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 0, &none, NULL));
}

static void buffers(void)
{
	cl_int e;
	char host[256];
	MAKE(CL_INVALID_CONTEXT, clCreateBuffer(NULL, 0, 16, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 16, NULL, &e));
	MAKE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, NULL, &e));
	MAKE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, (size_t)-1, NULL, &e));
	MAKE(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 16, NULL, &e));
	MAKE(CL_INVALID_HOST_PTR, clCreateBuffer(context, 0, 16, host, &e));
	cl_mem b = clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, 1024, NULL, &e), w = clCreateBuffer(context, 0, 1024, NULL, &e);
	cl_buffer_region misaligned = {1, 16}, outside = {1024, 16}, empty = {0, 0}, good = {128, 128};
	MAKE(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCreateSubBuffer(w, 0, CL_BUFFER_CREATE_TYPE_REGION, &misaligned, &e));
	MAKE(CL_INVALID_VALUE, clCreateSubBuffer(w, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &e));
	MAKE(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(w, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &e));
	MAKE(CL_INVALID_VALUE, clCreateSubBuffer(w, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &e));
	cl_mem s = clCreateSubBuffer(w, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &e);
	OK(e);
	MAKE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(s, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &e));
	WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(NULL, w, 1, 0, 16, host, 0, NULL, NULL));
	WANT(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, NULL, 1, 0, 16, host, 0, NULL, NULL));
	WANT(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, foreign, 1, 0, 16, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, w, 1, 1020, 16, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, w, 1, (size_t)-8, 16, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, w, 1, 0, 16, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_OPERATION, clEnqueueReadBuffer(queue, b, 1, 0, 16, host, 0, NULL, NULL));
	WANT(CL_INVALID_OPERATION, clEnqueueWriteBuffer(queue, b, 1, 0, 16, host, 0, NULL, NULL));
	WANT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, w, w, 0, 8, 16, 0, NULL, NULL));
	WANT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, s, w, 0, 130, 16, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, w, host, 3, 0, 12, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, w, host, 256, 0, 256, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, w, NULL, 4, 0, 16, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, w, host, 0, NULL, NULL));
	MAKE(CL_INVALID_VALUE, clEnqueueMapBuffer(queue, w, 1, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 16, 0, NULL, NULL, &e));
	MAKE(CL_INVALID_OPERATION, clEnqueueMapBuffer(queue, b, 1, CL_MAP_READ, 0, 16, 0, NULL, NULL, &e));
	size_t zero[3] = {0, 0, 0}, box[3] = {8, 4, 1}, flat[3] = {8, 0, 1};
	WANT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, w, 1, zero, zero, flat, 0, 0, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, w, 1, zero, zero, box, 4, 0, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, w, 1, NULL, zero, box, 0, 0, 0, 0, host, 0, NULL, NULL));
	OK(clEnqueueReadBufferRect(queue, w, 1, zero, zero, box, 32, 0, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 0, NULL, 0, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(w, NULL, NULL));
	WANT(CL_INVALID_MEM_OBJECT, clGetImageInfo(w, CL_IMAGE_WIDTH, 0, NULL, NULL));
	OK(clReleaseMemObject(s));
	OK(clReleaseMemObject(w));
	OK(clReleaseMemObject(b));
}

static void images(void)
{
	cl_int e;
	cl_image_format f = {CL_RGBA, CL_UNORM_INT8}, bad = {CL_RGBA, CL_UNORM_SHORT_565};
	cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4}, huge = d, unknown = d;
	huge.image_width = 1 << 20;
	unknown.image_type = 1;
	MAKE(CL_INVALID_CONTEXT, clCreateImage(NULL, 0, &f, &d, NULL, &e));
	MAKE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, NULL, &d, NULL, &e));
	MAKE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, &bad, &d, NULL, &e));
	MAKE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &f, NULL, NULL, &e));
	MAKE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &f, &unknown, NULL, &e));
	MAKE(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &f, &huge, NULL, &e));
	MAKE(CL_INVALID_HOST_PTR, clCreateImage(context, CL_MEM_COPY_HOST_PTR, &f, &d, NULL, &e));
	cl_mem m = clCreateImage(context, 0, &f, &d, NULL, &e);
	OK(e);
	size_t zero[3] = {0, 0, 0}, whole[3] = {4, 4, 1}, more[3] = {5, 4, 1};
	char host[64];
	WANT(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, m, 1, 0, 16, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadImage(queue, m, 1, zero, more, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadImage(queue, m, 1, zero, whole, 0, 0, NULL, 0, NULL, NULL));
	OK(clEnqueueReadImage(queue, m, 1, zero, whole, 0, 0, host, 0, NULL, NULL));
	OK(clReleaseMemObject(m));
	cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
	MAKE(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, twice, &e));
	MAKE(CL_INVALID_VALUE, clCreateSampler(context, 0, 1, CL_FILTER_LINEAR, &e));
	MAKE(CL_INVALID_CONTEXT, clCreateSampler(NULL, 0, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &e));
}

static void programs(void)
{
	cl_int e;
	const char *source = "kernel void k(global int *a, local int *l, int n, constant float4 *c) { a[get_global_id(0)] = n; }", *wrong = "kernel void k() { x; }";
	MAKE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, &source, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, NULL, NULL, &e));
	MAKE(CL_INVALID_OPERATION, clCreateProgramWithIL(context, source, 8, &e));
	cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &e), q = clCreateProgramWithSource(context, 1, &wrong, NULL, &e);
	MAKE(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(p, "k", &e));
	WANT(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL));
	WANT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(p, 0, NULL, "-no-such-option", NULL, NULL));
	WANT(CL_INVALID_COMPILER_OPTIONS, clCompileProgram(p, 0, NULL, "-no-such-option", 0, NULL, NULL, NULL, NULL));
	WANT(CL_INVALID_VALUE, clBuildProgram(p, 1, NULL, "", NULL, NULL));
	WANT(CL_INVALID_VALUE, clBuildProgram(p, 0, NULL, "", NULL, &e));
	WANT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(q, 0, NULL, "", NULL, NULL));
	WANT(CL_COMPILE_PROGRAM_FAILURE, clCompileProgram(q, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
	cl_build_status s = 1;
	OK(clGetProgramBuildInfo(q, device, CL_PROGRAM_BUILD_STATUS, sizeof s, &s, NULL));
	WANT(CL_BUILD_ERROR, s);
	char log[1000] = "";
	OK(clGetProgramBuildInfo(q, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
	TRUE(strstr(log, "'x'"));
	OK(clBuildProgram(p, 1, &device, "-cl-kernel-arg-info", NULL, NULL));
	MAKE(CL_INVALID_VALUE, clCreateKernel(p, NULL, &e));
	MAKE(CL_INVALID_KERNEL_NAME, clCreateKernel(p, "none", &e));
	cl_kernel k = clCreateKernel(p, "k", &e);
	OK(e);
	WANT(CL_INVALID_OPERATION, clBuildProgram(p, 0, NULL, "", NULL, NULL)); // a kernel is attached
	unsigned char bytes[] = "no binary";
	const unsigned char *bin = bytes;
	size_t size = sizeof bytes;
	MAKE(CL_INVALID_BINARY, clCreateProgramWithBinary(context, 1, &device, &size, &bin, &s, &e));
	WANT(CL_INVALID_BINARY, s);
	MAKE(CL_INVALID_OPERATION, clLinkProgram(context, 0, NULL, "", 1, &p, NULL, NULL, &e));

	int n = 7;
	size_t one = 1, two = 2, zero = 0, big = 1 << 20;
	WANT(CL_INVALID_KERNEL, clSetKernelArg(NULL, 0, 4, &n));
	WANT(CL_INVALID_ARG_INDEX, clSetKernelArg(k, 4, 4, &n));
	WANT(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 4, &n));
	WANT(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 1, 0, NULL));
	WANT(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 1, 4, &n));
	WANT(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 2, 8, &big));
	WANT(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 2, 4, NULL));
	void *no = foreign;
	WANT(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof no, &no));
	WANT(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
	cl_mem b = clCreateBuffer(context, 0, 16, NULL, &e);
	OK(clSetKernelArg(k, 0, sizeof b, &b));
	OK(clSetKernelArg(k, 1, 16, NULL));
	OK(clSetKernelArg(k, 2, 4, &n));
	OK(clSetKernelArg(k, 3, sizeof b, NULL));
	WANT(CL_INVALID_KERNEL, clEnqueueNDRangeKernel(queue, NULL, 1, NULL, &one, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(queue, k, 0, NULL, &one, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(queue, k, 4, NULL, &one, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, &two, 0, NULL, NULL));
	WANT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, &zero, 0, NULL, NULL));
	WANT(CL_INVALID_WORK_ITEM_SIZE, clEnqueueNDRangeKernel(queue, k, 1, NULL, &big, &big, 0, NULL, NULL));
	OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &two, &one, 0, NULL, NULL));
	int got[4] = {0};
	OK(clEnqueueReadBuffer(queue, b, 1, 0, 16, got, 0, NULL, NULL));
	WANT(7, got[1]);
	char name[32];
	WANT(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(k, 9, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
	OK(clGetKernelArgInfo(k, 3, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
	WANT(0, strcmp(name, "float4*"));
	cl_kernel_arg_address_qualifier space;
	OK(clGetKernelArgInfo(k, 3, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
	WANT(CL_KERNEL_ARG_ADDRESS_CONSTANT, space);
	WANT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(k, device, CL_KERNEL_GLOBAL_WORK_SIZE, 0, NULL, NULL));
	OK(clReleaseMemObject(b));
	OK(clReleaseKernel(k));
	OK(clReleaseProgram(p));
	OK(clReleaseProgram(q));
}

static void optional(void)
{
	cl_int e;
	WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMap(NULL, 1, 0, NULL, 0, 0, NULL, NULL));
	WANT(CL_INVALID_OPERATION, clEnqueueSVMMap(queue, 1, 0, NULL, 0, 0, NULL, NULL));
	TRUE(!clSVMAlloc(context, 0, 16, 0));
	MAKE(CL_INVALID_OPERATION, clCreatePipe(context, 0, 4, 4, NULL, &e));
	MAKE(CL_INVALID_CONTEXT, clCreatePipe(NULL, 0, 4, 4, NULL, &e));
	WANT(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(context, device, queue));
}

int main(void)
{
	setup();
	devices();
	queues();
	buffers();
	images();
	programs();
	optional();
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
	return failures != 0;
}
