// Threads create, build, enqueue and release; the process's memory does not grow.
// Usage: stress [seconds [threads [report]]]
#include "check.h"
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static time_t end;
static volatile long rounds;

static void *hammer(void *arg)
{
	cl_int e;
	unsigned seed = (unsigned)(size_t)arg;
	while (time(NULL) < end) {
		cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
		OK(e);
		cl_command_queue_properties bits = rand_r(&seed) & (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
		cl_command_queue q = clCreateCommandQueue(c, device, bits, &e);
		OK(e);
		char text[200], *s = text;
		int add = rand_r(&seed) % 1000;
		snprintf(text, sizeof text, "kernel void k(global int *a) { a[get_global_id(0)] += %d; }", add);
		cl_program p = clCreateProgramWithSource(c, 1, (const char **)&s, NULL, &e);
		OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
		cl_kernel k = clCreateKernel(p, "k", &e);
		OK(e);
		for (int i = 0; i < 4; i++) {
			int host[256] = {0};
			size_t n = 256;
			cl_mem m = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof host, host, &e);
			OK(e);
			cl_event last = NULL, next;
			OK(clSetKernelArg(k, 0, sizeof m, &m));
			for (int j = 0; j < 8; j++) {
				OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, last != NULL, last ? &last : NULL, &next));
				if (last)
					OK(clReleaseEvent(last));
				last = next;
			}
			OK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof host, host, 1, &last, NULL));
			OK(clReleaseEvent(last));
			OK(clReleaseMemObject(m));
			WANT(8 * add, host[255]);
		}
		OK(clReleaseKernel(k));
		OK(clReleaseProgram(p));
		OK(clReleaseCommandQueue(q));
		OK(clReleaseContext(c));
		__sync_fetch_and_add(&rounds, 1);
	}
	return NULL;
}

static long resident(void)
{
	long pages = 0, total;
	FILE *f = fopen("/proc/self/statm", "r");
	if (fscanf(f, "%ld %ld", &total, &pages) != 2)
		exit(1);
	fclose(f);
	return pages * 4096 >> 20;
}

static void run(int seconds, int threads)
{
	pthread_t t[256];
	end = time(NULL) + seconds;
	for (int i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, hammer, (void *)(size_t)(i + 1));
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 2, threads = argc > 2 ? atoi(argv[2]) : 64;
	setup();
	run(seconds / 2 + 1, threads);
	long before = resident();
	run(seconds, threads);
	long after = resident();
	if (argc > 3)
		printf("%ld rounds, %ld MiB, then %ld MiB\n", rounds, before, after);
	// About 40 MiB are usual.
	if (after > 128 && after > 2 * before) {
		printf("memory grew from %ld MiB to %ld MiB\n", before, after);
		failures++;
	}
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
	return failures != 0;
}
