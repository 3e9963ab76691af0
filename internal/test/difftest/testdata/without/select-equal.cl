// A load chooses between equal values, so that only its fault matters. This kernel runs on the reference executor, which must
// get the kernel as it was before machine code was made.
// without: cfg,dce,gvn,held,ifconvert,narrow,sooner,sroa,unroll,zeros
// run: kernel=k global=4,8 -cl-std=CL2.0
// arg: o10 uchar[383] =
// arg: o11 uchar[255] =
// arg: w13 uint bits(0x0)
// arg: a12_ char[155] =
// arg: a14 half[228] =
// arg: w24 uint bits(0x0)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global uchar* o10, global ushort* o11, uint w13, constant char* a12_, global const half* a14, uint w24) {
  constant char* a12 = a12_ - w13;
  ulong lin = get_global_id(0) + 8 * get_global_id(1);
  if (((ulong)(0) < (ulong)(0))) return;
  if (get_local_id(0) > 16 && lin > 113) return; // 96 113 16
  local ushort l15[32];
  uint lid = get_local_id(0) + get_local_size(0) * get_local_id(1), lsz = get_local_size(0) * get_local_size(1);
  l15[lid] = (ushort)(0);
  local int q16[132];
  q16[0 + lid] = 0;
  q16[33 + lid] = 0;
  q16[66 + lid] = lid;
  q16[99 + lid] = 0;
  char v17 = (char)(((long)(0) <= convert_long_sat_rtz(convert_half_rtz(a12[clamp((int)(lid * 5) + 2, (int)0, (int)157)]))) ? (char)(0) : (char)(0));
  barrier(CLK_LOCAL_MEM_FENCE);
  {
  int n19 = lid, n20 = (uint)a12[148] % 4 % lsz, n21 = lsz - 1 - w24 % lsz;
  for (int i22 = 0; i22 < 4; i22++) {
  ushort v23 = l15[lid];
  if (n19 >= n20 && n19 <= n21 && n19 >= i22 + 1 && n19 < (int)lsz - i22 - 1) v23 = l15[n19 - 1 < n20 ? n20 : n19 - 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  l15[lid] = v23;
  barrier(CLK_LOCAL_MEM_FENCE);
  }
  }
}
