/* Shows a program that takes no device but a GPU whatever device there is: PoCL has no setting
   for that. Loaded by LD_PRELOAD. x264 looks up functions of libOpenCL with dlsym, so that is
   the function to replace. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>

static cl_int (*get_device_ids)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);

static cl_int any_device(cl_platform_id platform, cl_device_type type, cl_uint n, cl_device_id *devices, cl_uint *count) {
	return get_device_ids(platform, type == CL_DEVICE_TYPE_GPU ? CL_DEVICE_TYPE_ALL : type, n, devices, count);
}

void *dlsym(void *library, const char *name) {
	static void *(*real)(void *, const char *);
	if (!real)
		real = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	void *found = real(library, name);
	if (strcmp(name, "clGetDeviceIDs") != 0 || !found)
		return found;
	get_device_ids = (cl_int (*)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *))found;
	return (void *)any_device;
}
