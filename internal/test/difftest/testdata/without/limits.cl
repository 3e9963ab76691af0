// Accesses that are tested together span 1 MiB and a byte: the register of such a limit was taken for that of a
// byte's limit in all lanes, which was no limit at all.
// without: divide
// run: kernel=k global=32,1 -cl-std=CL1.2
// arg: w5 long bits(0x0)
// arg: o4_ long[66] =
// arg: o6 long[132] =
// arg: o7 ulong[2640] =
// arg: a8_ uchar[1228] =
// arg: a9 uchar[254] =
// arg: a10_ uchar[2109] =
// arg: n11 double bits(0x0)
// arg: n12 short3 (bits(0x0),bits(0x0),bits(0x0))
// arg: w15 int bits(0x0)
// arg: w16 int bits(0x0)
// arg: w17 ulong bits(0x0)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(long w5, global long* o4_, global long* o6, global ulong* o7, global const double* a8_, global const uchar* a9, global const double* a10_, double n11, short3 n12, int w15, int w16, ulong w17) {
  global long* o4 = o4_ - w5;
  global const double* a8 = a8_ + 14;
  global const double* a10 = a10_ - 2;
  uint lin = get_global_id(0) ;
  for (int i14 = (int)(lin & 7); i14 <= (int)(81) - 1; i14 += 4) {
  o6[lin * 2 + ((uint)(0))] += (long)(a9[(i14 * w17 + 20) - 2]);
  }
  half v18 = (half)(hadd((uchar)(a9[((size_t)get_global_id(1) + (size_t)get_global_id(1) + 260) - 2] & a9[(size_t)get_global_id(1) + (size_t)get_global_id(1) + 1048834]), a9[(long)((size_t)get_global_id(1) + (size_t)get_global_id(1)) + 258]));
  o7[lin * 40 + ((uint)(0))] = convert_ulong(v18);
}
