// The driver in the host's process: fork, signals, calls from threads that start together,
// and exit while commands run.
#include "check.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void *first(void *arg)
{
	cl_uint n = 0;
	return (void *)(size_t)(clGetPlatformIDs(0, NULL, &n) != CL_SUCCESS || n < 1);
}

static sigjmp_buf back;
static void on_segv(int sig) { siglongjmp(back, 1); }
static volatile int interrupts;
static void on_int(int sig) { interrupts++; }

int main(void)
{
	cl_int e;
	signal(SIGINT, on_int);
	pthread_t t[16];
	for (int i = 0; i < 16; i++)
		pthread_create(&t[i], NULL, first, NULL);
	for (int i = 0; i < 16; i++) {
		void *bad;
		pthread_join(t[i], &bad);
		TRUE(!bad);
	}
	setup();
	raise(SIGINT);
	WANT(1, interrupts);

	cl_program p = build("kernel void out(global int *a, int n) { a[get_global_id(0) + n] = 9; } kernel void slow(global int *a) { for (int i = 0; i < 2000000000; i++) a[i & 3] += i; }", "");
	cl_kernel k = clCreateKernel(p, "out", &e);
	cl_mem m = clCreateBuffer(context, 0, 16, NULL, &e);
	int far = 1 << 28, got[4];
	size_t g = 4;
	OK(clSetKernelArg(k, 0, sizeof m, &m));
	// The host's handler of SIGSEGV gets the host's faults, and the driver those of kernels.
	signal(SIGSEGV, on_segv);
	if (!sigsetjmp(back, 1))
		*(volatile int *)8 = 1;
	OK(clSetKernelArg(k, 1, sizeof far, &far));
	OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &g, NULL, 0, NULL, NULL));
	OK(clFinish(queue));
	far = 0;
	OK(clSetKernelArg(k, 1, sizeof far, &far));
	OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &g, NULL, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, m, 1, 0, 16, got, 0, NULL, NULL));
	WANT(9, got[3]);

	pid_t child = fork();
	if (!child) { // without exec: calls fail, and do not hang
		alarm(10);
		cl_int a = clFinish(queue), b = clReleaseMemObject(m);
		clCreateBuffer(context, 0, 16, NULL, &e);
		_exit(a == CL_OUT_OF_RESOURCES && b == CL_OUT_OF_RESOURCES && e == CL_OUT_OF_RESOURCES ? 0 : 1);
	}
	int status;
	waitpid(child, &status, 0);
	WANT(0, status);
	child = fork();
	if (!child) {
		execlp("true", "true", (char *)NULL);
		_exit(1);
	}
	waitpid(child, &status, 0);
	WANT(0, status);

	// Exit while a command runs.
	k = clCreateKernel(p, "slow", &e);
	OK(clSetKernelArg(k, 0, sizeof m, &m));
	g = 1;
	OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &g, NULL, 0, NULL, NULL));
	OK(clFlush(queue));
	usleep(20000);
	exit(failures != 0);
}
