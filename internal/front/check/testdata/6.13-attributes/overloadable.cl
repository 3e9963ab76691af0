// options: -cl-std=CL1.2
// Declarations of one function agree about the attribute overloadable; one overload may lack it.
int h(int);
int __attribute__((overloadable)) h /* ERROR conflicting-types "redeclaration of 'h' must not have the 'overloadable' attribute" */(int x) { return 1; }
int g(int);
int g /* ERROR conflicting-types "conflicting types for 'g'" */(float);
int __attribute__((overloadable)) k(int);
int k(float x) { return 1; }
int k /* ERROR conflicting-types "at most one overload for a given name may lack the 'overloadable' attribute" */(char);
int __attribute__((overloadable)) m(int x) { return 1; }
kernel void z(global int *p) { int m(float); p[0] = m(1.0f); int m /* ERROR conflicting-types "redeclaration of 'm' must have the 'overloadable' attribute" */(int); }
int n(int x);
int __attribute__((overloadable)) n(int x, int y) { return 1; }
int n(int x) { return 2; }
int __attribute__((overloadable)) n /* ERROR conflicting-types "redeclaration of 'n' must not have the 'overloadable' attribute" */(int x);
int get_global_id(int x) { return 2; }
int o( /* ERROR variadic-function "invalid prototype, variadic arguments are not allowed in OpenCL" */int x, ...);
