// A host that handles SIGINT while it runs endless kernels. Each handler is called once for a
// signal, and is installed again afterwards.
#include "check.h"
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static const char *source = "kernel void endless(global int *a) { while (a[0] == 0) a[1]++; }\n"
			    "kernel void once(global int *a) { a[2] += 1; }\n";

static volatile sig_atomic_t plain, full, newer;
static struct sigaction replaced;

static void on_plain(int sig) { plain++; }
static void on_full(int sig, siginfo_t *info, void *context) { full += info->si_signo == SIGINT && context; }
// on_newer calls the handler that it has replaced, as libraries do.
static void on_newer(int sig, siginfo_t *info, void *context)
{
	newer++;
	if (replaced.sa_flags & SA_SIGINFO)
		replaced.sa_sigaction(sig, info, context);
	else
		replaced.sa_handler(sig);
}

static cl_kernel endless, once;
static cl_mem mem;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

// sender sends signals to the process while sending is set.
static volatile int sending, set_newer;
static void *sender(void *arg)
{
	for (int i = 0; sending; i++) {
		usleep(250000);
		if (set_newer && i == 0) {
			struct sigaction a = {.sa_sigaction = on_newer, .sa_flags = SA_SIGINFO | SA_ONSTACK};
			sigaction(SIGINT, &a, &replaced);
			usleep(200000);
		}
		if (sending)
			kill(getpid(), SIGINT);
	}
	return NULL;
}

// signalled sends a signal and waits until the handler that increments *count was called.
static void signalled(volatile sig_atomic_t *count)
{
	sig_atomic_t old = *count;
	kill(getpid(), SIGINT);
	while (*count == old)
		usleep(1000);
}

// interrupted waits for kernels, one of them endless, and returns the duration in seconds.
static double interrupted(cl_command_queue q)
{
	size_t n = 4;
	cl_event events[3];
	pthread_t t;
	sending = 1;
	OK(clEnqueueNDRangeKernel(q, once, 1, NULL, &n, &n, 0, NULL, &events[0]));
	OK(clEnqueueNDRangeKernel(q, endless, 1, NULL, &n, &n, 1, &events[0], &events[1]));
	OK(clEnqueueNDRangeKernel(q, endless, 1, NULL, &n, &n, 0, NULL, &events[2]));
	pthread_create(&t, NULL, sender, NULL);
	double start = now();
	WANT(CL_OUT_OF_RESOURCES, clFinish(q));
	double took = now() - start;
	sending = 0;
	pthread_join(t, NULL);
	cl_int status[3];
	for (int i = 0; i < 3; i++) {
		OK(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status[i], &status[i], NULL));
		OK(clReleaseEvent(events[i]));
	}
	TRUE(status[0] == CL_COMPLETE && status[1] == CL_OUT_OF_RESOURCES && status[2] == CL_OUT_OF_RESOURCES);
	// The queue still works.
	OK(clEnqueueNDRangeKernel(q, once, 1, NULL, &n, &n, 0, NULL, NULL));
	OK(clFinish(q));
	usleep(150000); // the driver restores the host's handler
	return took;
}

int main(int argc, char **argv)
{
	cl_int e, zero = 0;
	alarm(60);
	setup();
	cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &e);
	OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
	endless = clCreateKernel(p, "endless", &e);
	once = clCreateKernel(p, "once", &e);
	mem = clCreateBuffer(context, 0, 64, NULL, &e);
	OK(clSetKernelArg(endless, 0, sizeof mem, &mem));
	OK(clSetKernelArg(once, 0, sizeof mem, &mem));
	OK(clEnqueueFillBuffer(queue, mem, &zero, 4, 0, 64, 0, NULL, NULL));
	OK(clFinish(queue));
	cl_queue_properties any[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
	cl_command_queue ooo = clCreateCommandQueueWithProperties(context, device, any, &e);
	OK(e);

	struct sigaction a = {.sa_handler = on_plain, .sa_flags = SA_ONSTACK | SA_RESTART}, b;
	sigaddset(&a.sa_mask, SIGUSR1);
	sigaction(SIGINT, &a, NULL);
	double took = interrupted(queue);
	TRUE(plain >= 2 && plain <= 4 && took < 20);
	sigaction(SIGINT, NULL, &b);
	TRUE(b.sa_handler == on_plain && (b.sa_flags & ~0x04000000) == a.sa_flags && sigismember(&b.sa_mask, SIGUSR1));

	a.sa_sigaction = on_full, a.sa_flags = SA_ONSTACK | SA_SIGINFO;
	sigaction(SIGINT, &a, NULL);
	plain = 0;
	took = interrupted(ooo);
	TRUE(full >= 2 && full <= 4 && plain == 0 && took < 20);
	sigaction(SIGINT, NULL, &b);
	TRUE(b.sa_sigaction == on_full);

	// A handler that is set while the driver's is installed, and that calls the driver's.
	full = 0, set_newer = 1;
	for (int i = 0; i < 2; i++, set_newer = 0) {
		full = newer = 0;
		took = interrupted(queue);
		TRUE(newer >= 2 && newer <= 4 && full == newer && took < 20);
		sigaction(SIGINT, NULL, &b);
		TRUE(b.sa_sigaction == on_newer);
	}

	// One signal is enough, however soon it comes after a launch. A signal from before the launch
	// does not interrupt it, even if the driver's handler is still installed.
	size_t n = 4;
	cl_event ended;
	for (int before = 0; before < 2; before++) {
		newer = 0;
		OK(clEnqueueNDRangeKernel(queue, once, 1, NULL, &n, &n, 0, NULL, NULL));
		OK(clFinish(queue));
		if (before)
			signalled(&newer);
		OK(clEnqueueNDRangeKernel(queue, endless, 1, NULL, &n, &n, 0, NULL, &ended));
		if (before) {
			usleep(1500000);
			OK(clGetEventInfo(ended, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof e, &e, NULL));
			TRUE(e == CL_RUNNING);
		}
		signalled(&newer);
		WANT(CL_OUT_OF_RESOURCES, clFinish(queue));
		TRUE(newer == 1 + before);
		OK(clReleaseEvent(ended));
	}

	// The driver installs no handler where the host ignores the signal or uses the default action.
	signal(SIGINT, SIG_IGN);
	OK(clEnqueueNDRangeKernel(queue, endless, 1, NULL, &n, &n, 0, NULL, &ended));
	OK(clFlush(queue));
	usleep(250000);
	sigaction(SIGINT, NULL, &b);
	TRUE(b.sa_handler == SIG_IGN);
	kill(getpid(), SIGINT);
	usleep(1300000);
	OK(clGetEventInfo(ended, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof e, &e, NULL));
	TRUE(e == CL_RUNNING);
	fflush(stdout);
	_exit(failures != 0); // the kernel is still running
}
