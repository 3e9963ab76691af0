// A kernel that writes beyond its buffer. In robust mode, the default, the bytes inside are
// written and calls succeed; in strict mode every call that waits returns the error.
#include "check.h"

static const char *source =
	"kernel void gray(global const uchar *rgb, global uint *sum) {\n"
	"  size_t i = get_global_id(0);\n"
	"  uchar4 p = vload4(0, rgb + 3 * i);\n"
	"  sum[i] = p.x + 256 * p.y + 65536 * p.z + (p.w << 24);\n"
	"}\n"
	"kernel void good(global uint *sum) { sum[get_global_id(0)] = 7; }\n";

static cl_int wanted; // status of commands and calls that wait for a kernel that faults
static volatile int notified;

static void CL_CALLBACK on_error(const char *message, const void *info, size_t n, void *user)
{
	if (strstr(message, "out") && strstr(message, "a[") && user == &notified)
		notified++;
}

// A kernel that writes out of bounds is reported once and changes no other memory; in strict
// mode it fails.
static void outside(void)
{
	cl_int e, status, got[5] = {1, 2, 3, 4, 5};
	cl_context saved = context;
	context = clCreateContext(NULL, 1, &device, on_error, (void *)&notified, &e);
	cl_command_queue q = clCreateCommandQueue(context, device, 0, &e);
	cl_program p = build("kernel void out(global int *a, int n) { a[get_global_id(0) + n] = 9; }", "");
	cl_kernel k = clCreateKernel(p, "out", &e);
	cl_mem m = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 16, got, &e);
	int n = 1 << 20;
	size_t g = 16;
	OK(clSetKernelArg(k, 0, sizeof m, &m));
	OK(clSetKernelArg(k, 1, sizeof n, &n));
	cl_event ev, after;
	OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &g, NULL, 0, NULL, &ev));
	OK(clEnqueueMarkerWithWaitList(q, 1, &ev, &after));
	WANT(wanted, clFinish(q));
	OK(clGetEventInfo(ev, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	WANT(wanted, status);
	OK(clGetEventInfo(after, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	WANT(wanted ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS, status);
	WANT(1, notified);
	WANT(5, got[4]);
	n = 0;
	g = 4;
	OK(clSetKernelArg(k, 1, sizeof n, &n));
	OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &g, NULL, 0, NULL, NULL));
	OK(clFinish(q));
	void *seen = clEnqueueMapBuffer(q, m, 1, CL_MAP_READ, 0, 16, 0, NULL, NULL, &e);
	OK(e);
	TRUE(seen == got);
	WANT(9, got[3]);
	WANT(5, got[4]);
	OK(clEnqueueUnmapMemObject(q, m, seen, 0, NULL, NULL));
	clReleaseEvent(ev), clReleaseEvent(after), clReleaseMemObject(m), clReleaseKernel(k), clReleaseProgram(p), clReleaseCommandQueue(q);
	OK(clReleaseContext(context));
	context = saved;
}

static cl_int launch(cl_kernel k, size_t n)
{
	return clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}

int main(void)
{
	enum { n = 37 };
	cl_uchar rgb[3 * n];
	cl_uint sum[n];
	cl_int e;
	setup();
	const char *mode = getenv("PURECL_FAULT");
	if (!mode)
		mode = getenv("PURECL_CHECK") ? "strict" : "robust";
	cl_int want = wanted = strcmp(mode, "robust") ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
	for (int i = 0; i < 3 * n; i++)
		rgb[i] = i + 1;
	cl_program p = build(source, "");
	cl_kernel gray = clCreateKernel(p, "gray", &e), good = clCreateKernel(p, "good", &e);
	cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof rgb, rgb, &e), out = clCreateBuffer(context, 0, sizeof sum, NULL, &e);
	OK(clSetKernelArg(gray, 0, sizeof in, &in));
	OK(clSetKernelArg(gray, 1, sizeof out, &out));
	OK(clSetKernelArg(good, 0, sizeof out, &out));

	OK(launch(gray, n));
	WANT(want, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof sum, sum, 0, NULL, NULL));
	WANT(want, clFinish(queue));
	WANT(want, clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, sizeof rgb, rgb, 0, NULL, NULL));
	void *m = clEnqueueMapBuffer(queue, out, CL_TRUE, CL_MAP_READ, 0, sizeof sum, 0, NULL, NULL, &e);
	WANT(want, e);
	TRUE((m != NULL) == (want == CL_SUCCESS));
	if (m)
		OK(clEnqueueUnmapMemObject(queue, out, m, 0, NULL, NULL));
	cl_uint maps;
	OK(clGetMemObjectInfo(out, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL));
	TRUE(maps == 0);
	if (want == CL_SUCCESS)
		for (int i = 0; i < n; i++) {
			cl_uint w = rgb[3 * i] + 256 * rgb[3 * i + 1] + 65536 * rgb[3 * i + 2] + ((i < n - 1 ? (cl_uint)rgb[3 * i + 3] : 0) << 24);
			WANT(w, sum[i]);
		}

	// The next kernel ends the time in which the error is returned.
	OK(launch(good, n));
	OK(clFinish(queue));
	OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof sum, sum, 0, NULL, NULL));
	TRUE(sum[n - 1] == 7);

	clReleaseMemObject(in);
	clReleaseMemObject(out);
	clReleaseKernel(gray);
	clReleaseKernel(good);
	clReleaseProgram(p);
	outside();
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
	return failures != 0;
}
