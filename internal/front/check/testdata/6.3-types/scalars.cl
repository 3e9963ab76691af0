// Scalar types (6.3.1), constants (C99 6.4.4), and other built-in types (6.3.3).

kernel void constants(global long *p) {
  p[0] = 0x7fffffff + 0xffffffff + 4294967296 + 1u + 1UL + 077;
  p[1] = 08;
  p[2] = 0xg;
  p[3] = 1lul;
  p[4] = 18446744073709551616 /* ERROR invalid-number "integer literal is too large to be represented in any integer type" */;
  p[5] = 9223372036854775808 /* WARNING implicitly-unsigned-constant "integer literal is too large to be represented in a signed integer type, interpreting as unsigned" */;
  p[6] = 'ab' /* WARNING multichar "multi-character character constant" */ + '\n' + '\x41' + '\q';
  p[7] = '' /* WARNING invalid-pp-token "empty character constant" */ /* ERROR stray-token "stray '''' in program" */;
  p[8] = 1.0h /* ERROR half-literal "half precision constant requires cl_khr_fp16" */;
  float f = 1e40f /* WARNING literal-range "magnitude of floating-point constant too large for type 'float'; maximum is 3.40282347E+38" */;
  double d = 1e400 /* WARNING literal-range "magnitude of floating-point constant too large for type 'double'; maximum is 1.7976931348623157E+308" */;
  f = 1e-50f /* WARNING literal-range "magnitude of floating-point constant too small for type 'float'" */;
  d = 0x1.8p3 + 0x1p-3f + 1. + .5 + 1e3f + 1.0L;
  d = 0x1.8 /* ERROR invalid-number "hexadecimal floating constant requires an exponent" */;
  d = 1.0q /* ERROR invalid-number "invalid suffix 'q' on floating constant" */;
  d = 1e /* ERROR invalid-number "exponent has no digits" */;
  _Static_assert(0x1.8p1 == 3 && 1e3f == 1000.0f && 010 == 8 && 0b101 == 5 && 'a' == 97 && '\377' == -1, "values");
  _Static_assert(sizeof(0x80000000) == 4 && sizeof(2147483648) == 8 && sizeof(1.0) == 8 && sizeof(1.0f) == 4 && sizeof('a') == 4, "types");
}

kernel void types(global char *p) {
  long /* ERROR unsupported-type "'long double' is not supported in OpenCL" */ double ld;
  long long ll = 1;
  unsigned long long ull = 1;
  _Complex /* ERROR unsupported-complex "complex and imaginary types are not supported" */ float cf;
  half h /* ERROR half-declaration "declaring variable of type 'half' is not allowed" */;
  global half *hp = (global half *)p;
  float f = * /* ERROR half-access "loading directly from pointer to type '__global half' requires fp16. Use vector data load builtin functions instead" */hp;
  *hp = /* ERROR half-access "assigning directly to pointer to type 'half' requires fp16. Use vector data store builtin functions instead" */ 1.0f;
  half4 h4;
  bool b = 2;
  size_t n = sizeof(size_t) + sizeof(ptrdiff_t) + sizeof(intptr_t);
  void v /* ERROR incomplete-type "variable has incomplete type 'void'" */;
  void *vp;
  image2d_t im /* ERROR image-variable "type 'image2d_t' can only be used as a function parameter in OpenCL" */;
  event_t e;
  sampler_t s = 0;
  unknown_t /* ERROR unknown-type "unknown type name 'unknown_t'" */ u;
  flaot4 /* ERROR unknown-type "unknown type name 'flaot4'; did you mean 'float4'?" */ q;
  float5 /* ERROR unknown-type "unknown type name 'float5'; did you mean 'float'?" */ r;
  queue_t /* ERROR unknown-type "unknown type name 'queue_t'" */ w;
}

_Static_assert(sizeof(bool) == 1 && sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8, "sizes");
_Static_assert(sizeof(half) == 2 && sizeof(float) == 4 && sizeof(double) == 8 && sizeof(void *) == 8, "sizes");
_Static_assert(sizeof(char2) == 2 && sizeof(char3) == 4 && sizeof(short3) == 8 && sizeof(float3) == 16 && sizeof(double16) == 128, "sizes");
_Static_assert(__alignof__(float3) == 16 && __alignof__(double3) == 32 && __alignof__(char16) == 16, "alignment");
_Static_assert(vec_step(float) == 1 && vec_step(float3) == 4 && vec_step(int16) == 16 && vec_step(void) == 1, "steps");
_Static_assert((uchar)300 == 44 && (char)200 == -56 && -1 > 0u && 7 / -2 == -3 && 7 % -2 == 1 && -7 >> 1 == -4, "arithmetic");
_Static_assert((1 ? 2 : 3) == 2 && !0 && (0 || 2) == 1 && (1 && 0) == 0 && ~0 == -1 && (5 ^ 3) == 6, "logic");
// ERROR@5:11 invalid-number "invalid digit '8' in octal constant"
// ERROR@6:11 invalid-number "invalid suffix 'xg' on integer constant"
// ERROR@7:11 invalid-number "invalid suffix 'lul' on integer constant"

// WARNING@10:95 unknown-escape-sequence "unknown escape sequence '\\q'"
