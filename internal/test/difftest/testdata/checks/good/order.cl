// Programs without races by the memory model of OpenCL 3.0 (Memory Ordering Rules, 3.3.4,
// and its sections on atomic operations, fences and work-group functions). Work-groups run
// in order here, so that a later one sees what an earlier one has done.
//
// run: kernel=message global=2 local=1 -cl-std=CL3.0
// arg: data int[2] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want: out 7
//
// run: kernel=message global=2 local=2 -cl-std=CL3.0
// arg: data int[2] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want: out 7
//
// run: kernel=fences global=2 local=1 -cl-std=CL3.0
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want: out 7
//
// run: kernel=release_fence global=2 local=1 -cl-std=CL3.0
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want: out 7
//
// run: kernel=acquire_fence global=2 local=1 -cl-std=CL3.0
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want: out 7
//
// run: kernel=sequence global=3 local=1 -cl-std=CL3.0
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want: out 7
//
// run: kernel=own_store global=2 local=1 -cl-std=CL3.0
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want: out 7
//
// run: kernel=chain global=4 local=1 -cl-std=CL3.0
// arg: data int[4] = zeros
// arg: flag int[4] = zeros
// want: data 1 2 3 4
//
// run: kernel=sums global=32 local=4 -cl-std=CL3.0
// arg: x int[32] = range
// arg: partial int[8] = zeros
// arg: count int[1] = zeros
// arg: total int[1] = zeros
// want: total 496
//
// run: kernel=store_buffering global=2 local=1 -cl-std=CL3.0
// arg: x int[1] = zeros
// arg: y int[1] = zeros
// arg: out int[2] = zeros
// want: x 1
// want: y 1
//
// run: kernel=lock global=16 local=1 -cl-std=CL3.0
// arg: mutex int[1] = zeros
// arg: sum int[1] = zeros
// want: sum 16
//
// run: kernel=group_scope global=4 local=4 -cl-std=CL3.0
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want: out 7
//
// run: kernel=local_flag global=4 local=4 -cl-std=CL3.0
// arg: out int[4] = zeros
// want: out 0 7 0 0
//
// run: kernel=both_fences global=2 local=2 -cl-std=CL3.0
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want: out 7
//
// run: kernel=plain_reads global=8 local=4 -cl-std=CL3.0
// arg: x int[1] = 5
// arg: out int[8] = zeros
// want: out 8*10
//
// run: kernel=epochs global=8 local=4 -cl-std=CL3.0
// arg: data int[8] = zeros
// arg: flag int[1] = zeros
// arg: out int[4] = zeros
// want: out 1 2 3 4
//
// run: kernel=device_barrier global=8 local=4 -cl-std=CL3.0
// arg: data int[4] = zeros
// arg: flag int[1] = zeros
// arg: out int[4] = zeros
// want: out 1 2 3 4
//
// run: kernel=sub_group global=32 local=32 -cl-std=CL3.0
// arg: out int[32] = zeros
// want: out 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 17 16 19 18 21 20 23 22 25 24 27 26 29 28 31 30

#pragma OPENCL EXTENSION cl_khr_subgroups : enable

#define STORE(p, v, order) atomic_store_explicit(p, v, memory_order_##order, memory_scope_device)
#define LOAD(p, order) atomic_load_explicit(p, memory_order_##order, memory_scope_device)
#define ADD(p, v, order) atomic_fetch_add_explicit(p, v, memory_order_##order, memory_scope_device)
#define FENCE(order) atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_##order, memory_scope_device)

// Message passing: data, then a flag.
kernel void message(global int *data, global atomic_int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        data[0] = 7;
        STORE(flag, 1, release);
    }
    if (get_global_id(0) == 1 && LOAD(flag, acquire))
        *out = data[0];
}

// The same with fences and relaxed accesses of the flag, on both sides and on one.
kernel void fences(global int *data, global atomic_int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        *data = 7;
        FENCE(release);
        STORE(flag, 1, relaxed);
    } else if (LOAD(flag, relaxed)) {
        FENCE(acquire);
        *out = *data;
    }
}

kernel void release_fence(global int *data, global atomic_int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        *data = 7;
        FENCE(acq_rel);
        STORE(flag, 1, relaxed);
    } else if (LOAD(flag, acquire))
        *out = *data;
}

kernel void acquire_fence(global int *data, global atomic_int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        *data = 7;
        STORE(flag, 1, seq_cst);
    } else if (LOAD(flag, relaxed)) {
        FENCE(seq_cst);
        *out = *data;
    }
}

// A relaxed read-modify-write by another continues the release sequence, and so does a
// relaxed store by the work-item that heads it.
kernel void sequence(global int *data, global atomic_int *flag, global int *out) {
    switch (get_global_id(0)) {
    case 0:
        *data = 7;
        STORE(flag, 1, release);
        break;
    case 1:
        ADD(flag, 1, relaxed);
        break;
    case 2:
        if (LOAD(flag, acquire) == 2)
            *out = *data;
    }
}

kernel void own_store(global int *data, global atomic_int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        *data = 7;
        STORE(flag, 1, release);
        STORE(flag, 2, relaxed);
    } else if (LOAD(flag, acquire) == 2)
        *out = *data;
}

// Happens-before is transitive: each work-item reads what the one before has written.
kernel void chain(global int *data, global atomic_int *flag) {
    int i = get_global_id(0), sum = 1;
    barrier(0); // one group after the other
    if (i > 0 && LOAD(&flag[i - 1], acquire))
        for (int k = 0; k < i; k++)
            sum = data[k] + 1;
    data[i] = sum;
    STORE(&flag[i], 1, release);
}

// The group that counts last adds all groups' sums.
kernel void sums(global const int *x, global int *partial, global atomic_int *count, global int *total) {
    int sum = work_group_reduce_add(x[get_global_id(0)]);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = sum;
        if (ADD(count, 1, acq_rel) == get_num_groups(0) - 1)
            for (int g = 0; g < get_num_groups(0); g++)
                *total += partial[g];
    }
}

// Atomic accesses of two places never race, whatever they see.
kernel void store_buffering(global atomic_int *x, global atomic_int *y, global int *out) {
    int i = get_global_id(0);
    atomic_store(i ? y : x, 1);
    out[i] = atomic_load(i ? x : y);
}

// A lock that is taken and given back orders what it guards.
kernel void lock(global atomic_int *mutex, global int *sum) {
    int free = 0;
    barrier(0); // one group after the other
    if (atomic_compare_exchange_strong_explicit(mutex, &free, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) {
        *sum += 1;
        STORE(mutex, 0, release);
    }
}

// Within a group its scope suffices.
kernel void group_scope(global int *data, global atomic_int *flag, global int *out) {
    if (get_local_id(0) == 0) {
        *data = 7;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_work_group);
    }
    if (get_local_id(0) == 3 && atomic_load_explicit(flag, memory_order_acquire, memory_scope_work_group))
        *out = *data;
}

// A flag in local memory orders local memory.
kernel void local_flag(global int *out) {
    local int data;
    local atomic_int flag;
    if (get_local_id(0) == 0)
        atomic_init(&flag, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        data = 7;
        atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
    }
    if (get_local_id(0) == 1 && atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group))
        out[1] = data;
}

// Fences of both kinds of memory order both by one flag.
kernel void both_fences(global atomic_int *flag, global int *out) {
    local int data;
    if (get_local_id(0) == 0) {
        data = 7;
        atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
        STORE(flag, 1, relaxed);
    }
    if (get_local_id(0) == 1 && LOAD(flag, relaxed)) {
        atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
        *out = data;
    }
}

// Reads do not conflict with atomic reads.
kernel void plain_reads(global int *x, global int *out) {
    out[get_global_id(0)] = *x + LOAD((global atomic_int *)x, relaxed);
}

// What a group's work-items did before a barrier, one of them publishes after it.
kernel void epochs(global int *data, global atomic_int *flag, global int *out) {
    int l = get_local_id(0);
    local int ready;
    if (get_group_id(0) == 0) {
        data[l] = l + 1;
        work_group_barrier(CLK_GLOBAL_MEM_FENCE);
        if (l == 3)
            STORE(flag, 1, release);
    } else {
        if (l == 0)
            ready = LOAD(flag, acquire);
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (ready)
            out[l] = data[3 - (3 - l)];
    }
}

// A barrier is a pair of fences, here of the scope that it names: the first barrier's end
// and the second's beginning are what relaxed accesses of a flag need.
kernel void device_barrier(global int *data, global atomic_int *flag, global int *out) {
    int l = get_local_id(0);
    if (get_group_id(0) == 0) {
        data[l] = l + 1;
        work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
        ADD(flag, 1, relaxed);
    } else {
        int n = LOAD(flag, relaxed);
        work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
        if (n == 4)
            out[l] = data[l];
    }
}

// A barrier of the sub-group orders its work-items.
kernel void sub_group(global int *out) {
    local int tmp[32];
    int i = get_local_id(0);
    tmp[i] = i;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tmp[i ^ 1];
}
