// run:
// arg: out int[4] = zeros
// want: out 1 2 3 12
//
// Overloadable functions, a clang extension (attribute overloadable).
int __attribute__((overloadable)) f(int x) { return 1; }
int __attribute__((overloadable)) f(float x) { return 2; }
int __attribute__((overloadable)) f(global int *x) { return 3; }
int __attribute__((overloadable)) f(int2 x) { return x.x + f(1) + f(1.0f) + f(x.y); }

kernel void k(global int *out) {
    out[0] = f(5);
    out[1] = f(5.0f);
    out[2] = f(out);
    out[3] = f((int2)(8, 2));
}
