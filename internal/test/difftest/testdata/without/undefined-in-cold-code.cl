// Elements of a vector are undefined at the start of each iteration. Their registers are spilled, and have other slots in code for
// gangs that rarely run: the checker of the register allocation took the elements for those of the last iteration.
// without: cfg,dce,divide,dot,ifconvert,layout,narrow,simplify,sooner,sroa
// run: kernel=k global=1,1 offset=0,0 -cl-std=CL1.2
// arg: o6 uchar[1184] =
// arg: a7 float[694] =
// arg: n8 uint bits(0x0)
// arg: n9 ushort bits(0x0)
// arg: n10 short8 (bits(0x0),bits(0x0),bits(0x0),bits(0x0),bits(0x0),bits(0x0),bits(0x0),bits(0x0))
// arg: w12 short bits(0x0)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global uchar* o6, global const float* a7, uint n8, ushort n9, short8 n10, short w12) {
  int lin = get_global_id(0) + 37 * get_global_id(1);
  double v11 = convert_double_rtn((((int)((int)get_global_id(0)) >= 1 && (int)((int)get_global_id(0)) < 693) ? convert_int16((float16)(a7[((int)((int)get_global_id(0)) + 3) - 2])) : convert_int16((uint16)(n8))).s2);
}
