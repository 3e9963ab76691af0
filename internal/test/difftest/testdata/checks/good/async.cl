// run: kernel=reverse global=8 local=4
// arg: src int[8] = range(1)
// arg: dst int[8] = zeros
// want: dst 4 3 2 1 8 7 6 5
//
// A copy into local memory, waited for, and one back.
kernel void reverse(global const int *src, global int *dst) {
    local int t[4], u[4];
    size_t l = get_local_id(0), first = get_group_id(0) * 4;
    event_t e = async_work_group_copy(t, src + first, 4, 0);
    wait_group_events(1, &e);
    u[l] = t[3 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(dst + first, u, 4, 0);
    wait_group_events(1, &e);
}
