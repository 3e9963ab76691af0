// Explicit conversions (6.4.3) and reinterpretation (6.4.4).

kernel void convert(global float4 *p, float4 f, int i, uchar8 u8, bool b /* ERROR kernel-parameter-type "'bool' cannot be used as the type of a kernel parameter" */, half4 h, double2 d) {
  int4 a = convert_int4(f) + convert_int4_rte(f) + convert_int4_sat_rtp(f);
  a = convert_int4_rte_sat /* ERROR invalid-conversion "'convert_int4_rte_sat' is not a conversion function: '_sat' comes before the rounding mode" */(f);
  a = convert_int4_sat_sat /* ERROR invalid-conversion "'convert_int4_sat_sat' is not a conversion function: '_sat' is neither '_sat' nor a rounding mode (_rte, _rtz, _rtp, _rtn)" */(f);
  a = convert_int4_rtx /* ERROR invalid-conversion "'convert_int4_rtx' is not a conversion function: '_rtx' is neither '_sat' nor a rounding mode (_rte, _rtz, _rtp, _rtn)" */(f);
  a = convert_int /* ERROR conversion-element-count "'convert_int' needs a scalar, not 'float4': the number of elements must be the same" */(f);
  a = convert_int3 /* ERROR conversion-element-count "'convert_int3' needs a vector of 3 elements, not 'float4': the number of elements must be the same" */(f);
  a = convert_int8 /* ERROR incompatible-types "assigning to 'int4' from incompatible type 'int8'" */(u8);
  a = convert_int4 /* ERROR conversion-element-count "'convert_int4' needs a vector of 4 elements, not 'int': the number of elements must be the same" */(i);
  i = convert_bool /* ERROR invalid-conversion "'convert_bool' is not a conversion function: there is no conversion to bool" */(i);
  i = convert_void /* ERROR invalid-conversion "'convert_void' is not a conversion function: 'void' is not a type that values can be converted to" */(i);
  i = convert_size_t /* ERROR invalid-conversion "'convert_size_t' is not a conversion function: 'size_t' is not a type that values can be converted to" */(i);
  i = convert_itn /* ERROR invalid-conversion "'convert_itn' is not a conversion function: 'itn' is not a type that values can be converted to" */(i);
  i = convert_int(p /* ERROR invalid-conversion "'convert_int' cannot convert a value of type '__global float4 *'" */);
  i = convert_int /* ERROR argument-count "too few arguments to function call, expected 1, have 0" */();
  i = convert_int /* ERROR argument-count "too many arguments to function call, expected 1, have 2" */(i, i);
  i = convert_int(b);
  f = convert_float4_sat /* ERROR invalid-conversion "'convert_float4_sat' is not a conversion function: '_sat' cannot be used for conversions to a floating-point type" */(a);
  f = convert_float4_sat_rte /* ERROR invalid-conversion "'convert_float4_sat_rte' is not a conversion function: '_sat' cannot be used for conversions to a floating-point type" */(a);
  f = convert_half4 /* ERROR incompatible-types "assigning to 'float4' from incompatible type 'half4'" */(f);
  f = convert_float4(h) + convert_float4_rtz(a);
  d = convert_double2 /* ERROR conversion-element-count "'convert_double2' needs a vector of 2 elements, not 'float4': the number of elements must be the same" */(f);
  d = convert_double2(f.lo);
  a = convert_uint4 /* ERROR incompatible-types "assigning to 'int4' from incompatible type 'uint4'" */(f);
  char c = convert_char_sat(300);
  uchar e = convert_uchar /* WARNING implementation-defined-conversion "conversion of out of range value 3E+09 from 'float' to 'uchar' is implementation-defined" */(3e9f);
}

kernel void as(global float4 *p, float4 f, float3 f3, int i, char4 c4, char3 c3, bool b /* ERROR kernel-parameter-type "'bool' cannot be used as the type of a kernel parameter" */, double d, struct { int a; } s) {
  int4 a = as_int4(f);
  a = as_int4 /* WARNING implementation-defined-conversion "reinterpreting 'float3' as 'int4', with another number of elements, is implementation-defined" */(f3);
  f = as_float4 /* ERROR reinterpretation-size "invalid reinterpretation: sizes of 'float4' and 'float3' must match" */(f3);
  f3 = as_float3(a);
  f3 = as_float3 /* ERROR reinterpretation-size "invalid reinterpretation: sizes of 'float3' and 'int' must match" */(i);
  i = as_int /* WARNING implementation-defined-conversion "reinterpreting 'char4' as 'int', with another number of elements, is implementation-defined" */(c4) + as_int(1.0f) + as_int(f.x);
  i = as_int /* WARNING implementation-defined-conversion "reinterpreting 'char3' as 'int', with another number of elements, is implementation-defined" */(c3);
  c3 = as_char3(c4);
  c3 = as_char3 /* WARNING implementation-defined-conversion "reinterpreting 'int' as 'char3', with another number of elements, is implementation-defined" */(i);
  c4 = as_char4 /* ERROR reinterpretation-size "invalid reinterpretation: sizes of 'char4' and 'char3' must match" */(c3);
  short8 s8 = as_short8 /* WARNING implementation-defined-conversion "reinterpreting 'float4' as 'short8', with another number of elements, is implementation-defined" */(f);
  long l = as_long(d) + as_long /* WARNING implementation-defined-conversion "reinterpreting 'float2' as 'long', with another number of elements, is implementation-defined" */(f.lo);
  l = as_long /* ERROR reinterpretation-size "invalid reinterpretation: sizes of 'long' and 'float4' must match" */(f);
  i = as_int(b /* ERROR invalid-reinterpretation "invalid reinterpretation: type 'bool' cannot be reinterpreted" */);
  i = as_bool /* ERROR invalid-reinterpretation "there is no reinterpretation as 'bool'" */(i);
  i = as_int(p /* ERROR invalid-reinterpretation "invalid reinterpretation: type '__global float4 *' cannot be reinterpreted" */);
  i = as_int(s /* ERROR invalid-reinterpretation "invalid reinterpretation: type 'struct (anonymous)' cannot be reinterpreted" */);
  i = as_foo /* ERROR undeclared-identifier "use of undeclared identifier 'as_foo'" */(i);
  i = as_int /* ERROR argument-count "too few arguments to function call, expected 1, have 0" */();
  l = as_ulong(as_double2 /* WARNING implementation-defined-conversion "reinterpreting 'float4' as 'double2', with another number of elements, is implementation-defined" */(f).x);
}
