// run: kernel=computed global=4 local=4
// arg: x int[4] = 1 2 3 4
// arg: flags uint = 1
//
// Flags that are known at run time only count as what they are: CLK_LOCAL_MEM_FENCE here.
kernel void computed(global int *x, uint flags) {
    int l = get_local_id(0);
    int v = x[3 - l];
    barrier(flags);
    x[l] = v; // FINDS race-in-group "in the global memory of x"
}
