// run: kernel=blur global=16 local=8
// arg: src int[16] = range
// arg: dst int[16] = zeros
// want: dst 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 9
//
// A tile with its halo, loaded by the items at the edge.
kernel void blur(global const int *src, global int *dst) {
    local int tile[10];
    int g = get_global_id(0), l = get_local_id(0), n = get_global_size(0);
    tile[l + 1] = src[g];
    if (l == 0)
        tile[0] = g > 0 ? src[g - 1] : 0;
    if (l == 7)
        tile[9] = g < n - 1 ? src[g + 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    dst[g] = (tile[l] + tile[l + 1] + tile[l + 2]) / 3;
}
