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
// run: -cl-std=CL3.0 kernel=part global=20
// arg: src image1d R UNSIGNED_INT8 20 = range
// arg: dst image1d RG SIGNED_INT16 20 = 20*(-1,-1)
// arg: out uint[20] = zeros
// want: out 100 1 102 3 104 5 106 7 108 9 110 11 112 13 114 15 116 17 118 19
// want: dst (0,1) (-1,-1) (-1,-1) (3,4) (-1,-1) (-1,-1) (6,7) (-1,-1) (-1,-1) (9,10) (-1,-1) (-1,-1) (12,13) (-1,-1) (-1,-1) (15,16) (-1,-1) (-1,-1) (18,19) (-1,-1)
//
// run: -cl-std=CL3.0 kernel=some global=20
// arg: src image1d R UNSIGNED_INT8 8 = 10 11 12 13 14 15 16 17
// arg: out uint[20] = 20*7
// want: out 0 0 10 11 12 13 14 15 16 17 10*0
// want-error: out-of-bounds "of the 1D image of 8 elements"
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

// In some work-items only.
kernel void part(read_only image1d_t src, write_only image1d_t dst, global uint *out)
{
    int i = get_global_id(0);
    out[i] = i & 1 ? read_imageui(src, nearest, i).x : 100 + i;
    if (i % 3 == 0)
        write_imagei(dst, i, (int4)(i, i + 1, 0, 0));
}

// Where there is an element only in some, without a sampler.
kernel void some(read_only image1d_t src, global uint *out)
{
    int i = get_global_id(0);
    out[i] = read_imageui(src, i - 2).x;
}
