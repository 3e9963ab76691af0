// The only exit of a loop is in one side of a divergent branch: work-items leave it in different iterations, even if the
// exit's own test is the same for all of them.
// run: kernel=k global=16 -cl-std=CL3.0
// arg: o int[16] =
// arg: p int[16] =
// arg: n int 4
// want: o 1 2 3 3 4 4 4 4 5 5 5 5 5 5 5 5
// want: p 7 8 6 6 7 7 7 7 8 8 8 8 8 8 8 8
kernel void k(global int *o, global int *p, int n) {
  int id = get_global_id(0), count = 0, row = 2;
  for (uint f = id;;) {
    if (f == 0) {
      if (--row < 2)
        break;
      f = row * n;
      continue;
    }
    f >>= 1;
    count++;
  }
  o[id] = count + 1;
  count = 0;
  for (uint f = id;; f >>= 1, count++)
    if (f == 0) {
      if (count > n)
        break;
      f = 7;
    }
  p[id] = count + 1;
}
