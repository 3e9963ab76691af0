/* Shows a program that takes no device but a GPU whatever device there is, as one: PoCL has no
   setting for that. Loaded by LD_PRELOAD. x264 and darktable look up functions of libOpenCL
   with dlsym, so that is the function to replace. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>

static cl_int (*device_ids)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);
static cl_int (*device_info)(cl_device_id, cl_device_info, size_t, void *, size_t *);

static cl_int any_device(cl_platform_id platform, cl_device_type type, cl_uint n, cl_device_id *devices, cl_uint *count) {
	return device_ids(platform, type == CL_DEVICE_TYPE_GPU ? CL_DEVICE_TYPE_ALL : type, n, devices, count);
}

static cl_int gpu_info(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *needed) {
	cl_int status = device_info(device, name, size, value, needed);
	if (name == CL_DEVICE_TYPE && status == CL_SUCCESS && value)
		*(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
	return status;
}

void *dlsym(void *library, const char *name) {
	static void *(*real)(void *, const char *);
	if (!real)
		real = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	void *found = real(library, name);
	if (found && strcmp(name, "clGetDeviceIDs") == 0) {
		*(void **)&device_ids = found;
		return (void *)any_device;
	}
	if (found && strcmp(name, "clGetDeviceInfo") == 0) {
		*(void **)&device_info = found;
		return (void *)gpu_info;
	}
	return found;
}
