// run: kernel=sums global=8 local=8 -cl-std=CL3.0
// arg: x int[8] = 1 2 3 4 5 6 7 8
// arg: out int[1] = zeros
// want: out 36
//
// Sums of sub-groups, put together through local memory.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sums(global const int *x, global int *out) {
    local int part[8];
    int s = sub_group_reduce_add(x[get_global_id(0)]);
    if (get_sub_group_local_id() == 0)
        part[get_sub_group_id()] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        int total = 0;
        for (uint i = 0; i < get_num_sub_groups(); i++)
            total += part[i];
        *out = total;
    }
}
