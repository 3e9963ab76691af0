// run: kernel=negate global=3,2 local=3,1
// arg: dst image2d RGBA UNSIGNED_INT8 2x2
//
// A coordinate beyond the image's width.
kernel void negate(write_only image2d_t dst) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(dst, at, (uint4)(1, 2, 3, 4)); // FINDS out-of-bounds "element (2, 0) of the 2D image of 2x2 elements"
}
