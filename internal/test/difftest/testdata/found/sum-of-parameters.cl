// The last operation of a sum moved up to its operand, which is a parameter, before other parameters.
// run: kernel=k global=1,1 -cl-std=CL3.0
// arg: o16 ulong[35] =
// arg: o17 float4[280] =
// arg: a18 double2[37] =
// arg: a19 ushort[42] =
// arg: w21 int bits(0x0)
// arg: a20_ float2[46] =
// arg: s22 uchar[5936] =
// arg: n23 float4 (bits(0x0),bits(0x0),bits(0x0),bits(0x0))
// arg: n24 float bits(0x0)
// arg: n25 char bits(0x0)
// arg: l26 local 10
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
struct __attribute__((packed)) S1 { half16 f2[1]; ulong4 f3; float3 f4; long4 f5; };
struct S6 { float3 f7; double f8[4]; short f9; short f10; };
kernel void k(global ulong* o16, global float3* o17, constant double2* a18, global ushort* a19, int w21, global const float2* a20_, constant struct S1* s22, float4 n23, float n24, char n25, local uchar* l26) {
  global const float2* a20 = a20_ + w21;
  int lin = get_global_id(0) + 7 * get_global_id(1);
  local ushort l27[10];
  local float3 l28[10];
  local int again29;
  uint lid = get_local_id(0) + get_local_size(0) * get_local_id(1), lsz = get_local_size(0) * get_local_size(1);
  l26[lid] = (uchar)(0);
  l27[lid] = (ushort)(0);
  l28[lid] = s22[min((uint)((int)0xfffffffcu), 52u)].f4;
  struct S1 s32[1] = {{{(half16)(0)}, (ulong4)(0), (float3)(0), convert_long4_rte(fma(n23, n23, n23)), }, };
  private struct S1* q33 = &s32[(uint)(0)];
  struct S6 s34[4] = {{(float3)(0), {(double)(0)}, (short)(0), (short)(0), }, {convert_float3_rtn((uint3)(lsz)), {(double)(q33->f5.s3)}, (short)get_local_linear_id(), (short)0x1u, }, {(float3)(0), {(double)get_num_groups(0)}, (short)(0), (short)(0), }, {(float3)(0), {as_double(0x40749c8e00000000UL)}, (short)0xb583u, (short)(0), }, };
  private struct S6* q35 = &s34[(((uint)lin / (1u + (uint)n25)) % 4u)];
  o16[lin] = (ulong)(~((ulong)(q35->f10)));
}
