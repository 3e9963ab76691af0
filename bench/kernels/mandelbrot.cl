// Each work-item counts the iterations until a point of the Mandelbrot set escapes.
kernel void mandelbrot(global uint *out, int w, int h, int limit)
{
    int x = get_global_id(0), y = get_global_id(1);
    float cx = -2.0f + 3.0f * x / w, cy = -1.5f + 3.0f * y / h, zx = 0.0f, zy = 0.0f;
    int n = 0;
    while (n < limit && zx * zx + zy * zy < 4.0f) {
        float t = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = t;
        n++;
    }
    out[y * w + x] = n;
}
