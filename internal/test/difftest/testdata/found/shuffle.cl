// A long vector shuffled with a short one.
// run: kernel=replace global=20
// arg: a short8[20] = range
// arg: b short2[20] = fill(-1)
// want: a (0,1,2,3,4,5,-1,-1) (8,9,10,11,12,13,-1,-1) (16,17,18,19,20,21,-1,-1) (24,25,26,27,28,29,-1,-1)
// want: a (32,33,34,35,36,37,-1,-1)
kernel void replace(global short8* a, global const short2* b) {
  int i = get_global_id(0);
  short8 v = a[i];
  v.s67 = b[i];
  a[i] = v;
}
