// Each work-item computes the magnitude of the gradient by the Sobel operator, and 0 at the border.
kernel void sobel(global uchar *dst, global const uchar *src, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
        dst[y * w + x] = 0;
        return;
    }
    global const uchar *p = src + y * w + x;
    int gx = p[-w + 1] + 2 * p[1] + p[w + 1] - p[-w - 1] - 2 * p[-1] - p[w - 1];
    int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
    dst[y * w + x] = convert_uchar_sat(sqrt((float)(gx * gx + gy * gy)));
}
