// Lanes that leave the inner loop go round in the outer one at once: its counter is another
// for them than for those still in the inner loop, which have all had one cell for it.
// without: licm
// run: kernel=k global=3
// arg: o char[9] =
// arg: a uint[24] = range
// arg: from int 0
// arg: to short 1
// arg: step long 0
// arg: end ulong 10
kernel void k(global char* o, global const uint* a, int from, short to, long step, ulong end) {
  long lin = get_global_id(0);
  long2 unused = (long2)(0);
  for (uint i = from; i != to; i++) {
    unused -= convert_long2((uint2)(a[i + 1]));
    for (uint j = (uint)(lin & 7); j < end; j += 8)
      o[lin * 3 + ((uint)(abs_diff(convert_char(i), (char)(0))) % 3u)] = (char)(a[(uint)(lin * step + j) - (uint)5 + 5u]);
  }
}
