// Programs with races by the memory model of OpenCL 3.0; see good/order.cl for those without.
//
// run: kernel=message global=2 local=1 -cl-std=CL3.0 -DWRITE=relaxed -DREAD=acquire
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want-error: race-between-groups "load of 4 bytes at offset 0, in the global memory of data"
//
// run: kernel=message global=2 local=1 -cl-std=CL3.0 -DWRITE=release -DREAD=relaxed
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want-error: race-between-groups "load of 4 bytes at offset 0, in the global memory of data"
//
// run: kernel=message global=2 local=2 -cl-std=CL3.0 -DWRITE=relaxed -DREAD=relaxed
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want-error: race-in-group "load of 4 bytes at offset 0, in the global memory of data"
//
// run: kernel=plain_flag global=2 local=1 -cl-std=CL3.0
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want-error: race-between-groups "in the global memory of flag"
//
// run: kernel=scope global=2 local=1 -cl-std=CL3.0
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want-error: race-between-groups "in the global memory of flag (argument 1), against the atomic access by work-item (0,0,0): the scope of one does not include the other"
// want-error: race-between-groups "in the global memory of data"
//
// run: kernel=sums global=32 local=4 -cl-std=CL3.0 -DORDER=relaxed -DSCOPE=device
// arg: x int[32] = range
// arg: partial int[8] = zeros
// arg: count int[1] = zeros
// arg: total int[1] = zeros
// want-error: race-between-groups "in the global memory of partial"
//
// run: kernel=sums global=32 local=4 -cl-std=CL3.0 -DORDER=release -DSCOPE=device
// arg: x int[32] = range
// arg: partial int[8] = zeros
// arg: count int[1] = zeros
// arg: total int[1] = zeros
// want-error: race-between-groups "in the global memory of partial"
//
// run: kernel=sums global=32 local=4 -cl-std=CL3.0 -DORDER=acq_rel -DSCOPE=work_group
// arg: x int[32] = range
// arg: partial int[8] = zeros
// arg: count int[1] = zeros
// arg: total int[1] = zeros
// want-error: race-between-groups "in the global memory of count"
// want-error: race-between-groups "in the global memory of partial"
//
// run: kernel=broken_sequence global=3 local=1 -cl-std=CL3.0
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want-error: race-between-groups "in the global memory of data"
//
// run: kernel=wrong_fence global=2 local=1 -cl-std=CL3.0
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want-error: race-between-groups "in the global memory of data"
//
// run: kernel=late_fence global=2 local=1 -cl-std=CL3.0
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want-error: race-between-groups "in the global memory of data"
//
// run: kernel=global_flag global=2 local=2 -cl-std=CL3.0
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want-error: race-in-group "in the local memory of global_flag.data"
//
// run: kernel=store_buffering global=2 local=1 -cl-std=CL3.0
// arg: x int[1] = zeros
// arg: y int[1] = zeros
// arg: out int[2] = zeros
// want-error: race-between-groups "in the global memory of x"
//
// run: kernel=unlocked global=16 local=1 -cl-std=CL3.0
// arg: mutex int[1] = zeros
// arg: sum int[1] = zeros
// want-error: race-between-groups "in the global memory of sum"
//
// run: kernel=mixed global=8 local=4 -cl-std=CL3.0
// arg: x int[1] = zeros
// arg: out int[8] = zeros
// want-error: race-in-group "and between work-groups: load of 4 bytes at offset 0, in the global memory of x"
//
// run: kernel=failed global=2 local=1 -cl-std=CL3.0
// arg: data int[1] = zeros
// arg: flag int[1] = zeros
// arg: out int[1] = zeros
// want-error: race-between-groups "in the global memory of data"
//
// run: kernel=sub_group global=32 local=32 -cl-std=CL3.0
// arg: out int[32] = zeros
// want-error: race-in-group "in the local memory of sub_group.tmp"
//
// run: kernel=threadfence global=8 local=4
// arg: partial int[2] = zeros
// arg: count int[1] = zeros
// arg: total int[1] = zeros
// want-error: race-between-groups "in the global memory of partial"

#pragma OPENCL EXTENSION cl_khr_subgroups : enable

#define STORE(p, v, order) atomic_store_explicit(p, v, memory_order_##order, memory_scope_device)
#define LOAD(p, order) atomic_load_explicit(p, memory_order_##order, memory_scope_device)
#define ADD(p, v, order) atomic_fetch_add_explicit(p, v, memory_order_##order, memory_scope_device)
#define NAME(a, b) a##b
#define OF(a, b) NAME(a, b)

#ifdef WRITE
kernel void message(global int *data, global atomic_int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        *data = 7;
        atomic_store_explicit(flag, 1, OF(memory_order_, WRITE), memory_scope_device);
    }
    if (get_global_id(0) == 1 && atomic_load_explicit(flag, OF(memory_order_, READ), memory_scope_device))
        *out = *data;
}
#elif defined ORDER
kernel void sums(global const int *x, global int *partial, global atomic_int *count, global int *total) {
    int sum = work_group_reduce_add(x[get_global_id(0)]);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = sum;
        if (atomic_fetch_add_explicit(count, 1, OF(memory_order_, ORDER), OF(memory_scope_, SCOPE)) == get_num_groups(0) - 1)
            for (int g = 0; g < get_num_groups(0); g++)
                *total += partial[g];
    }
}
#elif __OPENCL_C_VERSION__ < 200
// mem_fence has the scope of the work-group.
kernel void threadfence(global int *partial, global int *count, global int *total) {
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (atomic_inc(count) == get_num_groups(0) - 1)
            *total = partial[0] + partial[1];
    }
}
#else
kernel void plain_flag(global int *data, global int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
        *flag = 1;
    } else if (*flag)
        *out = 1;
}

// A scope that the other group is not in.
kernel void scope(global int *data, global atomic_int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        *data = 7;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_work_group);
    } else if (LOAD(flag, acquire))
        *out = *data;
}

// A store by another ends the release sequence.
kernel void broken_sequence(global int *data, global atomic_int *flag, global int *out) {
    switch (get_global_id(0)) {
    case 0:
        *data = 7;
        STORE(flag, 1, release);
        break;
    case 1:
        STORE(flag, 2, relaxed);
        break;
    case 2:
        if (LOAD(flag, acquire) == 2)
            *out = *data;
    }
}

// A fence of local memory does not order global memory.
kernel void wrong_fence(global int *data, global atomic_int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        *data = 7;
        atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_device);
        STORE(flag, 1, relaxed);
    } else if (LOAD(flag, acquire))
        *out = *data;
}

kernel void late_fence(global int *data, global atomic_int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        *data = 7;
        STORE(flag, 1, relaxed);
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    } else if (LOAD(flag, acquire))
        *out = *data;
}

// A flag in global memory orders global memory only.
kernel void global_flag(global atomic_int *flag, global int *out) {
    local int data;
    if (get_local_id(0) == 0) {
        data = 7;
        STORE(flag, 1, release);
    }
    if (get_local_id(0) == 1 && LOAD(flag, acquire))
        *out = data;
}

kernel void store_buffering(global int *x, global int *y, global int *out) {
    if (get_global_id(0) == 0)
        *x = 1;
    else
        *out = *x;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
}

// The lock is given back without a release.
kernel void unlocked(global atomic_int *mutex, global int *sum) {
    int free = 0;
    barrier(0); // one group after the other
    if (atomic_compare_exchange_strong_explicit(mutex, &free, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) {
        *sum += 1;
        STORE(mutex, 0, relaxed);
    }
}

// An atomic write conflicts with a plain read.
kernel void mixed(global int *x, global int *out) {
    ADD((global atomic_int *)x, 1, acq_rel);
    out[get_global_id(0)] = *x;
}

// A compare-and-exchange that fails does not publish.
kernel void failed(global int *data, global atomic_int *flag, global int *out) {
    int other = 5;
    if (get_global_id(0) == 0) {
        *data = 7;
        atomic_compare_exchange_strong_explicit(flag, &other, 1, memory_order_acq_rel, memory_order_relaxed, memory_scope_device);
    } else if (LOAD(flag, acquire) == 0)
        *out = *data;
}

kernel void sub_group(global int *out) {
    local int tmp[32];
    int i = get_local_id(0);
    tmp[i] = i;
    sub_group_barrier(0);
    out[i] = tmp[i ^ 1];
}
#endif
