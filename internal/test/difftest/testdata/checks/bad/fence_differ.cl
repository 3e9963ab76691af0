// run: kernel=differ global=4 local=4
// arg: x int[4] = 1 2 3 4
//
// One work-item asks for less than the others.
kernel void differ(global int *x) {
    int l = get_local_id(0);
    int v = x[3 - l];
    barrier(l == 2 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
    x[l] = v; // FINDS race-in-group "in the global memory of x"
}
