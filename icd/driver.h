// Declarations that the driver's C files share.
#ifndef PURECL_DRIVER_H
#define PURECL_DRIVER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_icd.h>
#include <stddef.h>
#include <stdint.h>

// Kinds of handles, as in handle.go.
enum { kindNone, kindPlatform, kindDevice, kindContext, kindCommandQueue, kindMemObject, kindProgram, kindKernel, kindEvent, kindSampler };

extern const cl_icd_dispatch purecl_dispatch;
// A purecl_repeat counts the repetitions of a message that was logged once.
struct purecl_repeat {
	struct purecl_repeat *next;
	const char *what;
	uint64_t count;
};
struct purecl_repeat *purecl_repeat_new(const char *what);
extern int purecl_profiling; // write the profile when the process exits
void purecl_stop_at_exit(void);
extern int purecl_log; // descriptor of the log

extern int purecl_forked; // this process is a fork without exec: Go does not run

// The floating-point environment of a thread, as in package fpenv. Calls run in the default
// environment, as kernels do, and threads that Go creates meanwhile inherit it.
typedef uint64_t purecl_fpenv;
#if defined(__x86_64__)
#define PURECL_FP_CONTROL 0xffc0
#define PURECL_FP_STANDARD 0x1f80
static inline purecl_fpenv purecl_fp_get(void) { return __builtin_ia32_stmxcsr(); }
static inline void purecl_fp_set(purecl_fpenv e) { __builtin_ia32_ldmxcsr((unsigned)e); }
#elif defined(__aarch64__)
#define PURECL_FP_CONTROL 0x7c89f07
#define PURECL_FP_STANDARD 0
static inline purecl_fpenv purecl_fp_get(void)
{
	purecl_fpenv e;
	__asm__ volatile("mrs %0, fpcr" : "=r"(e));
	return e;
}
static inline void purecl_fp_set(purecl_fpenv e) { __asm__ volatile("msr fpcr, %0" : : "r"(e)); }
#else
#define PURECL_FP_CONTROL 0
#define PURECL_FP_STANDARD 0
static inline purecl_fpenv purecl_fp_get(void) { return 0; }
static inline void purecl_fp_set(purecl_fpenv e) { (void)e; }
#endif

// purecl_enter sets the default environment and returns the thread's, for purecl_leave.
static inline purecl_fpenv purecl_enter(void)
{
	purecl_fpenv e = purecl_fp_get();
	if ((e & PURECL_FP_CONTROL) != PURECL_FP_STANDARD)
		purecl_fp_set((e & ~(purecl_fpenv)PURECL_FP_CONTROL) | PURECL_FP_STANDARD);
	return e;
}

static inline void purecl_leave(purecl_fpenv e)
{
	if ((e & PURECL_FP_CONTROL) != PURECL_FP_STANDARD)
		purecl_fp_set(e);
}

void *CL_API_CALL purecl_unknown(void);
void *CL_API_CALL purecl_clGetExtensionFunctionAddress(const char *name);
void *CL_API_CALL purecl_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name);
void *CL_API_CALL purecl_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment);
void CL_API_CALL purecl_clSVMFree(cl_context context, void *pointer);

// Calls of the host's functions, from Go.
void purecl_call_notify(void *fn, const char *message, void *user);
void purecl_call_object(void *fn, uintptr_t handle, void *user);
void purecl_call_event(void *fn, uintptr_t event, cl_int status, void *user);
void purecl_call_native(void *fn, void *args);
void purecl_call_printf(void *fn, const char *text, size_t n, void *user);
void purecl_write_stdout(const void *text, size_t n);

// The host's handler of SIGINT: interrupt.c.
void purecl_watch_interrupts(void);
void purecl_unwatch_interrupts(void);
extern uint32_t purecl_interrupts; // how many signals have come so far

#endif
