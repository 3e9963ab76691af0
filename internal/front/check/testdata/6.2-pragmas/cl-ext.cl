// options: -cl-std=CL3.0 -cl-ext=-cl_khr_fp64,-__opencl_c_fp64,-__opencl_c_images,-__opencl_c_read_write_images,-__opencl_c_3d_image_writes,-cl_khr_3d_image_writes,-cl_khr_fp16,+cl_khr_fp16
// -cl-ext switches extensions and features off, their macros, types and functions.
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64) || defined(__opencl_c_images) || !defined(cl_khr_fp16) || !defined(__opencl_c_subgroups)
#error macros
#endif
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void f(global float *p, global half *h) {
  double /* ERROR unsupported-type "use of type 'double' requires cl_khr_fp64 support" */ d = 1;
  double2 /* ERROR unsupported-type "use of type 'double2' requires cl_khr_fp64 support" */ e;
  p[0] = 1.5 /* WARNING double-literal "double precision constant requires cl_khr_fp64, casting to single precision" */;
  h[0] = (half)p[0];
}
kernel void g(read_only image2d_t /* ERROR unsupported-type "use of type 'image2d_t' requires __opencl_c_images support" */ i) { }
