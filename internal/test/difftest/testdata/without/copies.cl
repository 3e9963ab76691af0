// Lanes wait at "out" from before the loop's first round while others go on in copies of
// later rounds: a block that a test skips to had the mask of a block that had not run.
// without: cfg,dce,divide,gvn,ifconvert,layout,sroa
// run: kernel=k global=16
// arg: o int[32] =
constant int t[3] = {0, 1, 0};
kernel void k(global int* o) {
  uint x = get_global_id(0), y = get_local_id(0), n = get_local_size(0);
  int v = 0, i = 0;
again:
  v = t[y >= 0 ? 2 : 1];
  if (convert_short_sat(step((double)n, (double)0)) < convert_short_sat(y)) goto out;
  if (x > 15) {} else {}
  if (++i < 4 && x % 2) goto again;
out:
  o[x + 16 * clamp(v, 0, 1)] = -1;
}
