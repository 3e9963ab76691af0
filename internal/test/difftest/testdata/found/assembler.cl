// NVIDIA's assembler makes wrong code of these forms if each operation is emitted as its own instruction.
// run: kernel=sums global=4
// arg: a int[4] = 0x7fffffff 5 -2147483648 -1
// arg: b int[4] = -1 7 1 -2147483648
// arg: out int4[4] = zeros
// want: out (-2147483648,-2147483647,-2147483648,-8388609) (5,-5,5,-2147483648) (0x7fffffff,-2147483648,0x7fffffff,-8388608) (-1,1,-1,2139095039)
// run: kernel=halves global=4
// arg: in uchar[4] = 1 2 128 255
// arg: out float2[4] = zeros
// want: out (0x1p-24,0) (0x2p-24,0) (0x80p-24,0) (0xffp-24,0)
// run: kernel=doubles global=2
// arg: in uchar[2] = 1 3
// arg: out float4[2] = zeros
// want: out (0,0,0,1.984375) (0,0,0,2.015625)
// run: kernel=steps global=2
// arg: x int4[2] = (45,1208818,-34,15040) (44,1208819,-0x7fffffff,15039)
// arg: out int4[2] = zeros
// want: out (0,1,0,0) (1,0,0,1)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void sums(global const int* a, global const int* b, global int4* out) {
  int i = get_global_id(0), x = a[i], y = b[i];
  out[i] = (int4)(add_sat(x - y, y), sub_sat(y - x, y), add_sat(y, x - y), sub_sat(x + 0x7fffffff, 0x7fffff));
}
kernel void halves(global const uchar* in, global float2* out) {
  int i = get_global_id(0);
  out[i] = convert_float2(as_half2((uint)in[i]));
}
kernel void doubles(global const uchar* in, global float4* out) {
  int i = get_global_id(0);
  out[i] = convert_float4(as_half4((double)in[i]));
}
kernel void steps(global const int4* x, global int4* out) {
  int i = get_global_id(0);
  out[i] = convert_int4(step(convert_double4_rtp(x[i]), (double4)(44.0, 1208818.0, -1e30, 15039.5)));
}
