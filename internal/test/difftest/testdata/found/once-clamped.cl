// A condition that a clamp makes in the part that is executed once for all work-groups, and that a later part votes on.
// run: kernel=k global=16
// arg: o char[16] = zeros
// arg: a int[16] = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
kernel void k(global char *o, global const int *a) {
    uint i = get_global_id(0), l = get_local_id(0);
    local ulong t[16];
    t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    double v = (double)a[max((long)l - 2, 0L)] + (double)a[max((long)l - 1, 0L)];
    o[i] = (char)v;
}
