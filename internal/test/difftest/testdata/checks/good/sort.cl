// run: kernel=bitonic global=8 local=8
// arg: x int[8] = 5 2 8 1 9 3 7 4
// want: x 1 2 3 4 5 7 8 9
//
// Each pair is exchanged by one of its two items.
kernel void bitonic(global int *x) {
    local int t[8];
    uint l = get_local_id(0);
    t[l] = x[l];
    for (uint k = 2; k <= 8; k *= 2)
        for (uint j = k / 2; j > 0; j /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint o = l ^ j;
            if (o > l && (t[l] > t[o]) == ((l & k) == 0)) {
                int v = t[l];
                t[l] = t[o];
                t[o] = v;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    x[l] = t[l];
}
