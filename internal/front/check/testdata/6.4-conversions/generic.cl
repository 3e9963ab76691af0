// options: -cl-std=CL3.0
// The generic address space (6.7.5).

void any(int *p) { *p = 1; }
int *pass(int *p) { return p; }

kernel void f(global int *g, local int *l, constant int *c) {
  int x;
  any(g);
  any(l);
  any(&x);
  any(c /* ERROR address-space "passing '__constant int *' to parameter of type '__generic int *' changes address space of pointer" */);
  int *p = g;
  p = l;
  p = c /* ERROR address-space "assigning to '__generic int *' from type '__constant int *' changes address space of pointer" */;
  g = p /* ERROR address-space "assigning to '__global int *' from type '__generic int *' changes address space of pointer" */;
  g = (global int *)p;
  c = ( /* ERROR address-space "casting '__generic int *' to type '__constant int *' changes address space of pointer" */constant int *)p;
  private int *q = &x;
  q = p /* ERROR address-space "assigning to '__private int *' from type '__generic int *' changes address space of pointer" */;
  p = q;
  if (p == g || p == q)
    p = x ? /* ERROR address-space "conditional operator with the second and third operands of type ('__global int *' and '__private int *') which are pointers to non-overlapping address spaces" */ g : q;
  int **pp = &p;
  global int *gp = to_global(p);
}
