// Every example that the seed texts call legal. Implementation-defined ones warn.

kernel void literals(global float4 *out) {
  float4 f1 = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
  uint4 u = (uint4)(1);
  float4 f2 = (float4)((float2)(1.0f, 2.0f), (float2)(3.0f, 4.0f));
  float4 f3 = (float4)(1.0f, (float2)(2.0f, 3.0f), 4.0f);
  float4 f4 = (float4)((float2)(1.0f), 2.0f, 3.0f);
  float4 f5 = (float4)(1.0f, 2.0f, (float2)(3.0f));
  float4 f6 = (float4)((float3)(1.0f), 2.0f);
  float4 f7 = (float4)(1.0f, (float3)(2.0f));
  out[0] = f1 + f2 + f3 + f4 + f5 + f6 + f7;
}

kernel void components(global float4 *out) {
  float4 c;
  c.xyzw = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
  c.z = 1.0f;
  c.xy = (float2)(3.0f, 4.0f);
  c.xyz = (float3)(3.0f, 4.0f, 5.0f);
  float4 pos = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
  float4 swiz = pos.wzyx;
  float4 dup = pos.xxyy;
  float8 f;
  float16 x;
  f.s0 = f.s7;
  x.sa = x.sF;
  x.sA = x.sf;
  float4 vf;
  float2 low = vf.lo;
  float2 high = vf.hi;
  float lx = low.lo;
  float ly = low.hi;
  float2 odd = vf.odd;
  float2 even = vf.even;
  float3 v3 = vf.xyz;
  float2 v3hi = v3.hi, v3odd = v3.odd;
  out[0] = swiz + dup;
}

kernel void reinterpretation(global float4 *out) {
  float f;
  uint u;
  u = as_uint(f);
  f = as_float(u & ~(1 << 31));
  u = 0x3f800000;
  f = as_float(u);
  float4 f4 = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
  int4 i4 = as_int4(f4);
  float4 g4;
  int4 is_less = f4 < g4;
  f4 = as_float4(as_int4(f4) & is_less);
  int i;
  short2 j2 = as_short2 /* WARNING implementation-defined-conversion "reinterpreting 'int' as 'short2', with another number of elements, is implementation-defined" */(i);
  short8 j8 = as_short8 /* WARNING implementation-defined-conversion "reinterpreting 'int4' as 'short8', with another number of elements, is implementation-defined" */(i4);
  float3 g = as_float3(f4);
  out[0] = f4;
}

kernel void conversions(global int4 *out) {
  float x;
  int i = (int)x;
  i = (int)(x + 0.5f);
  i = convert_int(x);
  uchar4 u8;
  int4 c = convert_int4(u8);
  float4 f = (float4)(-5.0f, 254.5f, 254.6f, 1.2e9f);
  uchar4 c8 = convert_uchar4_sat_rte(f);
  short4 s;
  ushort4 u = convert_ushort4_sat(s);
  char4 ch = convert_char4_sat(s);
  int4 i1 = convert_int4(f);
  int4 i2 = convert_int4_sat(f);
  int4 i3 = convert_int4_rte(f);
  int4 i4 = convert_int4_sat_rte(f);
  float4 f2 = convert_float4(i1);
  float4 f3 = convert_float4_rtp(i1);
  out[0] = i4;
}
