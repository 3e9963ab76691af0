// The Mandelbrot set: each work-item iterates z = z*z + c for one pixel.
kernel void mandelbrot(global uchar4 *image, float2 centre, float scale, int limit)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    int2 size = (int2)(get_global_size(0), get_global_size(1));
    float2 c = centre + scale * (convert_float2(at) - convert_float2(size) * 0.5f) / (float)size.y;
    float2 z = (float2)(0.0f);
    int n = 0;
    while (n < limit && z.x * z.x + z.y * z.y < 4.0f) {
        z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
        n++;
    }
    float t = (float)n / limit;
    float4 colour = (float4)(9.0f * (1 - t) * t * t * t, 15.0f * (1 - t) * (1 - t) * t * t, 8.5f * (1 - t) * (1 - t) * (1 - t) * t, 1.0f);
    image[at.y * size.x + at.x] = convert_uchar4_sat_rte(colour * 255.0f);
}
