// Threads ask for the status of their commands until these are complete. They leave the processors to the commands.
#include "check.h"
#include <pthread.h>

enum { threads = 16, launches = 20, most = 100000 };

static cl_program program;

static void *poll(void *arg)
{
	cl_int e, n = 20000;
	size_t size = 256;
	long polls = 0;
	cl_command_queue q = clCreateCommandQueueWithProperties(context, device, NULL, &e);
	OK(e);
	cl_kernel k = clCreateKernel(program, "k", &e);
	OK(e);
	cl_mem m = clCreateBuffer(context, 0, 4 * size, NULL, &e);
	OK(e);
	OK(clSetKernelArg(k, 0, sizeof m, &m));
	OK(clSetKernelArg(k, 1, sizeof n, &n));
	for (int i = 0; i < launches; i++) {
		cl_event event;
		cl_int status = CL_QUEUED;
		OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &size, NULL, 0, NULL, &event));
		OK(clFlush(q));
		for (; status > CL_COMPLETE; polls++)
			OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
		WANT(CL_COMPLETE, status);
		OK(clReleaseEvent(event));
	}
	// Without yielding, some threads of 16 ask a million times on two processors; otherwise about 100 times.
	if (polls > most) {
		printf("a thread asked %ld times for the status of %d commands\n", polls, launches);
		failures++;
	}
	OK(clReleaseMemObject(m));
	OK(clReleaseKernel(k));
	OK(clReleaseCommandQueue(q));
	return NULL;
}

int main(void)
{
	pthread_t t[threads];
	setup();
	program = build("kernel void k(global int *a, int n) {\n"
			"	int s = 0;\n"
			"	for (int i = 0; i < n; i++)\n"
			"		s = s * 3 + i;\n"
			"	a[get_global_id(0)] = s;\n"
			"}", "");
	for (int i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, poll, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	OK(clReleaseProgram(program));
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
	return failures != 0;
}
