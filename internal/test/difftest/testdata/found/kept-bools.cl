// A comparison of two vectors in memory order is kept across a barrier.
// run: kernel=k global=16 local=4
// arg: o int[32] = zeros
// arg: a float[32] = 1 2 3 -4 5.5 6 -7 8 9 10.25 11 12 13 -14 15 16 17 18 -19 20 21 22 23 24.5 25 26 -27 28 29 30 31 32
// arg: l local 16
kernel void k(global int2 *o, global const float2 *a, local int *l) {
    int i = get_global_id(0), lid = get_local_id(0);
    int2 v = as_int2(a[i]), low = v & 0x3fffff;
    int2 equal = (v & 0x7fffff) != low;
    l[lid] = v.x;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = select((int2)(l[(lid + 1) % 4]), (int2)(lid), equal);
}
