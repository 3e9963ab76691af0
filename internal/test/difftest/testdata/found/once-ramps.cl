// Clamped indices in the part that is executed once for all work-groups, in a loop over the gangs of a work-group.
// run: kernel=k global=32,1 -cl-std=CL3.0
// arg: o4 float[64] =
// arg: a7 uint[96] =
// arg: w15 short bits(0x0)
kernel void k(global float* o4, global const uint* a7, short w15) {
  int lin = get_global_id(0) + 64 * get_global_id(1);
  local float3 l11[64];
  uint lid = get_local_id(0);
  l11[lid] = (float3)((float)(0), (float)(0), (float)(fmax((float)(a7[clamp((int)(lid) + -2, (int)0, (int)w15)]), (float)(a7[clamp((int)(lid) + 0, (int)0, (int)w15)])) + convert_float_rtn(a7[clamp((int)(lid) + 1, (int)0, (int)w15)])));
  barrier(CLK_LOCAL_MEM_FENCE);
  o4[lin + 0] = l11[lid].z;
}
