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
