// run: kernel=swap global=4 local=4
// arg: x int[4] = 1 2 3 4
//
// A barrier of local memory does not order accesses to global memory.
kernel void swap(global int *x) {
    int l = get_local_id(0);
    int v = x[3 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[l] = v; // FINDS race-in-group "in the global memory of x"
}
