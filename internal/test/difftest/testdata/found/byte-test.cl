// A signed test of a byte around a barrier: its low bits are not those of a wider number.
// run: kernel=k global=8 -cl-std=CL2.0
// arg: o1 ushort[8] = 0 1 127 128 135 255 256 65535
// arg: o3 ushort[64] = zeros
kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k(global ushort* o1, global ushort* o3) {
  uint lin = get_global_id(0);
  if (any(as_char3(convert_uchar3((ushort3)(o1[lin]))))) return;
  local ulong l8[32];
  uint lid = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  l8[lid] = (ulong)(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  o3[lin * 8] = 0xffefu;
}
