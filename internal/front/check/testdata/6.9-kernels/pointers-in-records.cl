// options: -cl-std=CL2.0
// Pointers in kernel parameters from 2.0 on: global, constant or local ones.
struct s1 { int *p; };
kernel void k1(struct s1 a /* ERROR kernel-parameter-type "'struct s1' cannot be used as the type of a kernel parameter" */) {}
struct s2 { private int *p; };
kernel void k2(struct s2 a /* ERROR kernel-parameter-type "'struct s2' cannot be used as the type of a kernel parameter" */) {}
struct s3 { generic int *p; };
kernel void k3(struct s3 a /* ERROR kernel-parameter-type "'struct s3' cannot be used as the type of a kernel parameter" */) {}
struct s4 { global int *p; };
kernel void k4(struct s4 a) {}
struct s5 { local int *p; };
kernel void k5(struct s5 a) {}
struct s6 { constant int *p; };
kernel void k6(struct s6 a) {}
struct s7 { global int **p; };
kernel void k7(struct s7 a /* ERROR kernel-parameter-type "'struct s7' cannot be used as the type of a kernel parameter" */) {}
struct s8 { struct { global int *p[3]; } x; };
kernel void k8(struct s8 a) {}
kernel void k9(global struct s1 *a) {}
kernel void k10(global int **a /* ERROR kernel-pointer-space "pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space" */) {}
kernel void k11(global int * global *a) {}
kernel void k12(global int * private *a /* ERROR kernel-pointer-space "pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space" */) {}
