// A loop that is unrolled leads straight to another, whose phi has its last value; another of
// its values is used further down.
// run: kernel=k global=1 -cl-std=CL3.0
// arg: o float[4] =
// arg: a half[64] = range
// arg: b long[9] = range
// arg: n long 5
// arg: w uint 0
// arg: from uint 0
// arg: to uint 0
// want: o 85 0 0 0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global float* o, global const half* a, global const long* b, long n, uint w, uint from, uint to) {
  long lin = get_global_id(0);
  half8 v = (half8)(0);
  for (ulong i = 0; i < 40; i += 8) {
    v -= (half8)(0);
    n += convert_long(a[(uint)(i) - w]);
  }
  for (uint j = from; j < to; j += 3)
    n -= (*(b + (lin + j + j + j * 14) + 3));
  o[lin * 3] = select((float)((uchar)(n)), (float)(v.s3), (uint)(0));
}
