// Accesses that are not contiguous, and dot products of narrow integers.

// Each work-item reads a table at an index.
kernel void gather(global float *out, global const float *table, global const uint *index)
{
    size_t i = get_global_id(0);
    out[i] = table[index[i]];
}

// Each work-item stores to an index.
kernel void scatter(global float *out, global const float *in, global const uint *index)
{
    size_t i = get_global_id(0);
    out[index[i]] = in[i];
}

// Each work-item maps a byte through a table in constant memory.
kernel void lookup_uchar(global uchar *out, global const uchar *in, constant uchar *table)
{
    size_t i = get_global_id(0);
    out[i] = table[in[i]];
}

// Each work-item interpolates between two entries of a table.
kernel void interpolate(global float *out, global const float *in, constant float *table, int n)
{
    size_t i = get_global_id(0);
    float x = in[i] * (n - 1);
    int k = min((int)x, n - 2);
    out[i] = mix(table[k], table[k + 1], x - k);
}

// Each work-item sums four consecutive elements.
kernel void strided4(global float *out, global const float *in)
{
    size_t i = get_global_id(0);
    out[i] = in[4 * i] + in[4 * i + 1] + in[4 * i + 2] + in[4 * i + 3];
}

// Each work-item averages 2 by 2 pixels.
kernel void half_size(global uchar *out, global const uchar *in, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    global const uchar *p = in + 2 * y * w + 2 * x;
    out[y * (w / 2) + x] = p[0] + p[1] + p[w] + p[w + 1] + 2 >> 2;
}

typedef struct {
    float x, y, z, mass;
    int id, flags;
} particle;
// Each work-item reads the fields of a structure.
kernel void structures(global float *out, global const particle *in)
{
    size_t i = get_global_id(0);
    global const particle *p = in + i;
    out[i] = p->flags & 1 ? p->mass * (p->x * p->x + p->y * p->y + p->z * p->z) : 0.0f;
}

// Each work-item reads its element from the end of the array.
kernel void reverse(global float *out, global const float *in)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    out[i] = in[n - 1 - i];
}

// Each work-item transposes an element through global memory.
kernel void transpose_naive(global float *out, global const float *in, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * w + y] = in[y * w + x];
}

// Each work-item computes a row of the product of a sparse matrix and a vector; rows differ in length.
kernel void sparse(global float *out, global const int *start, global const int *column, global const float *number, global const float *x)
{
    size_t i = get_global_id(0);
    float sum = 0.0f;
    for (int k = start[i]; k < start[i + 1]; k++)
        sum += number[k] * x[column[k]];
    out[i] = sum;
}

// Each work-item searches a sorted table for its key.
kernel void binary_search(global int *out, global const uint *key, global const uint *table, int n)
{
    size_t i = get_global_id(0);
    uint x = key[i];
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = lo + hi >> 1;
        if (table[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    out[i] = lo;
}

// Each work-item counts values in a private array, whose indices depend on the data.
kernel void private_histogram(global uint *out, global const uchar *in, int n)
{
    size_t i = get_global_id(0), items = get_global_size(0);
    uint bins[16];
    for (int k = 0; k < 16; k++)
        bins[k] = 0;
    for (int k = 0; k < n; k++)
        bins[in[k * items + i] & 15]++;
    uint most = 0;
    for (int k = 0; k < 16; k++)
        most = max(most, bins[k]);
    out[i] = most;
}

// Each work-item computes a row of the product of a matrix of signed bytes, four columns per char4, and a vector.
kernel void dot_char4(global int *out, global const char4 *matrix, global const char4 *vector, int n)
{
    size_t i = get_global_id(0), rows = get_global_size(0);
    int sum = 0;
    for (int k = 0; k < n; k++) {
        int4 p = convert_int4(matrix[k * rows + i]) * convert_int4(vector[k]);
        sum += p.x + p.y + p.z + p.w;
    }
    out[i] = sum;
}

// Each work-item computes a row of the product of a matrix of 16-bit integers, two columns per short2, and a
// vector.
kernel void dot_short2(global int *out, global const short2 *matrix, global const short2 *vector, int n)
{
    size_t i = get_global_id(0), rows = get_global_size(0);
    int sum = 0;
    for (int k = 0; k < n; k++) {
        int2 p = convert_int2(matrix[k * rows + i]) * convert_int2(vector[k]);
        sum += p.x + p.y;
    }
    out[i] = sum;
}

// Each work-item sums the absolute differences of 16 bytes.
kernel void differences(global uint *out, global const uchar16 *a, global const uchar16 *b)
{
    size_t i = get_global_id(0);
    ushort16 d = convert_ushort16(abs_diff(a[i], b[i]));
    ushort8 e = d.lo + d.hi;
    ushort4 f = e.lo + e.hi;
    out[i] = f.x + f.y + f.z + f.w;
}

// Each work-item averages two bytes, rounded up.
kernel void average(global uchar *out, global const uchar *a, global const uchar *b)
{
    size_t i = get_global_id(0);
    out[i] = rhadd(a[i], b[i]);
}

// Each work-item adds two bytes with saturation.
kernel void add_saturated(global uchar *out, global const uchar *a, global const uchar *b)
{
    size_t i = get_global_id(0);
    out[i] = add_sat(a[i], b[i]);
}

// Each work-item computes the upper half of a product.
kernel void multiply_high(global short *out, global const short *a, global const short *b)
{
    size_t i = get_global_id(0);
    out[i] = mul_hi(a[i], b[i]);
}
