// What only gangs need whose lanes do not agree is not known where it has not been
// computed: here the row of the index, after the quotient.
// run: kernel=k global=8,1 offset=0,4
// arg: o1 long4[190] =
// arg: o2 uint[95] =
// arg: a3 double[196] =
// arg: a4 long[4] = 82 49 44 7
// want: o2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 82 82 82 82 82 82 82 82 0 0 0
kernel void k(global long4* o1, global uint* o2, global const double* a3, global const long* a4) {
  int lin = get_global_id(0) + 21 * get_global_id(1);
  ushort4 v5 = abs(convert_short4_rtp(vload4(min((uint)(convert_uchar(lin)), 48u), a3)));
  uchar v6 = convert_uchar(max(convert_double3_rtz((uint3)(o2[lin])).s1, convert_double_rtp(lin)));
  long v7 = (long)(a3[(uint)((long)(v5.s2)) % 196u]);
  if (isgreater((double)(0), (double)(v6)))
    v7 >>= (long)(v7 / (long)(92));
  o1[lin * 2] = (long4)((long2)(0), v7, (long)(0));
  o2[lin] = convert_uint(a4[0]);
}
