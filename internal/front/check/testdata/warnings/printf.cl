// printf format strings (6.15.14.2).

kernel void f(int i, float x, long n, float4 v, char c, constant char *s, double d) {
  printf("%d %5.2f %ld %v4f %c %s %g %x %%\n", i, x, n, v, c, s, d, i);
  printf("%d\n", x /* WARNING format "format specifies type 'int' but the argument has type 'double'" */);
  printf("%f\n", i /* WARNING format "format specifies type 'double' but the argument has type 'int'" */);
  printf("%ld\n", i /* WARNING format "format specifies type 'long' but the argument has type 'int'" */);
  printf("%d\n", n /* WARNING format "format specifies type 'int' but the argument has type 'long'" */);
  printf("%v4f\n", v /* WARNING format "format specifies type 'a vector of 4 elements' but the argument has type 'float2'" */.xy);
  printf("%v2hlf\n", v.xy);
  printf("%d %d\n" /* WARNING format-args "more '%%' conversions than data arguments" */, i);
  printf("%d\n", i, i /* WARNING format-args "data argument not used by format string" */);
  printf("plain\n");
  printf("%" /* WARNING format "incomplete format specifier" */);
  printf("%s\n", i /* WARNING format "format specifies type 'char *' but the argument has type 'int'" */);
  printf("%*d\n", i, i);
}
