// Functions: declarations, calls, recursion, overloading (6.9, 6.11).

int declared(int x);
int declared(int y);
int declared /* ERROR conflicting-types "conflicting types for 'declared'" */(float y);
float declared /* ERROR conflicting-types "conflicting types for 'declared'" */(int y);
int twice(int x) { return x; }
int twice /* ERROR redefinition "redefinition of 'twice'" */(int x) { return x + 1; }
void params(int a, int a /* ERROR redefinition "redefinition of parameter 'a'" */) { }
void unnamed(int, float) { }
void novoid(void /* ERROR incomplete-type "argument may not have 'void' type" */ a) { }
void voids(int a, void /* ERROR incomplete-type "argument may not have 'void' type" */) { }
int (* /* ERROR function-pointer "pointers to functions are not allowed" */pointer)(int);
void takes(int f /* ERROR function-pointer "pointers to functions are not allowed" */(int)) { }
typedef int fn(int);
fn typedefd;
int array( /* ERROR invalid-result-type "function cannot return array type 'int[2]'" */void)[2];
void vla(int n, int a[n /* ERROR variable-length-array "variable length arrays are not supported in OpenCL" */]) { }
void variadic( /* ERROR variadic-function "invalid prototype, variadic arguments are not allowed in OpenCL" */int a, ...);
int missing(int a) { } /* WARNING return-type "non-void function does not return a value" */
int some(int a) { if (a) return 1; } /* WARNING return-type "non-void function does not return a value in all control paths" */
int all(int a) { if (a) return 1; else return 2; }
int loop(int a) { for (;;) if (a) return 1; }
int sw(int a) { switch (a) { case 1: return 1; default: return 2; } }
int empty(int a) { return /* ERROR return-mismatch "non-void function 'empty' should return a value" */; }
void value(int a) { return a /* ERROR return-mismatch "void function 'value' should not return a value" */; }
void nothing(int a) { return unnamed(a, a); }
float4 wrong(int4 a) { return a /* ERROR incompatible-types "returning 'int4' from a function with incompatible result type 'float4'" */; }
image2d_t image( /* ERROR invalid-result-type "declaring function return value of type 'image2d_t' is not allowed" */void);
half halves( /* ERROR half-declaration "declaring function return value of type 'half' is not allowed; did you forget * ?" */half h /* ERROR half-declaration "declaring function parameter of type 'half' is not allowed; did you forget * ?" */);
auto /* ERROR unsupported-storage-class "OpenCL C version 1.2 does not support the 'auto' storage class specifier" */ int automatic(void);

__attribute__((overloadable)) int over(int x) { return 1; }
__attribute__((overloadable)) int over(float x) { return 2; }
__attribute__((overloadable)) int over(float4 x) { return 3; }
__attribute__((overloadable)) float over /* ERROR conflicting-types "functions that differ only in their return type cannot be overloaded" */(int x);

int self /* ERROR recursion "recursion is not supported in OpenCL: function 'self' calls itself" */(int n) { return n ? self(n - 1) : 0; }
int even(int n);
int odd(int n) { return n ? even(n - 1) : 0; }
int even /* ERROR recursion "recursion is not supported in OpenCL: function 'even' calls itself" */(int n) { return n ? odd(n - 1) : 1; }

kernel void k(global int *p, float4 f, local int *l) {
  over(1);
  over(1.0f);
  over(f);
  over('a');
  over /* ERROR no-matching-function "no matching function for call to 'over'" */(1.0);
  over /* ERROR no-matching-function "no matching function for call to 'over'" */(p);
  over /* ERROR no-matching-function "no matching function for call to 'over'" */(1, 2);
  declared(1, 2 /* ERROR argument-count "too many arguments to function call, expected single argument 'x', have 2 arguments" */);
  declared() /* ERROR argument-count "too few arguments to function call, single argument 'x' was not specified" */;
  declared(f /* ERROR incompatible-types "passing 'float4' to parameter of incompatible type 'int'" */);
  declared(p /* ERROR int-conversion "incompatible pointer to integer conversion passing '__global int *' to parameter of type 'int'" */);
  undeclared /* ERROR undeclared-identifier "use of undeclared identifier 'undeclared'; did you mean 'declared'?" */(1);
  p /* ERROR not-callable "called object type '__global int *' is not a function or function pointer" */();
  k /* ERROR function-pointer "taking address of function is not allowed" */;
  (& /* ERROR function-pointer "taking address of function is not allowed" */k);
  takes(declared /* ERROR function-pointer "taking address of function is not allowed" */);
  unnamed(1, 2, 3 /* ERROR argument-count "too many arguments to function call, expected 2, have 3" */);
  int nested(int);
  barrier /* ERROR no-matching-function "no matching function for call to 'barrier'" */();
  barrier /* ERROR no-matching-function "no matching function for call to 'barrier'" */(CLK_LOCAL_MEM_FENCE, 1, 2);
  dot /* ERROR no-matching-function "no matching function for call to 'dot'" */(f, f.xy);
  dot(f, 1);
  fmax(f, 1.0);
  min /* ERROR ambiguous-call "call to 'min' is ambiguous" */(1, 2u);
  atomic_add(p, 1);
  atomic_add /* ERROR no-matching-function "no matching function for call to 'atomic_add'" */(f, 1);
  vload4(0, l);
  vstore4(f, 0, p /* WARNING incompatible-pointer-types "incompatible pointer types passing '__global int *' to parameter of type '__global float *'" */);
  async_work_group_copy(l, p, 4, 0);
  printf("%d", 1);
  printf /* ERROR no-matching-function "no matching function for call to 'printf'" */(p);
  sqrt /* ERROR ambiguous-call "call to 'sqrt' is ambiguous" */(1);
}
