// run: kernel=steps global=4 local=2
// arg: x int[4] = 1 2 3 4
// arg: n int 3
// want: x 2 1 4 3
//
// Barriers in a loop and under a condition that are the same for the whole group.
kernel void steps(global int *x, int n) {
    int i = get_global_id(0), l = get_local_id(0);
    for (int k = 0; k < n; k++) {
        if (n > 2) {
            int v = x[i - l + 1 - l];
            barrier(CLK_GLOBAL_MEM_FENCE);
            x[i] = v;
            barrier(CLK_GLOBAL_MEM_FENCE);
        }
    }
}
