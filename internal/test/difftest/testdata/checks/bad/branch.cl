// run: kernel=roles global=4 local=4
// arg: out int[4] = zeros
//
// A barrier in each branch: they are two barriers.
kernel void roles(global int *out) {
    local int v;
    int l = get_local_id(0);
    if (l == 0) {
        v = 7;
        barrier(CLK_LOCAL_MEM_FENCE); // FINDS barrier-divergence "work-item (0,0,0)"
    } else {
        barrier(CLK_LOCAL_MEM_FENCE);
        out[l] = v;
    }
}
