// Where a floating-point value can be a condition: everywhere but before '?' (6.5.10).

int choose(float x, half *p, double d, float4 v) {
  if (x && !d || x) return 1;
  while (d) d = 0;
  int a = x /* ERROR invalid-operand "used type 'float' as the condition of '?:', which cannot be floating-point" */ ? 1 : 2;
  int b = d /* ERROR invalid-operand "used type 'double' as the condition of '?:', which cannot be floating-point" */ ? 1 : 2;
  float c = x /* ERROR invalid-operand "used type 'float' as the condition of '?:', which cannot be floating-point" */ ?: 1.0f;
  int4 e = !v && /* ERROR vector-operands "implicit conversions between vector types ('int4' and 'float4') are not permitted" */ v;
  return x != 0 ? a : b + c;
}
