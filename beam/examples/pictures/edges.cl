// The strength of edges: Sobel's operator over the brightness of an element and its neighbours.
static float grey(global const uchar4 *p) { return dot(convert_float3(p->xyz), (float3)(0.299f, 0.587f, 0.114f)); }

kernel void edges(global const uchar4 *in, global uchar *out, int origin, int row, int w)
{
    int i = get_global_id(0), j = get_global_id(1);
    global const uchar4 *p = in + origin + j * row + i;
    float gx = grey(p - row + 1) + 2 * grey(p + 1) + grey(p + row + 1) - grey(p - row - 1) - 2 * grey(p - 1) - grey(p + row - 1);
    float gy = grey(p + row - 1) + 2 * grey(p + row) + grey(p + row + 1) - grey(p - row - 1) - 2 * grey(p - row) - grey(p - row + 1);
    out[j * w + i] = convert_uchar_sat_rte(hypot(gx, gy));
}
