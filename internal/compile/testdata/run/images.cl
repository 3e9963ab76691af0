// run: -cl-std=CL3.0 kernel=copy global=3,2
// arg: src image2d RGBA UNORM_INT8 3x2 = (0,51,102,255) (1,2,3,4) (255,0,0,0) (9,8,7,6) (5,4,3,2) (100,110,120,130)
// arg: dst image2d BGRA UNORM_INT8 3x2 = zeros
// want: dst (102,51,0,255) (3,2,1,4) (0,0,255,0) (7,8,9,6) (3,4,5,2) (120,110,100,130)
//
// run: -cl-std=CL3.0 kernel=copy global=2,1
// arg: src image2d RGB UNORM_SHORT_565 2x1 = 0xf81f 0x07e0
// arg: dst image2d RGBA FLOAT 2x1 = zeros
// want: dst (1,0,1,1) (0,1,0,1)
//
// run: -cl-std=CL3.0 kernel=filter global=8
// arg: src image1d R FLOAT 4 = 0 1 2 3
// arg: s sampler normalized mirror linear
// arg: out float[8] = zeros
// arg: step float 0.25
// want: out 1.5 2.5 3 2.5 1.5 0.5 0 0.5
//
// run: -cl-std=CL3.0 kernel=filter global=6
// arg: src image1d LUMINANCE UNORM_INT8 2 = 0 255
// arg: s sampler clamp linear
// arg: out float[6] = zeros
// arg: step float 0.5
// want: out 0.5 1 0.5 0 0 0
//
// run: -cl-std=CL3.0 kernel=sum global=2
// arg: a image1d_array RG SIGNED_INT16 2x2 = (1,-2) (3,-4) (5,-6) (7,-8)
// arg: b image3d R UNSIGNED_INT32 2x1x2 = 10 20 30 0xffffffff
// arg: c image1d_buffer A UNSIGNED_INT8 2 = 3 4
// arg: out int4[2] = zeros
// want: out (1,-2,0,1) (7,-8,2,1)
// want: b (10) (20) (30) (0)
//
// run: -cl-std=CL3.0 kernel=oob global=1
// arg: dst image2d R FLOAT 2x2 = 4*7
// want: dst 7 7 7 7
// want-error: out-of-bounds "element (2, 0) of the 2D image of 2x2 elements"
//
// Expectations by hand from "Image Addressing and Filtering" and "Mapping Image Channels".
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void copy(read_only image2d_t src, write_only image2d_t dst)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(dst, p, read_imagef(src, nearest, p));
}

kernel void filter(read_only image1d_t src, sampler_t s, global float *out, float step)
{
    // step 0.25, mirrored: u = 4 |s - 2 rint(s/2)| at s = 0.5, 0.75, 1, … : 2, 3, 4, 3, 2, 1, 0, 1
    // step 0.5, unnormalized, two elements 0 and 1, border 0: u = 1, 1.5, 2, 2.5, 3, 3.5
    int i = get_global_id(0);
    out[i] = read_imagef(src, s, (i + 2) * step).x;
}

// Reads layer i of element i; the 3D image is read and written.
kernel void sum(read_only image1d_array_t a, read_write image3d_t b, read_only image1d_buffer_t c, global int4 *out)
{
    int i = get_global_id(0);
    int4 v = read_imagei(a, nearest, (float2)(i, i));
    if (i == 1) {
        v.z = read_imageui(c, 1).w - read_imageui(c, 0).w + read_imageui(b, (int4)(1, 0, 1, 0)).x + 2;
        write_imageui(b, (int4)(1, 0, 1, 0), (uint4)(0));
    }
    out[i] = v;
}

kernel void oob(write_only image2d_t dst)
{
    write_imagef(dst, (int2)(2, 0), (float4)(1));
}
