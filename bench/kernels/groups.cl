// Work-groups with local memory and barriers, and atomic operations.
#define GROUP 256
#define TILE 16

// Each work-item computes an element of the product of two matrices from global memory.
kernel void matmul_naive(global float *c, global const float *a, global const float *b, int n)
{
    int i = get_global_id(1), j = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}

// Each work-item computes an element of the product of two matrices in double precision.
kernel void matmul_double(global double *c, global const double *a, global const double *b, int n)
{
    int i = get_global_id(1), j = get_global_id(0);
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}

// Each work-group computes a tile of the product of two matrices from tiles in local memory.
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul_tiled(global float *c, global const float *a, global const float *b, int n)
{
    local float x[TILE][TILE], y[TILE][TILE];
    int i = get_global_id(1), j = get_global_id(0), u = get_local_id(1), v = get_local_id(0);
    float sum = 0.0f;
    for (int t = 0; t < n; t += TILE) {
        x[u][v] = a[i * n + t + v];
        y[u][v] = b[(t + u) * n + j];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += x[u][k] * y[k][v];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i * n + j] = sum;
}

// Each work-item computes four rows of a column of the product, so that it reuses elements in registers.
kernel void matmul_rows4(global float *c, global const float *a, global const float *b, int n)
{
    int i = 4 * get_global_id(1), j = get_global_id(0);
    float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
    for (int k = 0; k < n; k++) {
        float y = b[k * n + j];
        s0 += a[i * n + k] * y;
        s1 += a[(i + 1) * n + k] * y;
        s2 += a[(i + 2) * n + k] * y;
        s3 += a[(i + 3) * n + k] * y;
    }
    c[i * n + j] = s0;
    c[(i + 1) * n + j] = s1;
    c[(i + 2) * n + j] = s2;
    c[(i + 3) * n + j] = s3;
}

// Each work-group sums its elements by a tree.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce_float(global float *sums, global const float *in)
{
    local float part[GROUP];
    int l = get_local_id(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = GROUP / 2; s > 0; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = part[0];
}

// Each work-item sums sixteen elements; the work-group sums the results by a tree.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce_uint(global uint *sums, global const uint *in)
{
    local uint part[GROUP];
    int l = get_local_id(0);
    uint sum = 0;
    for (int k = 0; k < 16; k++)
        sum += in[(get_group_id(0) * 16 + k) * GROUP + l];
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = GROUP / 2; s > 0; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = part[0];
}

// Each work-group computes inclusive prefix sums by Hillis and Steele's algorithm.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan(global uint *out, global const uint *in)
{
    local uint t[2][GROUP];
    int l = get_local_id(0), p = 0;
    t[0][l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < GROUP; s <<= 1) {
        t[1 - p][l] = l >= s ? t[p][l] + t[p][l - s] : t[p][l];
        p = 1 - p;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = t[p][l];
}

// Each work-group sorts its elements by a bitonic network.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bitonic(global uint *out, global const uint *in)
{
    local uint t[GROUP];
    uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 2; k <= GROUP; k <<= 1)
        for (uint j = k >> 1; j > 0; j >>= 1) {
            uint other = l ^ j;
            if (other > l) {
                uint x = t[l], y = t[other];
                if ((x > y) == ((l & k) == 0)) {
                    t[l] = y;
                    t[other] = x;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    out[get_global_id(0)] = t[l];
}

// Each work-group transposes a tile through local memory.
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void transpose_tiled(global float *out, global const float *in, int w)
{
    local float t[TILE][TILE + 1];
    int u = get_local_id(0), v = get_local_id(1), x = get_group_id(0) * TILE, y = get_group_id(1) * TILE;
    t[v][u] = in[(y + v) * w + x + u];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(x + v) * w + y + u] = t[u][v];
}

// Each work-item sums the neighbourhood of its element in local memory.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void blur_local(global float *out, global const float *in, int radius)
{
    local float t[GROUP + 64];
    int l = get_local_id(0), g = get_group_id(0) * GROUP;
    for (int k = l; k < GROUP + 2 * radius; k += GROUP)
        t[k] = in[g + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0.0f;
    for (int k = 0; k <= 2 * radius; k++)
        s += t[l + k];
    out[g + l] = s;
}

// Each work-group counts the values of its elements in local memory, and adds the counts to global memory.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram_local(global uint *bins, global const uchar *in, int each)
{
    local uint mine[256];
    int l = get_local_id(0);
    mine[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < each; k++)
        atomic_inc(&mine[in[(get_group_id(0) * each + k) * GROUP + l]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[l], mine[l]);
}

// Each work-item counts its value in global memory.
kernel void histogram_global(global uint *bins, global const ushort *in)
{
    atomic_inc(&bins[in[get_global_id(0)]]);
}

// Each work-item counts how often its sample has each number of leading zeros or ones, in global memory. Most samples are quiet.
kernel void histogram_levels(global int *bins, global const short *in)
{
    short x = in[get_global_id(0)];
    atomic_dec(&bins[clz((short)(x ^ (x >> 15)))]);
}

// Each work-group counts the top bits of its samples in local memory. Most samples are quiet, so that neighbours
// count in one bin.
kernel void histogram_skewed(global uint *bins, global const short *in, int each)
{
    local uint mine[64];
    int l = get_local_id(0);
    if (l < 64)
        mine[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < each; k++)
        atomic_add(&mine[(in[(get_group_id(0) * each + k) * GROUP + l] >> 10) + 32], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 64)
        atomic_add(&bins[l], mine[l]);
}

// Each work-item increments a counter if its element is above the limit.
kernel void count_above(global uint *count, global const float *in, float limit)
{
    if (in[get_global_id(0)] > limit)
        atomic_inc(count);
}

// Each work-item raises the maximum to its element.
kernel void maximum(global uint *most, global const uint *in)
{
    atomic_max(most, in[get_global_id(0)]);
}
