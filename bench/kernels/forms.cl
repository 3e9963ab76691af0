// Several forms of one kernel. The reference is the same for all.

// Each work-item computes one element.
kernel void saxpy_plain(global float *y, global const float *x, float a)
{
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

// Each work-item computes every get_global_size(0)-th element.
kernel void saxpy_stride(global float *y, global const float *x, float a, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = a * x[i] + y[i];
}

// Each work-item computes one element, the last one first.
kernel void saxpy_reverse(global float *y, global const float *x, float a, int n)
{
    int i = n - 1 - (int)get_global_id(0);
    y[i] = a * x[i] + y[i];
}

// Each work-item computes its row and column by a division.
kernel void saxpy_divided(global float *y, global const float *x, float a, int width)
{
    int i = get_global_id(0);
    int column = i % width, row = i / width;
    y[row * width + column] = a * x[row * width + column] + y[row * width + column];
}

// Each work-item computes one element; dimension 0 is the row.
kernel void saxpy_swapped(global float *y, global const float *x, float a, int width)
{
    int row = get_global_id(0), column = get_global_id(1);
    y[row * width + column] = a * x[row * width + column] + y[row * width + column];
}

typedef struct { float x, y, z, mass, vx, vy, vz, charge; } particle;

// Each work-item moves a particle through accesses to its fields.
kernel void particles_field(global float *all, float t)
{
    global particle *p = (global particle *)all;
    size_t i = get_global_id(0);
    p[i].x += p[i].vx * t;
    p[i].y += p[i].vy * t;
    p[i].z += p[i].vz * t;
}

// Each work-item copies a particle, moves the copy and stores it.
kernel void particles_copy(global float *all, float t)
{
    global particle *p = (global particle *)all;
    size_t i = get_global_id(0);
    particle q = p[i];
    q.x += q.vx * t;
    q.y += q.vy * t;
    q.z += q.vz * t;
    p[i] = q;
}

// Each work-item computes the dot product of its rows of a and b. An iteration takes two elements. The test of the 16-bit
// counter follows it.
kernel void row_dot_unrolled(global float *out, global const float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    float s = 0.0f;
    ushort k = 0;
    do {
        s += a[i * n + k] * b[i * n + k];
        s += a[i * n + k + 1] * b[i * n + k + 1];
        k += 2;
    } while (k < n);
    out[i] = s;
}

// Each work-item computes the dot product of its rows of a and b, the last elements first.
kernel void row_dot_backward(global int *out, global const char *a, global const char *b, int n)
{
    int i = get_global_id(0);
    int s = 0, k = n;
    while (k--)
        s += a[i * n + k] * b[i * n + k];
    out[i] = s;
}

// Each work-item adds an element of the product of two matrices to a part of the old one.
kernel void matmul_update(global float *c, global const float *a, global const float *b, int n, float beta)
{
    int i = get_global_id(1), j = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum + beta * c[i * n + j];
}

// Each work-item adds both neighbours in a ring, which is a row.
kernel void rings_select(global float *y, global const float *x, int n)
{
    int i = get_global_id(0), row = get_global_id(1) * n;
    int l = i == 0 ? n - 1 : i - 1, r = i == n - 1 ? 0 : i + 1;
    y[row + i] = x[row + l] + x[row + r];
}

// Each work-item wraps 64-bit indices by remainders.
kernel void rings_modulo(global float *y, global const float *x, int width)
{
    size_t i = get_global_id(0), n = width, row = get_global_id(1) * n;
    y[row + i] = x[row + (i + n - 1) % n] + x[row + (i + 1) % n];
}

int wrapped(int i, int n)
{
    if (i < 0)
        return i + n;
    if (i >= n)
        return i - n;
    return i;
}

// Each work-item wraps indices by a helper function.
kernel void rings_helper(global float *y, global const float *x, int n)
{
    int i = get_global_id(0), row = get_global_id(1) * n;
    y[row + i] = x[row + wrapped(i - 1, n)] + x[row + wrapped(i + 1, n)];
}
