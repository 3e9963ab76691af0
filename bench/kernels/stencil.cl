// Neighbourhoods of 3 by 3 and 5 by 5 elements. The launch excludes the border.
#define PIXEL(T, p) global const T *p = in + (get_global_id(1) + 1) * w + get_global_id(0) + 1
#define RESULT out[(get_global_id(1) + 1) * w + get_global_id(0) + 1]

// Each work-item computes the mean of its neighbourhood.
kernel void box_uchar(global uchar *out, global const uchar *in, int w)
{
    PIXEL(uchar, p);
    int s = p[-w - 1] + p[-w] + p[-w + 1] + p[-1] + p[0] + p[1] + p[w - 1] + p[w] + p[w + 1];
    RESULT = s * 57 >> 9;
}

// Each work-item applies a Gaussian filter.
kernel void gauss_uchar(global uchar *out, global const uchar *in, int w)
{
    PIXEL(uchar, p);
    int s = p[-w - 1] + 2 * p[-w] + p[-w + 1] + 2 * p[-1] + 4 * p[0] + 2 * p[1] + p[w - 1] + 2 * p[w] + p[w + 1];
    RESULT = s + 8 >> 4;
}

// Each work-item applies a Gaussian filter to four channels.
kernel void gauss_uchar4(global uchar4 *out, global const uchar4 *in, int w)
{
    PIXEL(uchar4, p);
#define WIDE(i) convert_ushort4(p[i])
    ushort4 s = WIDE(-w - 1) + WIDE(-w + 1) + WIDE(w - 1) + WIDE(w + 1) + (ushort)2 * (WIDE(-w) + WIDE(-1) + WIDE(1) + WIDE(w)) + (ushort)4 * WIDE(0);
    RESULT = convert_uchar4(s + (ushort)8 >> (ushort)4);
}

// Each work-item computes the magnitude of the gradient by the Sobel operator.
kernel void sobel_uchar(global uchar *out, global const uchar *in, int w)
{
    PIXEL(uchar, p);
    int gx = p[-w + 1] + 2 * p[1] + p[w + 1] - p[-w - 1] - 2 * p[-1] - p[w - 1];
    int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
    RESULT = min(abs(gx) + abs(gy), 255u);
}

// Each work-item finds the median of its neighbourhood by a sorting network.
kernel void median_uchar(global uchar *out, global const uchar *in, int w)
{
    PIXEL(uchar, p);
    uchar a = p[-w - 1], b = p[-w], c = p[-w + 1], d = p[-1], e = p[0], f = p[1], g = p[w - 1], h = p[w], i = p[w + 1], t;
#define ORDER(x, y) t = min(x, y), y = max(x, y), x = t
    ORDER(b, c); ORDER(e, f); ORDER(h, i); ORDER(a, b); ORDER(d, e); ORDER(g, h); ORDER(b, c); ORDER(e, f); ORDER(h, i);
    ORDER(a, d); ORDER(f, i); ORDER(e, h); ORDER(d, g); ORDER(b, e); ORDER(c, f); ORDER(e, h); ORDER(e, c); ORDER(g, e); ORDER(e, c);
    RESULT = e;
}

// Each work-item finds the minimum of its neighbourhood.
kernel void erode_uchar(global uchar *out, global const uchar *in, int w)
{
    PIXEL(uchar, p);
    RESULT = min(min(min(min(p[-w - 1], p[-w]), min(p[-w + 1], p[-1])), min(min(p[0], p[1]), min(p[w - 1], p[w]))), p[w + 1]);
}

// Each work-item applies the Laplace operator.
kernel void laplace(global float *out, global const float *in, int w)
{
    PIXEL(float, p);
    float s = p[-w - 1] + p[-w] + p[-w + 1] + p[-1] + p[1] + p[w - 1] + p[w] + p[w + 1];
    RESULT = 8.0f * p[0] - s;
}

// Each work-item computes a step of the Jacobi iteration.
kernel void jacobi(global float *out, global const float *in, int w)
{
    PIXEL(float, p);
    RESULT = 0.25f * (p[-w] + p[-1] + p[1] + p[w]);
}

// Each work-item convolves 3 by 3 elements with a kernel in constant memory.
kernel void convolve3(global float *out, global const float *in, constant float *k, int w)
{
    PIXEL(float, p);
    float s = 0.0f;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            s += k[y * 3 + x] * p[(y - 1) * w + x - 1];
    RESULT = s;
}

// Each work-item convolves 5 by 5 elements with a kernel in constant memory.
kernel void convolve5(global float *out, global const float *in, constant float *k, int w)
{
    global const float *p = in + get_global_id(1) * w + get_global_id(0);
    float s = 0.0f;
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++)
            s += k[y * 5 + x] * p[y * w + x];
    out[(get_global_id(1) + 2) * w + get_global_id(0) + 2] = s;
}

// Each work-item averages five elements. Neighbours outside of the image are those at its border.
kernel void clamped(global float *out, global const float *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    int l = max(x - 1, 0), r = min(x + 1, w - 1), u = max(y - 1, 0) * w, d = min(y + 1, h - 1) * w;
    out[y * w + x] = 0.2f * (in[y * w + x] + in[y * w + l] + in[y * w + r] + in[u + x] + in[d + x]);
}
