// A number chosen by a comparison, -1 or 0, keeps its bits when it is converted to an unsigned integer, but not with saturation.
// run: kernel=k global=4
// arg: o ulong[4] = zeros
// arg: u uint[4] = zeros
// arg: x double[4] = 1 2 3 -1
// arg: y float[4] = 5 -2 3 -2
kernel void k(global ulong *o, global uint *u, global const double *x, global const float *y) {
    size_t i = get_global_id(0);
    o[i] = convert_ulong4_sat(isgreater((double4)(x[i]), (double4)(x[3 - i]))).y % 32 + convert_ulong4(isless((double4)(x[i]), (double4)(x[3 - i]))).y % 7;
    u[i] = convert_uint4_sat(isgreater((float4)(y[i]), (float4)(y[3 - i]))).y % 32 + convert_uint4(isless((float4)(y[i]), (float4)(y[3 - i]))).y % 7;
}
