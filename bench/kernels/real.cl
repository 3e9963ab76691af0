// Kernels of PolyBench, Rodinia, SHOC and NVIDIA's samples, written anew: work-groups, indices and local memory are the
// originals'.
#define TILE 16

// PolyBench, syr2k: each work-item computes an element of a symmetric update by two matrices. It reads a row of each for
// its own row and for its column.
kernel void syr2k(global float *c, global const float *a, global const float *b, float alpha, float beta, int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        for (int k = 0; k < m; k++)
            c[i * n + j] += alpha * a[i * m + k] * b[j * m + k] + alpha * b[i * m + k] * a[j * m + k];
    }
}

// PolyBench, adi: each work-item eliminates along a row. Every step needs the results of the step before.
kernel void adi_rows(global float *x, global float *b, global const float *a, int n)
{
    int row = get_global_id(0);
    if (row < n)
        for (int k = 1; k < n; k++) {
            x[row * n + k] = x[row * n + k] - x[row * n + (k - 1)] * a[row * n + k] / b[row * n + (k - 1)];
            b[row * n + k] = b[row * n + k] - a[row * n + k] * a[row * n + k] / b[row * n + (k - 1)];
        }
}

// PolyBench, adi: each work-item substitutes backwards along a row.
kernel void adi_back(global float *x, global const float *a, global const float *b, int n)
{
    int row = get_global_id(0);
    if (row < n)
        for (int k = 0; k < n - 2; k++)
            x[row * n + (n - k - 2)] = (x[row * n + (n - 2 - k)] - x[row * n + (n - 2 - k - 1)] * a[row * n + (n - k - 3)]) / b[row * n + (n - 3 - k)];
}

// PolyBench, adi: each work-item eliminates along a column. The original launches a kernel for each row.
kernel void adi_columns(global float *x, global float *b, global const float *a, int n)
{
    int column = get_global_id(0);
    if (column < n)
        for (int k = 1; k < n; k++) {
            x[k * n + column] = x[k * n + column] - x[(k - 1) * n + column] * a[k * n + column] / b[(k - 1) * n + column];
            b[k * n + column] = b[k * n + column] - a[k * n + column] * a[k * n + column] / b[(k - 1) * n + column];
        }
}

// PolyBench, gemver: each work-item multiplies a column with a vector and adds to its element of the result.
kernel void gemver_columns(global float *x, global const float *a, global const float *y, global const float *z, float beta, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        for (int j = 0; j < n; j++)
            x[i] += beta * a[j * n + i] * y[j];
        x[i] += z[i];
    }
}

// PolyBench, mvt: each work-item multiplies a row with a vector and adds to its element of the result.
kernel void mvt_rows(global float *x, global const float *a, global const float *y, int n)
{
    int i = get_global_id(0);
    if (i < n)
        for (int j = 0; j < n; j++)
            x[i] += a[i * n + j] * y[j];
}

// PolyBench, gramschmidt: each work-item makes a column orthogonal to the column k of q.
kernel void gramschmidt(global float *a, global float *r, global const float *q, int k, int rows, int columns)
{
    int j = get_global_id(0) + (k + 1);
    if (j < columns) {
        r[k * columns + j] = 0.0f;
        for (int i = 0; i < rows; i++)
            r[k * columns + j] += q[i * columns + k] * a[i * columns + j];
        for (int i = 0; i < rows; i++)
            a[i * columns + j] -= q[i * columns + k] * r[k * columns + j];
    }
}

// PolyBench, correlation: each work-item correlates its column with the columns after it, and fills both triangles of
// the matrix.
kernel void correlation(global float *matrix, global const float *data, int m, int n)
{
    int first = get_global_id(0);
    if (first < m - 1) {
        matrix[first * m + first] = 1.0f;
        for (int second = first + 1; second < m; second++) {
            matrix[first * m + second] = 0.0f;
            for (int i = 0; i < n; i++)
                matrix[first * m + second] += data[i * m + first] * data[i * m + second];
            matrix[second * m + first] = matrix[first * m + second];
        }
    }
}

// Rodinia, hotspot: each work-group loads a tile and computes several steps of the heat equation in local memory, on a
// square that gets smaller each step.
kernel void hotspot(int steps, global const float *power, global const float *from, global float *to, int columns, int rows, int edge_columns, int edge_rows, float capacity, float rx, float ry, float rz, float dt)
{
    local float t[TILE][TILE], p[TILE][TILE], next[TILE][TILE];
    int lx = get_local_id(0), ly = get_local_id(1);
    float c = dt / capacity, ix = 1 / rx, iy = 1 / ry, iz = 1 / rz;
    int inner = TILE - steps * 2;
    int top = inner * (int)get_group_id(1) - edge_rows, left = inner * (int)get_group_id(0) - edge_columns;
    int bottom = top + TILE - 1, right = left + TILE - 1;
    int y = top + ly, x = left + lx, at = columns * y + x;
    if (y >= 0 && y <= rows - 1 && x >= 0 && x <= columns - 1) {
        t[ly][lx] = from[at];
        p[ly][lx] = power[at];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int y0 = top < 0 ? -top : 0, y1 = bottom > rows - 1 ? TILE - 1 - (bottom - rows + 1) : TILE - 1;
    int x0 = left < 0 ? -left : 0, x1 = right > columns - 1 ? TILE - 1 - (right - columns + 1) : TILE - 1;
    int n = ly - 1, s = ly + 1, w = lx - 1, e = lx + 1;
    n = n < y0 ? y0 : n;
    s = s > y1 ? y1 : s;
    w = w < x0 ? x0 : w;
    e = e > x1 ? x1 : e;
    bool inside;
    for (int i = 0; i < steps; i++) {
        inside = false;
        if (lx >= i + 1 && lx <= TILE - i - 2 && ly >= i + 1 && ly <= TILE - i - 2 && lx >= x0 && lx <= x1 && ly >= y0 && ly <= y1) {
            inside = true;
            next[ly][lx] = t[ly][lx] + c * (p[ly][lx] + (t[s][lx] + t[n][lx] - 2.0f * t[ly][lx]) * iy + (t[ly][e] + t[ly][w] - 2.0f * t[ly][lx]) * ix + (80.0f - t[ly][lx]) * iz);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == steps - 1)
            break;
        if (inside)
            t[ly][lx] = next[ly][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (inside)
        to[at] = next[ly][lx];
}

// Rodinia, srad: each work-item computes the four differences and the diffusion coefficient of a pixel; arrays have the
// rows and columns beside it. The image is in columns. As in the original, constants are doubles.
kernel void srad(global float *coefficient, global float *dn, global float *ds, global float *de, global float *dw, global const float *image, global const int *north, global const int *south, global const int *east, global const int *west, int rows, int columns, int n, float q0)
{
    int at = (int)get_group_id(0) * 256 + (int)get_local_id(0);
    int row = (at + 1) % rows - 1, column = (at + 1) / rows + 1 - 1;
    if ((at + 1) % rows == 0) {
        row = rows - 1;
        column = column - 1;
    }
    if (at < n) {
        float x = image[at];
        float dN = image[north[row] + rows * column] - x, dS = image[south[row] + rows * column] - x;
        float dW = image[row + rows * west[column]] - x, dE = image[row + rows * east[column]] - x;
        float g = (dN * dN + dS * dS + dW * dW + dE * dE) / (x * x);
        float l = (dN + dS + dW + dE) / x;
        float num = (0.5 * g) - ((1.0 / 16.0) * (l * l)), den = 1 + (0.25 * l);
        float q = num / (den * den);
        den = (q - q0) / (q0 * (1 + q0));
        float c = 1.0 / (1.0 + den);
        if (c < 0)
            c = 0;
        else if (c > 1)
            c = 1;
        dn[at] = dN;
        ds[at] = dS;
        dw[at] = dW;
        de[at] = dE;
        coefficient[at] = c;
    }
}

// Rodinia, needleman-wunsch: each work-group aligns a block on an antidiagonal of blocks. Work-items go through the
// antidiagonals of the block in local memory.
kernel void needle(global int *items, global const int *similar, int columns, int penalty, int blocks)
{
    local int s[(TILE + 1) * (TILE + 1)], r[TILE * TILE];
    int l = get_local_id(0), bx = get_group_id(0), by = blocks - 1 - bx;
    int corner = columns * TILE * by + TILE * bx, at = corner + l + (columns + 1);
    if (l == 0)
        s[l] = items[corner + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = 0; y < TILE; y++)
        r[y * TILE + l] = similar[at + columns * y];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[(l + 1) * (TILE + 1)] = items[corner + columns + columns * l];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l + 1] = items[corner + l + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int m = 0; m < TILE; m++) {
        if (l <= m) {
            int x = l + 1, y = m - l + 1;
            int d = s[(y - 1) * (TILE + 1) + x - 1] + r[(y - 1) * TILE + x - 1], w = s[y * (TILE + 1) + x - 1] - penalty, n = s[(y - 1) * (TILE + 1) + x] - penalty;
            int k = d <= w ? w : d;
            s[y * (TILE + 1) + x] = k <= n ? n : k;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int m = TILE - 2; m >= 0; m--) {
        if (l <= m) {
            int x = l + TILE - m, y = TILE - l;
            int d = s[(y - 1) * (TILE + 1) + x - 1] + r[(y - 1) * TILE + x - 1], w = s[y * (TILE + 1) + x - 1] - penalty, n = s[(y - 1) * (TILE + 1) + x] - penalty;
            int k = d <= w ? w : d;
            s[y * (TILE + 1) + x] = k <= n ? n : k;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int y = 0; y < TILE; y++)
        items[at + y * columns] = s[(y + 1) * (TILE + 1) + l + 1];
}

// Rodinia, lud: each work-group subtracts from its tile the product of a tile of the row above and one of the column on
// the left.
kernel void lud_internal(global float *m, int n, int offset)
{
    local float above[TILE * TILE], beside[TILE * TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int row = offset + ((int)get_group_id(1) + 1) * TILE, column = offset + ((int)get_group_id(0) + 1) * TILE;
    above[y * TILE + x] = m[(offset + y) * n + column + x];
    beside[y * TILE + x] = m[(row + y) * n + offset + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < TILE; i++)
        sum += beside[y * TILE + i] * above[i * TILE + x];
    m[(row + y) * n + column + x] -= sum;
}

// SHOC, Stencil2D: each work-group, of one row of 256 work-items along dimension 1, computes eight rows of a weighted sum of
// nine elements from local memory.
#define STENCIL_ROWS 8
#define STENCIL_COLUMNS 256
#define HALOED(row, column, pitch) (((row) + 1) * ((pitch) + 2) + (column) + 1)

kernel void stencil2d(global const float *data, global float *result, int alignment, float center, float cardinal, float diagonal)
{
    local float s[(STENCIL_ROWS + 2) * (STENCIL_COLUMNS + 2)];
    int lr = get_local_id(0), lc = get_local_id(1), wide = get_local_size(1);
    int row = (int)get_group_id(0) * STENCIL_ROWS + lr, column = (int)get_group_id(1) * wide + lc;
    int columns = (int)get_num_groups(1) * wide + 2;
    int padded = columns + (columns % alignment == 0 ? 0 : alignment - columns % alignment), pitch = padded - 2;
    for (int i = 0; i < STENCIL_ROWS + 2; i++)
        s[HALOED(lr - 1 + i, lc, wide)] = data[HALOED(row - 1 + i, column, pitch)];
    if (lc == 0) {
        for (int i = 0; i < STENCIL_ROWS + 2; i++)
            s[HALOED(lr - 1 + i, lc - 1, wide)] = data[HALOED(row - 1 + i, column - 1, pitch)];
    } else if (lc == wide - 1) {
        for (int i = 0; i < STENCIL_ROWS + 2; i++)
            s[HALOED(lr - 1 + i, lc + 1, wide)] = data[HALOED(row - 1 + i, column + 1, pitch)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < STENCIL_ROWS; i++) {
        int y = lr + i;
        float c = s[HALOED(y, lc, wide)];
        float near = s[HALOED(y - 1, lc, wide)] + s[HALOED(y + 1, lc, wide)] + s[HALOED(y, lc + 1, wide)] + s[HALOED(y, lc - 1, wide)];
        float far = s[HALOED(y - 1, lc + 1, wide)] + s[HALOED(y + 1, lc + 1, wide)] + s[HALOED(y - 1, lc - 1, wide)] + s[HALOED(y + 1, lc - 1, wide)];
        result[HALOED(row + i, column, pitch)] = center * c + cardinal * near + diagonal * far;
    }
}

// SHOC, MD: each work-item sums the Lennard-Jones forces of its neighbours, whose indices are in a list.
kernel void lennard_jones(global float4 *force, global const float4 *position, int neighbours, global const int *list, float cutoff, float lj1, float lj2, int n)
{
    uint i = get_global_id(0);
    float4 p = position[i], f = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    int j = 0;
    while (j < neighbours) {
        float4 q = position[list[j * n + i]];
        float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
        float r = dx * dx + dy * dy + dz * dz;
        if (r < cutoff) {
            r = 1.0f / r;
            float r6 = r * r * r;
            float c = r * r6 * (lj1 * r6 - lj2);
            f.x += dx * c;
            f.y += dy * c;
            f.z += dz * c;
        }
        j++;
    }
    force[i] = f;
}

// The rates of SHOC's S3D: exponential functions of the temperature's logarithm and reciprocal.
#define RATE(k, a, b, c) rate[k * n + i] = exp(a + b * lt - c * ti)
#define RATE_T(k, a, c) rate[k * n + i] = exp(a - c * ti)
#define RATE_LOG(k, a, b) rate[k * n + i] = exp(a + b * lt)
#define RATE_OVER(k, a) rate[k * n + i] = a * ti
#define RATE_ALL(k, a) rate[k * n + i] = a

// SHOC, S3D (ratt): each work-item computes the rates of 72 reactions at its temperature. As in the original, some constants
// are doubles.
kernel void s3d_rates(global float *rate, global const float *temperature, float unit, int n)
{
    size_t i = get_global_id(0);
    float t = temperature[i] * unit, lt = log(t), ti = 1.0 / t;
    RATE(0, 13.922f, 1.17f, -327.8f); RATE_T(1, 19.508f, 3108.7f); RATE(2, 21.275f, -1.21f, -183.4f); RATE(3, 31.498f, -0.99f, 863.6f);
    RATE_LOG(4, 34.64f, 0.87f); RATE_ALL(5, 2.15e13f); RATE(6, 18.021f, 1.85f, 527.7f); RATE_T(7, 26.612f, 3427.2f);
    RATE(8, 11.55f, -0.66f, 4475.2f); RATE(9, 18.168f, 0.9f, 2680.2f); RATE(10, 30.654f, 1.37f, 1028.4f); RATE_T(11, 23.655f, 4862.6f);
    RATE(12, 35.485f, -1.02f, 2403.2f); RATE_OVER(13, 6.35e17); RATE_OVER(14, 6.56e17); RATE_T(15, 25.077f, 5735.7f);
    RATE_ALL(16, 6.61e13f); RATE_LOG(17, 35.82f, 1.87f); RATE(18, 27.385f, -1.41f, 2747.4f); RATE(19, 13.044f, -1.26f, 5169.0f);
    RATE(20, 16.438f, 0.1f, 5984.2f); RATE(21, 21.679f, 0.75f, 6078.7f); RATE_ALL(22, 3.87e13f); RATE_ALL(23, 2.86e13f);
    RATE(24, 22.609f, 0.92f, 1175.7f); RATE(25, 20.893f, 0.01f, 3574.1f); RATE_ALL(26, 6.41e13f); RATE(27, 33.388f, 1.7f, 6008.7f);
    RATE_OVER(28, 6.07e17); RATE(29, 11.751f, -0.64f, 382.2f); RATE(30, 11.367f, -1.5f, 295.0f); RATE(31, 19.454f, -1.4f, 6007.2f);
    RATE_LOG(32, 13.862f, -0.47f); RATE(33, 13.194f, 1.98f, 6945.5f); RATE_T(34, 22.58f, -92.7f); RATE(35, 16.884f, 1.9f, 375.4f);
    RATE(36, 34.726f, 0.67f, 258.2f); RATE_T(37, 10.703f, 6830.2f); RATE_ALL(38, 2.34e13f); RATE_OVER(39, 2.78e17);
    RATE_ALL(40, 7.55e13f); RATE_OVER(41, 1.23e17); RATE(42, 17.265f, -0.44f, 4570.9f); RATE_ALL(43, 8.64e13f);
    RATE(44, 15.732f, -0.57f, 654.0f); RATE(45, 26.226f, 2.19f, 5739.4f); RATE_T(46, 26.977f, -230.2f); RATE_LOG(47, 33.654f, 1.71f);
    RATE_T(48, 14.642f, 1726.9f); RATE_ALL(49, 8.57e13f); RATE_OVER(50, 8.24e17); RATE_ALL(51, 6.26e13f);
    RATE(52, 24.265f, -0.96f, -787.5f); RATE_ALL(53, 4.47e13f); RATE_ALL(54, 3.34e13f); RATE(55, 25.247f, -0.44f, 2410.2f);
    RATE(56, 33.66f, -0.05f, 2719.5f); RATE_T(57, 33.512f, 6350.0f); RATE_T(58, 23.827f, -752.2f); RATE(59, 14.761f, -1.48f, 5413.4f);
    RATE(60, 22.311f, 1.47f, 3496.2f); RATE(61, 23.477f, 0.78f, 5295.8f); RATE(62, 24.568f, -0.48f, 1287.6f); RATE_OVER(63, 8.3e17);
    RATE(64, 25.926f, 0.57f, 3146.1f); RATE_OVER(65, 8.53e17); RATE_OVER(66, 5.48e17); RATE_ALL(67, 4.54e13f);
    RATE(68, 16.257f, -1.2f, 4388.8f); RATE_OVER(69, 6.28e17); RATE(70, 32.954f, 2.47f, 834.7f); RATE_ALL(71, 7.66e13f);
}

// A reaction whose rate falls off with the pressure.
#define FALLOFF(k, ctot, part, t1, t2, t3) \
    pr = low[k * n + i] * (ctot * (1.0f / rate[k * n + i])); \
    pcor = pr * (1.0f / (1.0f + pr)); \
    prlog = log10(fmax(pr, FLT_MIN)); \
    fcent = part * exp(-t * (1.0f / t1)) + (1.0f - part) * exp(-t * (1.0f / t2)) + exp(-t3 * (1.0f / t)); \
    fclog = log10(fmax(fcent, FLT_MIN)); \
    xn = 0.75f - 1.27f * fclog; \
    cprlog = prlog - (0.4f + 0.67f * fclog); \
    sqr = cprlog * (1.0f / (xn - 0.14f * cprlog)); \
    pcor = exp10(fclog * (1.0f / (1.0f + sqr * sqr))) * pcor; \
    forward[k * n + i] = rate[k * n + i] * pcor; \
    backward[k * n + i] = reverse[k * n + i] * pcor

// SHOC, S3D (ratx): each work-item corrects the rates of ten reactions for the pressure. The original writes to its inputs.
kernel void s3d_falloff(global float *forward, global float *backward, global const float *temperature, global const float *c, global const float *rate, global const float *reverse, global const float *low, float unit, int n)
{
    size_t i = get_global_id(0);
    float t = temperature[i] * unit, ctot = 0.0f, pr, pcor, prlog, fcent, fclog, xn, cprlog, sqr;
    for (uint k = 0; k < 22; k++)
        ctot += c[k * n + i];
    float ctb = ctot + c[i] + 5.0f * c[5 * n + i] + c[9 * n + i] + 0.5f * c[10 * n + i] + c[11 * n + i] + 2.0f * c[15 * n + i];
    float ctc = ctot + c[i] + 5.0f * c[5 * n + i] + c[9 * n + i] + 1.5f * c[13 * n + i] + 1.5f * c[14 * n + i];
    FALLOFF(0, ctc, 0.1227f, 169.3f, 1979.6f, 5695.6f); FALLOFF(1, ctb, 0.1381f, 143.3f, 2372.1f, 4097.4f);
    FALLOFF(2, ctb, 0.2993f, 171.3f, 1034.4f, 5657.5f); FALLOFF(3, ctc, 0.3308f, 187.8f, 1122.2f, 8925.4f);
    FALLOFF(4, ctb, 0.4048f, 293.5f, 1199.1f, 5327.8f); FALLOFF(5, ctb, 0.0678f, 249.2f, 1513.8f, 4647.8f);
    FALLOFF(6, ctc, 0.24f, 279.6f, 2556.1f, 5293.0f); FALLOFF(7, ctb, 0.1172f, 281.4f, 2084.1f, 7502.1f);
    FALLOFF(8, ctb, 0.0903f, 83.2f, 2307.6f, 6126.6f); FALLOFF(9, ctc, 0.0826f, 285.8f, 2205.4f, 8008.1f);
}

// The cosine transform of eight numbers.
#define DCT_BLOCK 8
#define DCT_X 32
#define DCT_Y 16
static void dct8(float *d)
{
    float p0 = d[0] + d[7], p1 = d[1] + d[6], p2 = d[2] + d[5], p3 = d[3] + d[4];
    float m0 = d[0] - d[7], m1 = d[1] - d[6], m2 = d[2] - d[5], m3 = d[3] - d[4];
    float e0 = p0 + p3, e1 = p1 + p2, e2 = p0 - p3, e3 = p1 - p2;
    const float n = 0.35355339f, a = 1.38703985f, b = 1.30656296f, c = 1.17587560f, f = 0.78569496f, g = 0.54119610f, h = 0.27589938f;
    d[0] = n * (e0 + e1);
    d[4] = n * (e0 - e1);
    d[2] = n * (b * e2 + g * e3);
    d[6] = n * (g * e2 - b * e3);
    d[1] = n * (a * m0 + c * m1 + f * m2 + h * m3);
    d[3] = n * (c * m0 - h * m1 - a * m2 - f * m3);
    d[5] = n * (f * m0 - a * m1 + h * m2 + c * m3);
    d[7] = n * (h * m0 - f * m1 + c * m2 - a * m3);
}

// NVIDIA, DCT8x8: each work-item transforms a row and then a column of a block in local memory.
kernel __attribute__((reqd_work_group_size(DCT_X, DCT_Y / DCT_BLOCK, 1)))
void dct8x8(global float *out, global const float *in, uint stride, uint h, uint w)
{
    local float t[DCT_Y][DCT_X + 1];
    uint lx = get_local_id(0), ly = DCT_BLOCK * get_local_id(1), inner = lx & (DCT_BLOCK - 1);
    uint x = get_group_id(0) * DCT_X + lx, y = get_group_id(1) * DCT_Y + ly;
    local float *column = &t[ly][lx], *row = &t[ly + inner][lx - inner];
    bool whole = x - inner + DCT_BLOCK - 1 < w && y + DCT_BLOCK - 1 < h;
    in += y * stride + x;
    out += y * stride + x;
    float d[DCT_BLOCK];
    if (whole)
        for (uint i = 0; i < DCT_BLOCK; i++)
            column[i * (DCT_X + 1)] = in[i * stride];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < DCT_BLOCK; i++)
        d[i] = row[i];
    dct8(d);
    for (uint i = 0; i < DCT_BLOCK; i++)
        row[i] = d[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < DCT_BLOCK; i++)
        d[i] = column[i * (DCT_X + 1)];
    dct8(d);
    if (whole)
        for (uint i = 0; i < DCT_BLOCK; i++)
            out[i * stride] = d[i];
}

// NVIDIA, ConvolutionSeparable: each work-group loads rows with a border into local memory; each work-item computes eight
// elements that are 16 apart.
#define FILTER_X 16
#define FILTER_Y 4
#define FILTER_STEPS 8
#define FILTER_RADIUS 8

kernel __attribute__((reqd_work_group_size(FILTER_X, FILTER_Y, 1)))
void convolve_rows(global float *out, global const float *in, constant float *weights, int w, int h, int pitch)
{
    local float t[FILTER_Y][(FILTER_STEPS + 2) * FILTER_X];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = ((int)get_group_id(0) * FILTER_STEPS - 1) * FILTER_X + lx, y = (int)get_group_id(1) * FILTER_Y + ly;
    in += y * pitch + x;
    out += y * pitch + x;
    for (int i = 1; i < 1 + FILTER_STEPS; i++)
        t[ly][lx + i * FILTER_X] = in[i * FILTER_X];
    t[ly][lx] = x >= 0 ? in[0] : 0;
    t[ly][lx + (FILTER_STEPS + 1) * FILTER_X] = x + (FILTER_STEPS + 1) * FILTER_X < w ? in[(FILTER_STEPS + 1) * FILTER_X] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < 1 + FILTER_STEPS; i++) {
        float sum = 0;
        for (int j = -FILTER_RADIUS; j <= FILTER_RADIUS; j++)
            sum += weights[FILTER_RADIUS - j] * t[ly][lx + i * FILTER_X + j];
        out[i * FILTER_X] = sum;
    }
}
