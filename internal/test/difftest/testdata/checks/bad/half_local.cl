// run: kernel=fill global=8 local=8
// arg: out int[8] = zeros
//
// Only half of the items fill the array that all of them read.
kernel void fill(global int *out) {
    local int t[8];
    int l = get_local_id(0);
    if (l < 4)
        t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l] * 2; // FINDS uninitialized "local memory of 't' [work-item (4,0,0)"
}
