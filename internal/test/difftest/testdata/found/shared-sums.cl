// Each sum has the two before it as operands: analyses that visit a value once for each path to it do not end.
// run: kernel=k global=256 local=256
// arg: out int[256] =
// arg: in int[257] =
#define TWO a = a + b; b = b + a; a = a + b; b = b + a;
#define TEN TWO TWO TWO TWO TWO
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void k(global int *out, global const int *in) {
  local int t[256];
  int l = get_local_id(0), g = get_global_id(0);
  int a = in[g] + l, b = in[g + 1] + 1;
  TEN TEN TEN TEN
  t[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = t[a & 255] + t[l ^ 1] + b;
}
