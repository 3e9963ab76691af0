// Quotients of vectors in memory order, which are computed element by element.
// run: kernel=quotients global=16
// arg: o long4[16] = fill(5)
// arg: a long4[16] = range
kernel void quotients(global long4* o, global const long4* a) {
  int i = get_global_id(0);
  o[15 - i] = -a[i] / (a[15 - i] | (long4)(1));
}
