// run: kernel=copy global=8 local=4
// arg: src int[8] = range(1)
// arg: dst int[8] = zeros
//
// The copy is used before anybody waits for it.
kernel void copy(global const int *src, global int *dst) {
    local int t[4];
    event_t e = async_work_group_copy(t, src + get_group_id(0) * 4, 4, 0);
    dst[get_global_id(0)] = t[3 - get_local_id(0)]; // FINDS race-in-group "in the local memory of copy.t"
    wait_group_events(1, &e);
}
