// Convolution of a picture of RGBA bytes with a square mask of (2*radius+1)^2 weights.
// Pixels outside of the picture repeat its edge. The sum is rounded to nearest and
// clamped to 0..255 by the conversion itself.
kernel void convolve(global const uchar4 *src, global uchar4 *dst, int width, int height,
                     constant float *weights, int radius)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = (float4)(0.0f);
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            int sx = clamp(x + dx, 0, width - 1), sy = clamp(y + dy, 0, height - 1);
            sum += convert_float4(src[sy * width + sx]) * *weights++;
        }
    sum.w = 255.0f;
    dst[y * width + x] = convert_uchar4_sat_rte(sum);
}

// The same for a 3x3 mask, as many write it at first: no edge handling. The pixels of
// the border read outside of the picture, and the last row outside of the buffer.
kernel void convolve_careless(global const uchar4 *src, global uchar4 *dst, int width,
                              constant float *weights)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = (float4)(0.0f);
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += convert_float4(src[(y + dy) * width + x + dx]) * *weights++;
    sum.w = 255.0f;
    dst[y * width + x] = convert_uchar4_sat_rte(sum);
}
