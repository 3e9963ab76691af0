// A loop by steps of a run-time size, behind a block whose accesses are not all in bounds: both copies of the block
// lead to the same copy of the loop.
// run: kernel=k global=2
// arg: a int[16] = range
// arg: n int 8
// arg: by int 1
// arg: out int[2] = zeros
// want: out 39 32
// want-error: out-of-bounds "a"
kernel void k(global int* a, int n, int by, global int* out) {
  long i = get_global_id(0);
  int sum = a[i + 15] + a[i * 3] + a[i * 5];
  for (long j = 0; j < n; j += 2)
    sum += a[j * by + j];
  out[i] = sum;
}
