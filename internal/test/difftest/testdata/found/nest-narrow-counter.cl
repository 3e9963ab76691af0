// A nest whose columns have a counter of eight bits, which the address extends.
// run: kernel=k global=8
// arg: o ushort[320] = zeros
// arg: n int 2
kernel void k(global ushort* o, int n) {
  int lin = get_global_id(0);
  for (int i = 0; i < n; i++) {
    ushort v = (ushort)(i + 1);
    for (uchar j = 39; j-- > 0;) o[lin * 40 + j] = v;
  }
}
