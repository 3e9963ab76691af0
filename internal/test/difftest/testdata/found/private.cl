// Zeros for a large array beside a variable of which the address is taken.
// run: kernel=zeros global=8
// arg: o double[8] = fill(9)
// arg: n float 3.5
// want: o 8*(3.5)
struct __attribute__((packed)) S { ulong3 a; long b; };
ulong f(long x) {
  struct S s[4] = {{(ulong3)(0), 1}, {(ulong3)(0), 2}, {(ulong3)(0), 3}, {(ulong3)(0), x}};
  return s[x & 3].b;
}
kernel void zeros(global double* o, float n) {
  long i = get_global_id(0);
  float* q = i != 0 ? &n : &n;
  ulong x = f(i);
  o[i] = x > 100 ? *q : n;
}
