// Every example that the seed texts call an error, and the known slip of the third.

kernel void literals(global float4 *out) {
  float4 a = (float4)( /* ERROR vector-element-count "too few elements in vector initialization (expected 4 elements, have 2)" */1.0f, 2.0f);
  float4 b = ( /* ERROR incompatible-types "initializing 'float4' with an expression of incompatible type 'float2'" */float2)(1.0f, 2.0f);
  float4 c = (float4)( /* ERROR vector-element-count "too few elements in vector initialization (expected 4 elements, have 3)" */1.0f, (float2)(2.0f, 3.0f));
  (float4)(1.0f, 2.0f, 3.0f, 4.0f) = /* ERROR not-assignable "expression is not assignable" */a;
  out[0] = a + b + c;
}

kernel void components(global float4 *out) {
  float2 pos2;
  pos2.x = 1.0f;
  pos2.z /* ERROR vector-component-range "vector component access exceeds type 'float2' (vector of 2 'float' values)" */ = 1.0f;
  float3 pos3;
  pos3.z = 1.0f;
  pos3.w /* ERROR vector-component-range "vector component access exceeds type 'float3' (vector of 3 'float' values)" */ = 1.0f;
  float4 f;
  float4 dup = pox /* ERROR undeclared-identifier "use of undeclared identifier 'pox'; did you mean 'pow'?" */.xxyy;
  float4 v_A = f.xs123;
  float4 v_B = f.s012w;
  float2 low = f.lo;
  float x = low.low /* ERROR vector-component "illegal vector component name 'l'" */;
  out[0] = v_A + v_B;
}

kernel void reinterpretation(global float *out) {
  float4 f;
  double4 g = as_double4 /* ERROR reinterpretation-size "invalid reinterpretation: sizes of 'double4' and 'float4' must match" */(f);
  float3 h;
  bool b = as_bool /* ERROR invalid-reinterpretation "there is no reinterpretation as 'bool'" */(h.x);
  as_void /* ERROR invalid-reinterpretation "there is no reinterpretation as 'void'" */(h.x);
  float4 i = as_float4 /* ERROR reinterpretation-size "invalid reinterpretation: sizes of 'float4' and 'float3' must match" */(h);
}

kernel void conversions(global ushort4 *out) {
  float4 f = (float4)(-5.0f, 254.5f, 254.6f, 1.2e9f);
  ushort4 c = convert_uchar4_sat_rte /* ERROR incompatible-types "initializing 'ushort4' with an expression of incompatible type 'uchar4'" */(f);
  float4 g = convert_float4_sat /* ERROR invalid-conversion "'convert_float4_sat' is not a conversion function: '_sat' cannot be used for conversions to a floating-point type" */(c);
  int3 h = convert_int3 /* ERROR conversion-element-count "'convert_int3' needs a vector of 3 elements, not 'float4': the number of elements must be the same" */(f);
  bool b = convert_bool /* ERROR invalid-conversion "'convert_bool' is not a conversion function: there is no conversion to bool; compare with 0" */(f.x);
  size_t n = convert_size_t /* ERROR invalid-conversion "'convert_size_t' is not a conversion function: 'size_t' is not a type that values can be converted to" */(f.x);
  convert_void /* ERROR invalid-conversion "'convert_void' is not a conversion function: 'void' is not a type that values can be converted to" */(f.x);
  out[0] = c;
}
// ERROR@20:19 vector-component-mix "illegal vector component name 's': .xyzw, .rgba and numeric indices cannot be mixed"
// ERROR@21:22 vector-component-mix "illegal vector component name 'w': .xyzw, .rgba and numeric indices cannot be mixed"
