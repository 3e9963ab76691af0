// run: kernel=ids global=4,2 local=2,1
// arg: out uint[8] = zeros
// want: out 12220000 12220101 12221002 12221103 12220010 12220111 12221012 12221113
// run: kernel=reduce global=8 local=4
// arg: in int[8] = range(1)
// arg: out int[2] = zeros
// arg: part local 16
// want: out 1001 2605
// run: kernel=count global=8 local=4
// arg: data uchar[8] = 0 1 2 3 7 6 3 11
// arg: bins uint[4] = zeros
// arg: top int[1] = 5
// want: bins 1 1 2 4
// want: top 11
// run: kernel=transpose global=3,2 local=3,2
// arg: in float[6] = range(1)
// arg: out float[6] = zeros
// want: out 1 4 2 5 3 6
//
// Work-items together: ids, local memory, barriers, atomics.
kernel void ids(global uint *out) {
    size_t i = get_global_id(0) + get_global_size(0) * get_global_id(1);
    out[i] = get_global_id(0) + 10 * get_global_id(1) + 100 * get_local_id(0) + 1000 * get_group_id(0)
        + 10000 * get_local_size(0) + 100000 * get_num_groups(0) + 1000000 * get_work_dim() + 10000000 * get_global_size(2);
}

kernel void reduce(global const int *in, global int *out, local int *part) {
    local int first;
    size_t l = get_local_id(0);
    if (l == 0) first = in[get_global_id(0)];
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (l < s) part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[get_group_id(0)] = part[0] * 100 + first;
}

void histogram(local uint *bins, uchar v) { atomic_inc(&bins[v & 3]); }

kernel void count(global const uchar *data, global uint *bins, global int *top) {
    local uint mine[4];
    uint l = get_local_id(0);
    if (l < 4) mine[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    histogram(mine, data[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 4) atomic_add(&bins[l], mine[l]);
    atomic_max(top, (int)data[get_global_id(0)]);
}

kernel void transpose(global const float *in, global float *out) {
    local float tile[2][3];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[get_global_id(1) * get_global_size(0) + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0) * get_global_size(1) + get_global_id(1)] = tile[y][x];
}
