// Counts byte values: each work-group counts in local memory, then adds to the total.
kernel void histogram(global const uchar *data, uint n, global uint *counts)
{
    local uint mine[256];
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        mine[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&mine[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        atomic_add(&counts[i], mine[i]);
}
