// Initializers (C99 6.7.8).

struct s { int a; float b[2]; struct { char c, d; } e; };
constant struct s s1 = { 1, { 2, 3 }, { 4, 5 } };
constant struct s s2 = { 1, 2, 3, 4, 5 };
constant struct s s3 = { .e.d = 1, .b[1] = 2, .a = 3 };
constant struct s s4 = { 1, 2, 3, 4, 5, 6 /* WARNING excess-initializers "excess elements in struct initializer" */ };
constant struct s s5 = { . /* ERROR no-member "field designator 'q' does not refer to any field in type 'struct s'" */q = 1 };
constant struct s s6 = { [ /* ERROR invalid-initializer "array designator cannot initialize non-array type 'struct s'" */0] = 1 };
constant int a1[] = { 1, 2, [5] = 3, 4 };
_Static_assert(sizeof(a1) == 28, "completed");
constant int a2[2] = { 1, 2, 3 /* WARNING excess-initializers "excess elements in array initializer" */ };
constant int a3[2] = { [2 /* ERROR invalid-initializer "array designator index (2) exceeds array bounds (2)" */] = 1 };
constant int a4[2] = { [- /* ERROR invalid-initializer "array designator value '-1' is negative" */1] = 1 };
constant int a5[2][2] = { 1, 2, 3 };
constant int a6[2] = 1 /* ERROR invalid-initializer "array initializer must be an initializer list" */;
constant int a7 /* ERROR incomplete-type "definition of variable with array type needs an explicit size or an initializer" */[] = 1 /* ERROR invalid-initializer "array initializer must be an initializer list" */;
constant char c1[3] = "abc";
constant char c2[2] = "abc" /* WARNING excess-initializers "initializer-string for char array is too long" */;
constant char c3[] = { "abc" };
_Static_assert(sizeof(c1) == 3 && sizeof(c3) == 4, "strings");
constant uchar c4[] = "\xff";
constant int i1 = { 1 };
constant int i2 = { 1, 2 /* WARNING excess-initializers "excess elements in scalar initializer" */ };
constant int i3 = { /* ERROR invalid-initializer "scalar initializer cannot be empty" */ };
constant int i4 = { { 1 } };
constant float4 v1 = { 1, 2, 3, 4 };
constant float4 v2[2] = { { 1, 2, 3, 4 }, (float4)(1) };
constant float4 v3 = (float4)((float2)(1, 2), (float2)(3, 4));
constant int4 v4 = ((int4)(1, 2, 3, 4)).wzyx;
constant union { int i; float f; } u1 = { .f = 1 };
constant union { int i; float f; } u2 = { 1, 2 /* WARNING excess-initializers "excess elements in union initializer" */ };
constant int x1 = 1 ? 2 : 3;
constant int x2 = (int)1.5f + sizeof(int) + 'a';
constant long x3 = (long)&x1;
constant int x4 = x1;
constant int *constant p1 = a1 + 2;
constant int *constant p2 = &a5[1][1];
constant float *constant p3 = &s1.b[1];

kernel void k(global struct s *g, int n) {
  struct s l1 = { n, { n, 1 } };
  struct s l2 = *g;
  struct s l3 = { * /* ERROR incompatible-types "initializing 'int' with an expression of incompatible type 'struct s'" */g };
  int l4[2] = { n };
  int l5[] = { };
  int l6[2] = l4 /* ERROR invalid-initializer "array initializer must be an initializer list" */;
  float4 l7 = { n, 2, 3, 4 };
  struct s l8 = (struct s){ .a = n };
  int *l9 = (int[]){ 1, 2 };
  float l10 = { 1, 2 /* WARNING excess-initializers "excess elements in scalar initializer" */ };
  int l11 = { /* ERROR invalid-initializer "scalar initializer cannot be empty" */ };
}
