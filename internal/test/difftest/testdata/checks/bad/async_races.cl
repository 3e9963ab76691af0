// Async copies whose data is used too early, and that not all work-items reach alike.
//
// run: kernel=own global=8 local=4
// arg: src int[8] = range(1)
// arg: dst int[8] = zeros
// want-error: race-in-group "load of 4 bytes at offset 0, in the local memory of own.t (variable), against the store of an async copy that the work-group has not waited for"
//
// run: kernel=barrier_is_no_wait global=8 local=4
// arg: src int[8] = range(1)
// arg: dst int[8] = zeros
// want-error: race-in-group "in the local memory of barrier_is_no_wait.t (variable), against the store of an async copy"
//
// run: kernel=source global=8 local=4
// arg: dst int[8] = zeros
// want-error: race-in-group "store of 4 bytes at offset 0, in the local memory of source.t (variable), against the load of an async copy"
//
// run: kernel=unordered_source global=8 local=4
// arg: dst int[8] = zeros
// want-error: race-in-group "load of an async copy of 16 bytes at offset 0, in the local memory of unordered_source.t (variable), against the store by work-item"
//
// run: kernel=disagree global=8 local=4
// arg: src int[8] = range(1)
// arg: dst int[8] = zeros
// want-error: async-arguments "the number of elements or lines is 4 in one, 3 here"
//
// run: kernel=divergent global=8 local=4
// arg: src int[8] = range(1)
// want-error: barrier-divergence "reach this async copy: 2 of 4 work-items arrive, 2 elsewhere"
//
// run: kernel=outside global=8 local=4
// arg: src int[8] = range(1)
// arg: dst int[8] = zeros
// want-error: out-of-bounds "async copy of 20 bytes at offset 16, outside the 32 bytes of the global memory of src"
//
// run: kernel=uninitialized global=4 local=4
// arg: dst int[8] = zeros
// want-error: uninitialized ""
//
// run: kernel=other_event global=8 local=4
// arg: src int[8] = range(1)
// arg: dst int[8] = zeros
// want-error: race-in-group "in the local memory of other_event.u (variable), against the store of an async copy"
//
// run: kernel=shared_event_too_late global=8 local=4
// arg: src int[8] = range(1)
// arg: dst int[8] = zeros
// want-error: race-in-group "in the local memory of shared_event_too_late.u (variable), against the store of an async copy"
//
// run: kernel=waits_disagree global=8 local=4
// arg: src int[8] = range(1)
// want-error: async-arguments "disagree about the events to wait for: event 0 of the list is another in one than here"
//
// run: kernel=counts_disagree global=8 local=4
// arg: src int[8] = range(1)
// want-error: async-arguments "the number of events is 1 in one, 2 here"
//
// run: kernel=null_event global=8 local=4
// want-error: async-event "event 1 of the list is 0"
//
// run: kernel=no_event global=8 local=4
// want-error: uninitialized "in the private memory of e (variable)"
//
// run: kernel=beyond_the_list global=8 local=4
// arg: src int[8] = range(1)
// want-error: out-of-bounds "load of 8 bytes at offset 8, outside the 8 bytes of the private memory of e"
//
// run: kernel=never_waited global=8 local=4
// arg: src int[8] = range(1)
// want-error: async-event "the work-group ends without waiting for this async copy"

kernel void own(global const int *src, global int *dst) {
    local int t[4];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, src + get_group_id(0) * 4, 4, 0);
    dst[get_global_id(0)] = t[l]; // the element that this work-item may have copied
    wait_group_events(1, &e);
}

kernel void barrier_is_no_wait(global const int *src, global int *dst) {
    local int t[4];
    event_t e = async_work_group_copy(t, src + get_group_id(0) * 4, 4, 0);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    dst[get_global_id(0)] = t[3 - get_local_id(0)];
    wait_group_events(1, &e);
}

kernel void source(global int *dst) {
    local int t[4];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_strided_copy(dst + get_group_id(0), t, 4, 2, 0);
    t[l] = 0;
    wait_group_events(1, &e);
}

kernel void unordered_source(global int *dst) {
    local int t[4];
    int l = get_local_id(0);
    t[l] = l;
    event_t e = async_work_group_copy(dst + get_group_id(0) * 4, t, 4, 0);
    wait_group_events(1, &e);
}

kernel void disagree(global const int *src, global int *dst) {
    local int t[4];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, src + get_group_id(0) * 4, l == 3 ? 3 : 4, 0);
    wait_group_events(1, &e);
    dst[get_global_id(0)] = t[l];
}

kernel void divergent(global const int *src) {
    local int t[4];
    event_t e = 0;
    if (get_local_id(0) < 2)
        e = async_work_group_copy(t, src + get_group_id(0) * 4, 4, 0);
    wait_group_events(1, &e);
}

kernel void outside(global const int *src, global int *dst) {
    local int t[5];
    event_t e = async_work_group_copy(t, src + get_group_id(0) * 4, 4 + get_group_id(0), 0);
    wait_group_events(1, &e);
    dst[get_global_id(0)] = t[get_local_id(0)];
}

kernel void uninitialized(global int *dst) {
    local int t[4];
    event_t e = async_work_group_copy(dst, t, 4, 0);
    wait_group_events(1, &e);
}

kernel void other_event(global const int *src, global int *dst) {
    local int t[4], u[4];
    event_t e[2];
    e[0] = async_work_group_copy(t, src + get_group_id(0) * 4, 4, 0);
    e[1] = async_work_group_copy(u, src + get_group_id(0) * 4, 4, 0);
    wait_group_events(1, e);
    dst[get_global_id(0)] = t[3 - get_local_id(0)];
    dst[get_global_id(0)] += u[3 - get_local_id(0)];
    wait_group_events(1, e + 1);
}

kernel void shared_event_too_late(global const int *src, global int *dst) {
    local int t[4], u[4];
    event_t e = async_work_group_copy(t, src + get_group_id(0) * 4, 4, 0);
    wait_group_events(1, &e);
    e = async_work_group_copy(u, src + get_group_id(0) * 4, 4, e);
    dst[get_global_id(0)] = u[3 - get_local_id(0)];
    wait_group_events(1, &e);
}

kernel void waits_disagree(global const int *src) {
    local int t[4], u[4];
    event_t e[2];
    e[0] = async_work_group_copy(t, src + get_group_id(0) * 4, 4, 0);
    e[1] = async_work_group_copy(u, src + get_group_id(0) * 4, 4, 0);
    event_t *p = e;
    if (get_local_id(0) == 2)
        p = e + 1;
    wait_group_events(1, p);
    wait_group_events(2, e);
}

kernel void counts_disagree(global const int *src) {
    local int t[4], u[4];
    event_t e[2];
    e[0] = async_work_group_copy(t, src + get_group_id(0) * 4, 4, 0);
    e[1] = async_work_group_copy(u, src + get_group_id(0) * 4, 4, 0);
    wait_group_events(get_local_id(0) == 2 ? 2 : 1, e);
    wait_group_events(2, e);
}

kernel void null_event(void) {
    local int t[4];
    local int u[4];
    t[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e[2] = {0, 0};
    e[0] = async_work_group_copy((local int *)u, (global const int *)0, 0, 0);
    wait_group_events(2, e);
}

kernel void no_event(void) {
    event_t e;
    wait_group_events(1, &e);
}

kernel void beyond_the_list(global const int *src) {
    local int t[4];
    event_t e = async_work_group_copy(t, src, 4, 0);
    wait_group_events(2, &e);
}

kernel void never_waited(global const int *src) {
    local int t[4];
    async_work_group_copy(t, src, 4, 0);
}
