// The bits of a NaN of single precision where a NaN of half precision has zeros.
// run: kernel=k global=2 -cl-std=CL2.0
// arg: out double[2] = zeros
// arg: x float[2] = 0 1
// want: out 1 0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global double *out, global const float *x)
{
    size_t i = get_global_id(0);
    float quotient = x[i] / x[i] - 1;
    half h = convert_half(quotient);
    out[i] = bitselect(convert_double(convert_float(h) * quotient), 1.0, convert_double(h));
}
