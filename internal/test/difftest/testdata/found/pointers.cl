// A pointer that depends on the path that a work-item has taken.
// run: kernel=ways global=20
// arg: o uint[21] = range
// arg: n int 0
// want: o 0 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27
// run: kernel=ways global=20
// arg: o uint[21] = range
// arg: n int 9
// want: o 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 20
kernel void ways(global uint* o, int n) {
  int i = get_global_id(0);
  global uint* q = n > 5 ? &o[i] : &o[i + 1];
  *q += 7;
}
