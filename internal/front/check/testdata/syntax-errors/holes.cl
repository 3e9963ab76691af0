// A syntax error keeps nothing else from being checked, and what it took away gives no
// errors of its own.

struct Pair { int first; unknown_t /* ERROR unknown-type "unknown type name 'unknown_t'" */ second; };
constant int table[2] = { 1, 2 + } /* ERROR expected-expression "expected expression" */;
extern int size_of_table(table /* ERROR old-style-function "parameter 'table' has no type; function declarations without a prototype are not supported" */);
float declared(float x);

kernel void statements(global float *p, int n) {
  float unset = p[0] + ; /* ERROR expected-expression "expected expression" */
  int count = 3
  if (n > count { /* ERROR expected-token "expected ')'" */
    p[0] = unset;
  }
  p[count] = unheard_of_name /* ERROR undeclared-identifier "use of undeclared identifier 'unheard_of_name'" */;
  for (int i = 0; i < n i /* ERROR expected-token "expected ';' in 'for' statement specifier" */++) p[i] = unset;
  while (n) { n = (n - ; /* ERROR expected-expression "expected expression" */ p = n /* ERROR int-conversion "incompatible integer to pointer conversion assigning to '__global float *' from type 'int'" */; }
  goto end;
  struct Pair pair;
  pair.second = 1.5f;
  pair.first = p /* ERROR int-conversion "incompatible pointer to integer conversion assigning to 'int' from type '__global float *'" */;
  end: p[ = /* ERROR expected-expression "expected expression" */ 1;
}

kernel void parameters(global float *p, wholly_unheard_of /* ERROR unknown-type "unknown type name 'wholly_unheard_of'" */ *q, int n) {
  q[0] = p[n];
  p[n] = declared(q[0], 1 /* ERROR argument-count "too many arguments to function call, expected single argument 'x', have 2 arguments" */);
  n = p /* ERROR int-conversion "incompatible pointer to integer conversion assigning to 'int' from type '__global float *'" */;
}

kernel void cut(global float *p, int n: /* ERROR expected-token "expected ')'" */3, int m) {
  p[m] = n;
  p[0] = p * /* ERROR invalid-operands "invalid operands to binary expression ('__global float *' and 'float')" */ 2.0f;
}

kernel void caller(global float *p) {
  p[0] = size_of_table(p) + table[p[0]];
  cut(p, 1, 2);
  register /* ERROR unsupported-storage-class "OpenCL C version 1.2 does not support the 'register' storage class specifier" */ int r = 1;
  r = declared() /* ERROR argument-count "too few arguments to function call, single argument 'x' was not specified" */;
}
// ERROR@11:16 expected-semicolon "expected ';' at end of declaration"
