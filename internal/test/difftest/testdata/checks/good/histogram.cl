// run: kernel=count global=16 local=4
// arg: data uchar[16] = 0 0 1 1 2 2 3 3 0 0 1 1 2 2 3 0
// arg: counts uint[4] = zeros
// want: counts 5 4 4 3
//
// Counts in local memory first, then into the total; both with atomics.
kernel void count(global const uchar *data, global uint *counts) {
    local uint mine[4];
    uint l = get_local_id(0);
    mine[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&mine[data[get_global_id(0)]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine[l] > 0)
        atomic_add(&counts[l], mine[l]);
}
