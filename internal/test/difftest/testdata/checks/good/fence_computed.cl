// run: kernel=computed global=4 local=4
// arg: x int[4] = 1 2 3 4
// arg: global_memory uint = 1
// want: x 4 3 2 1
//
// Flags that are known at run time only: CLK_GLOBAL_MEM_FENCE here, in a function.
void sync(uint flags) { barrier(flags); }
kernel void computed(global int *x, uint global_memory) {
    local int t[4];
    int l = get_local_id(0);
    t[l] = x[3 - l];
    sync(global_memory ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE);
    x[l] = t[l];
}
