//go:build cgo && linux

#include "driver.h"
#include "_cgo_export.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int purecl_forked;

static void forked(void) { purecl_forked = 1; }

// Go's runtime starts its first thread in a constructor without a priority, and that thread
// starts all others. They inherit the floating-point environment of the thread that loads the
// library. It is therefore set before that constructor and restored afterwards.
static purecl_fpenv loader;

__attribute__((constructor(101))) static void before_go(void) { loader = purecl_enter(); }

__attribute__((constructor)) static void loaded(void)
{
	purecl_leave(loader);
	pthread_atfork(NULL, NULL, forked);
}

// The counts of repeated findings are in C's memory, so that they can be printed without Go
// when the process exits.
int purecl_log = 2;
static struct purecl_repeat *repeats;

struct purecl_repeat *purecl_repeat_new(const char *what)
{
	struct purecl_repeat *r = calloc(1, sizeof *r);
	if (!r)
		abort(); // as Go's runtime does
	r->what = what;
	r->next = repeats;
	__atomic_store_n(&repeats, r, __ATOMIC_RELEASE);
	return r;
}

__attribute__((destructor)) static void tell_repeats(void)
{
	for (struct purecl_repeat *r = __atomic_load_n(&repeats, __ATOMIC_ACQUIRE); r && !purecl_forked; r = r->next) {
		unsigned long long n = __atomic_load_n(&r->count, __ATOMIC_RELAXED);
		if (n)
			dprintf(purecl_log, "purecl: %s: in %llu more launch%s\n", r->what, n, n == 1 ? "" : "es");
	}
}

int purecl_profiling;

__attribute__((destructor)) static void write_profile(void)
{
	if (purecl_profiling && !purecl_forked)
		goWriteProfile();
}

static void stop_devices(void)
{
	if (!purecl_forked)
		goStopDevices();
}

void purecl_stop_at_exit(void) { atexit(stop_devices); }

// The loader's three symbols.

#define EXPORT __attribute__((visibility("default")))

EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint n, cl_platform_id *platforms, cl_uint *count)
{
	return purecl_dispatch.clGetPlatformIDs(n, platforms, count);
}

EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
	return purecl_clGetExtensionFunctionAddress(name);
}

EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void *value, size_t *size_ret)
{
	return purecl_dispatch.clGetPlatformInfo(platform, name, size, value, size_ret);
}

void *CL_API_CALL purecl_clGetExtensionFunctionAddress(const char *name)
{
	static const struct {
		const char *name;
		void *const *entry; // of the dispatch table
	} extensions[] = {
		{"clCreateCommandQueueWithPropertiesKHR", (void *const *)&purecl_dispatch.clCreateCommandQueueWithProperties},
		{"clGetKernelSubGroupInfoKHR", (void *const *)&purecl_dispatch.clGetKernelSubGroupInfoKHR},
	};
	if (!name)
		return NULL;
	if (!strcmp(name, "clIcdGetPlatformIDsKHR"))
		return (void *)clIcdGetPlatformIDsKHR;
	for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
		if (!strcmp(name, extensions[i].name))
			return *extensions[i].entry;
	return NULL;
}

void *CL_API_CALL purecl_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
	return purecl_clGetExtensionFunctionAddress(name);
}

// The device shares no virtual memory: CL_DEVICE_SVM_CAPABILITIES is 0.
void *CL_API_CALL purecl_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) { return NULL; }

void CL_API_CALL purecl_clSVMFree(cl_context context, void *pointer) {}

// An entry that only other operating systems have.
void *CL_API_CALL purecl_unknown(void) { return NULL; }

// A function of the host may change the floating-point environment: purecl_enter restores it
// for Go's threads.
void purecl_call_notify(void *fn, const char *message, void *user)
{
	((void(CL_CALLBACK *)(const char *, const void *, size_t, void *))fn)(message, NULL, 0, user);
	purecl_enter();
}

void purecl_call_object(void *fn, uintptr_t handle, void *user)
{
	((void(CL_CALLBACK *)(void *, void *))fn)((void *)handle, user);
	purecl_enter();
}

void purecl_call_event(void *fn, uintptr_t event, cl_int status, void *user)
{
	((void(CL_CALLBACK *)(cl_event, cl_int, void *))fn)((cl_event)event, status, user);
	purecl_enter();
}

void purecl_call_native(void *fn, void *args)
{
	((void(CL_CALLBACK *)(void *))fn)(args);
	purecl_enter();
}

void purecl_call_printf(void *fn, const char *text, size_t n, void *user)
{
	((void(CL_CALLBACK *)(const char *, size_t, size_t, void *))fn)(text, n, 1, user);
	purecl_enter();
}

// Writes through the host's own buffer, to keep the order of its output and the kernels'.
void purecl_write_stdout(const void *text, size_t n)
{
	fwrite(text, 1, n, stdout);
	fflush(stdout);
}
