// Vector literals (6.3.6) and components (6.3.7).

kernel void literals(global int4 *p, float4 f, int2 i, double d) {
  int4 a = (int4)(1, 2, 3, 4, 5 /* ERROR vector-element-count "too many elements in vector initialization (expected 4 elements, have 5)" */);
  int4 b = (int4)(p[0].xyz, i /* ERROR vector-element-count "too many elements in vector initialization (expected 4 elements, have 5)" */);
  float4 c = (float4)(i /* ERROR incompatible-types "initializing 'float2' with an expression of incompatible type 'int2'" */, f.xy);
  int4 e = ( /* ERROR vector-cast "invalid conversion between ext-vector type 'int4' and 'int2'" */int4)(i);
  int4 g = ( /* ERROR vector-cast "invalid conversion between ext-vector type 'int4' and 'int2'" */int4)((i));
  float4 h = { /* ERROR vector-element-count "too few elements in vector initialization (expected 4 elements, have 2)" */ 1, 2 };
  float4 j = { f.xy, f.zw };
  float4 k = { 1, 2, 3, 4, 5 /* ERROR vector-element-count "excess elements in vector initializer" */ };
  float4 l = ( /* ERROR invalid-cast "invalid conversion between vector type 'float4' and scalar type '__global int4 *'" */float4)(p);
  float4 m = (float4)(p /* ERROR incompatible-types "initializing 'float' with an expression of incompatible type '__global int4 *'" */, p);
  float16 n = (float16)(f, f, f.xy, 1, 2, (float3)(1), 3, 4 /* ERROR vector-element-count "too many elements in vector initialization (expected 16 elements, have 18)" */, 5);
  float16 o = (float16)(f, f, f.xy, 1, 2, (float3)(1), 3);
  int4 q = (int4)(1.5f /* WARNING literal-conversion "implicit conversion from 'float' to 'int' changes value from 1.5 to 1" */, d, true, 'a');
  float8 r = (float8){ f, f };
  char16 s = (char16)0;
  bool2 /* ERROR unknown-type "unknown type name 'bool2'; did you mean 'bool'?" */ t;
}

kernel void components(global float4 *p, float8 v8, int3 v3) {
  float4 f = p[0];
  f /* ERROR duplicate-components "vector is not assignable (contains duplicate components)" */.xx = f.yy;
  f /* ERROR duplicate-components "vector is not assignable (contains duplicate components)" */.s00 = f.yy;
  f /* ERROR duplicate-components "vector is not assignable (contains duplicate components)" */.lo.xx = f.yy;
  f.q /* ERROR vector-component "illegal vector component name 'q'" */ = 1;
  f.xyq = f.xyz;
  f.xr = f.xy;
  f.sx = 1;
  f.s4 = 1;
  f.s01234 = 1;
  f.xyzwx /* ERROR vector-component "a selection of 5 components is no vector: it must have 1, 2, 3, 4, 8 or 16" */ = 1;
  v8.xyzw = f;
  v8.s89 = f.xy;
  f.s /* ERROR vector-component "illegal vector component name 's'" */ = 1;
  f.hi.hi.hi /* ERROR member-access "member reference base type 'float' is not a structure or union" */ = 1;
  p->x = p[1].w;
  p->xy.y = (*p).x;
  float *a = & /* ERROR address-of "address of vector element requested" */f.x;
  private float4 *b = &f;
  global float *c = & /* ERROR address-of "address of vector element requested" */p->lo.x;
  float2 *d = & /* ERROR address-of "address of vector element requested" */f.xy;
  v3.w /* ERROR vector-component-range "vector component access exceeds type 'int3' (vector of 3 'int' values)" */ = 1;
  v3.hi = v3.lo;
  int2 e = v3.odd;
  f[1] = f[0];
  f[4 /* ERROR vector-component-range "vector component access exceeds type 'float4' (vector of 4 'float' values)" */] = 1;
  f[- /* ERROR vector-component-range "vector component access exceeds type 'float4' (vector of 4 'float' values)" */1] = 1;
  f[1.0f /* ERROR subscript "array subscript is not an integer" */] = 1;
  f[v3.x] = f[v3.y];
  ++f[0];
  (f + f).x = /* ERROR not-assignable "expression is not assignable" */ 1;
  f.rgba /* WARNING opencl-unsupported-rgba "vector component name 'r' is a feature from OpenCL version 3.0 onwards" */ = f;
  f.rgb /* WARNING opencl-unsupported-rgba "vector component name 'r' is a feature from OpenCL version 3.0 onwards" */ = f.bgr /* WARNING opencl-unsupported-rgba "vector component name 'b' is a feature from OpenCL version 3.0 onwards" */;
  f.lO /* ERROR vector-component "illegal vector component name 'l'" */ = f.xy;
}
// ERROR@28:7 vector-component "illegal vector component name 'q'"
// ERROR@29:6 vector-component-mix "illegal vector component name 'r': .xyzw, .rgba and numeric indices cannot be mixed"
// ERROR@30:6 vector-component-mix "illegal vector component name 'x': .xyzw, .rgba and numeric indices cannot be mixed"
// ERROR@31:6 vector-component-range "vector component access exceeds type 'float4' (vector of 4 'float' values)"
// ERROR@32:10 vector-component-range "vector component access exceeds type 'float4' (vector of 4 'float' values)"
// ERROR@35:7 vector-component-range "vector component access exceeds type 'float8' (vector of 8 'float' values)"
