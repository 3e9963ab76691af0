// run: kernel=pass global=8 local=4
// arg: flag int[1] = zeros
// arg: out int[8] = zeros
//
// One group hands its result to the others through memory that no atomic guards.
kernel void pass(global int *flag, global int *out) {
    if (get_global_id(0) == 0)
        *flag = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = *flag; // FINDS race-between-groups "data race between work-groups: load of 4 bytes at offset 0, in the global memory of flag" "against the store by work-item (0,0,0)"
}
