// The remainder of a NaN's bits.
// run: kernel=k global=37 -cl-std=CL2.0
// arg: o7 int2[111] = (bits(0x4f800000),bits(0x19)) (bits(0x477fe000),bits(0x6d)) (bits(0x59),bits(0x36)) (bits(0xffc12345),bits(0x28)) (bits(0x7fc00000),bits(0x3f800000)) (bits(0x7fc00000),bits(0x437f0000)) (bits(0x1e32),bits(0xcf000000)) (bits(0x7575ee97),bits(0x7d)) (bits(0x5be5f),bits(0x9ce6a2da)) (bits(0x6),bits(0x35)) (bits(0x8575ce51),bits(0xc35a8ece)) (bits(0x477fe000),bits(0x9447d22b)) (bits(0x1f8a6b),bits(0xe25e06e0)) (bits(0x7f7fffff),bits(0xe)) (bits(0x176),bits(0x21)) (bits(0x26b),bits(0x18)) (bits(0x7f800001),bits(0x7e)) (bits(0x40200000),bits(0xba1515e4)) (bits(0x35),bits(0x52)) (bits(0x50),bits(0x7ca3d5ce)) (bits(0x33),bits(0x1bf)) (bits(0x1f59693c),bits(0x71)) (bits(0x7beda8fd),bits(0xffffffeb)) (bits(0x85),bits(0x48)) (bits(0xffffffd8),bits(0x42)) (bits(0x2),bits(0x7fffff)) (bits(0x7fc00000),bits(0x81)) (bits(0x11b),bits(0xffffffd8)) (bits(0xcf000000),bits(0x7fffffff)) (bits(0x86),bits(0x97523f7d)) (bits(0x1a849395),bits(0x0)) (bits(0x7fffff),bits(0xf3dd9a6c)) (bits(0x185),bits(0x7f800000)) (bits(0xffffffdf),bits(0x7ad26c13)) (bits(0x78),bits(0x318590)) (bits(0xbf800000),bits(0x56)) (bits(0x1),bits(0x23)) (bits(0x80876),bits(0x1)) (bits(0xffc12345),bits(0x8958b)) (bits(0x1),bits(0x3e218ceb)) (bits(0x85),bits(0x4f000000)) (bits(0xffffffea),bits(0x4a088c)) (bits(0xd9e903b7),bits(0x2b)) (bits(0xda1e5891),bits(0x7c)) (bits(0xffffffff),bits(0x1e)) (bits(0x4f800000),bits(0x3f800000)) (bits(0xffffffdf),bits(0xff800000)) (bits(0xd997b0af),bits(0x0)) (bits(0xffffffda),bits(0x3d6c5c2e)) (bits(0x72),bits(0x73bd04be)) (bits(0x33feaee9),bits(0x37cdc)) (bits(0xffffffe6),bits(0x3953c9)) (bits(0x1f741c),bits(0x1d)) (bits(0xae12b11),bits(0x7fffff)) (bits(0xffffffda),bits(0x11278625)) (bits(0x49dbd51),bits(0xfffffff4)) (bits(0xd6b0f),bits(0x18)) (bits(0xffffffee),bits(0x0)) (bits(0xf72),bits(0x71)) (bits(0x30),bits(0x33737)) (bits(0x474be7c),bits(0x47)) (bits(0x19),bits(0x7fc00000)) (bits(0x7aa99862),bits(0x2352788)) (bits(0x3825afd2),bits(0x7fffffff)) (bits(0xffffffc4),bits(0xa6444061)) (bits(0x7f800001),bits(0xffffffe4)) (bits(0x823),bits(0x4f000000)) (bits(0xffffffd1),bits(0x49)) (bits(0xffffffd8),bits(0x9)) (bits(0x71),bits(0x3522)) (bits(0x5309a6c6),bits(0xee82)) (bits(0x63a93107),bits(0x4f800000)) (bits(0x2b125613),bits(0x437f0000)) (bits(0xfffffff1),bits(0x33)) (bits(0xffc12345),bits(0xffffffe7)) (bits(0xc1bd3),bits(0x7f7fffff)) (bits(0x8c8b3a0e),bits(0x72)) (bits(0x23ea804),bits(0xcf000000)) (bits(0x4),bits(0xffffffff)) (bits(0x8),bits(0xffffffcf)) (bits(0x7f7fffff),bits(0xffffffd0)) (bits(0x6),bits(0x85)) (bits(0x80000000),bits(0x7fffff)) (bits(0x44),bits(0x290)) (bits(0xffffffc4),bits(0x38)) (bits(0xc),bits(0x58e0a4bf)) (bits(0x7f800001),bits(0x5e)) (bits(0xc),bits(0x53)) (bits(0x12),bits(0x1)) (bits(0x2),bits(0x4c)) (bits(0xfd29d800),bits(0x62)) (bits(0x68),bits(0x9959a0d6)) (bits(0xffffffff),bits(0x350)) (bits(0xfffffffc),bits(0xffffffdf)) (bits(0xfffffff5),bits(0x0)) (bits(0x77),bits(0x6b)) (bits(0x642e8ce),bits(0x80000000)) (bits(0x9613ec10),bits(0x313)) (bits(0x3c495d),bits(0x2f)) (bits(0x80),bits(0x80000000)) (bits(0x4b),bits(0x40)) (bits(0xe6db7d),bits(0x5186feb)) (bits(0x1bf72a),bits(0x1afc7ce0)) (bits(0xffffffe7),bits(0x4e)) (bits(0x3f99b8),bits(0x80000000)) (bits(0x65),bits(0xfffffffe)) (bits(0xa39038e0),bits(0x3a)) (bits(0x2b553200),bits(0x57)) (bits(0xffffffec),bits(0x2a)) (bits(0x40200000),bits(0xa702b77e)) (bits(0x3),bits(0x45))
// arg: a8 float[39] = bits(0x4f800000) bits(0x46990b60) bits(0x49174520) bits(0x4329e280) bits(0xc1000000) bits(0x42a00000) bits(0x42aa0000) bits(0x40200000) bits(0x3fb0a400) bits(0x1) bits(0xcf000000) bits(0x42ba0000) bits(0x1) bits(0x42840000) bits(0x40f8bd00) bits(0x41b80000) bits(0x428c0000) bits(0xbea4dd1b) bits(0xc2500000) bits(0x7f800000) bits(0x42f80000) bits(0xc13ced98) bits(0x7fffff) bits(0x4890ae80) bits(0x477fe000) bits(0x7f800000) bits(0xffc12345) bits(0x43b10740) bits(0x1) bits(0xbc2157fa) bits(0xc48acb80) bits(0x490b4f48) bits(0x42dc0000) bits(0xc56e6570) bits(0x42de0000) bits(0x42f40000) bits(0x4873a5c0) bits(0xc1900000) bits(0x41abcef0)
// arg: n9 uchar bits(0xa9)
// arg: n10 float bits(0xffffffff)
// arg: n11 ushort bits(0xffff)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
struct S1 { float f2; float2 f3; };
struct __attribute__((packed)) S4 { float f5; float f6; };
kernel void k(global int2* o7, global float* a8, uchar n9, float n10, ushort n11) {
  uint lin = get_global_id(0);
  struct S4 s12[3] = {{fma(n10, n10, n10), (float)((lin & 8)), }, {n10, select(n10, n10, lin), }, {convert_float(n11), (float)(o7[lin * 3 + (2)].s1), }, };
  private struct S4* q13 = &s12[2];
  float v14 = n10;
  float4 v15 = (float4)(as_float(0xc1c80000u), as_float(0x1u), as_float(0x41f00000u), 255.0f);
  float v16 = ldexp(select((float)(dot(convert_half2((float2)(v14)), convert_half2_rtz((float2)(q13->f6)))), as_float((ushort2)((ushort)0x5640u)), (uint)(((short)get_global_offset(0) >= (short)(q13->f5)))), (int)((int)(distance(convert_double4((float4)(n10)), (double4)(as_double(0xc096d26800000000UL), as_double(0xffffffffUL), as_double(0xc0e3d9e800000000UL), as_double(0x7ff0000000000001UL)))) << convert_int_sat(v14)));
  o7[lin * 3 + (1)] = ((-((int2)((int)0x21u, (int)get_global_id(0)))) - max(((int2)((int)0xf2f58f8u, (int)0xb330d243u) << convert_int2_rtz((float2)(v16))), ilogb((double)(n9))));
  {
  uint i17 = 0;
  do {
  i17++;
  {
  n11 = convert_ushort_sat(v14);
  }
  } while (i17 < 4 && (lin > (uint)(!lin)));
  }
  o7[lin * 3 + ((uint)(as_uint(convert_half2((float2)(v14)))) % 3u)]--;
  s12[0].f5 = ((((float8)(a8[(uint)get_global_id(0) + 0]) * (float8)(a8[(ushort)((uint)get_global_id(0) + 1)])) + (float8)(a8[((uint)get_global_id(0) + 1) - 1]))).s3;
  {
  uint i19 = 0;
  while (i19 < 4 && i19 < 4 && lin > 17) {
  i19++;
  {
  {
  int i21 = 0;
  do {
  i21++;
  {
  v16 = (float)((as_float((uint)(s12[min(((uint)lin ^ 26u), 2u)].f5)) >= length((float4)(a8[i19 + 30]))));
  }
  } while (i21 < 3 && ((int)(convert_int_rtn(v14) + convert_int_sat(n11)) > (int)(abs_diff((int)0xfffffff7u, (int)(n10)))));
  }
  }
  }
  }
  o7[lin * 3 + (0)] = (ctz(convert_int2((uint2)(lin))) ? ((int2)((int)0x80000000u) << convert_int2(v15.s03)) : convert_int2_sat_rtn((float2)(n10)));
}
