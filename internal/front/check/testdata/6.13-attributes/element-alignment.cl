// The size of an array's elements is a multiple of their alignment (6.13.1); clang 19 agrees on each line.

typedef int T __attribute__((aligned(16)));
typedef int S __attribute__((aligned(2)));
typedef int4 V __attribute__((aligned(32)));
typedef struct { int x; } __attribute__((aligned(16))) R;
constant T a[ /* ERROR element-alignment "size of array element of type '__constant int' (4 bytes) isn't a multiple of its alignment (16 bytes)" */1] = {0};
typedef T arr[ /* ERROR element-alignment "size of array element of type 'int' (4 bytes)" */3];
typedef struct { T q; T r; } apart;
constant R r[2] = {{1}, {2}};
constant int c[4] __attribute__((aligned(64))) = {0};
S *less(S x[4]) { return x; }
void f(T x[ /* ERROR element-alignment "(16 bytes)" */4]) {
    T y[2][ /* ERROR element-alignment "(16 bytes)" */3];
    V v[ /* ERROR element-alignment "size of array element of type 'int4' (16 bytes) isn't a multiple of its alignment (32 bytes)" */2];
    T *p[3];
    int n = sizeof(T[ /* ERROR element-alignment "(16 bytes)" */4]);
}
