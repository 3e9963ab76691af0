// A prototype of printf changes nothing: it is the language's function all the same.

int printf(constant char *restrict format, ...);
int print( /* ERROR variadic-function "invalid prototype, variadic arguments are not allowed in OpenCL" */constant char *format, ...);

kernel void k(int n, float f) {
  printf("%d %f\n", n, f);
  printf("%d\n", f /* WARNING format "format specifies type 'int' but the argument has type 'double'" */);
}
