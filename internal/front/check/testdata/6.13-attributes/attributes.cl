// Attributes (6.13).

__attribute__((reqd_work_group_size(8, 8, 1))) kernel void a(void) { }
__attribute__((reqd_work_group_size /* ERROR attribute-arguments "'reqd_work_group_size' attribute takes exactly 3 arguments" */(8, 8))) kernel void b(void) { }
__attribute__((reqd_work_group_size(8, 0 /* ERROR attribute-arguments "'reqd_work_group_size' attribute must be greater than 0" */, 1))) kernel void c(void) { }
__attribute__((reqd_work_group_size(8, 1.5f /* ERROR attribute-arguments "'reqd_work_group_size' attribute requires an integer constant" */, 1))) kernel void d(void) { }
__attribute__((work_group_size_hint(8, 1, 1))) kernel void e(void) { }
__attribute__((vec_type_hint(float4))) kernel void g(void) { }
__attribute__((vec_type_hint(int /* ERROR attribute-arguments "invalid attribute argument '__private int *' - expecting a vector or vectorizable scalar type" */ *))) kernel void h(void) { }
__attribute__((vec_type_hint /* ERROR attribute-arguments "'vec_type_hint' attribute takes one argument" */)) kernel void i(void) { }
__attribute__((nosuch /* WARNING unknown-attributes "unknown attribute 'nosuch' ignored" */)) kernel void j(void) { }
__attribute__((always_inline)) int k(int x) { return x; }
__attribute__((noinline, unused)) int l(int x) { return x; }
__attribute__((reqd_work_group_size(8, 1, 1))) void m /* ERROR invalid-kernel "attribute 'reqd_work_group_size' can only be applied to an OpenCL kernel function" */(void) { }
__attribute__((intel_reqd_sub_group_size(8))) kernel void sg(void) { }
__attribute__((intel_reqd_sub_group_size(0 /* ERROR attribute-arguments "'intel_reqd_sub_group_size' attribute must be greater than 0" */))) kernel void sh(void) { }
__attribute__((intel_reqd_sub_group_size(64 /* ERROR attribute-arguments "'intel_reqd_sub_group_size' attribute must be one of 8 16 32 on this device: found 64" */))) kernel void si(void) { }
__attribute__((intel_reqd_sub_group_size /* ERROR attribute-arguments "'intel_reqd_sub_group_size' attribute takes one argument" */(8, 1))) kernel void sj(void) { }
__attribute__((intel_reqd_sub_group_size(16))) void sk /* ERROR invalid-kernel "attribute 'intel_reqd_sub_group_size' can only be applied to an OpenCL kernel function" */(void) { }
typedef int n __attribute__((aligned(16)));
typedef int o __attribute__((aligned(3 /* ERROR invalid-alignment "requested alignment is not a power of 2" */)));
typedef int p __attribute__((aligned("x" /* ERROR attribute-arguments "'aligned' attribute requires an integer constant" */)));
typedef float q __attribute__((ext_vector_type(4)));
typedef float r __attribute__((ext_vector_type /* ERROR invalid-vector-type "no vector type of 5 elements of type 'float'" */(5)));
struct __attribute__((packed, aligned(4))) s { char a; int b; };
_Static_assert(sizeof(struct s) == 8, "packed");
kernel void t(global int *x __attribute__((endian(host))), global int *y __attribute__((endian /* ERROR attribute-arguments "'endian' attribute takes host or device" */(middle)))) {
  int z __attribute__((aligned(64))) = 1;
  q v = (q)(1, 2, 3, 4);
  x[0] = z + (int)v.x;
  __attribute__((opencl_unroll_hint(4))) for (int i = 0; i < 4; i++) x[i] = i;
  __attribute__((opencl_unroll_hint)) while (x[0]) x[0]--;
  __attribute__((opencl_unroll_hint(- /* ERROR attribute-arguments "'opencl_unroll_hint' attribute requires a positive integral compile time constant expression" */1))) for (;;) break;
  __attribute__((opencl_unroll_hint(0 /* ERROR attribute-arguments "'opencl_unroll_hint' attribute requires a positive integral compile time constant expression" */))) for (;;) break;
#pragma unroll
  for (int i = 0; i < 4; i++) x[i] = i;
#pragma unroll 4
  for (int i = 0; i < 4; i++) x[i] = i;
}
