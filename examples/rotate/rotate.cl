// Rotates a picture about its center: each element of the result looks up where it comes
// from, between the elements of the source, and takes their weighted mean. What comes from
// outside of the source is the border color, transparent black.
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

kernel void rotate_image(read_only image2d_t src, write_only image2d_t dst, float angle, float zoom)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float2 d = convert_float2(p) + 0.5f - convert_float2(get_image_dim(dst)) / 2.0f;
    float c, s = sincos(angle, &c);
    float2 from = (float2)(c * d.x + s * d.y, c * d.y - s * d.x) / zoom;
    write_imagef(dst, p, read_imagef(src, linear, from + convert_float2(get_image_dim(src)) / 2.0f));
}
