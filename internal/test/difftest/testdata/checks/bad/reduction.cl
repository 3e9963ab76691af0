// run: kernel=sum global=16 local=8
// arg: x float[16] = range(1)
// arg: partial float[2] = zeros
// arg: tmp local 32
//
// A tree of sums whose barrier stands before the loop and not in it.
kernel void sum(global const float *x, global float *partial, local float *tmp) {
    uint l = get_local_id(0);
    tmp[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2)
        if (l < half_size)
            tmp[l] += tmp[l + half_size]; // FINDS race-in-group "data race within a work-group"
    if (l == 0)
        partial[get_group_id(0)] = tmp[0];
}
