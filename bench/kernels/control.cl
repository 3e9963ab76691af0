// Loops that work-items leave at different times, and divergent branches.

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

// Each work-item counts the steps of the Collatz sequence from its number to 1.
kernel void collatz(global uint *out)
{
    uint x = get_global_id(0) + 1, n = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
        n++;
    }
    out[get_global_id(0)] = n;
}

// Each work-item finds the first row in which its column has the key.
kernel void search(global int *out, global const int *table, int rows, int key)
{
    size_t i = get_global_id(0), columns = get_global_size(0);
    int found = -1;
    for (int k = 0; k < rows; k++)
        if (table[k * columns + i] == key) {
            found = k;
            break;
        }
    out[i] = found;
}

// Each work-item shades the nearest sphere on its ray.
kernel void ray_sphere(global float *out, constant float4 *spheres, int n, int w, int h)
{
    int px = get_global_id(0), py = get_global_id(1);
    float dx = (px - w / 2) * 2.0f / w, dy = (py - h / 2) * 2.0f / h, dz = 1.0f;
    float r = 1.0f / sqrt(dx * dx + dy * dy + dz * dz);
    dx *= r;
    dy *= r;
    dz *= r;
    float best = 1e30f, shade = 0.0f;
    for (int k = 0; k < n; k++) {
        float4 s = spheres[k];
        float b = dx * s.x + dy * s.y + dz * s.z;
        float c = s.x * s.x + s.y * s.y + s.z * s.z - s.w * s.w;
        float d = b * b - c;
        if (d > 0.0f) {
            float t = b - sqrt(d);
            if (t > 0.0f && t < best) {
                best = t;
                shade = (dz * t - s.z) / s.w;
            }
        }
    }
    out[py * w + px] = best < 1e30f ? -shade : 0.0f;
}

// Each work-item computes a cube root by Newton's method, until it converges.
kernel void cube_root(global float *out, global const float *in)
{
    size_t i = get_global_id(0);
    float x = in[i], y = x;
    for (int k = 0; k < 40; k++) {
        float z = y - (y * y * y - x) / (3.0f * y * y);
        if (fabs(z - y) <= 1e-6f * fabs(z))
            break;
        y = z;
    }
    out[i] = y;
}

// Each work-item computes one of four functions, which depends on its element.
kernel void classify(global float *out, global const float *in)
{
    size_t i = get_global_id(0);
    float x = in[i], y;
    if (x < -50.0f)
        y = -x;
    else if (x < 0.0f)
        y = x * x + 3.0f;
    else if (x < 50.0f)
        y = sqrt(x);
    else {
        y = 0.0f;
        for (int k = 0; k < 4; k++)
            y = (y + x) * 0.25f;
    }
    out[i] = y;
}
