// A stopped work-item's result of an operation that Go does: stale, it kept its gang in a loop
// until that was ended, so that other work-items' faults went unseen.
// without: divide,gvn,layout,licm,mem2reg,narrow,simplify,sroa,unroll
// run: kernel=k global=4,1
// arg: o8 float[64] =
// arg: a11 uchar[16] =
kernel void k(global float* o8, global uchar* a11) {
  local short l15[3];
  local uchar l16[3];
  uint lid = get_local_id(0), lsz = get_local_size(0);
  l15[lid] = 0;
  event_t e23 = async_work_group_copy(l16, a11 + 6, 3, 0);
  uchar v25 = l16[(lid + 69) % lsz];
  o8[lid * 8 ] = convert_float(v25);
}
