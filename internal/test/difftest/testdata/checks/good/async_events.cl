// Events of async copies, each waited for before its data is used.
//
// run: kernel=apart global=8 local=4
// arg: src int[8] = range(1)
// arg: dst int[8] = zeros
// want: dst 5 5 5 5 13 13 13 13
//
// run: kernel=shared global=8 local=4
// arg: src int[8] = range(1)
// arg: dst int[8] = zeros
// want: dst 5 5 5 5 13 13 13 13
//
// run: kernel=many global=8 local=4
// arg: src int[8] = range(1)
// arg: dst int[8] = zeros
// arg: n int = 3
// want: dst 12 9 6 3 24 21 18 15
//
// run: kernel=double_buffer global=4 local=4
// arg: src int[16] = range(1)
// arg: dst int[16] = zeros
// arg: rounds int = 4
// want: dst 4 3 2 1 8 7 6 5 12 11 10 9 16 15 14 13

// Waited for one by one, the second first.
kernel void apart(global const int *src, global int *dst) {
    local int t[4], u[4];
    int l = get_local_id(0), first = get_group_id(0) * 4;
    event_t e = async_work_group_copy(t, src + first, 4, 0);
    event_t f = async_work_group_copy(u, src + first, 4, 0);
    wait_group_events(1, &f);
    int x = u[3 - l];
    wait_group_events(1, &e);
    dst[first + l] = x + t[l];
}

// Two copies with one event.
kernel void shared(global const int *src, global int *dst) {
    local int t[4], u[4];
    int l = get_local_id(0), first = get_group_id(0) * 4;
    event_t e = async_work_group_copy(t, src + first, 4, 0);
    async_work_group_copy(u, src + first, 4, e);
    wait_group_events(1, &e);
    dst[first + l] = u[3 - l] + t[l];
}

void wait_for(int n, event_t *e) { wait_group_events(n, e); }

// A list whose length is known at run time only.
kernel void many(global const int *src, global int *dst, int n) {
    local int t[3][4];
    int l = get_local_id(0), first = get_group_id(0) * 4, sum = 0;
    event_t e[3];
    for (int i = 0; i < n; i++)
        e[i] = async_work_group_copy(t[i], src + first, 4, 0);
    wait_for(n, e);
    for (int i = 0; i < n; i++)
        sum += t[i][3 - l];
    dst[first + l] = sum;
}

// The next part is on its way while one is used.
kernel void double_buffer(global const int *src, global int *dst, int rounds) {
    local int t[2][4];
    int l = get_local_id(0);
    event_t e[2];
    e[0] = async_work_group_copy(t[0], src, 4, 0);
    for (int i = 0; i < rounds; i++) {
        if (i + 1 < rounds)
            e[(i + 1) & 1] = async_work_group_copy(t[(i + 1) & 1], src + 4 * (i + 1), 4, 0);
        wait_group_events(1, &e[i & 1]);
        dst[4 * i + l] = t[i & 1][3 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
