// A tile of the Mandelbrot set: the whole has width × height elements and shows the square with
// the corners -2 - 1.5i and 1 + 1.5i. An element is a shade of grey, which grows with the number of
// iterations.
kernel void mandelbrot(global uchar *out, int x, int y, int w, int width, int height, int iterations)
{
    size_t i = get_global_id(0), j = get_global_id(1);
    double cr = -2.0 + 3.0 * (x + (int)i) / width, ci = -1.5 + 3.0 * (y + (int)j) / height;
    double zr = 0, zi = 0;
    int n = 0;
    for (; n < iterations && zr * zr + zi * zi < 4; n++) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
    }
    out[j * w + i] = n == iterations ? 0 : 255 - 255 * n / iterations;
}
