// options: -cl-std=CL3.0
// OpenCL C 3.0 with program scope global variables.

int plain = 1;
int tentative;
int tentative;
global int glob = 2;
static int stat;
constant int none /* ERROR constant-uninitialized "variable in constant address space must be initialized" */;
local int loc /* ERROR program-scope-space "program scope variable must reside in global or constant address space" */;
int *ptr = &plain;
int bad = get_work_dim /* ERROR initializer-not-constant "initializer element is not a compile-time constant" */();

kernel void k(global int *p) {
  static int n = 3;
  static int m = p /* ERROR initializer-not-constant "initializer element is not a compile-time constant" */[0];
  n++;
  plain = n;
  global int g /* ERROR global-in-function "function scope variable cannot be declared in global address space" */;
  generic int q /* ERROR generic-variable "variable cannot be declared in the generic address space" */;
}
