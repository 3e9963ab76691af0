// Several tests of rows in one block, which gangs of several rows leave by.
// run: kernel=k global=16,2 -cl-std=CL3.0
// arg: o2 uint[16] = fill(3)
// arg: o3_ int[280] = fill(0)
// arg: w5 int bits(0x0)
// arg: a4_ char[143] = fill(1)
// arg: n6 uchar bits(0x0)
// arg: n7 float bits(0x0)
// arg: n8 uint bits(0x0)
// arg: w12 int bits(0x0)
// arg: w13 short bits(0x0)
// arg: w14 int bits(0x0)
// want: o2 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global uint* o2, global int* o3_, int w5, constant char* a4_, uchar n6, float n7, uint n8, int w12, short w13, int w14) {
  global int* o3 = o3_ - 3;
  constant char* a4 = a4_ - w5;
  ulong lin = get_global_id(0) + 16 * get_global_id(1);
  if ((size_t)get_global_id(1) < w14) return;
  double v15 = (double)(((int)get_global_id(0) >= 1 && (int)get_global_id(0) < (int)16 - 1 && (int)get_global_id(1) >= 1 && (int)get_global_id(1) < (int)9 - 1) ? (double)(0) : (double)(0));
  double v16 = (double)(0);
  for (uint i17 = 0; i17 < 8; i17++) v16 = (double)(v16 - fmax(convert_double_rte(a4[(int)get_global_id(1) * 8 + i17]), convert_double_rtz(a4[(int)get_global_id(0) * 8 + i17])));
  if ((int)get_global_id(1) < w13) return;
  if ((int)get_global_id(1) < 8) return;
  o2[lin + 144 * ((uint)(0))] = as_uint(convert_float4((double4)(v16)).s2);
}
