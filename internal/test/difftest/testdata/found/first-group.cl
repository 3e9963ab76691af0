// The first finding is that of the first work-group in the host's order, also if lanes are along dimension 1 and machine code
// executes several work-groups at once.
// run: kernel=k global=3,16 local=1,8
// arg: o int[23] = zeros
kernel void k(global int *o) {
    int lin = get_global_id(0) + 3 * get_global_id(1);
    local int t[8];
    uint l = get_local_id(1);
    for (uint n = 4; n > 0; n >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = n;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[lin] = t[l ^ 1]; // FINDS out-of-bounds "store of 4 bytes at offset 92, outside the 92 bytes of the global memory of o (argument 0) [work-item (2,7,0)"
}
