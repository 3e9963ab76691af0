// Sums of work-groups: a tree in local memory, a barrier between its levels. The
// work-group size is a power of two.
kernel void sum(global const float *x, global float *partial, uint n, local float *tmp)
{
    uint i = get_global_id(0), l = get_local_id(0);
    tmp[l] = i < n ? x[i] : 0.0f;
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_size)
            tmp[l] += tmp[l + half_size];
    }
    if (l == 0)
        partial[get_group_id(0)] = tmp[0];
}
