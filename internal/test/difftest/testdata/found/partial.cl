// Code for partial gangs, of which the plan differs from that for whole ones.
// run: kernel=k global=2,1,1 -cl-std=CL1.2
// arg: o8 short4[90] =
// arg: a12 double2[8] = (-6e18,1) (104,1) (3,3)
// want: o8 (0,0,0,0) 2*(0) (0,0,104,0)
kernel void k(global short4* o8, global double2* a12) {
  int lin = get_global_id(0) + 5 * get_global_id(1) + 15 * get_global_id(2);
  ushort v18 = convert_ushort4_sat(a12[clamp((int)(lin), 0, 7)].s1001).s1;
  ushort* q21[3] = {&v18, &v18, &v18};
  short v26 = convert_short_sat((uint)(lin));
  long v27 = (long)(0);
  switch (((uint)get_global_size(1)) & 3) {
  default:   case 7: {
  int4 v37 = (convert_uint4_sat((ushort4)((*q21[min((uint)(convert_uchar4_sat((short4)(v26)).s0), 2u)]))) > (uint4)(0));
  }
  break;
  case 1: {
  switch (((uint)(convert_uchar(lin))) & 3) {
  case 1: {
{
  v27 = (long)(0);
  }
  }
  }
  }
  }
  o8[lin * 3 + ((uint)(0))] = (short4)((short)(0), (short)(0), (short)((*q21[1])), (short)(0));
}