// run: kernel=scan global=8 local=8
// arg: x int[8] = 3 1 4 1 5 9 2 6
// arg: out int[8] = zeros
// want: out 3 4 8 9 14 23 25 31
//
// Ping-pong between two halves of local memory: one barrier a step is enough.
kernel void scan(global const int *x, global int *out) {
    local int t[2][8];
    int l = get_local_id(0), from = 0;
    t[0][l] = x[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 8; d *= 2, from = 1 - from) {
        t[1 - from][l] = l >= d ? t[from][l] + t[from][l - d] : t[from][l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = t[from][l];
}
