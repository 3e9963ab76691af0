// Implicit conversions (6.4.1), explicit casts (6.4.2), pointers (6.4.5).

void takes_local(local float *p);
void takes_int4(int4 v);

kernel void f(global float *g, local float *l, constant float *c, int i, float4 f4, int4 i4, global int *gi, uint4 u4) {
  i = f4 /* ERROR incompatible-types "assigning to 'int' from incompatible type 'float4'" */;
  f4 = i;
  f4 = 1.0;
  f4 = i4 /* ERROR incompatible-types "assigning to 'float4' from incompatible type 'int4'" */;
  i4 = f4 /* ERROR incompatible-types "assigning to 'int4' from incompatible type 'float4'" */;
  u4 = i4 /* ERROR incompatible-types "assigning to 'uint4' from incompatible type 'int4'" */;
  i4 = ( /* ERROR vector-cast "invalid conversion between ext-vector type 'int4' and 'float4'" */int4)f4;
  f4 = (float4)i;
  f4 = (float4)(i);
  i = ( /* ERROR invalid-cast "invalid conversion between vector type 'float4' and scalar type 'int'" */int)f4;
  i = (int)1.5f;
  i = 1.5f /* WARNING literal-conversion "implicit conversion from 'float' to 'int' changes value from 1.5 to 1" */;
  char ch = 200 /* WARNING constant-conversion "implicit conversion from 'int' to 'char' changes value from 200 to -56" */;
  uchar uc = 256 /* WARNING constant-conversion "implicit conversion from 'int' to 'uchar' changes value from 256 to 0" */;
  uc = -1;
  i = 3e10f /* WARNING implementation-defined-conversion "conversion of out of range value 3E+10 from 'float' to 'int' is implementation-defined" */;
  bool b = f4 /* ERROR incompatible-types "initializing 'bool' with an expression of incompatible type 'float4'" */;
  b = g;
  i = g /* ERROR int-conversion "incompatible pointer to integer conversion assigning to 'int' from type '__global float *'" */;
  g = i /* ERROR int-conversion "incompatible integer to pointer conversion assigning to '__global float *' from type 'int'" */;
  g = 0;
  g = 1 /* ERROR int-conversion "incompatible integer to pointer conversion assigning to '__global float *' from type 'int'" */;
  float *p = g /* ERROR address-space "initializing '__private float *' with an expression of type '__global float *' changes address space of pointer" */;
  g = l /* ERROR address-space "assigning to '__global float *' from type '__local float *' changes address space of pointer" */;
  g = c /* ERROR address-space "assigning to '__global float *' from type '__constant float *' changes address space of pointer" */;
  g = ( /* ERROR address-space "casting '__local float *' to type '__global float *' changes address space of pointer" */global float *)l;
  g = gi /* WARNING incompatible-pointer-types "incompatible pointer types assigning to '__global float *' from type '__global int *'" */;
  global uint *gu = gi /* WARNING pointer-sign "initializing '__global uint *' with an expression of type '__global int *' converts between pointers to integer types with different sign" */;
  const global float *cg = g;
  g = cg /* WARNING incompatible-pointer-types-discards-qualifiers "assigning to '__global float *' from type 'const __global float *' discards qualifiers" */;
  global void *v = g;
  gi = v;
  takes_local(g /* ERROR address-space "passing '__global float *' to parameter of type '__local float *' changes address space of pointer" */);
  takes_local(l);
  takes_int4(f4 /* ERROR incompatible-types "passing 'float4' to parameter of incompatible type 'int4'" */);
  takes_int4(i);
  i = ( /* WARNING pointer-to-int-cast "cast to smaller integer type 'int' from '__global float *'" */int)g;
  long n = (long)g;
  g = (global float *)n;
  g = ( /* ERROR invalid-cast "operand of type 'float' cannot be cast to a pointer type" */global float *)1.0f;
  f4 = ( /* ERROR invalid-cast "invalid conversion between vector type 'float4' and scalar type '__global float *'" */float4)g;
  float x = ( /* ERROR invalid-cast "pointer cannot be cast to type 'float'" */float)g;
  f4 = cg ? f4 : 1.0f;
  const char *s = "abc" /* ERROR address-space "initializing 'const __private char *' with an expression of type 'const __constant char *' changes address space of pointer" */;
  constant char *t = "abc";
  global float *q = i ? g : 0;
  q = i ? /* ERROR address-space "conditional operator with the second and third operands of type ('__global float *' and '__local float *') which are pointers to non-overlapping address spaces" */ g : l;
  q = i ? /* WARNING pointer-type-mismatch "pointer/integer type mismatch in conditional expression ('__global float *' and 'int')" */ g : i;
  enum { A } e = i;
  i = A + e;
}
