// run: kernel=any global=8 local=4
// arg: x int[8] = 1 2 -3 4 5 6 7 8
// arg: out int[2] = zeros
// want: out 1 0
//
// A flag in local memory that items set with an atomic, between barriers.
kernel void any(global const int *x, global int *out) {
    local int flag;
    if (get_local_id(0) == 0)
        flag = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x[get_global_id(0)] < 0)
        atomic_or(&flag, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = flag;
}
