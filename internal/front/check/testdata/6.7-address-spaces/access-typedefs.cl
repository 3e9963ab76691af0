// options: -cl-std=CL2.0
// Access qualifiers meet those of a typedef, read_only by default (6.6).
typedef read_only image2d_t ri;
typedef image2d_t pi;
kernel void k1(read_only ri x) {}
kernel void k2(write_only /* ERROR invalid-access-qualifier "multiple access qualifiers" */ ri x) {}
kernel void k3(read_only pi x) {}
kernel void k4(write_only /* ERROR invalid-access-qualifier "multiple access qualifiers" */ pi x) {}
kernel void k5(ri x) {}
typedef write_only image1d_t wi;
kernel void k6(read_write /* ERROR invalid-access-qualifier "multiple access qualifiers" */ wi x) {}
kernel void k7(read_only /* ERROR invalid-access-qualifier "access qualifier can only be used for pipe and image type" */ int x) {}
kernel void k8(read_only write_only /* ERROR invalid-access-qualifier "multiple access qualifiers" */ image2d_t x) {}
