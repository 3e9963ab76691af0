// run: kernel=scale global=12 local=4
// arg: x float[9] = range
// arg: n int 9
// want: x 0 2 4 6 8 10 12 14 16
//
// More work-items than elements, and a barrier that all of them reach.
kernel void scale(global float *x, int n) {
    local float t[4];
    int i = get_global_id(0), l = get_local_id(0);
    t[l] = i < n ? x[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        x[i] = 2 * t[l];
}
