// Only the last round's value is used: rounds of a row walk report what each of them does.
// without: cfg,dce,divide,dot,ifconvert,narrow,unroll
// run: kernel=k global=64,1 -cl-std=CL2.0
// arg: o7 uint[1199] =
// arg: o8_ uchar[1203] =
// arg: o9 uint4[600] =
// arg: a10 uint[1020] =
// arg: w14 short bits(0x0)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global uint* o7, global uint* o8_, global uint4* o9, global uint* a10, short w14) {
  global uint* o8 = o8_ - 1;
  int lin = get_global_id(0) + 200 * get_global_id(1);
  char v12 = (char)(0);
  for (int i13 = 0; i13 < 17; i13++) v12 = convert_char_sat(a10[lin % 70 * 17 + i13]);
  uint3 v16 = (uint3)(0);
  v16 = convert_uint3(convert_ulong3((char3)(v12)));
  o7[lin * 2 + ((uint)(0))] = v16.s1;
}
