// A value of a loop's header that is used only after the loop, whose memory is kept in a register.
// run: kernel=k global=4
// arg: o float[4] = fill(1)
// arg: x float[64] = range
// arg: first int 0
// want: o 93 94 95 96
kernel void k(global float* o, global const float* x, int first) {
  int i = get_global_id(0);
  uint sum = i;
  for (uint n = first; n < 32; n += 4) {
    sum += convert_uint_sat(x[n]);
    o[i] -= 2.5f;
  }
  o[i] += sum;
}
