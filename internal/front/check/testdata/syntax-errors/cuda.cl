// Words of CUDA are named and read as OpenCL C's, so that the rest of the kernel is checked.

__global__ /* ERROR cuda-word "'__global__' is CUDA: a function that is launched begins with 'kernel'" */ void scale(global float *y, float a) {
    __shared__ /* ERROR cuda-word "'__shared__' is CUDA: memory of a work-group is 'local'" */ float t[64];
    int i = threadIdx /* ERROR undeclared-identifier "use of undeclared identifier 'threadIdx'" */.x;
    t[get_local_id(0)] = y[0];
    __syncthreads /* ERROR undeclared-identifier "use of undeclared identifier '__syncthreads'" */();
    y[get_global_id(0)] = a * t[0] + sinf /* ERROR undeclared-identifier "use of undeclared identifier 'sinf'" */(a);
}
__device__ /* ERROR cuda-word "'__device__' is CUDA" */ int plus(int a) { return a + b /* ERROR undeclared-identifier "'b'" */; }
__constant__ /* ERROR cuda-word "'__constant__' is CUDA" */ float table[2] = {1, 2};
extern "C" /* ERROR unsupported-cplusplus "is C++; names in OpenCL C need no such word" */ __global__ /* ERROR cuda-word "__global__" */ void __launch_bounds__ /* ERROR cuda-word "reqd_work_group_size" */(64) bounded(global int *p) { p[0] = plus(p[1]); }
