// Kernels of image and sound programs: conversion to wider numbers, arithmetic, and conversion back. With CACHED
// each work-item repeats its work as the kernel cached in convert.cl does.
#ifdef CACHED
#define MORE , int pitch, int repeats
#define EACH \
    for (int r = 0; r < repeats; r++) \
        for (size_t k = 0, i = get_global_id(0); k < 8; k++, i += pitch / LANES)
#else
#define MORE
#define EACH size_t i = get_global_id(0);
#endif

// Each work-item scales the channels of a pixel.
kernel void scale4(global uchar4 *out, global const uchar4 *in, float gain MORE)
{
    EACH {
        out[i] = convert_uchar4_sat_rte(convert_float4(in[i]) * gain);
    }
}

// Each work-item scales a byte.
kernel void scale1(global uchar *out, global const uchar *in, float gain MORE)
{
    EACH {
        out[i] = convert_uchar_sat_rte(convert_float(in[i]) * gain);
    }
}

// Each work-item mixes two pixels.
kernel void mix4(global uchar4 *out, global const uchar4 *a, global const uchar4 *b, float t MORE)
{
    EACH {
        float4 x = convert_float4(a[i]), y = convert_float4(b[i]);
        out[i] = convert_uchar4_sat_rte(x + (y - x) * t);
    }
}

// Each work-item scales a sample.
kernel void audio1(global short *out, global const short *in, float gain MORE)
{
    EACH {
        out[i] = convert_short_sat_rte(convert_float(in[i]) * gain);
    }
}

// Each work-item scales eight samples.
kernel void audio8(global short8 *out, global const short8 *in, float gain MORE)
{
    EACH {
        out[i] = convert_short8_sat_rte(convert_float8(in[i]) * gain);
    }
}

// Each work-item scales a half.
kernel void halves1(global half *out, global const half *in, float gain MORE)
{
    EACH {
        vstore_half_rte(vload_half(i, in) * gain + 1.0f, i, out);
    }
}

// Each work-item scales four halfs.
kernel void halves4(global half *out, global const half *in, float gain MORE)
{
    EACH {
        vstore_half4_rte(vload_half4(i, in) * gain + 1.0f, i, out);
    }
}

// Each work-item multiplies the colour of a pixel by its alpha.
kernel void premultiply4(global uchar4 *out, global const uchar4 *in MORE)
{
    EACH {
        uchar4 p = in[i];
        ushort4 t = convert_ushort4(p) * (ushort4)(p.w, p.w, p.w, 255) + (ushort)128;
        out[i] = convert_uchar4((t + (t >> (ushort)8)) >> (ushort)8);
    }
}

// Each work-item converts four floats to fixed point.
kernel void fixed4(global int4 *out, global const float4 *in, float scale MORE)
{
    EACH {
        out[i] = convert_int4_sat_rtn(in[i] * scale);
    }
}
