// The status codes of the entries of the dispatch table: the errors that the specification
// lists for each, and their order where a call has several. Errors that errors.c tests are
// not repeated here.
#include "check.h"

static cl_context other;
static cl_command_queue strange; // of another context
static cl_mem buffer, part, closed, readable, foreign, image, line, cube, layers;
static cl_program built;
static cl_kernel kernel, pictures;
static cl_event user, stranger, ran;
static cl_sampler sampler;
static size_t zero[3], one[3] = {1, 1, 1}, out_[3] = {100, 0, 0};
static char host[4096];

static void CL_CALLBACK notify(cl_mem object, void *user) {}
static void CL_CALLBACK event_notify(cl_event e, cl_int status, void *user) {}
static void CL_CALLBACK context_notify(const char *text, const void *p, size_t n, void *user) {}
static void CL_CALLBACK native(void *args) {}

// Handles: invalid ones, of another kind, and of a destroyed object.
static void handles(void)
{
	cl_int e;
	cl_mem ended = clCreateBuffer(context, 0, 16, NULL, &e);
	OK(clReleaseMemObject(ended));
	WANT(CL_INVALID_MEM_OBJECT, clRetainMemObject(ended));
	WANT(CL_INVALID_MEM_OBJECT, clReleaseMemObject(ended));
	WANT(CL_INVALID_MEM_OBJECT, clGetMemObjectInfo(ended, CL_MEM_SIZE, 0, NULL, NULL));
	WANT(CL_INVALID_MEM_OBJECT, clSetMemObjectDestructorCallback(ended, notify, NULL));
	WANT(CL_INVALID_MEM_OBJECT, clGetImageInfo(ended, CL_IMAGE_WIDTH, 0, NULL, NULL));
	WANT(CL_INVALID_MEM_OBJECT, clGetPipeInfo(ended, CL_PIPE_PACKET_SIZE, 0, NULL, NULL));
	void *wrong[] = {NULL, ended, sampler};
	for (int i = 0; i < 3; i++) {
		void *x = wrong[i];
		size_t n;
		cl_ulong t, u;
		cl_context_properties bad[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)x, 0};
		if (x) {
			WANT(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(x)); // the loader knows NULL
			WANT(CL_INVALID_PLATFORM, clGetPlatformInfo(x, CL_PLATFORM_NAME, 0, NULL, NULL));
			WANT(CL_INVALID_PLATFORM, clGetDeviceIDs(x, CL_DEVICE_TYPE_ALL, 1, (cl_device_id *)host, NULL));
		}
		MAKE(CL_INVALID_PLATFORM, clCreateContextFromType(bad, CL_DEVICE_TYPE_ALL, NULL, NULL, &e));
		WANT(CL_INVALID_DEVICE, clGetDeviceInfo(x, CL_DEVICE_NAME, 0, NULL, NULL));
		WANT(CL_INVALID_DEVICE, clRetainDevice(x));
		WANT(CL_INVALID_DEVICE, clReleaseDevice(x));
		WANT(CL_INVALID_DEVICE, clCreateSubDevices(x, NULL, 0, NULL, NULL));
		WANT(CL_INVALID_DEVICE, clGetDeviceAndHostTimer(x, &t, &u));
		WANT(CL_INVALID_DEVICE, clGetHostTimer(x, &u));
		WANT(CL_INVALID_CONTEXT, clRetainContext(x));
		WANT(CL_INVALID_CONTEXT, clReleaseContext(x));
		WANT(CL_INVALID_CONTEXT, clGetContextInfo(x, CL_CONTEXT_DEVICES, 0, NULL, NULL));
		WANT(CL_INVALID_CONTEXT, clSetContextDestructorCallback(x, NULL, NULL));
		MAKE(CL_INVALID_CONTEXT, clCreateCommandQueue(x, NULL, 1 << 20, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateCommandQueueWithProperties(x, NULL, (cl_queue_properties[]){7, 7, 7, 7, 0}, &e));
		WANT(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(x, NULL, NULL));
		MAKE(CL_INVALID_CONTEXT, clCreateBuffer(x, 1 << 20, 0, NULL, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateBufferWithProperties(x, (cl_mem_properties[]){1, 1, 0}, 0, 0, NULL, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateImage(x, 1 << 20, NULL, NULL, NULL, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateImageWithProperties(x, (cl_mem_properties[]){1, 1, 0}, 0, NULL, NULL, NULL, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateImage2D(x, 0, NULL, 0, 0, 0, NULL, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateImage3D(x, 0, NULL, 0, 0, 0, 0, 0, NULL, &e));
		WANT(CL_INVALID_CONTEXT, clGetSupportedImageFormats(x, 0, 0, 0, NULL, NULL));
		MAKE(CL_INVALID_CONTEXT, clCreatePipe(x, 0, 0, 0, NULL, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateSampler(x, 7, 0, 0, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateSamplerWithProperties(x, (cl_sampler_properties[]){7, 7, 0}, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateProgramWithSource(x, 0, NULL, NULL, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateProgramWithBinary(x, 0, NULL, NULL, NULL, NULL, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateProgramWithBuiltInKernels(x, 0, NULL, NULL, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateProgramWithIL(x, NULL, 0, &e));
		MAKE(CL_INVALID_CONTEXT, clLinkProgram(x, 1, NULL, NULL, 0, NULL, NULL, NULL, &e));
		MAKE(CL_INVALID_CONTEXT, clCreateUserEvent(x, &e));
		WANT(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(x));
		WANT(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(x));
		WANT(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(x, CL_QUEUE_CONTEXT, 0, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clSetCommandQueueProperty(x, 0, 0, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clFlush(x));
		WANT(CL_INVALID_COMMAND_QUEUE, clFinish(x));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(x, x, 1, 0, 0, NULL, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueWriteBuffer(x, x, 1, 0, 0, NULL, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBufferRect(x, x, 1, NULL, NULL, NULL, 0, 0, 0, 0, NULL, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueWriteBufferRect(x, x, 1, NULL, NULL, NULL, 0, 0, 0, 0, NULL, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyBuffer(x, x, x, 0, 0, 0, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyBufferRect(x, x, x, NULL, NULL, NULL, 0, 0, 0, 0, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueFillBuffer(x, x, NULL, 0, 0, 0, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueReadImage(x, x, 1, NULL, NULL, 0, 0, NULL, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueWriteImage(x, x, 1, NULL, NULL, 0, 0, NULL, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyImage(x, x, x, NULL, NULL, NULL, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyImageToBuffer(x, x, x, NULL, NULL, 0, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyBufferToImage(x, x, x, 0, NULL, NULL, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueFillImage(x, x, NULL, NULL, NULL, 1, NULL, NULL));
		MAKE(CL_INVALID_COMMAND_QUEUE, clEnqueueMapBuffer(x, x, 1, 7, 0, 0, 1, NULL, NULL, &e));
		MAKE(CL_INVALID_COMMAND_QUEUE, clEnqueueMapImage(x, x, 1, 7, NULL, NULL, NULL, NULL, 1, NULL, NULL, &e));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueUnmapMemObject(x, x, NULL, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueMigrateMemObjects(x, 0, NULL, 0, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueNDRangeKernel(x, x, 0, NULL, NULL, NULL, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueTask(x, x, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueNativeKernel(x, NULL, NULL, 0, 0, NULL, NULL, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(x, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList(x, 1, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(x, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(x));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueWaitForEvents(x, 0, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMFree(x, 0, NULL, NULL, NULL, 0, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemcpy(x, 0, NULL, NULL, 0, 0, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemFill(x, NULL, NULL, 0, 0, 0, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMUnmap(x, NULL, 0, NULL, NULL));
		WANT(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMigrateMem(x, 0, NULL, NULL, 0, 0, NULL, NULL));
		MAKE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(x, 1 << 20, 0, NULL, &e));
		WANT(CL_INVALID_SAMPLER, clRetainSampler(x == sampler ? (void *)buffer : x));
		WANT(CL_INVALID_SAMPLER, clReleaseSampler(x == sampler ? (void *)buffer : x));
		WANT(CL_INVALID_SAMPLER, clGetSamplerInfo(x == sampler ? (void *)buffer : x, CL_SAMPLER_CONTEXT, 0, NULL, NULL));
		WANT(CL_INVALID_PROGRAM, clRetainProgram(x));
		WANT(CL_INVALID_PROGRAM, clReleaseProgram(x));
		WANT(CL_INVALID_PROGRAM, clBuildProgram(x, 1, NULL, NULL, NULL, x));
		WANT(CL_INVALID_PROGRAM, clCompileProgram(x, 1, NULL, NULL, 1, NULL, NULL, NULL, NULL));
		WANT(CL_INVALID_PROGRAM, clGetProgramInfo(x, CL_PROGRAM_SOURCE, 0, NULL, NULL));
		WANT(CL_INVALID_PROGRAM, clGetProgramBuildInfo(x, NULL, 0, 0, NULL, NULL));
		WANT(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(x, 0, 0, NULL));
		WANT(CL_INVALID_PROGRAM, clSetProgramReleaseCallback(x, NULL, NULL));
		WANT(CL_INVALID_PROGRAM, clCreateKernelsInProgram(x, 0, NULL, NULL));
		MAKE(CL_INVALID_PROGRAM, clCreateKernel(x, NULL, &e));
		MAKE(CL_INVALID_KERNEL, clCloneKernel(x, &e));
		WANT(CL_INVALID_KERNEL, clRetainKernel(x));
		WANT(CL_INVALID_KERNEL, clReleaseKernel(x));
		WANT(CL_INVALID_KERNEL, clSetKernelArg(x, 99, 0, NULL));
		WANT(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(x, 0, NULL));
		WANT(CL_INVALID_KERNEL, clSetKernelExecInfo(x, 0, 0, NULL));
		WANT(CL_INVALID_KERNEL, clGetKernelInfo(x, 0, 0, NULL, NULL));
		WANT(CL_INVALID_KERNEL, clGetKernelArgInfo(x, 99, 0, 0, NULL, NULL));
		WANT(CL_INVALID_KERNEL, clGetKernelWorkGroupInfo(x, x, 0, 0, NULL, NULL));
		WANT(CL_INVALID_KERNEL, clGetKernelSubGroupInfo(x, x, 0, 0, NULL, 0, NULL, NULL));
		WANT(CL_INVALID_KERNEL, clEnqueueNDRangeKernel(queue, x, 0, NULL, NULL, NULL, 1, NULL, NULL));
		WANT(CL_INVALID_KERNEL, clEnqueueTask(queue, x, 1, NULL, NULL));
		WANT(CL_INVALID_EVENT, clRetainEvent(x));
		WANT(CL_INVALID_EVENT, clReleaseEvent(x));
		WANT(CL_INVALID_EVENT, clGetEventInfo(x, 0, 0, NULL, NULL));
		WANT(CL_INVALID_EVENT, clGetEventProfilingInfo(x, 0, 0, NULL, NULL));
		WANT(CL_INVALID_EVENT, clSetEventCallback(x, 9, NULL, NULL));
		WANT(CL_INVALID_EVENT, clSetUserEventStatus(x, 5));
		WANT(CL_INVALID_EVENT, clWaitForEvents(1, (cl_event *)&x));
		WANT(CL_INVALID_EVENT, clEnqueueWaitForEvents(queue, 1, (cl_event *)&x));
	}
}

// A query is a function that returns a value of some size for an object.
typedef cl_int query(void *object, cl_uint name, size_t size, void *value, size_t *size_ret);

static void queries(void)
{
	const struct { // the race detector's build has the functions in a table created at run time
		void *fn;
		void *object;
		cl_uint name;
	} table[] = {
		{clGetPlatformInfo, &platform, CL_PLATFORM_NAME}, {clGetDeviceInfo, &device, CL_DEVICE_MAX_COMPUTE_UNITS}, {clGetContextInfo, &context, CL_CONTEXT_DEVICES},
		{clGetCommandQueueInfo, &queue, CL_QUEUE_DEVICE}, {clGetMemObjectInfo, &buffer, CL_MEM_SIZE}, {clGetImageInfo, &image, CL_IMAGE_WIDTH},
		{clGetSamplerInfo, &sampler, CL_SAMPLER_FILTER_MODE}, {clGetProgramInfo, &built, CL_PROGRAM_NUM_KERNELS}, {clGetKernelInfo, &kernel, CL_KERNEL_NUM_ARGS},
		{clGetEventInfo, &user, CL_EVENT_COMMAND_TYPE}, {clGetEventProfilingInfo, &ran, CL_PROFILING_COMMAND_END},
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		query *ask = (query *)table[i].fn;
		void *object = *(void **)table[i].object;
		size_t n = 0;
		OK(ask(object, table[i].name, 0, NULL, &n));
		TRUE(n > 0);
		WANT(CL_INVALID_VALUE, ask(object, 0x7777, sizeof host, host, NULL));
		WANT(CL_INVALID_VALUE, ask(object, table[i].name, n - 1, host, NULL));
		OK(ask(object, table[i].name, n, host, NULL));
		OK(ask(object, table[i].name, sizeof host, host, NULL));
		OK(ask(object, table[i].name, 0, NULL, NULL));
	}
	cl_int e;
	cl_device_id none = NULL;
	WANT(CL_INVALID_DEVICE, clGetProgramBuildInfo(built, none, 0x7777, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetProgramBuildInfo(built, device, 0x7777, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetProgramBuildInfo(built, device, CL_PROGRAM_BUILD_STATUS, 1, host, NULL));
	WANT(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(kernel, (cl_device_id)context, 0x7777, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, NULL, 0x7777, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, 1, host, NULL));
	WANT(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, 0x7777, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, 0, host, NULL));
	WANT(CL_INVALID_DEVICE, clGetKernelSubGroupInfo(kernel, (cl_device_id)context, 0x7777, 0, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetKernelSubGroupInfo(kernel, device, 0x7777, 0, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 8, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 7, one, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, 1, host, NULL));
	WANT(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 0, NULL, NULL));
	WANT(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(user, 0x7777, 0, NULL, NULL));
	cl_ulong t;
	WANT(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, &t, NULL));
	WANT(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, NULL, &t));
	WANT(CL_INVALID_VALUE, clGetHostTimer(device, NULL));
	WANT(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 1 << 20, CL_MEM_OBJECT_IMAGE2D, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, (cl_image_format *)host, NULL));
	OK(clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clGetPlatformIDs(0, &platform, NULL));
	WANT(CL_INVALID_VALUE, clGetPlatformIDs(0, NULL, NULL));
	cl_program p = clCreateProgramWithSource(context, 1, (const char *[]){"kernel void k() {}"}, NULL, &e);
	WANT(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, 0, NULL, NULL));
	WANT(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(p, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, 0, NULL, NULL));
	WANT(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(p, 0, NULL, NULL));
	OK(clReleaseProgram(p));
}

static void creation(void)
{
	cl_int e;
	cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, CL_CONTEXT_PLATFORM, 0, 0}, sync[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, CL_CONTEXT_INTEROP_USER_SYNC, 7, 0};
	MAKE(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &device, NULL, host, &e));
	MAKE(CL_INVALID_PROPERTY, clCreateContext(sync, 1, &device, NULL, host, &e));
	MAKE(CL_INVALID_PROPERTY, clCreateContextFromType(sync, 0, NULL, host, &e));
	MAKE(CL_INVALID_VALUE, clCreateContextFromType(NULL, 0, NULL, host, &e));
	MAKE(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(NULL, 0, NULL, NULL, &e));
	MAKE(CL_DEVICE_NOT_FOUND, clCreateContextFromType(NULL, CL_DEVICE_TYPE_CUSTOM, NULL, NULL, &e));
	WANT(CL_INVALID_VALUE, clSetContextDestructorCallback(context, NULL, NULL));

	cl_queue_properties size[] = {CL_QUEUE_SIZE, 64, 0}, alone[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}, standard[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT, 0},
		sized[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_SIZE, 64, 0}, named[] = {0x7777, 0, 0};
	MAKE(CL_INVALID_DEVICE, clCreateCommandQueueWithProperties(context, NULL, named, &e));
	MAKE(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, named, &e));
	MAKE(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, size, &e));
	MAKE(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, alone, &e));
	MAKE(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, standard, &e));
	MAKE(CL_INVALID_QUEUE_PROPERTIES, clCreateCommandQueueWithProperties(context, device, sized, &e));
	MAKE(CL_INVALID_DEVICE, clCreateCommandQueue(context, NULL, 1 << 20, &e));
	MAKE(CL_INVALID_VALUE, clCreateCommandQueue(context, device, CL_QUEUE_ON_DEVICE, &e));
	WANT(CL_INVALID_OPERATION, clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, 1, NULL));
	WANT(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, NULL, queue));

	cl_mem_properties property[] = {0x7777, 0, 0};
	MAKE(CL_INVALID_PROPERTY, clCreateBufferWithProperties(context, property, 1 << 20, 0, NULL, &e));
	MAKE(CL_INVALID_PROPERTY, clCreateImageWithProperties(context, property, 1 << 20, NULL, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateBuffer(context, 1 << 20, 0, host, &e));
	MAKE(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 16, host, &e));
	MAKE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, host, &e));
	cl_buffer_region region = {4096, 64}, good = {0, 64};
	MAKE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &e));
	MAKE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(part, 1 << 20, 0, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateSubBuffer(buffer, 0, 0x7777, &good, &e));
	MAKE(CL_INVALID_VALUE, clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &e));
	MAKE(CL_INVALID_VALUE, clCreateSubBuffer(buffer, CL_MEM_COPY_HOST_PTR, CL_BUFFER_CREATE_TYPE_REGION, &good, &e));
	MAKE(CL_INVALID_VALUE, clCreateSubBuffer(readable, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &good, &e));
	MAKE(CL_INVALID_VALUE, clCreateSubBuffer(closed, CL_MEM_HOST_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &good, &e));

	cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8}, odd = {0x7777, CL_UNORM_INT8}, pair = {CL_BGRA, CL_FLOAT};
	cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4}, bad;
	MAKE(CL_INVALID_VALUE, clCreateImage(context, 1 << 20, NULL, NULL, NULL, &e));
	MAKE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, NULL, NULL, NULL, &e));
	MAKE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, &odd, &d, NULL, &e));
	MAKE(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage(context, 0, &pair, &d, NULL, &e));
	bad = d, bad.image_width = 0;
	MAKE(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &rgba, &bad, NULL, &e));
	bad = d, bad.num_mip_levels = 2;
	MAKE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &bad, NULL, &e));
	bad = d, bad.image_row_pitch = 16;
	MAKE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &bad, NULL, &e));
	bad.image_row_pitch = 15;
	MAKE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, CL_MEM_USE_HOST_PTR, &rgba, &bad, host, &e));
	bad = d, bad.mem_object = (cl_mem)queue;
	MAKE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &bad, NULL, &e));
	bad = d, bad.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
	MAKE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &bad, NULL, &e));
	bad.mem_object = readable;
	MAKE(CL_INVALID_VALUE, clCreateImage(context, CL_MEM_WRITE_ONLY, &rgba, &bad, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateImage(context, CL_MEM_USE_HOST_PTR, &rgba, &bad, host, &e));
	bad.image_width = 4096;
	MAKE(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &rgba, &bad, NULL, &e));
	MAKE(CL_INVALID_HOST_PTR, clCreateImage(context, 0, &rgba, &d, host, &e));
	MAKE(CL_INVALID_VALUE, clCreateImage2D(context, 1 << 20, NULL, 4, 4, 0, NULL, &e));
	MAKE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage2D(context, 0, NULL, 4, 4, 0, NULL, &e));
	MAKE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, &rgba, 0, 4, 0, NULL, &e));
	MAKE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, CL_MEM_COPY_HOST_PTR, &rgba, 4, 4, 15, host, &e));
	MAKE(CL_INVALID_HOST_PTR, clCreateImage2D(context, CL_MEM_COPY_HOST_PTR, &rgba, 4, 4, 0, NULL, &e));
	MAKE(CL_INVALID_IMAGE_SIZE, clCreateImage3D(context, 0, &rgba, 4, 4, 1, 0, 0, NULL, &e));
	MAKE(CL_INVALID_IMAGE_SIZE, clCreateImage3D(context, CL_MEM_COPY_HOST_PTR, &rgba, 4, 4, 2, 0, 65, host, &e));

	cl_sampler_properties coords[] = {CL_SAMPLER_NORMALIZED_COORDS, 7, 0}, mode[] = {CL_SAMPLER_ADDRESSING_MODE, 0, 0}, filter[] = {CL_SAMPLER_FILTER_MODE, 0x100000000 | CL_FILTER_LINEAR, 0}, name[] = {0x7777, 0, 0};
	MAKE(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, coords, &e));
	MAKE(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, mode, &e));
	MAKE(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, filter, &e));
	MAKE(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, name, &e));
	MAKE(CL_INVALID_VALUE, clCreateSampler(context, 0, 0, CL_FILTER_LINEAR, &e));
	MAKE(CL_INVALID_VALUE, clCreateSampler(context, 0, CL_ADDRESS_CLAMP, 0, &e));
	MAKE(CL_INVALID_VALUE, clCreateSampler(context, 7, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &e));
}

// Commands on one memory object with several errors: the call returns the first of the list.
static void transfers(void)
{
	cl_int e;
	cl_event none = NULL;
	size_t box[3] = {4, 1, 1}, far[3] = {1 << 20, 0, 0}, empty[3] = {4, 0, 1}, row, slice;
	enum { COMMANDS = 13 };
	for (int i = 0; i < COMMANDS; i++)
		for (int c = 0; c < 6; c++) {
			static const cl_int wants[] = {CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT, CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_EVENT_WAIT_LIST, CL_SUCCESS};
			cl_command_queue q = c == 1 ? strange : queue;
			int isimage = i >= 7 && i <= 11;
			void *m = c == 0 ? (isimage ? buffer : image) : (isimage ? image : buffer);
			size_t *o = c <= 3 ? far : zero, off = *o;
			cl_uint n = c <= 4;
			cl_event *list = c == 2 ? &stranger : c <= 4 ? &none : NULL;
			void *p = NULL;
			e = -1;
			switch (i) {
			case 0: e = clEnqueueReadBuffer(q, m, 1, off, 4, host, n, list, NULL); break;
			case 1: e = clEnqueueWriteBuffer(q, m, 1, off, 4, host, n, list, NULL); break;
			case 2: e = clEnqueueReadBufferRect(q, m, 1, o, zero, box, 0, 0, 0, 0, host, n, list, NULL); break;
			case 3: e = clEnqueueWriteBufferRect(q, m, 1, o, zero, box, 0, 0, 0, 0, host, n, list, NULL); break;
			case 4: e = clEnqueueFillBuffer(q, m, host, 4, off, 4, n, list, NULL); break;
			case 5: e = clEnqueueCopyBuffer(q, m, buffer, off, 8, 4, n, list, NULL); break;
			case 6: e = clEnqueueCopyBufferRect(q, m, buffer, o, (size_t[]){8, 0, 0}, box, 0, 0, 0, 0, n, list, NULL); break;
			case 7: e = clEnqueueReadImage(q, m, 1, o, box, 0, 0, host, n, list, NULL); break;
			case 8: e = clEnqueueWriteImage(q, m, 1, o, box, 0, 0, host, n, list, NULL); break;
			case 9: e = clEnqueueFillImage(q, m, host, o, box, n, list, NULL); break;
			case 10: e = clEnqueueCopyImageToBuffer(q, m, buffer, o, box, 0, n, list, NULL); break;
			case 11: p = clEnqueueMapImage(q, m, 1, CL_MAP_READ, o, box, &row, &slice, n, list, NULL, &e); break;
			case 12: p = clEnqueueMapBuffer(q, m, 1, CL_MAP_READ, off, 4, n, list, NULL, &e); break;
			}
			if (e != wants[c]) {
				printf("command %d, case %d: %d, not %d\n", i, c, e, wants[c]);
				failures++;
			}
			TRUE(i < 11 || (p != NULL) == (e == CL_SUCCESS));
			if (p)
				OK(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
		}

	// Accesses that the flags forbid are the last error.
	WANT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, closed, 1, 0, 4, host, 1, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, closed, 1, zero, zero, empty, 0, 0, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_OPERATION, clEnqueueReadBufferRect(queue, closed, 1, zero, zero, box, 0, 0, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_OPERATION, clEnqueueWriteBufferRect(queue, closed, 1, zero, zero, box, 0, 0, 0, 0, host, 0, NULL, NULL));
	MAKE(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMapBuffer(queue, closed, 1, CL_MAP_READ, 0, 4, 1, &none, NULL, &e));
	OK(clEnqueueReadBuffer(queue, buffer, 1, 4096, 0, host, 0, NULL, NULL)); // a size of 0 is no error
	WANT(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, buffer, 1, 0, 0, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, buffer, 1, 0, 4, NULL, 0, NULL, NULL));

	// Pitches, NULL and regions.
	size_t two[3] = {8, 2, 1};
	WANT(CL_INVALID_VALUE, clEnqueueWriteBufferRect(queue, buffer, 1, zero, zero, two, 8, 7, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueWriteBufferRect(queue, buffer, 1, zero, zero, two, 8, 20, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueWriteBufferRect(queue, buffer, 1, zero, zero, two, 0, 0, 7, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueWriteBufferRect(queue, buffer, 1, zero, zero, two, 0, 0, 8, 20, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueWriteBufferRect(queue, buffer, 1, zero, NULL, two, 0, 0, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueWriteBufferRect(queue, buffer, 1, zero, zero, NULL, 0, 0, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueWriteBufferRect(queue, buffer, 1, zero, zero, two, 0, 0, 0, 0, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueCopyBufferRect(queue, buffer, buffer, zero, (size_t[]){64, 0, 0}, two, 8, 0, 16, 0, 0, NULL, NULL));
	WANT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBufferRect(queue, buffer, buffer, zero, (size_t[]){4, 1, 0}, two, 16, 0, 16, 0, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, host, 4, 2, 8, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, host, 4, 0, 6, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, host, 0, 0, 8, 0, NULL, NULL));
	MAKE(CL_INVALID_VALUE, clEnqueueMapBuffer(queue, buffer, 1, CL_MAP_READ, 0, 0, 0, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clEnqueueMapBuffer(queue, buffer, 1, 1 << 20, 0, 4, 0, NULL, NULL, &e));
	void *p = clEnqueueMapBuffer(queue, buffer, 1, CL_MAP_WRITE, 0, 64, 0, NULL, NULL, &e);
	OK(e);
	MAKE(CL_INVALID_OPERATION, clEnqueueMapBuffer(queue, buffer, 1, CL_MAP_WRITE_INVALIDATE_REGION, 32, 64, 0, NULL, NULL, &e));
	WANT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(strange, buffer, host, 1, NULL, NULL));
	WANT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueUnmapMemObject(strange, buffer, p, 1, NULL, NULL));
	WANT(CL_INVALID_CONTEXT, clEnqueueUnmapMemObject(strange, buffer, p, 0, NULL, NULL));
	OK(clEnqueueUnmapMemObject(queue, buffer, p, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, p, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, 1, zero, one, 0, 64, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, 1, zero, one, 3, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, 1, NULL, one, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, 1, zero, NULL, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, 1, (size_t[]){0, 0, 1}, one, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueReadImage(queue, line, 1, zero, (size_t[]){1, 2, 1}, 0, 0, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueWriteImage(queue, cube, 1, zero, (size_t[]){4, 4, 2}, 0, 60, host, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueFillImage(queue, image, NULL, zero, one, 0, NULL, NULL));
	WANT(CL_IMAGE_FORMAT_MISMATCH, clEnqueueCopyImage(queue, image, line, NULL, NULL, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueCopyImage(queue, image, image, zero, NULL, one, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueCopyImage(queue, image, image, zero, out_, one, 0, NULL, NULL));
	WANT(CL_MEM_COPY_OVERLAP, clEnqueueCopyImage(queue, image, image, zero, (size_t[]){1, 1, 0}, (size_t[]){2, 2, 1}, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueCopyImageToBuffer(queue, image, buffer, zero, one, 4094, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueCopyBufferToImage(queue, buffer, image, 4094, zero, one, 0, NULL, NULL));
	WANT(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferToImage(queue, image, image, 0, zero, one, 0, NULL, NULL));
	WANT(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferToImage(queue, buffer, buffer, 0, zero, one, 0, NULL, NULL));
	MAKE(CL_INVALID_VALUE, clEnqueueMapImage(queue, image, 1, CL_MAP_READ, zero, one, NULL, &slice, 0, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clEnqueueMapImage(queue, cube, 1, CL_MAP_READ, zero, one, &row, NULL, 0, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clEnqueueMapImage(queue, layers, 1, CL_MAP_READ, zero, one, &row, NULL, 0, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clEnqueueMapImage(queue, image, 1, 1 << 20, zero, one, &row, NULL, 0, NULL, NULL, &e));
	WANT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, NULL, 0, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, &buffer, 1 << 20, 0, NULL, NULL));
	WANT(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects(queue, 1, &foreign, 0, 0, NULL, NULL));
	WANT(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects(queue, 1, (cl_mem *)&sampler, 0, 0, NULL, NULL));

	// A blocking call whose wait list fails.
	cl_event failed = clCreateUserEvent(context, &e);
	OK(clSetUserEventStatus(failed, -5));
	WANT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueReadBuffer(queue, buffer, 1, 0, 4, host, 1, &failed, NULL));
	MAKE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueMapBuffer(queue, buffer, 1, CL_MAP_WRITE, 0, 4, 1, &failed, NULL, &e));
	WANT(0, COUNT(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT));
	p = clEnqueueMapBuffer(queue, buffer, 1, CL_MAP_WRITE, 0, 4, 0, NULL, NULL, &e);
	OK(e);
	OK(clEnqueueUnmapMemObject(queue, buffer, p, 0, NULL, NULL));
	OK(clReleaseEvent(failed));
	OK(clFinish(queue));
}

static void programs(void)
{
	cl_int e;
	cl_device_id none = NULL;
	const char *source = "kernel void k() {}", *missing[] = {source, NULL};
	MAKE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 2, missing, NULL, &e));
	const unsigned char *binary = (unsigned char *)"x", *nothing = NULL;
	size_t length = 1, no = 0;
	MAKE(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, NULL, &length, &binary, NULL, &e));
	MAKE(CL_INVALID_DEVICE, clCreateProgramWithBinary(context, 1, &none, NULL, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, NULL, &binary, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, &length, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, &no, &binary, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, &length, &nothing, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 0, NULL, "k", &e));
	MAKE(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &device, NULL, &e));
	MAKE(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &device, "k", &e));

	cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &e), away = clCreateProgramWithSource(other, 1, &source, NULL, &e);
	const char *name = "h";
	WANT(CL_INVALID_VALUE, clBuildProgram(p, 0, &none, "-no-such-option", NULL, NULL));
	WANT(CL_INVALID_VALUE, clBuildProgram(p, 1, &none, NULL, NULL, host));
	WANT(CL_INVALID_DEVICE, clBuildProgram(p, 1, &none, "-no-such-option", NULL, NULL));
	WANT(CL_INVALID_VALUE, clCompileProgram(p, 0, NULL, NULL, 1, &p, NULL, NULL, NULL));
	WANT(CL_INVALID_VALUE, clCompileProgram(p, 0, NULL, NULL, 0, &p, NULL, NULL, NULL));
	WANT(CL_INVALID_VALUE, clCompileProgram(p, 0, NULL, NULL, 0, NULL, NULL, NULL, host));
	WANT(CL_INVALID_VALUE, clCompileProgram(p, 1, NULL, NULL, 0, NULL, NULL, NULL, NULL));
	WANT(CL_INVALID_DEVICE, clCompileProgram(p, 1, &none, "-no-such-option", 0, NULL, NULL, NULL, NULL));
	WANT(CL_INVALID_CONTEXT, clCompileProgram(p, 0, NULL, "-no-such-option", 1, &away, &name, NULL, NULL));
	WANT(CL_INVALID_PROGRAM, clCompileProgram(p, 0, NULL, NULL, 1, (cl_program *)&queue, &name, NULL, NULL));
	OK(clCompileProgram(p, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
	OK(clCompileProgram(away, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
	MAKE(CL_INVALID_VALUE, clLinkProgram(context, 1, NULL, NULL, 1, &p, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, NULL, 0, NULL, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, NULL, 0, &p, NULL, NULL, &e));
	MAKE(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, NULL, 1, NULL, NULL, NULL, &e));
	MAKE(CL_INVALID_PROGRAM, clLinkProgram(context, 0, NULL, NULL, 1, (cl_program *)&queue, NULL, host, &e));
	MAKE(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, NULL, 1, &p, NULL, host, &e));
	MAKE(CL_INVALID_DEVICE, clLinkProgram(context, 1, &none, "-no-such-option", 1, &p, NULL, NULL, &e));
	MAKE(CL_INVALID_CONTEXT, clLinkProgram(context, 0, NULL, "-no-such-option", 1, &away, NULL, NULL, &e));
	MAKE(CL_INVALID_LINKER_OPTIONS, clLinkProgram(context, 0, NULL, "-no-such-option", 1, &p, NULL, NULL, &e));
	cl_program linked = clLinkProgram(context, 0, NULL, NULL, 1, &p, NULL, NULL, &e);
	OK(e);
	WANT(CL_INVALID_OPERATION, clBuildProgram(linked, 0, NULL, NULL, NULL, NULL));
	WANT(CL_INVALID_OPERATION, clCompileProgram(linked, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
	MAKE(CL_INVALID_KERNEL_NAME, clCreateKernel(linked, "", &e));
	cl_kernel k;
	WANT(CL_INVALID_VALUE, clCreateKernelsInProgram(linked, 0, &k, NULL));
	WANT(CL_INVALID_OPERATION, clSetProgramReleaseCallback(p, NULL, NULL));
	WANT(CL_INVALID_OPERATION, clSetProgramSpecializationConstant(p, 0, 0, NULL));
	OK(clReleaseProgram(linked));
	OK(clReleaseProgram(p));
	OK(clReleaseProgram(away));
	OK(clUnloadPlatformCompiler(platform));
}

static void kernels(void)
{
	cl_int e;
	cl_uint yes = 1, off = 0;
	WANT(CL_INVALID_OPERATION, clSetKernelArgSVMPointer(kernel, 0, NULL));
	WANT(CL_INVALID_OPERATION, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
	WANT(CL_INVALID_OPERATION, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
	OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof off, &off));
	WANT(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &off));
	WANT(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, 0x7777, 0, NULL));

	cl_mem null = NULL;
	WANT(CL_INVALID_CONTEXT, clSetKernelArg(kernel, 0, sizeof foreign, &foreign));
	WANT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof image, &image));
	WANT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, sizeof buffer - 1, &buffer));
	WANT(CL_INVALID_MEM_OBJECT, clSetKernelArg(pictures, 0, sizeof image, NULL));
	WANT(CL_INVALID_MEM_OBJECT, clSetKernelArg(pictures, 0, sizeof null, &null));
	WANT(CL_INVALID_MEM_OBJECT, clSetKernelArg(pictures, 0, sizeof buffer, &buffer));
	WANT(CL_INVALID_MEM_OBJECT, clSetKernelArg(pictures, 0, sizeof cube, &cube));
	WANT(CL_INVALID_ARG_SIZE, clSetKernelArg(pictures, 0, sizeof image - 1, &image));
	WANT(CL_INVALID_SAMPLER, clSetKernelArg(pictures, 1, sizeof sampler, NULL));
	WANT(CL_INVALID_SAMPLER, clSetKernelArg(pictures, 1, sizeof buffer, &buffer));
	WANT(CL_INVALID_ARG_SIZE, clSetKernelArg(pictures, 1, sizeof sampler - 1, &sampler));
	cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8};
	cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
	cl_mem in = clCreateImage(context, CL_MEM_READ_ONLY, &rgba, &d, NULL, &e), out = clCreateImage(context, CL_MEM_WRITE_ONLY, &rgba, &d, NULL, &e);
	WANT(CL_INVALID_ARG_VALUE, clSetKernelArg(pictures, 0, sizeof out, &out));
	WANT(CL_INVALID_ARG_VALUE, clSetKernelArg(pictures, 2, sizeof in, &in));
	OK(clSetKernelArg(pictures, 0, sizeof in, &in));
	OK(clSetKernelArg(pictures, 2, sizeof out, &out));
	OK(clReleaseMemObject(in));
	OK(clReleaseMemObject(out));

	size_t huge[1] = {(size_t)-1}, unit[1] = {1};
	cl_event none = NULL;
	cl_kernel unset = clCloneKernel(pictures, &e);
	OK(e);
	WANT(CL_INVALID_CONTEXT, clEnqueueNDRangeKernel(strange, kernel, 9, NULL, unit, NULL, 1, NULL, NULL));
	WANT(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, unset, 9, NULL, unit, NULL, 1, NULL, NULL));
	WANT(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, unset, 1, NULL, NULL));
	WANT(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(queue, kernel, 9, huge, unit, unit, 1, NULL, NULL));
	WANT(CL_INVALID_GLOBAL_OFFSET, clEnqueueNDRangeKernel(queue, kernel, 1, huge, unit, zero, 1, NULL, NULL));
	WANT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, unit, zero, 1, NULL, NULL));
	WANT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, unit, NULL, 1, NULL, NULL));
	WANT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, unit, NULL, 0, &none, NULL));
	WANT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueTask(queue, kernel, 1, &none, NULL));
	WANT(CL_INVALID_CONTEXT, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, unit, NULL, 1, &stranger, NULL));
	OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, zero, NULL, 0, NULL, NULL)); // since 2.1
	OK(clReleaseKernel(unset));

	cl_program p = build("kernel __attribute__((reqd_work_group_size(2, 1, 1))) void k() {}", "");
	cl_kernel pairs = clCreateKernel(p, "k", &e);
	OK(e);
	size_t two[1] = {2};
	WANT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(queue, pairs, 0, NULL, NULL));
	WANT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, pairs, 1, NULL, two, unit, 0, NULL, NULL));
	OK(clEnqueueNDRangeKernel(queue, pairs, 1, NULL, two, two, 0, NULL, NULL));
	OK(clReleaseKernel(pairs));
	OK(clReleaseProgram(p));

	// Local memory: variables and arguments together, reported by the call and before the wait list.
	cl_ulong room;
	cl_event done;
	OK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof room, &room, NULL));
	p = build("kernel void k(local char *a, local char *b) { local int v[32]; v[get_local_id(0)] = 1; a[0] = b[0] = v[0]; }", "");
	cl_kernel locals = clCreateKernel(p, "k", &e);
	OK(e);
	OK(clSetKernelArg(locals, 0, 128, NULL));
	OK(clSetKernelArg(locals, 1, room - 256, NULL));
	OK(clEnqueueNDRangeKernel(queue, locals, 1, NULL, unit, NULL, 0, NULL, &done));
	OK(clWaitForEvents(1, &done));
	OK(clReleaseEvent(done));
	OK(clSetKernelArg(locals, 1, room - 255, NULL));
	WANT(CL_OUT_OF_RESOURCES, clEnqueueNDRangeKernel(queue, locals, 1, NULL, unit, NULL, 1, NULL, NULL));
	WANT(CL_OUT_OF_RESOURCES, clEnqueueTask(queue, locals, 1, &none, NULL));
	WANT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, locals, 1, NULL, unit, zero, 1, NULL, NULL));
	OK(clSetKernelArg(locals, 0, room, NULL));
	OK(clSetKernelArg(locals, 1, (size_t)1 << 62, NULL));
	WANT(CL_OUT_OF_RESOURCES, clEnqueueNDRangeKernel(queue, locals, 1, NULL, unit, NULL, 0, NULL, NULL));
	OK(clReleaseKernel(locals));
	OK(clReleaseProgram(p));

	const void *at = host;
	WANT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, native, NULL, 8, 0, NULL, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, native, host, 0, 0, NULL, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, native, NULL, 0, 1, &buffer, &at, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, native, host, 8, 1, NULL, &at, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, native, host, 8, 1, &buffer, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, native, host, 8, 0, &buffer, NULL, 0, NULL, NULL));
	WANT(CL_INVALID_MEM_OBJECT, clEnqueueNativeKernel(queue, native, host, 8, 1, &image, &at, 0, NULL, NULL));
	WANT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueNativeKernel(queue, native, NULL, 0, 0, NULL, NULL, 1, &none, NULL));
	OK(clEnqueueNativeKernel(queue, native, host, 8, 1, &buffer, &at, 0, NULL, NULL));
	OK(clFinish(queue));
}

static void events(void)
{
	cl_int e;
	cl_event two[] = {user, stranger};
	WANT(CL_INVALID_VALUE, clWaitForEvents(0, two));
	WANT(CL_INVALID_VALUE, clWaitForEvents(1, NULL));
	WANT(CL_INVALID_CONTEXT, clWaitForEvents(2, two));
	WANT(CL_INVALID_VALUE, clSetEventCallback(user, CL_COMPLETE, NULL, NULL));
	WANT(CL_INVALID_VALUE, clSetEventCallback(user, CL_QUEUED, event_notify, NULL));
	WANT(CL_INVALID_EVENT, clSetUserEventStatus(ran, CL_COMPLETE));
	WANT(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_RUNNING));
	cl_event once = clCreateUserEvent(context, &e);
	OK(clSetUserEventStatus(once, -7));
	WANT(CL_INVALID_OPERATION, clSetUserEventStatus(once, CL_COMPLETE));
	WANT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &once));
	OK(clReleaseEvent(once));
	WANT(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(queue, 1, &stranger, NULL));
	WANT(CL_INVALID_CONTEXT, clEnqueueBarrierWithWaitList(queue, 1, &stranger, NULL));
	WANT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(queue, 1, NULL, NULL));
	WANT(CL_INVALID_CONTEXT, clEnqueueWaitForEvents(queue, 1, &stranger));
	WANT(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, &user));
	WANT(CL_INVALID_VALUE, clEnqueueMarker(queue, NULL));
}

int main(void)
{
	cl_int e;
	setup();
	other = clCreateContext(NULL, 1, &device, context_notify, host, &e);
	OK(e);
	strange = clCreateCommandQueueWithProperties(other, device, NULL, &e);
	cl_buffer_region first = {0, 256};
	buffer = clCreateBuffer(context, 0, sizeof host, NULL, &e);
	part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &first, &e);
	closed = clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, 256, NULL, &e);
	readable = clCreateBuffer(context, CL_MEM_READ_ONLY, 256, NULL, &e);
	foreign = clCreateBuffer(other, 0, 256, NULL, &e);
	cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8}, r = {CL_R, CL_FLOAT};
	cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4}, thin = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 4},
		deep = {.image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 4, .image_depth = 4},
		many = {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 4, .image_array_size = 4};
	image = clCreateImage(context, 0, &rgba, &flat, NULL, &e);
	line = clCreateImage(context, 0, &r, &thin, NULL, &e);
	cube = clCreateImage(context, 0, &rgba, &deep, NULL, &e);
	layers = clCreateImage(context, 0, &rgba, &many, NULL, &e);
	OK(e);
	sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &e);
	OK(e);
	built = build("kernel void k(global int *a) { a[0] = 1; } kernel void p(read_only image2d_t i, sampler_t s, write_only image2d_t o) {}", "");
	kernel = clCreateKernel(built, "k", &e);
	OK(e);
	pictures = clCreateKernel(built, "p", &e);
	OK(e);
	OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
	user = clCreateUserEvent(context, &e);
	stranger = clCreateUserEvent(other, &e);
	cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
	cl_command_queue timed = clCreateCommandQueueWithProperties(context, device, profiling, &e);
	OK(clEnqueueTask(timed, kernel, 0, NULL, &ran));
	OK(clFinish(timed));

	handles();
	queries();
	creation();
	transfers();
	programs();
	kernels();
	events();

	OK(clReleaseCommandQueue(timed));
	OK(clReleaseCommandQueue(strange));
	cl_mem mems[] = {part, buffer, closed, readable, foreign, image, line, cube, layers};
	for (size_t i = 0; i < sizeof mems / sizeof *mems; i++)
		OK(clReleaseMemObject(mems[i]));
	cl_event all[] = {user, stranger, ran};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		OK(clReleaseEvent(all[i]));
	OK(clReleaseKernel(kernel));
	OK(clReleaseKernel(pictures));
	OK(clReleaseProgram(built));
	OK(clReleaseSampler(sampler));
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(other));
	OK(clReleaseContext(context));
	return failures != 0;
}
