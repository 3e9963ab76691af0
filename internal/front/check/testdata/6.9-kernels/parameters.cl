// Kernel functions and their arguments (6.9, 6.11).

struct plain { int a; float4 b; };
struct pointer { global int *p; };
struct boolean { bool b; };
typedef struct { struct boolean b[2]; } nested;
typedef size_t mysize;

kernel void ok(global int *a, local float4 *b, constant struct plain *c, struct plain d, int e, float16 f, read_only image2d_t g, write_only image3d_t h, sampler_t i, global const volatile int *restrict j, double k, global bool *l, global int m[], long n) { }
kernel void p1(int *a /* ERROR kernel-pointer-space "pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space" */) { }
kernel void p2(private int *a /* ERROR kernel-pointer-space "pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space" */) { }
kernel void p3(global int **a /* ERROR kernel-pointer-space "pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space" */) { }
kernel void p4(global int *global *a /* ERROR kernel-parameter-type "kernel parameter cannot be declared as a pointer to a pointer" */) { }
kernel void b1(bool a /* ERROR kernel-parameter-type "'bool' cannot be used as the type of a kernel parameter" */) { }
kernel void h1(half a /* ERROR half-declaration "declaring function parameter of type 'half' is not allowed; did you forget * ?" */) { }
kernel void s1(size_t a /* ERROR kernel-parameter-type "'size_t' cannot be used as the type of a kernel parameter" */, ptrdiff_t b /* ERROR kernel-parameter-type "'ptrdiff_t' cannot be used as the type of a kernel parameter" */, intptr_t c /* ERROR kernel-parameter-type "'intptr_t' cannot be used as the type of a kernel parameter" */, uintptr_t d /* ERROR kernel-parameter-type "'uintptr_t' cannot be used as the type of a kernel parameter" */) { }
kernel void e1(event_t a /* ERROR kernel-parameter-type "'event_t' cannot be used as the type of a kernel parameter" */) { }
kernel void r1(struct pointer a /* ERROR kernel-parameter-type "'struct pointer' cannot be used as the type of a kernel parameter" */) { }
kernel void r2(struct boolean a /* ERROR kernel-parameter-type "'struct boolean' cannot be used as the type of a kernel parameter" */) { }
kernel void r3(nested a /* ERROR kernel-parameter-type "'nested' cannot be used as the type of a kernel parameter" */) { }
kernel void a1(int a /* ERROR kernel-pointer-space "pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space" */[4]) { }
kernel void a2(global int a[4]) { }
kernel void a3(local int a[4][4]) { }
kernel void i1(global image2d_t * /* ERROR invalid-pointer-type "pointer to type '__global image2d_t' is invalid in OpenCL" */a) { }
kernel void i2(read_write /* ERROR invalid-access-qualifier "access qualifier '__read_write' cannot be used for 'image2d_t' prior to OpenCL C version 2.0 or in version 3.0 and without __opencl_c_read_write_images feature" */ image2d_t a) { }
kernel void i3(read_only /* ERROR invalid-access-qualifier "access qualifier can only be used for pipe and image type" */ int a) { }
kernel void i4(read_only write_only /* ERROR invalid-access-qualifier "multiple access qualifiers" */ image2d_t a) { }
kernel int result /* ERROR kernel-result "kernel must have void return type" */(void) { return 1; }
static /* ERROR invalid-kernel "kernel functions cannot be declared static" */ kernel void st(void) { }
kernel /* ERROR invalid-kernel "'kernel' attribute only applies to functions" */ constant int var = 1;
kernel void main /* ERROR invalid-kernel "kernel cannot be called 'main'" */(void) { }
kernel void v1( /* ERROR variadic-function "invalid prototype, variadic arguments are not allowed in OpenCL" */int a, ...) { }
kernel void caller(global int *p) { ok2 /* ERROR undeclared-identifier "use of undeclared identifier 'ok2'; did you mean 'ok'?" */(p); }
kernel void callee(global int *p) { callee2 /* ERROR undeclared-identifier "use of undeclared identifier 'callee2'; did you mean 'callee'?" */(p); }
inline kernel void inl(void) { }
