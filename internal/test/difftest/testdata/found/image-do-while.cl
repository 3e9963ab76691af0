// A loop that tests its condition at the end reads an image at one place. The read moved before the loop, where it was executed
// only if the condition holds after the first iteration.
// run: kernel=k global=4
// arg: o int[4] = zeros
// arg: m image2d RGBA SIGNED_INT32 2x1x1 = (5,6,7,8) (9,10,11,12)
// arg: n uint 1
kernel void k(global int *o, read_only image2d_t m, uint n) {
    uint i = 0;
    do {
        i++;
        o[get_global_id(0)] += read_imagei(m, CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST, (float2)(1)).s0;
    } while (i < n);
}
