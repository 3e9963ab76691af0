// Steps of well-known algorithms. Work-items access rows, cooperate in work-groups, or diverge.
#define GROUP 256
#define POINTS 256
#define HALO 8
#define MEANS 24

// Each work-item computes the dot product of a row of a and the same row of b.
kernel void row_dot_float(global float *out, global const float *a, global const float *b, int n)
{
    uint i = get_global_id(0);
    float s = 0.0f;
    for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[i * n + k];
    out[i] = s;
}

// Each work-item computes the dot product of a row of a and the vector b, in float.
kernel void row_dot_half(global float *out, global const half *a, global const half *b, uint n)
{
    size_t i = get_global_id(0);
    float s = 0.0f;
    for (uint k = 0; k < n; ++k)
        s += vload_half(i * n + k, a) * vload_half(k, b);
    out[i] = s;
}

// Each work-item computes the dot product of a row of a and the same row of b.
kernel void row_dot_char(global int *out, global const char *a, global const char *b, int n)
{
    int i = get_global_id(0);
    global const char *p = a + i * n, *q = b + i * n;
    int s = 0;
    for (int k = 0; k != n; k++)
        s += (int)p[k] * (int)q[k];
    out[i] = s;
}

// Each work-item computes the dot product of a row of a and the vector b.
kernel void row_dot_short(global int *out, global const short *a, global const short *b, int n)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k];
    out[i] = s;
}

// Each work-item computes the prefix sums of a row.
kernel void row_prefix(global float *out, global const float *in, int n)
{
    int row = get_global_id(0);
    float s = 0.0f;
    for (int j = 0; j < n; j++) {
        s += in[row * n + j];
        out[row * n + j] = s;
    }
}

// Each work-item computes a row of the product of two matrices.
kernel void matmul_row(global float *c, global const float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    for (int j = 0; j < n; j++)
        c[i * n + j] = 0.0f;
    for (int k = 0; k < n; k++) {
        float x = a[i * n + k];
        for (int j = 0; j < n; j++)
            c[i * n + j] += x * b[k * n + j];
    }
}

// Each work-item computes an element of the product of a matrix and a transposed matrix.
kernel void matmul_transposed(global float *c, global const float *a, global const float *b, int n)
{
    size_t j = get_global_id(0), i = get_global_id(1);
    float s = 0.0f;
    for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[j * n + k];
    c[i * n + j] = s;
}

// Each work-group finds its least element and the index of that.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void argmin(global float *least, global int *where, global const float *in)
{
    local float x[GROUP];
    local int at[GROUP];
    int l = get_local_id(0);
    x[l] = in[get_global_id(0)];
    at[l] = get_global_id(0);
    for (int s = GROUP / 2; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s && x[l + s] < x[l]) {
            x[l] = x[l + s];
            at[l] = at[l + s];
        }
    }
    if (l == 0) {
        least[get_group_id(0)] = x[0];
        where[get_group_id(0)] = at[0];
    }
}

// Each work-item computes the sum of its segment up to its element; head marks the starts of segments.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void segmented_scan(global int *out, global const int *in, global const uchar *head)
{
    local int x[GROUP];
    local uchar f[GROUP];
    uint l = get_local_id(0), g = get_global_id(0);
    int s = in[g];
    uchar begun = head[g] < 32;
    x[l] = s;
    f[l] = begun;
    for (uint d = 1; d < GROUP; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int y = 0;
        uchar h = 0;
        if (l >= d) {
            y = x[l - d];
            h = f[l - d];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!begun)
            s += y;
        begun |= h;
        x[l] = s;
        f[l] = begun;
    }
    out[g] = s;
}

// Each work-group sorts its elements by Batcher's odd-even merge sort.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void odd_even_merge(global uint *out, global const uint *in)
{
    local uint t[GROUP];
    uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    for (uint p = 1; p < GROUP; p *= 2)
        for (uint k = p; k > 0; k /= 2) {
            uint from = k % p;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (l >= from && ((l - from) & k) == 0 && l + k < GROUP && l / (2 * p) == (l + k) / (2 * p)) {
                uint x = t[l], y = t[l + k];
                t[l] = min(x, y);
                t[l + k] = max(x, y);
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l];
}

// Each work-group sorts its keys by four bits, one split per bit.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void radix_pass(global uint *out, global const uint *in, uint shift)
{
    local uint keys[GROUP], sums[GROUP];
    uint l = get_local_id(0), key = in[get_global_id(0)];
    for (uint bit = shift; bit < shift + 4; bit++) {
        uint zero = ~key >> bit & 1, sum = zero;
        sums[l] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint d = 1; d < GROUP; d <<= 1) {
            uint y = l >= d ? sums[l - d] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += y;
            sums[l] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        uint zeros = sums[GROUP - 1];
        keys[zero ? sum - 1 : zeros + l - sum] = key;
        barrier(CLK_LOCAL_MEM_FENCE);
        key = keys[l];
    }
    out[get_global_id(0)] = key;
}

// Each work-item computes a row of the product of a sparse matrix (compressed rows) and a vector.
kernel void spmv_csr(global double *y, global const uint *start, global const ushort *column, global const double *number, global const double *x)
{
    uint row = get_global_id(0);
    double s = 0.0;
    for (uint k = start[row]; k < start[row + 1]; k++)
        s += number[k] * x[column[k]];
    y[row] = s;
}

// Each work-item computes a row of the product of a sparse matrix (ELLPACK) and a vector. Elements of a row are n
// apart.
kernel void spmv_ell(global float *y, global const int *column, global const float *number, global const float *x, int width)
{
    size_t row = get_global_id(0), n = get_global_size(0);
    float s = 0.0f;
    for (int k = 0; k < width; k++)
        s += number[k * n + row] * x[column[k * n + row]];
    y[row] = s;
}

// Each work-item updates an element in a step of an LU decomposition.
kernel void lu_step(global double *a, int n, int k)
{
    int j = k + 1 + get_global_id(0), i = k + 1 + get_global_id(1);
    a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

// Each work-group computes the Fourier transform of 256 points by Stockham's radix-4 algorithm.
kernel __attribute__((reqd_work_group_size(POINTS / 4, 1, 1)))
void fft_radix4(global float2 *out, global const float2 *in, global const float2 *root)
{
    local float2 x[2][POINTS];
    int l = get_local_id(0), p = 0;
    size_t g = get_group_id(0) * POINTS;
    for (int q = 0; q < 4; q++)
        x[0][l + q * (POINTS / 4)] = in[g + l + q * (POINTS / 4)];
    for (int n = 1; n < POINTS; n *= 4) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int k = l % n, j = l / n * n * 4 + k;
        float2 v[4];
        v[0] = x[p][l];
        for (int q = 1; q < 4; q++) {
            float2 a = x[p][l + q * (POINTS / 4)], w = root[q * k * (POINTS / 4 / n)];
            v[q] = (float2)(a.x * w.x - a.y * w.y, a.x * w.y + a.y * w.x);
        }
        float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
        p = 1 - p;
        x[p][j] = a + c;
        x[p][j + n] = (float2)(b.x + d.y, b.y - d.x);
        x[p][j + 2 * n] = a - c;
        x[p][j + 3 * n] = (float2)(b.x - d.y, b.y + d.x);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int q = 0; q < 4; q++)
        out[g + l + q * (POINTS / 4)] = x[p][l + q * (POINTS / 4)];
}

// Each work-group computes several steps of the one-dimensional heat equation in local memory.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void heat_steps(global float *out, global const float *in, float r)
{
    local float t[2][GROUP];
    int l = get_local_id(0), first = get_group_id(0) * (GROUP - 2 * HALO), now = 0;
    t[0][l] = in[first + l];
    for (int step = 0; step < HALO; step++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        float x = t[now][l];
        if (l > 0 && l < GROUP - 1)
            x += r * (t[now][l - 1] - 2.0f * x + t[now][l + 1]);
        t[1 - now][l] = x;
        now = 1 - now;
    }
    if (l >= HALO && l < GROUP - HALO)
        out[first + l - HALO] = t[now][l];
}

// Each work-item finds the mean that is nearest to its point.
kernel void k_means(global uchar *nearest, global const float *x, global const float *y, global const float *z, constant float *means)
{
    int i = get_global_id(0), best = 0;
    float least = INFINITY;
    for (int m = 0; m < MEANS; m++) {
        float dx = x[i] - means[3 * m], dy = y[i] - means[3 * m + 1], dz = z[i] - means[3 * m + 2];
        float d = dx * dx + dy * dy + dz * dz;
        if (d < least) {
            least = d;
            best = m;
        }
    }
    nearest[i] = best;
}

// Each work-item shortens the path between two nodes by a detour through node k.
kernel void floyd_warshall(global int *out, global const int *in, int n, int k)
{
    int j = get_global_id(0), i = get_global_id(1);
    out[i * n + j] = min(in[i * n + j], in[i * n + k] + in[k * n + j]);
}

// Each work-item counts the placements of n queens for one position of the queens in the first two rows.
kernel void queens(global uint *ways, int n)
{
    int id = get_global_id(0), first = id / n, second = id % n;
    uint all = (1u << n) - 1, count = 0;
    uint columns[16], left[16], right[16], free[16];
    uint a = 1u << first, b = 1u << second;
    if (!(b & (a | a << 1 | a >> 1))) {
        int row = 2;
        columns[2] = a | b;
        left[2] = (a << 1 | b) << 1;
        right[2] = (a >> 1 | b) >> 1;
        free[2] = all & ~(columns[2] | left[2] | right[2]);
        while (row >= 2) {
            uint f = free[row], bit = f & -f;
            if (f == 0) {
                row--;
                continue;
            }
            free[row] = f ^ bit;
            if (row == n - 1) {
                count++;
                continue;
            }
            columns[row + 1] = columns[row] | bit;
            left[row + 1] = (left[row] | bit) << 1;
            right[row + 1] = (right[row] | bit) >> 1;
            row++;
            free[row] = all & ~(columns[row] | left[row] | right[row]);
        }
    }
    ways[id] = count;
}

// Each work-item computes a step of a cell of the lattice Boltzmann method D2Q9 on a torus.
kernel void lattice(global float *to, global const float *from, int w, int h, float omega)
{
#pragma OPENCL FP_CONTRACT OFF
    int x = get_global_id(0), y = get_global_id(1), n = w * h;
    int xm = x == 0 ? w - 1 : x - 1, xp = x == w - 1 ? 0 : x + 1;
    int ym = y == 0 ? h - 1 : y - 1, yp = y == h - 1 ? 0 : y + 1;
    float f0 = from[y * w + x];
    float f1 = from[n + y * w + xm], f2 = from[2 * n + ym * w + x], f3 = from[3 * n + y * w + xp], f4 = from[4 * n + yp * w + x];
    float f5 = from[5 * n + ym * w + xm], f6 = from[6 * n + ym * w + xp], f7 = from[7 * n + yp * w + xp], f8 = from[8 * n + yp * w + xm];
    float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
    float u = (f1 + f5 + f8 - f3 - f6 - f7) / rho, v = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
    float base = 1.0f - 1.5f * (u * u + v * v), keep = 1.0f - omega;
    float c = omega * rho / 9.0f, d = omega * rho / 36.0f;
    int at = y * w + x;
    to[at] = keep * f0 + omega * rho * (4.0f / 9.0f) * base;
    to[at + n] = keep * f1 + c * (base + 3.0f * u + 4.5f * u * u);
    to[at + 2 * n] = keep * f2 + c * (base + 3.0f * v + 4.5f * v * v);
    to[at + 3 * n] = keep * f3 + c * (base - 3.0f * u + 4.5f * u * u);
    to[at + 4 * n] = keep * f4 + c * (base - 3.0f * v + 4.5f * v * v);
    float s = u + v, t = v - u;
    to[at + 5 * n] = keep * f5 + d * (base + 3.0f * s + 4.5f * s * s);
    to[at + 6 * n] = keep * f6 + d * (base + 3.0f * t + 4.5f * t * t);
    to[at + 7 * n] = keep * f7 + d * (base - 3.0f * s + 4.5f * s * s);
    to[at + 8 * n] = keep * f8 + d * (base - 3.0f * t + 4.5f * t * t);
}

// Each work-item classifies a cell. The work-group stores the cells that the contour crosses, one after the other.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void marching_squares(global uint *cells, global uint *count, global const float *field, int w, float level)
{
    local uint sums[GROUP];
    uint l = get_local_id(0), x = get_global_id(0), y = get_global_id(1);
    uint at = y * w + x;
    uint kind = (field[at] > level) | (field[at + 1] > level) << 1 | (field[at + w] > level) << 2 | (field[at + w + 1] > level) << 3;
    uint crossed = kind != 0 && kind != 15, sum = crossed;
    sums[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < GROUP; d <<= 1) {
        uint more = l >= d ? sums[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[l] = sum += more;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint g = get_group_id(1) * get_num_groups(0) + get_group_id(0);
    if (crossed)
        cells[g * GROUP + sum - 1] = at << 4 | kind;
    if (l == GROUP - 1)
        count[g] = sum;
}
