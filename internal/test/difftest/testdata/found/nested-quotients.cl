// A quotient of which another one is computed, both the same in all lanes: the first has moved before the copy that the tests of the second lead to.
// run: kernel=k global=64
// arg: o long[64] =
static long f(ushort p) {
  ushort *q = &p;
  long3 v = convert_long2((ushort2)(p)).s100;
  return (long)(((long)((long)((*q)) / (long)(97)) != (long)(0)) ? (long)(0) : v.s1);
}
kernel void k(global long *o) {
  ulong lin = get_global_id(0);
  long v = (long4)(f((ushort)(f((ushort)(lin))))).s2;
  o[lin * 2 % 64 + (v & 1)] = 1;
}
