// 0x40004 % 3 = 2: an index computed from a vector that is the same for all, seen as one number.
// run: kernel=index global=4
// arg: o short[14] = fill(9)
// arg: n long 3
// want: o 9 9 0 9 9 0 9 9 0 9 9 0 9 9
kernel void index(global short* o, long n) {
  short v = convert_short_sat(n) + 1;
  o[get_global_id(0) * 3 + (uint)as_ulong((ushort4)(v)) % 3u] = 0;
}
