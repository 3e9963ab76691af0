// options: -cl-single-precision-constant
_Static_assert(sizeof(1.0) == 4 && sizeof(1.0f) == 4, "floating constants without suffix are float");
kernel void f(global float4 *p) { p[0] = p[0] * 2.0; }
