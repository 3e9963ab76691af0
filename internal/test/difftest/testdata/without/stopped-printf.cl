// The result of printf for a stopped work-item lies where the string of another one does: it was
// stored before that string was printed.
// without: cfg,dce,divide,dot,gvn,held,ifconvert,layout,licm,mem2reg,narrow,simplify,sroa,unroll
// run: kernel=k global=4 -cl-std=CL3.0
// arg: l12 local 24
kernel void k(local float2* l12) {
  uint lid = get_local_id(0);
  l12[lid] = (float2)(0);
  printf("%lx %s;", (ulong)(0), lid < 100 ? "yes" : "no");
}
