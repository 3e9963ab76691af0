// run: kernel=blur global=16 local=8
// arg: src int[16] = range
// arg: dst int[16] = zeros
//
// Items at the edge read the halo that their neighbours have not written yet.
kernel void blur(global const int *src, global int *dst) {
    local int tile[10];
    int g = get_global_id(0), l = get_local_id(0), n = get_global_size(0);
    tile[l + 1] = src[g];
    if (l == 0)
        tile[0] = g > 0 ? src[g - 1] : 0;
    if (l == 7)
        tile[9] = g < n - 1 ? src[g + 1] : 0;
    dst[g] = (tile[l] // FINDS race-in-group "of 4 bytes"
              + tile[l + 1]
              + tile[l + 2]) / 3; // FINDS race-in-group "load of 4 bytes at offset 8, in the local memory of blur.tile"
}
