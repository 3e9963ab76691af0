// options: -cl-std=CL2.0
// From 2.0 on static constants may stand in any block.
int f(int x) { static constant int c[2] = {1, 2}; static constant int d = 3; return c[x] + d; }
kernel void k(global int *p) { p[0] = f(1); static constant int e = 4; p[1] = e; if (p[0]) { static constant int g = 5; p[2] = g; } }
int h(int x) { constant int c /* ERROR local-scope "non-kernel function variable cannot be declared in constant address space" */ = 1; return c; }
