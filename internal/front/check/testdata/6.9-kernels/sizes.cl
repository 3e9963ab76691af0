// options: -cl-std=CL1.2
// Kernel parameters with a size that the host does not know (6.11 k): behind typedefs, in records.
typedef size_t st; typedef ptrdiff_t pt; typedef intptr_t ip; typedef uintptr_t up;
kernel void k1(st a /* ERROR kernel-parameter-type "'size_t' cannot be used as the type of a kernel parameter" */) {}
kernel void k2(pt a /* ERROR kernel-parameter-type "'ptrdiff_t' cannot be used as the type of a kernel parameter" */) {}
kernel void k3(ip a /* ERROR kernel-parameter-type "'intptr_t' cannot be used as the type of a kernel parameter" */) {}
kernel void k4(up a /* ERROR kernel-parameter-type "'uintptr_t' cannot be used as the type of a kernel parameter" */) {}
struct s5 { size_t a; };
kernel void k5(struct s5 a /* ERROR kernel-parameter-type "'struct s5' cannot be used as the type of a kernel parameter" */) {}
union s6 { int b; uintptr_t a; };
kernel void k6(union s6 a /* ERROR kernel-parameter-type "'union s6' cannot be used as the type of a kernel parameter" */) {}
struct s7 { struct s5 x[2]; };
kernel void k7(struct s7 a /* ERROR kernel-parameter-type "'struct s7' cannot be used as the type of a kernel parameter" */) {}
kernel void k8(const st a /* ERROR kernel-parameter-type "'size_t' cannot be used as the type of a kernel parameter" */) {}
kernel void k9(global st *a) {}
struct s10 { st a; };
kernel void k10(struct s10 a /* ERROR kernel-parameter-type "'struct s10' cannot be used as the type of a kernel parameter" */) {}
kernel void k11(global struct s10 *a) {}
typedef st st2;
kernel void k12(st2 a /* ERROR kernel-parameter-type "'size_t' cannot be used as the type of a kernel parameter" */) {}
