// run: kernel=early global=6 local=6
// arg: out int[6] = zeros
// arg: n int 4
//
// Items beyond the end leave before the barrier that the others wait at.
kernel void early(global int *out, int n) {
    local int t[6];
    int i = get_global_id(0);
    if (i >= n)
        return;
    t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE); // FINDS barrier-divergence "not all work-items of the group reach this barrier"
    out[i] = t[n - 1 - i];
}
