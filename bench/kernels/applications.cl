// Kernels in the shape of those of applications: ffmpeg, silx, hashcat, FluidX3D, OpenMM and CLBlast.

typedef struct {
    uint inner[5], outer[5], digest[10], out[10];
} state;
#define CHOOSE(x, y, z) (z ^ (x & (y ^ z)))
#define PARITY(x, y, z) (x ^ y ^ z)
#define MAJORITY(x, y, z) ((x & y) | (z & (x ^ y)))
#define NEXT(i) (w[(i) & 15] = rotate(w[(i + 13) & 15] ^ w[(i + 8) & 15] ^ w[(i + 2) & 15] ^ w[(i) & 15], 1u))
#define STEP(f, a, b, c, d, e, x, k) e += rotate(a, 5u) + f(b, c, d) + x + k, b = rotate(b, 30u)
#define FIVE(f, k, X, i) STEP(f, a, b, c, d, e, X(i), k), STEP(f, e, a, b, c, d, X(i + 1), k), STEP(f, d, e, a, b, c, X(i + 2), k), STEP(f, c, d, e, a, b, X(i + 3), k), STEP(f, b, c, d, e, a, X(i + 4), k)
#define GIVEN(i) (i < 16 ? w[i & 15] : NEXT(i))
#define TWENTY(f, k, X, i) FIVE(f, k, X, i); FIVE(f, k, X, i + 5); FIVE(f, k, X, i + 10); FIVE(f, k, X, i + 15)
// A block of SHA-1. It overwrites w.
void sha1_block(uint *w, uint *h)
{
    uint a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    TWENTY(CHOOSE, 0x5A827999u, GIVEN, 0);
    TWENTY(PARITY, 0x6ED9EBA1u, NEXT, 20);
    TWENTY(MAJORITY, 0x8F1BBCDCu, NEXT, 40);
    TWENTY(PARITY, 0xCA62C1D6u, NEXT, 60);
    h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}
void hmac_message(uint *w, const uint *h)
{
    for (int k = 0; k < 5; k++)
        w[k] = h[k];
    w[5] = 0x80000000;
    for (int k = 6; k < 15; k++)
        w[k] = 0;
    w[15] = (64 + 20) * 8;
}
// hashcat: each work-item does some iterations of PBKDF2 with HMAC-SHA-1 for both halves of its key.
kernel void wpa_loop(global state *states, uint count, uint iterations)
{
    const ulong id = get_global_id(0);
    if (id >= count)
        return;
    uint inner[5], outer[5];
    for (int k = 0; k < 5; k++) {
        inner[k] = states[id].inner[k];
        outer[k] = states[id].outer[k];
    }
    for (uint i = 0; i < 8; i += 5) {
        uint digest[5], out[5];
        for (int k = 0; k < 5; k++) {
            digest[k] = states[id].digest[i + k];
            out[k] = states[id].out[i + k];
        }
        for (uint j = 0; j < iterations; j++) {
            uint w[16];
            hmac_message(w, digest);
            for (int k = 0; k < 5; k++)
                digest[k] = inner[k];
            sha1_block(w, digest);
            hmac_message(w, digest);
            for (int k = 0; k < 5; k++)
                digest[k] = outer[k];
            sha1_block(w, digest);
            for (int k = 0; k < 5; k++)
                out[k] ^= digest[k];
        }
        for (int k = 0; k < 5; k++) {
            states[id].digest[i + k] = digest[k];
            states[id].out[i + k] = out[k];
        }
    }
}

// silx: each work-item convolves along the rows of a volume, which is periodic.
kernel void silx_rows(const global float *in, global float *out, const global float *filter, int length, int nx, int ny, int nz)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= nx || y >= ny || z >= nz)
        return;
    int centre = length / 2, right = centre;
    if (!(length & 1)) {
        centre--;
    }
    float sum = 0.0f;
    for (int j = 0; j <= centre + right; j++) {
        int i = x - centre + j;
        if (i < 0)
            i += nx;
        if (i >= nx)
            i -= nx;
        sum += in[(z * ny + y) * nx + i] * filter[length - 1 - j];
    }
    out[(z * ny + y) * nx + x] = sum;
}

// silx: each work-item convolves across the planes of a volume, which is periodic.
kernel void silx_planes(const global float *in, global float *out, const global float *filter, int length, int nx, int ny, int nz)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= nx || y >= ny || z >= nz)
        return;
    int centre = length / 2, right = centre;
    if (!(length & 1)) {
        centre--;
    }
    float sum = 0.0f;
    for (int j = 0; j <= centre + right; j++) {
        int i = z - centre + j;
        if (i < 0)
            i += nz;
        if (i >= nz)
            i -= nz;
        sum += in[(i * ny + y) * nx + x] * filter[length - 1 - j];
    }
    out[(z * ny + y) * nx + x] = sum;
}

// silx: each work-item convolves a volume in all three dimensions; volume and filter are images.
kernel void silx_texture(read_only image3d_t in, global float *out, read_only image3d_t filter, int lx, int ly, int lz, int nx, int ny, int nz)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= nx || y >= ny || z >= nz)
        return;
    const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int centre = lx / 2, right = centre;
    if (!(lx & 1)) {
        centre--;
    }
    float sum = 0.0f;
    for (int jz = 0; jz <= centre + right; jz++)
        for (int jy = 0; jy <= centre + right; jy++)
            for (int jx = 0; jx <= centre + right; jx++)
                sum += read_imagef(in, edge, (float4)((int)(x - centre + jx) + 0.5f, (int)(y - centre + jy) + 0.5f, (int)(z - centre + jz) + 0.5f, 0)).x *
                    read_imagef(filter, edge, (float4)(lx - 1 - jx + 0.5f, ly - 1 - jy + 0.5f, lz - 1 - jz + 0.5f, 0)).x;
    out[(z * ny + y) * nx + x] = sum;
}

#if defined(HALF)
#define READ(f, i) (vload_half(i, f) * 0x1p-15f)
#define WRITE(f, i, x) vstore_half_rte((x) * 0x1p15f, i, f)
#else
#define READ(f, i) f[i]
#define WRITE(f, i, x) f[i] = x
#define half float
#endif
#define WIDTH 64
#define HEIGHT 64
ulong at(uint cell, uint direction, ulong cells) { return direction * cells + cell; }
// FluidX3D: each work-item does a step of a cell of D3Q19, in place (Esoteric Pull), with odd steps' order.
kernel void d3q19(global half *f, global const uchar *flags, uint depth, float omega, uint odd)
{
    const uint n = get_global_id(0), layer = WIDTH * HEIGHT;
    const ulong cells = (ulong)layer * depth;
    if (n >= cells || flags[n] == 1)
        return;
    const uint t = n % layer, x = t % WIDTH, y = t / WIDTH, z = n / layer;
    const uint xp = (x + 1) % WIDTH, xm = (x + WIDTH - 1) % WIDTH;
    const uint y0 = y * WIDTH, yp = (y + 1) % HEIGHT * WIDTH, ym = (y + HEIGHT - 1) % HEIGHT * WIDTH;
    const uint z0 = z * layer, zp = (z + 1) % depth * layer, zm = (z + depth - 1) % depth * layer;
    const uint j[19] = {n, xp + y0 + z0, xm + y0 + z0, x + yp + z0, x + ym + z0, x + y0 + zp, x + y0 + zm, xp + yp + z0, xm + ym + z0,
        xp + y0 + zp, xm + y0 + zm, x + yp + zp, x + ym + zm, xp + ym + z0, xm + yp + z0, xp + y0 + zm, xm + y0 + zp, x + yp + zm, x + ym + zp};
    float g[19], e[19], rho = 0.0f;
    g[0] = READ(f, at(n, 0, cells));
    for (uint i = 1; i < 19; i += 2) {
        g[i] = READ(f, at(n, odd ? i : i + 1, cells));
        g[i + 1] = READ(f, at(j[i], odd ? i + 1 : i, cells));
    }
    for (uint i = 0; i < 19; i++)
        rho += g[i];
    rho += 1.0f;
    float u = (g[1] - g[2] + g[7] - g[8] + g[9] - g[10] + g[13] - g[14] + g[15] - g[16]) / rho;
    float v = (g[3] - g[4] + g[7] - g[8] + g[11] - g[12] + g[14] - g[13] + g[17] - g[18]) / rho;
    float w = (g[5] - g[6] + g[9] - g[10] + g[11] - g[12] + g[16] - g[15] + g[18] - g[17]) / rho;
    const float c = -3.0f * fma(u, u, fma(v, v, w * w)), over = rho - 1.0f;
    const float near = rho * (1.0f / 18), far = rho * (1.0f / 36), nearOver = over * (1.0f / 18), farOver = over * (1.0f / 36);
    u *= 3.0f;
    v *= 3.0f;
    w *= 3.0f;
    e[0] = (1.0f / 3) * fma(rho, 0.5f * c, over);
#define PAIR(i, d, r, o) { const float s = d; e[i] = fma(r, fma(0.5f, fma(s, s, c), s), o); e[i + 1] = fma(r, fma(0.5f, fma(s, s, c), -s), o); }
    PAIR(1, u, near, nearOver) PAIR(3, v, near, nearOver) PAIR(5, w, near, nearOver)
    PAIR(7, u + v, far, farOver) PAIR(9, u + w, far, farOver) PAIR(11, v + w, far, farOver)
    PAIR(13, u - v, far, farOver) PAIR(15, u - w, far, farOver) PAIR(17, v - w, far, farOver)
    for (uint i = 0; i < 19; i++)
        g[i] = fma(1.0f - omega, g[i], omega * e[i]);
    WRITE(f, at(n, 0, cells), g[0]);
    for (uint i = 1; i < 19; i += 2) {
        WRITE(f, at(j[i], odd ? i + 1 : i, cells), g[i]);
        WRITE(f, at(n, odd ? i : i + 1, cells), g[i + 1]);
    }
}

constant sampler_t clamped = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t interpolated = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

// ffmpeg's nlmeans: each work-item sums a row's squared differences from four shifted images.
kernel void nlmeans_rows(global uint4 *sums, read_only image2d_t in, int width, int height, int x0, int x1, int x2, int x3, int y0, int y1, int y2, int y3)
{
    int4 dx = (int4)(x0, x1, x2, x3), dy = (int4)(y0, y1, y2, y3);
    int y = get_global_id(0);
    uint4 sum = 0;
    float4 other;
    for (int x = 0; x < width; x++) {
        float here = read_imagef(in, clamped, (int2)(x, y)).x;
        other.x = read_imagef(in, clamped, (int2)(x + dx.x, y + dy.x)).x;
        other.y = read_imagef(in, clamped, (int2)(x + dx.y, y + dy.y)).x;
        other.z = read_imagef(in, clamped, (int2)(x + dx.z, y + dy.z)).x;
        other.w = read_imagef(in, clamped, (int2)(x + dx.w, y + dy.w)).x;
        sum += convert_uint4((here - other) * (here - other) * 255 * 255);
        sums[y * width + x] = sum;
    }
}

// ffmpeg's nlmeans: each work-item sums a column and counts overflows.
kernel void nlmeans_columns(global uint4 *sums, global int *overflows, global const uint4 *rows, int width, int height)
{
    int x = get_global_id(0);
    uint4 sum = 0;
    for (int y = 0; y < height; y++) {
        if (any((uint4)UINT_MAX - rows[y * width + x] < sum))
            atomic_inc(overflows);
        sums[y * width + x] = rows[y * width + x] + sum;
        sum = sums[y * width + x];
    }
}

// ffmpeg's nlmeans: each work-item adds four weighted pixels; weights are of the sums of squares around.
kernel void nlmeans_weights(global float *total, global float *weight, global const uint4 *sums, read_only image2d_t in, int width, int height, int p, float h,
                            int x0, int x1, int x2, int x3, int y0, int y1, int y2, int y3)
{
    int x = get_global_id(0), y = get_global_id(1);
    int4 dx = x + (int4)(x0, x1, x2, x3), dy = y + (int4)(y0, y1, y2, y3);
    uint4 a = 0, b = 0, c = 0, d = 0, pixel = 0;
    int outside = x - p < 0 || y - p < 0 || y + p >= height || x + p >= width;
    pixel.x = (int)(255 * read_imagef(in, clamped, (int2)(dx.x, dy.x)).x);
    pixel.y = (int)(255 * read_imagef(in, clamped, (int2)(dx.y, dy.y)).x);
    pixel.z = (int)(255 * read_imagef(in, clamped, (int2)(dx.z, dy.z)).x);
    pixel.w = (int)(255 * read_imagef(in, clamped, (int2)(dx.w, dy.w)).x);
    if (!outside) {
        a = sums[(y - p) * width + x - p];
        b = sums[(y + p) * width + x - p];
        c = sums[(y - p) * width + x + p];
        d = sums[(y + p) * width + x + p];
    }
    float4 w = native_exp(-convert_float4(d + a - c - b) / (h * h));
    weight[y * width + x] += w.x + w.y + w.z + w.w;
    total[y * width + x] += dot(w, convert_float4(pixel));
}

// ffmpeg's unsharp: each work-group sharpens 16 by 16 pixels by a separable filter in local memory.
kernel void unsharp(write_only image2d_t out, read_only image2d_t in, int size_x, int size_y, float amount, constant float *coef_x, constant float *coef_y)
{
    int2 block = (int2)(get_group_id(0), get_group_id(1)) * 16, pos = (int2)(get_local_id(0), get_local_id(1));
    local float4 t[32][32];
    int left = size_x / 2, above = size_y / 2;
    for (int y = 0; y <= 1; y++)
        for (int x = 0; x <= 1; x++)
            t[pos.y + 16 * y][pos.x + 16 * x] = read_imagef(in, clamped, block + pos + (int2)(16 * x - 8, 16 * y - 8));
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 pixel = t[pos.y + 8][pos.x + 8], part[2];
    for (int y = 0; y <= 1; y++) {
        part[y] = 0.0f;
        for (int x = 0; x < size_x; x++)
            part[y] += coef_x[x] * t[pos.y + y * 16][pos.x + 8 + x - left];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = 0; y <= 1; y++)
        t[pos.y + y * 16][pos.x + 8] = part[y];
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 sum = 0.0f;
    for (int y = 0; y < size_y; y++)
        sum += coef_y[y] * t[pos.y + 8 + y - above][pos.x + 8];
    if (block.x + pos.x < get_image_width(out) && block.y + pos.y < get_image_height(out))
        write_imagef(out, block + pos, pixel + (pixel - sum) * amount);
}

float gradient(local const float *gray, int x, int y, float mask[3][3])
{
    float s = 0;
    for (int i = 1, k = 0; i >= -1; --i, ++k)
        for (int j = -1, l = 0; j <= 1; ++j, ++l)
            s += mask[k][l] * gray[(x + 3 + j) + (y + 3 + i) * 14];
    return s;
}
float gradient_products(local const float *gray, float mask_x[3][3], float mask_y[3][3])
{
    float s = 0;
    for (int i = 2; i >= -2; --i)
        for (int j = -2; j <= 2; ++j)
            s += gradient(gray, get_local_id(0) + j, get_local_id(1) + i, mask_x) * gradient(gray, get_local_id(0) + j, get_local_id(1) + i, mask_y);
    return s;
}
float gradient_squares(local const float *gray, float mask[3][3])
{
    float s = 0;
    for (int i = 2; i >= -2; --i)
        for (int j = -2; j <= 2; ++j) {
            float d = gradient(gray, get_local_id(0) + j, get_local_id(1) + i, mask);
            s += d * d;
        }
    return s;
}
// ffmpeg's deshake: each work-item computes the Harris response of a pixel. Each loads the whole tile of its work-group.
kernel void deshake_harris(read_only image2d_t in, global float *response)
{
    int2 loc = (int2)(get_global_id(0), get_global_id(1));
    if (loc.x > get_image_width(in) - 1 || loc.y > get_image_height(in) - 1) {
        response[loc.x + loc.y * get_global_size(0)] = 0;
        return;
    }
    float scale = 1.0f / ((1 << 2) * 2 * 255.0f);
    float mask_x[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}}, mask_y[3][3] = {{1, 2, 1}, {0, 0, 0}, {-1, -2, -1}};
    local float gray[14 * 14];
    int x0 = get_group_id(0) * get_local_size(0), y0 = get_group_id(1) * get_local_size(1);
    for (int y = y0 - 3, i = 0; y < y0 + (int)get_local_size(1) + 3; y++, i++)
        for (int x = x0 - 3, j = 0; x < x0 + (int)get_local_size(0) + 3; x++, j++)
            gray[j + i * 14] = read_imagef(in, clamped, (int2)(x, y)).x;
    barrier(CLK_LOCAL_MEM_FENCE);
    float xy = gradient_products(gray, mask_x, mask_y), xx = gradient_squares(gray, mask_x), yy = gradient_squares(gray, mask_y);
    float trace = xx + yy;
    float r = (xx * yy - xy * xy) - 0.04f * (trace * trace) * pown(scale, 4);
    response[loc.x + loc.y * get_image_width(in)] = r * step(3.0f, r);
}

typedef struct {
    float2 p, q;
} place;
// ffmpeg's deshake: each work-item computes the BRIEF descriptor of its feature, 512 comparisons of interpolated pixels.
kernel void deshake_brief(read_only image2d_t in, global const float2 *features, global ulong8 *descriptors, global const place *pattern)
{
    int2 loc = (int2)(get_global_id(0), get_global_id(1));
    float2 feature = features[loc.x + loc.y * get_global_size(0)];
    if (feature.x == -1) {
        descriptors[loc.x + loc.y * get_global_size(0)] = (ulong8)(0);
        return;
    }
    ulong8 all = 0;
    ulong *words = (ulong *)&all;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 64; ++j) {
            place d = pattern[j * (i + 1)];
            float a = read_imagef(in, interpolated, feature + d.p).x, b = read_imagef(in, interpolated, feature + d.q).x;
            if (a < b)
                words[i] |= 1UL << j;
        }
    descriptors[loc.x + loc.y * get_global_size(0)] = all;
}

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define TILE 32
typedef struct {
    float x, y, z, q, fx, fy, fz;
    float2 parameters;
    float padding;
} atom;
#define DELTA \
    float4 other = (float4)(data[atom2].x, data[atom2].y, data[atom2].z, data[atom2].q); \
    float4 delta = (float4)(other.xyz - mine.xyz, 0); \
    delta.xyz -= floor(delta.xyz * over.xyz + 0.5f) * box.xyz; \
    float r2 = delta.x * delta.x + delta.y * delta.y + delta.z * delta.z
#define INTERACTION \
    float over_r = native_rsqrt(r2); \
    float2 his = data[atom2].parameters; \
    bool included = (allowed & 1) && r2 < cutoff * cutoff; \
    float sigma = parameters1.x + his.x; \
    float sigma2 = over_r * sigma; \
    sigma2 *= sigma2; \
    float sigma6 = sigma2 * sigma2 * sigma2; \
    float pull = sigma6 * (parameters1.y * his.y) * (12.0f * sigma6 - 6.0f); \
    pull += 138.935456f * mine.w * other.w * (over_r - 2.0f * 0.01f * r2); \
    float slope = included ? pull * over_r * over_r : 0.0f
#define ADD(i, f) atom_add(&forces[i], (ulong)(long)((f) * 0x1p32f))
// OpenMM: each work-group computes the forces of some tiles of 32 by 32 atoms, in a loop with a barrier for each step.
kernel __attribute__((reqd_work_group_size(TILE, 1, 1)))
void openmm_nonbonded(global ulong *restrict forces, global const float4 *restrict positions, global const float2 *restrict parameters,
                      global const uint *restrict exclusions, global const int2 *restrict tiles, int count, int atoms, float side, float height, float cutoff)
{
    const uint groups = get_num_groups(0), group = get_group_id(0), lane = get_local_id(0) & (TILE - 1), base = get_local_id(0) - lane;
    const float4 box = (float4)(side, side, height, 0), over = (float4)(1 / side, 1 / side, 1 / height, 0);
    local atom data[TILE];
    const long first = group * (long)count / groups, end = (group + 1) * (long)count / groups;
    for (long pos = first; pos < end; pos++) {
        const int2 tile = tiles[pos];
        const uint x = tile.x, y = tile.y;
        float4 force = 0;
        uint atom1 = x * TILE + lane;
        float4 mine = positions[atom1];
        float2 parameters1 = parameters[atom1];
        uint allowed = exclusions[pos * TILE + lane];
        if (x == y) {
            data[get_local_id(0)].x = mine.x;
            data[get_local_id(0)].y = mine.y;
            data[get_local_id(0)].z = mine.z;
            data[get_local_id(0)].q = mine.w;
            data[get_local_id(0)].parameters = parameters1;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint j = 0; j < TILE; j++) {
                int atom2 = base + j;
                DELTA;
                INTERACTION;
                force.xyz -= delta.xyz * slope;
                allowed >>= 1;
                barrier(CLK_LOCAL_MEM_FENCE);
            }
        } else {
            uint j = y * TILE + lane;
            float4 loaded = positions[j];
            data[get_local_id(0)].x = loaded.x;
            data[get_local_id(0)].y = loaded.y;
            data[get_local_id(0)].z = loaded.z;
            data[get_local_id(0)].q = loaded.w;
            data[get_local_id(0)].parameters = parameters[j];
            data[get_local_id(0)].fx = 0;
            data[get_local_id(0)].fy = 0;
            data[get_local_id(0)].fz = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            allowed = (allowed >> lane) | (allowed << (TILE - lane));
            uint k = lane;
            for (j = 0; j < TILE; j++) {
                int atom2 = base + k;
                DELTA;
                if (r2 < cutoff * cutoff) {
                    INTERACTION;
                    delta.xyz *= slope;
                    force.xyz -= delta.xyz;
                    data[base + k].fx += delta.x;
                    data[base + k].fy += delta.y;
                    data[base + k].fz += delta.z;
                }
                allowed >>= 1;
                k = (k + 1) & (TILE - 1);
                barrier(CLK_LOCAL_MEM_FENCE);
            }
        }
        uint to = x * TILE + lane;
        ADD(to, force.x);
        ADD(to + atoms, force.y);
        ADD(to + 2 * atoms, force.z);
        if (x != y) {
            to = y * TILE + lane;
            ADD(to, data[get_local_id(0)].fx);
            ADD(to + atoms, data[get_local_id(0)].fy);
            ADD(to + 2 * atoms, data[get_local_id(0)].fz);
        }
    }
}

#define WGD 32
#define DIM 8
#define PAD 1
#define MWID (WGD / DIM)
#define NWID (WGD / DIM)
#define VW 2
#define EACH (WGD / DIM)
// Tiles of a (dimension 0) or b (dimension 1) to local memory.
void tile_whole(const global float2 *from, local float *to, int ld, int offset, int k0, int dimension)
{
    const int l0 = get_local_id(0), l1 = get_local_id(1);
    for (int i = 0; i < EACH / VW; i++)
        for (int j = 0; j < EACH; j++) {
            int m = i + l0 * (EACH / VW), k = j + l1 * EACH;
            const float2 v = from[(k + k0) * (ld / VW) + m + get_group_id(dimension) * (WGD / VW) + offset / VW];
            to[k * (WGD + PAD) + m * VW] = v.x;
            to[k * (WGD + PAD) + m * VW + 1] = v.y;
        }
}
void tile_single(const global float *from, local float *to, int ld, int offset, int k0, int dimension)
{
    const int l0 = get_local_id(0), l1 = get_local_id(1);
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            int m = i + l0 * EACH, k = j + l1 * EACH;
            to[k * (WGD + PAD) + m] = from[(k + k0) * ld + m + get_group_id(dimension) * WGD + offset];
        }
}
void tile_checked(const global float *from, local float *to, int ld, int offset, int k0, int dimension, int size, int size_k)
{
    const int l0 = get_local_id(0), l1 = get_local_id(1);
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            int m = i + l0 * EACH, k = j + l1 * EACH, at = m + get_group_id(dimension) * WGD;
            if (at < size && k + k0 < size_k)
                to[k * (WGD + PAD) + m] = from[(k + k0) * ld + at + offset];
            else
                to[k * (WGD + PAD) + m] = 0.0f;
        }
}
void multiply_tile(float *c, const local float *a, const local float *b)
{
    float x[MWID], y[NWID];
    for (int p = 0; p < WGD; p += 2)
        for (int q = 0; q < 2; q++) {
            int k = p + q;
            for (int m = 0; m < MWID; m++)
                x[m] = a[k * (WGD + PAD) + m + get_local_id(0) * MWID];
            for (int n = 0; n < NWID; n++)
                y[n] = b[k * (WGD + PAD) + n + get_local_id(1) * NWID];
            for (int n = 0; n < NWID; n++)
                for (int m = 0; m < MWID; m++)
                    c[n * MWID + m] += x[m] * y[n];
        }
}
void store_result(global float *c, float value, int m, int n, float alpha, float beta, int ld, int offset, int transposed)
{
    int at = transposed ? m * ld + n : n * ld + m;
    float result;
    if (beta == 0.0f)
        result = alpha * value;
    else
        result = alpha * value + beta * c[at + offset];
    c[at + offset] = result;
}
// CLBlast's XgemmDirect: each work-group computes a tile of c = alpha a b + beta c. Work-groups at the border check.
kernel __attribute__((reqd_work_group_size(DIM, DIM, 1)))
void gemm_direct(int size_m, int size_n, int size_k, float alpha, float beta, const global float2 *restrict a, int offset_a, int lda,
                 const global float2 *restrict b, int offset_b, int ldb, global float *c, int offset_c, int ldc, int transposed)
{
    local float la[WGD * (WGD + PAD)], lb[WGD * (WGD + PAD)];
    const global float *restrict as = (const global float *)a, *restrict bs = (const global float *)b;
    float x[MWID], y[NWID], r[NWID * MWID];
    for (int m = 0; m < MWID; m++)
        for (int n = 0; n < NWID; n++)
            r[n * MWID + m] = 0.0f;
    const int im = get_local_id(0) * MWID + get_group_id(0) * WGD, in = get_local_id(1) * NWID + get_group_id(1) * WGD;
    if (im < (size_m / WGD) * WGD && in < (size_n / WGD) * WGD) {
        int k = 0;
        for (; k < (size_k / WGD) * WGD; k += WGD) {
            if (lda % VW == 0 && offset_a % VW == 0)
                tile_whole(a, la, lda, offset_a, k, 0);
            else
                tile_single(as, la, lda, offset_a, k, 0);
            if (ldb % VW == 0 && offset_b % VW == 0)
                tile_whole(b, lb, ldb, offset_b, k, 1);
            else
                tile_single(bs, lb, ldb, offset_b, k, 1);
            barrier(CLK_LOCAL_MEM_FENCE);
            multiply_tile(r, la, lb);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (; k < size_k; k++) {
            for (int m = 0; m < MWID; m++)
                x[m] = as[k * lda + im + m + offset_a];
            for (int n = 0; n < NWID; n++)
                y[n] = bs[k * ldb + in + n + offset_b];
            for (int n = 0; n < NWID; n++)
                for (int m = 0; m < MWID; m++)
                    r[n * MWID + m] += x[m] * y[n];
        }
        for (int n = 0; n < NWID; n++)
            for (int m = 0; m < MWID; m++)
                store_result(c, r[n * MWID + m], im + m, in + n, alpha, beta, ldc, offset_c, transposed);
    } else {
        int k = 0;
        for (; k < (size_k / WGD) * WGD; k += WGD) {
            tile_checked(as, la, lda, offset_a, k, 0, size_m, size_k);
            tile_checked(bs, lb, ldb, offset_b, k, 1, size_n, size_k);
            barrier(CLK_LOCAL_MEM_FENCE);
            multiply_tile(r, la, lb);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (; k < size_k; k++) {
            for (int m = 0; m < MWID; m++)
                x[m] = im + m < size_m ? as[k * lda + im + m + offset_a] : 0.0f;
            for (int n = 0; n < NWID; n++)
                y[n] = in + n < size_n ? bs[k * ldb + in + n + offset_b] : 0.0f;
            for (int n = 0; n < NWID; n++)
                for (int m = 0; m < MWID; m++)
                    r[n * MWID + m] += x[m] * y[n];
        }
        for (int n = 0; n < NWID; n++)
            for (int m = 0; m < MWID; m++)
                if (im + m < size_m && in + n < size_n)
                    store_result(c, r[n * MWID + m], im + m, in + n, alpha, beta, ldc, offset_c, transposed);
    }
}
