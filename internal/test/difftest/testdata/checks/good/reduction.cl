// run: kernel=sum global=16 local=4
// arg: x float[16] = range(1)
// arg: partial float[4] = zeros
// arg: tmp local 32
// want: partial 10 26 42 58
kernel void sum(global const float *x, global float *partial, local float *tmp) {
    uint l = get_local_id(0);
    tmp[l] = x[get_global_id(0)];
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_size)
            tmp[l] += tmp[l + half_size];
    }
    if (l == 0)
        partial[get_group_id(0)] = tmp[0];
}
