// Pragmas (6.2.1, 6.12.16).
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
#pragma OPENCL EXTENSION cl_nosuch /* WARNING ignored-pragmas "unknown OpenCL extension 'cl_nosuch' - ignoring" */ : enable
#pragma OPENCL EXTENSION cl_amd_printf /* WARNING ignored-pragmas "unsupported OpenCL extension 'cl_amd_printf' - ignoring" */ : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : perhaps /* WARNING ignored-pragmas "expected 'enable', 'disable', 'begin' or 'end' - ignoring" */
#pragma OPENCL EXTENSION cl_khr_fp16 /* WARNING ignored-pragmas "expected '#pragma OPENCL EXTENSION name : behavior'; pragma ignored" */
#pragma OPENCL EXTENSION all : disable
#pragma OPENCL EXTENSION all : enable /* WARNING ignored-pragmas "expected 'disable' - ignoring" */
#pragma OPENCL FP_CONTRACT ON
#pragma OPENCL FP_CONTRACT MAYBE /* WARNING ignored-pragmas "expected 'ON' or 'OFF' or 'DEFAULT' in pragma" */
half early( /* ERROR half-declaration "declaring function return value of type 'half' is not allowed; did you forget * ?" */void);
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
half later(half h) { return h * 2.0h + (half)1; }
kernel void k(global half *p) { half h = p[0]; p[0] = h + 1; }
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
half again( /* ERROR half-declaration "declaring function return value of type 'half' is not allowed; did you forget * ?" */void);
