// options: -cl-std=CL1.1
// Before OpenCL C 1.2 the logical operators took no floating-point operands.

int logical(float x, float4 v, int n, int4 m) {
  n = x && /* ERROR invalid-operands "invalid operands to binary expression ('float' and 'int')" */ n;
  n = n || /* ERROR invalid-operands "invalid operands to binary expression ('int' and 'float')" */ x;
  n = ! /* ERROR invalid-operand "invalid argument type 'float' to unary expression" */x;
  m = ! /* ERROR invalid-operand "invalid argument type 'float4' to unary expression" */v;
  m = m && /* ERROR invalid-operands "invalid operands to binary expression ('int4' and 'float4')" */ v;
  if (x) n = !n && n;
  return n;
}
