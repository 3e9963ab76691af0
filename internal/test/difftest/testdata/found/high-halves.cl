// Numbers of 64 bits are selected by their low halves, and shifted by 31: NVIDIA's assembler loses the high halves.
// run: kernel=k global=4
// arg: o ulong[32] = zeros
// arg: x ulong = 0xfffffffffffffff0
// arg: y ulong = 0x0000000a00000007
// arg: z ulong = 0x123456789abcdef1
// arg: a ulong[8] = 1 2 3 4 5 6 7 8
kernel void k(global ulong *o, ulong x, ulong y, ulong z, global const ulong *a) {
  uint lin = get_global_id(0);
  global ulong *p = o + lin * 8;
  p[0] = ((uint)x <= (uint)y ? y : x) + z;
  p[1] = (uint)x < (uint)y ? x : y;
  p[2] = (int)x < (int)y ? y : x;
  p[3] = (uint)x <= (uint)z ? z : x;
  p[4] = (((lin == 0 ? z << 31 : min(x, (ulong)LONG_MAX)) & ~z) ^ y) - x;
  p[5] = (z << 31) ^ lin;
  p[6] = *((int)x < (int)y ? a + ((int)x + 16) : a + ((int)y - 7));
}
