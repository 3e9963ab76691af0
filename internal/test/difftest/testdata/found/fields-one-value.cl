// run: kernel=k global=32
// arg: p uint[512] = bits(0x7c) bits(0x40200000) bits(0x5c) bits(0x19)
// arg: q double[512] =
kernel void k(global uint *p, global double *q) {
  int i = get_global_id(0);
  p[i * 2 + 1] = p[i * 2];
  p[i * 2] = p[i * 2 + 1];
  q[(255 - i) * 2] = 0;
  q[(255 - i) * 2 + 1] = q[(255 - i) * 2 + 1] * 0;
}
