// options: -cl-std=CL2.0
// Attributes before labels, at the start of a type name and of a declaration.
kernel void k(global int *p, int n) {
  int i;
  __attribute__((xcl_pipeline_loop /* WARNING unknown-attributes "unknown attribute 'xcl_pipeline_loop' ignored" */)) read: for (i = 0; i < n; i++) p[i] = 1;
  __attribute__((xcl_pipeline_loop /* WARNING unknown-attributes "unknown attribute 'xcl_pipeline_loop' ignored" */)) for (i = 0; i < n; i++) p[i] = 1;
  lab: __attribute__((xcl_pipeline_loop /* WARNING unknown-attributes "unknown attribute 'xcl_pipeline_loop' ignored" */)) for (i = 0; i < n; i++) p[i] = 1;
  lab2: __attribute__((unused)) p[0] = 1;
  __attribute__((opencl_unroll_hint /* ERROR unroll-without-loop "'opencl_unroll_hint' attribute only applies to for, while, and do statements" */(2))) lab3: for (i = 0; i < n; i++) p[i] = 1;
  __attribute__((aligned(16))) int x; p[0] = (int)(size_t)&x;
  int *q = (__attribute__((aligned(4))) int *)p;
  global int *r = (__attribute__((aligned(4))) global int *)p;
  p[1] = sizeof(__attribute__((aligned(4))) int);
  p[2] = sizeof(__attribute__((packed)) struct { char a; int b; });
  p[3] = sizeof(int __attribute__((aligned(16))));
  r = (global __attribute__((aligned(4))) int *)p;
  typedef __attribute__((aligned(64))) int ai;
  __attribute__((xcl_loop_tripcount /* WARNING unknown-attributes "unknown attribute 'xcl_loop_tripcount' ignored" */(1,2,3))) while (n) n--;
  __attribute__((xcl_dataflow /* WARNING unknown-attributes "unknown attribute 'xcl_dataflow' ignored" */)) { p[4] = 1; }
  if (n) __attribute__((xcl_foo /* WARNING unknown-attributes "unknown attribute 'xcl_foo' ignored" */)) p[4] = 1;
  else __attribute__((xcl_foo /* WARNING unknown-attributes "unknown attribute 'xcl_foo' ignored" */)) { }
}
kernel void e(global int *p __attribute__((endian(host))), global int *q __attribute__((endian))) { }
__attribute__((xcl_dataflow /* WARNING unknown-attributes "unknown attribute 'xcl_dataflow' ignored" */)) kernel void d(void) {}
