// options: -cl-std=CL2.0
// A pointer to another type is a warning, from 2.0 on as before: the overload of its address space is chosen.
kernel void k(float4 f, global half *h, global float *g, private half *ph /* ERROR kernel-pointer-space "pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space" */) {
 vstore4(f, 0, g);
 vstore_half4(f, 0, h);
 vstore_half(f.x, 0, h);
 half hh /* ERROR half-declaration "declaring variable of type 'half' is not allowed" */[4];
}
kernel void l(float4 f, global half *h, global float *g) { vstore4(f, 0, h /* WARNING incompatible-pointer-types "incompatible pointer types passing '__global half *' to parameter of type '__global float *'" */); }
kernel void m(float4 f, global int *h, global float *g) { vstore4(f, 0, h /* WARNING incompatible-pointer-types "incompatible pointer types passing '__global int *' to parameter of type '__global float *'" */); }
kernel void n(float4 f, global half *h, global char *g) { vstore4(f, 0, g /* WARNING incompatible-pointer-types "incompatible pointer types passing '__global char *' to parameter of type '__global float *'" */); vload4(0, h); }
