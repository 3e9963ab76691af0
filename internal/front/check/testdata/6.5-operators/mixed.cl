float4 g(float x);
constant float4 c1 = (float4)(1.0f);
constant float c2[2] = {1.0, 2};
float pg /* ERROR program-scope-space "program scope variable must reside in constant address space" */;
constant int cc /* ERROR constant-uninitialized "variable in constant address space must be initialized" */;
extern constant int dd;
static int gg /* ERROR program-scope-space "program scope variable must reside in constant address space" */ = 4;
constant float4 lit = (float4)(1,2,(float2)(3,4));
struct S { int a; float b[3]; };
kernel void k(global float *p, float *q, global float **r, half h /* ERROR half-declaration "declaring function parameter of type 'half' is not allowed; did you forget * ?" */, bool b, size_t s, struct S st, event_t e, float a[4], int i) {
  half hh /* ERROR half-declaration "declaring variable of type 'half' is not allowed" */ = 1.0;
  local int l /* ERROR local-initializer "'__local' variable cannot have an initializer" */ = 3;
  local float arr[10];
  float4 f = (float4)( /* ERROR vector-element-count "too few elements in vector initialization (expected 4 elements, have 2)" */1.0f, 2.0f);
  float4 f2 = ( /* ERROR incompatible-types "initializing 'float4' with an expression of incompatible type 'float2'" */float2)(1.0f, 2.0f);
  float4 f3 = (float4)( /* ERROR vector-element-count "too few elements in vector initialization (expected 4 elements, have 3)" */1.0f, (float2)(2.0f, 3.0f));
  float2 pos; pos.z /* ERROR vector-component-range "vector component access exceeds type 'float2' (vector of 2 'float' values)" */ = 1.0f;
  float3 p3; p3.w /* ERROR vector-component-range "vector component access exceeds type 'float3' (vector of 3 'float' values)" */ = 1.f;
  f /* ERROR duplicate-components "vector is not assignable (contains duplicate components)" */.xx = pos;
  float4 v_A = f.xs123;
  float4 v_B = f.s012w;
  float x = pos.low /* ERROR vector-component "illegal vector component name 'l'" */;
  float *ad = & /* ERROR address-of "address of vector element requested" */f.x;
  ushort4 c = convert_uchar4_sat_rte /* ERROR incompatible-types "initializing 'ushort4' with an expression of incompatible type 'uchar4'" */(f);
  double4 d4 = as_double4 /* ERROR reinterpretation-size "invalid reinterpretation: sizes of 'double4' and 'float4' must match" */(f);
  float4 g4 = as_float4 /* ERROR reinterpretation-size "invalid reinterpretation: sizes of 'float4' and 'float3' must match" */(p3);
  float4 g5 = convert_float4_sat /* ERROR invalid-conversion "'convert_float4_sat' is not a conversion function: '_sat' cannot be used for conversions to a floating-point type" */(f);
  int4 i4 = convert_int4 /* ERROR conversion-element-count "'convert_int4' needs a vector of 4 elements, not 'float2': the number of elements must be the same" */(pos);
  int4 i5 = ( /* ERROR vector-cast "invalid conversion between ext-vector type 'int4' and 'float4'" */int4)f;
  i4 = f /* ERROR incompatible-types "assigning to 'int4' from incompatible type 'float4'" */;
  i4 = f < g4;
  f = f + /* ERROR vector-operands "implicit conversions between vector types ('float4' and 'int4') are not permitted" */ i4;
  i = foo /* ERROR undeclared-identifier "use of undeclared identifier 'foo'" */(1);
  i = getglobal_id /* ERROR undeclared-identifier "use of undeclared identifier 'getglobal_id'; did you mean 'get_global_id'?" */(0);
  int z[s /* ERROR variable-length-array "variable length arrays are not supported in OpenCL" */];
  if (f /* ERROR condition-type "statement requires expression of scalar type ('float4' invalid)" */) ; /* WARNING empty-body "if statement has empty body" */
  f /* ERROR invalid-operand "used type 'float4' where integer is required" */ ? f : f;
  i4 /* WARNING unused-value "expression result unused" */ ? f : f;
  i4 /* WARNING unused-value "expression result unused" */ ? i : i;
  int4 i6 = !f;
  f % /* ERROR invalid-operands "invalid operands to binary expression ('float4' and 'float4')" */ f;
  f << /* ERROR invalid-operands "used type 'float4' where integer is required" */ 1;
  1 << /* ERROR vector-operands "requested shift is a vector of type 'int4' but the first operand is not a vector ('int')" */ i4;
  i4 /* WARNING unused-value "expression result unused" */ << 1;
  i4 + /* ERROR scalar-rank "scalar operand type has greater rank than the type of the vector element. ('int4' and 'float')" */ 1.0f;
  i4 + /* ERROR scalar-rank "scalar operand type has greater rank than the type of the vector element. ('int4' and 'long')" */ 1l;
  f + /* ERROR scalar-rank "scalar operand type has greater rank than the type of the vector element. ('float4' and 'double')" */ 1.0;
  f + /* ERROR scalar-rank "scalar operand type has greater rank than the type of the vector element. ('float4' and 'double')" */ d4.x;
  void (* /* ERROR function-pointer "pointers to functions are not allowed" */fp)(void);
  goto nolabel /* ERROR undeclared-label "use of undeclared label 'nolabel'" */;
  undeclared /* ERROR undeclared-identifier "use of undeclared identifier 'undeclared'" */.x = 1;
  st.c /* ERROR no-member "no member named 'c' in 'struct S'" */ = 1;
  p->x /* ERROR member-access "member reference base type 'float' is not a structure or union" */ = 1;
  i /* ERROR not-callable "called object type 'int' is not a function or function pointer" */();
  return 1 /* ERROR return-mismatch "void function 'k' should not return a value" */;
}
int rec /* ERROR recursion "recursion is not supported in OpenCL: function 'rec' calls itself" */(int n) { return rec(n-1); }
int vf( /* ERROR variadic-function "invalid prototype, variadic arguments are not allowed in OpenCL" */int a, ...) { } /* WARNING return-type "non-void function does not return a value" */
kernel int ki /* ERROR kernel-result "kernel must have void return type" */() {} /* WARNING return-type "non-void function does not return a value" */
kernel void k2() { p /* ERROR undeclared-identifier "use of undeclared identifier 'p'" */ = 3; }
// ERROR@20:19 vector-component-mix "illegal vector component name 's': .xyzw, .rgba and numeric indices cannot be mixed"
// ERROR@21:22 vector-component-mix "illegal vector component name 'w': .xyzw, .rgba and numeric indices cannot be mixed"
