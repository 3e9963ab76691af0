// options: -Weverything -Wno-sign-conversion
// Warnings that are off unless asked for.

static int unused_function /* WARNING unused-function "unused function 'unused_function'" */(int x) { return x; }
int declared_only /* WARNING undefined-function "function 'declared_only' is used but not defined in this program" */(int x);

kernel void f(global int *p, int unused_parameter /* WARNING unused-parameter "unused parameter 'unused_parameter'" */) {
  int unused /* WARNING unused-variable "unused variable 'unused'" */ = 1;
  int set /* WARNING unused-but-set-variable "variable 'set' set but not used" */;
  set = p[0];
  int uninit;
  p[0] = uninit;
  int maybe;
  if (p[0])
    maybe = 1;
  p[1] = maybe;
  int x = 1;
  {
    int x /* WARNING shadow "declaration shadows a local variable" */ = 2;
    p[x] = 1;
  }
  p[2] = x + declared_only(1);
  uint u = p[3];
  if (p[0] < /* WARNING sign-compare "comparison of integers of different signs: 'int' and 'uint'" */ u)
    p[1] = 2;
  if (u < /* WARNING tautological-unsigned-zero-compare "result of comparison of unsigned expression < 0 is always false" */ 0)
    p[1] = 3;
label /* WARNING unused-label "unused label 'label'" */:
  return;
  p /* WARNING unreachable-code "code will never be executed" */[3] = 1;
}
kernel void g(global int *p) {
  int uninit, init = 1, loop, arr[2];
  p[0] = uninit /* WARNING uninitialized "variable 'uninit' is uninitialized when used here" */ + init;
  for (int i = 0; i < 4; i++)
    loop = i;
  p[1] = loop;
  arr[0] = 1;
  p[2] = arr[0];
}
