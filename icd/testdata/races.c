// Threads use, release, map, query and set callbacks on the same objects, which are often
// destroyed meanwhile. Calls may fail, but objects are destroyed once, and the driver keeps
// working.
// Usage: races [seconds [threads]]
#include "check.h"
#include <pthread.h>
#include <time.h>

enum { Context, Queue, Buffer, Image, Sampler, Program, Kernel, Event, UserEvent, SubDevice, kinds };
enum { cells = 4 };

static void *shared[cells][kinds]; // handles, often of destroyed objects
static time_t end;
static long callbacks;

static cl_int release(int kind, void *h)
{
	switch (kind) {
	case Context: return clReleaseContext(h);
	case Queue: return clReleaseCommandQueue(h);
	case Buffer:
	case Image: return clReleaseMemObject(h);
	case Sampler: return clReleaseSampler(h);
	case Program: return clReleaseProgram(h);
	case Kernel: return clReleaseKernel(h);
	case SubDevice: return clReleaseDevice(h);
	}
	clSetUserEventStatus(h, CL_COMPLETE); // another thread may wait for it
	return clReleaseEvent(h);
}

static cl_int retain(int kind, void *h)
{
	switch (kind) {
	case Context: return clRetainContext(h);
	case Queue: return clRetainCommandQueue(h);
	case Buffer:
	case Image: return clRetainMemObject(h);
	case Sampler: return clRetainSampler(h);
	case Program: return clRetainProgram(h);
	case Kernel: return clRetainKernel(h);
	case SubDevice: return clRetainDevice(h);
	}
	return clRetainEvent(h);
}

// query makes every query of an object.
static void query(int kind, void *h)
{
	static const struct {
		cl_uint first, last;
	} names[kinds] = {
		[Context] = {CL_CONTEXT_REFERENCE_COUNT, CL_CONTEXT_NUM_DEVICES}, [Queue] = {CL_QUEUE_CONTEXT, CL_QUEUE_PROPERTIES_ARRAY},
		[Buffer] = {CL_MEM_TYPE, CL_MEM_PROPERTIES}, [Image] = {CL_MEM_TYPE, CL_MEM_PROPERTIES},
		[Sampler] = {CL_SAMPLER_REFERENCE_COUNT, CL_SAMPLER_PROPERTIES}, [Program] = {CL_PROGRAM_REFERENCE_COUNT, CL_PROGRAM_KERNEL_NAMES},
		[Kernel] = {CL_KERNEL_FUNCTION_NAME, CL_KERNEL_ATTRIBUTES}, [Event] = {CL_EVENT_COMMAND_QUEUE, CL_EVENT_CONTEXT},
		[UserEvent] = {CL_EVENT_COMMAND_QUEUE, CL_EVENT_CONTEXT}, [SubDevice] = {CL_DEVICE_TYPE, CL_DEVICE_PARTITION_TYPE},
	};
	char text[1 << 16];
	size_t n;
	for (cl_uint i = names[kind].first; i <= names[kind].last; i++) {
		if (kind == Program && i == CL_PROGRAM_BINARIES) // its value has pointers, which would be read from the buffer
			continue;
		switch (kind) {
		case Context: clGetContextInfo(h, i, sizeof text, text, &n); break;
		case Queue: clGetCommandQueueInfo(h, i, sizeof text, text, &n); break;
		case Buffer:
		case Image: clGetMemObjectInfo(h, i, sizeof text, text, &n); break;
		case Sampler: clGetSamplerInfo(h, i, sizeof text, text, &n); break;
		case Program: clGetProgramInfo(h, i, sizeof text, text, &n); break;
		case Kernel: clGetKernelInfo(h, i, sizeof text, text, &n); break;
		case SubDevice: clGetDeviceInfo(h, i, sizeof text, text, &n); break;
		default: clGetEventInfo(h, i, sizeof text, text, &n);
		}
	}
}

static void CL_CALLBACK object_end(cl_mem m, void *user) { __sync_fetch_and_add(&callbacks, 1); }
static void CL_CALLBACK context_end(cl_context c, void *user) { __sync_fetch_and_add(&callbacks, 1); }
static void CL_CALLBACK event_done(cl_event e, cl_int status, void *user) { __sync_fetch_and_add(&callbacks, 1); }
static void CL_CALLBACK built(cl_program p, void *user) { __sync_fetch_and_add(&callbacks, 1); }

static void drain(int kind, void *h)
{
	while (h && release(kind, h) == CL_SUCCESS)
		;
}

// put stores h as the cell's object of its kind and releases the old one.
static void put(void **cell, int kind, void *h)
{
	drain(kind, h ? __atomic_exchange_n(&cell[kind], h, __ATOMIC_SEQ_CST) : NULL);
}

static void create(void **cell, int kind)
{
	cl_int e;
	cl_context c = __atomic_load_n(&cell[Context], __ATOMIC_SEQ_CST);
	cl_program p = __atomic_load_n(&cell[Program], __ATOMIC_SEQ_CST);
	void *h = NULL;
	static const cl_image_format format = {CL_RGBA, CL_FLOAT};
	static const cl_image_desc desc = {CL_MEM_OBJECT_IMAGE2D, 16, 16};
	static const char *source = "kernel void k(global int *a) { a[get_global_id(0)] += 1; }";
	const cl_device_partition_property parts[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	cl_device_id subs[64];
	cl_uint n = 0;
	switch (kind) {
	case Context: {
		cl_device_id d = __atomic_load_n(&cell[SubDevice], __ATOMIC_SEQ_CST);
		h = clCreateContext(NULL, 1, d ? &d : &device, NULL, NULL, &e);
		break;
	}
	case Queue: h = clCreateCommandQueueWithProperties(c, device, NULL, &e); break;
	case Buffer: h = clCreateBuffer(c, CL_MEM_READ_WRITE, 4096, NULL, &e); break;
	case Image: h = clCreateImage(c, CL_MEM_READ_WRITE, &format, &desc, NULL, &e); break;
	case Sampler: h = clCreateSampler(c, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &e); break;
	case Program:
		h = clCreateProgramWithSource(c, 1, &source, NULL, &e);
		clBuildProgram(h, 0, NULL, "", (size_t)h & 16 ? built : NULL, NULL);
		break;
	case Kernel: h = clCreateKernel(p, "k", &e); break;
	case UserEvent: h = clCreateUserEvent(c, &e); break;
	case SubDevice:
		clCreateSubDevices(device, parts, 64, subs, &n);
		for (cl_uint i = 1; i < n; i++)
			drain(SubDevice, subs[i]);
		h = n ? subs[0] : NULL;
	}
	put(cell, kind, h);
}

static void use(void **cell, unsigned *seed)
{
	static char memory[64][4096]; // into which the commands of all threads read
	void *o[kinds];
	for (int i = 0; i < kinds; i++)
		o[i] = __atomic_load_n(&cell[i], __ATOMIC_SEQ_CST);
	cl_int e;
	cl_event event = NULL;
	size_t n = 64, origin[3] = {0}, region[3] = {4, 4, 1}, pitch;
	void *p;
	cl_buffer_region half = {0, 2048};
	switch (rand_r(seed) % 12) {
	case 0:
		p = clEnqueueMapBuffer(o[Queue], o[Buffer], rand_r(seed) & 1, CL_MAP_READ, 0, 1024, 0, NULL, &event, &e);
		put(cell, Event, event);
		if (p)
			clEnqueueUnmapMemObject(o[Queue], o[Buffer], p, 0, NULL, NULL);
		break;
	case 1:
		p = clEnqueueMapImage(o[Queue], o[Image], CL_TRUE, CL_MAP_WRITE, origin, region, &pitch, NULL, 0, NULL, NULL, &e);
		if (p)
			clEnqueueUnmapMemObject(o[Queue], o[Image], p, 0, NULL, &event);
		put(cell, Event, event);
		break;
	case 2: clSetMemObjectDestructorCallback(o[Buffer], object_end, NULL); break;
	case 3: clSetContextDestructorCallback(o[Context], context_end, NULL); break;
	case 4: clSetEventCallback(o[rand_r(seed) & 1 ? Event : UserEvent], CL_COMPLETE, event_done, NULL); break;
	case 5:
		clSetKernelArg(o[Kernel], 0, sizeof(cl_mem), &o[Buffer]);
		clEnqueueNDRangeKernel(o[Queue], o[Kernel], 1, NULL, &n, NULL, o[Event] != NULL, o[Event] ? (cl_event *)&o[Event] : NULL, &event);
		put(cell, Event, event);
		break;
	case 6: clEnqueueReadBuffer(o[Queue], o[Buffer], rand_r(seed) & 1, 0, 4096, memory[rand_r(seed) % 64], 0, NULL, NULL); break;
	case 7:
		drain(Buffer, clCreateSubBuffer(o[Buffer], 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &e));
		break;
	case 8: clSetUserEventStatus(o[UserEvent], CL_COMPLETE); break;
	case 9: clWaitForEvents(1, (cl_event *)&o[Event]); break;
	case 10: clFinish(o[Queue]); break;
	case 11: drain(Kernel, clCloneKernel(o[Kernel], &e)); break;
	}
}

static void *hammer(void *arg)
{
	unsigned seed = (unsigned)(size_t)arg;
	while (time(NULL) < end) {
		void **cell = shared[rand_r(&seed) % cells];
		int kind = rand_r(&seed) % kinds;
		void *h = __atomic_load_n(&cell[kind], __ATOMIC_SEQ_CST);
		switch (rand_r(&seed) % 8) {
		case 0: create(cell, kind); break;
		case 1: release(kind, h); break;
		case 2: query(kind, h); break;
		case 3: // an object without references of the host may be retained again while another needs it
			if (retain(kind, h) == CL_SUCCESS) {
				query(kind, h);
				release(kind, h);
			}
			break;
		default: use(cell, &seed);
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 2, threads = argc > 2 ? atoi(argv[2]) : 16;
	setup();
	end = time(NULL) + seconds;
	pthread_t t[256];
	for (int i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, hammer, (void *)(size_t)(i + 1));
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	for (int c = 0; c < cells; c++)
		for (int k = 0; k < kinds; k++)
			drain(k, shared[c][k]);

	// The device, context and queue that were not released still work.
	cl_int e;
	cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	OK(e);
	OK(clReleaseContext(c));
	cl_program p = build("kernel void k(global int *a) { a[get_global_id(0)] += 1; }", "");
	cl_kernel k = clCreateKernel(p, "k", &e);
	OK(e);
	int data[64] = {0};
	size_t n = 64;
	cl_mem m = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &e);
	OK(e);
	OK(clSetKernelArg(k, 0, sizeof m, &m));
	OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, NULL, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
	WANT(1, data[63]);
	OK(clReleaseMemObject(m));
	OK(clReleaseKernel(k));
	OK(clReleaseProgram(p));
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
	return failures != 0;
}
