// An index plus a constant that is in bounds for no number of a loop: one test for all iterations may not take the
// empty range of such numbers for a large one.
// run: kernel=k global=4
// arg: a int[4] = 1 2 3 4
// arg: n uint 3
// arg: out int[4] = zeros
// want-error: out-of-bounds "a"
kernel void k(global const int* a, uint n, global int* out) {
  int lin = get_global_id(0), sum = 0;
  for (int i = 0; i < min((uint)lin, n); i++) sum += a[i * 5 + -2147483648];
  out[lin] = sum;
}
