// Variables at program scope and in functions (6.7, 6.8).

constant int ok = 1;
constant int none /* ERROR constant-uninitialized "variable in constant address space must be initialized" */;
extern constant int elsewhere;
int plain /* ERROR program-scope-space "program scope variable must reside in constant address space" */ = 1;
global int glob /* ERROR program-scope-space "program scope variable must reside in constant address space" */ = 1;
local int loc /* ERROR program-scope-space "program scope variable must reside in constant address space" */;
private int priv /* ERROR program-scope-space "program scope variable must reside in constant address space" */ = 1;
static int stat /* ERROR program-scope-space "program scope variable must reside in constant address space" */ = 1;
static constant int sconst = 2;
constant int dup = 1;
constant int dup /* ERROR redefinition "redefinition of 'dup'" */ = 2;
constant int from = ok + sizeof(dup);
constant int call = get_work_dim /* ERROR initializer-not-constant "initializer element is not a compile-time constant" */();
constant int *constant ptr = &ok;
constant int *constant ptrs[2] = { &ok, 0 };
constant char str[] = "abc";
constant char *constant strs[] = { "a", "b" };
constant sampler_t smp = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
const sampler_t smp2 = CLK_FILTER_LINEAR;
typedef int t;
t t /* ERROR program-scope-space "program scope variable must reside in constant address space" */;
float ok2(void);
constant float ok2 /* ERROR redefinition "redefinition of 'ok2' as different kind of symbol" */ = 1;

kernel void k(global int *p, constant int *c) {
  local int a;
  local int b /* ERROR local-initializer "'__local' variable cannot have an initializer" */ = 1;
  constant int d = 2;
  constant int e /* ERROR constant-uninitialized "variable in constant address space must be initialized" */;
  constant int f = p /* ERROR initializer-not-constant "initializer element is not a compile-time constant" */[0];
  global int g /* ERROR global-in-function "function scope variable cannot be declared in global address space" */;
  static int h /* ERROR static-variable "variables in function scope cannot be declared static" */ = 1;
  static constant int s /* ERROR static-variable "variables in function scope cannot be declared static" */ = 1;
  extern constant int x;
  extern int wrong /* ERROR program-scope-space "extern variable must reside in constant address space" */;
  { local int i /* ERROR local-scope "variables in the local address space can only be declared in the outermost scope of a kernel function" */; }
  for (int j = 0; j < 1; j++) { local int k /* ERROR local-scope "variables in the local address space can only be declared in the outermost scope of a kernel function" */; }
  a = ok + d;
  ok = /* ERROR const-assigned "cannot assign to variable 'ok' with const-qualified type '__constant int'" */ 1;
  c[0] = /* ERROR const-assigned "read-only variable is not assignable" */ 1;
  *c = /* ERROR const-assigned "read-only variable is not assignable" */ 1;
  local int *lp = &a;
  local int *local lpp;
  int *pp = & /* ERROR address-space "initializing '__private int *' with an expression of type '__local int *' changes address space of pointer" */a;
  const int r = 1;
  r = /* ERROR const-assigned "cannot assign to variable 'r' with const-qualified type 'const __private int'" */ 2;
  r /* ERROR const-assigned "cannot assign to variable 'r' with const-qualified type 'const __private int'" */++;
  int n = p[0];
  int vla[n /* ERROR variable-length-array "variable length arrays are not supported in OpenCL" */];
  int fine[ok + r];
  int zero[0];
  int neg[- /* ERROR array-size "array has a negative size (-1)" */1];
  int huge[1 /* ERROR object-too-large "array is too large (1073741824 elements of 4294967296 bytes)" */ << 30][1 << 30];
  float16 huger[1099511627776 /* ERROR object-too-large "array is too large (1099511627776 elements of 64 bytes)" */];
  int flt[1.5f /* ERROR array-size "size of array has non-integer type 'float'" */];
  int incomplete /* ERROR incomplete-type "definition of variable with array type needs an explicit size or an initializer" */[];
  int k = 1;
  int k /* ERROR redefinition "redefinition of 'k'" */ = 2;
  unknown /* ERROR undeclared-identifier "use of undeclared identifier 'unknown'" */ = 1;
}

void helper(void) {
  local int a /* ERROR local-scope "non-kernel function variable cannot be declared in local address space" */;
  constant int b /* ERROR local-scope "non-kernel function variable cannot be declared in constant address space" */ = 1;
}
