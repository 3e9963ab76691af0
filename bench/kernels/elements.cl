// One element per work-item: bit operations, reinterpretation, swizzles and linear algebra.

// Each work-item clears the sign bit of a float.
kernel void absolute(global float *out, global const float *in)
{
    size_t i = get_global_id(0);
    out[i] = as_float(as_uint(in[i]) & 0x7FFFFFFF);
}

// Each work-item selects the components of f that are less than those of g, else 0.
kernel void select_less4(global float4 *out, global const float4 *f, global const float4 *g)
{
    size_t i = get_global_id(0);
    int4 less = f[i] < g[i];
    out[i] = as_float4(as_int4(f[i]) & less);
}

// Each work-item selects components of f above the limit, else those of g.
kernel void blend4(global float4 *out, global const float4 *f, global const float4 *g, float limit)
{
    size_t i = get_global_id(0);
    int4 mask = isgreater(f[i], (float4)limit);
    out[i] = as_float4(as_int4(f[i]) & mask | as_int4(g[i]) & ~mask);
}

// Each work-item extracts the exponent of a float.
kernel void exponent(global int *out, global const float *in)
{
    size_t i = get_global_id(0);
    int e = (as_int(in[i]) >> 23 & 0xFF) - 127;
    out[i] = e == -127 ? 0 : e;
}

// Each work-item computes an unsigned key that sorts as its float.
kernel void sort_key(global uint *out, global const float *in)
{
    size_t i = get_global_id(0);
    uint u = as_uint(in[i]);
    out[i] = u ^ ((uint)(as_int(u) >> 31) | 0x80000000);
}

// Each work-item computes a reciprocal square root by an integer estimate and Newton's method.
kernel void inverse_root(global float *out, global const float *in, int steps)
{
    size_t i = get_global_id(0);
    float x = in[i];
    float y = as_float(0x5F3759DF - (as_int(x) >> 1));
    for (int k = 0; k < steps; k++)
        y = y * (1.5f - 0.5f * x * y * y);
    out[i] = y;
}

// Each work-item packs a colour into 16 bits.
kernel void rgb565(global ushort *out, global const uchar4 *in)
{
    size_t i = get_global_id(0);
    uchar4 p = in[i];
    out[i] = (p.x >> 3) << 11 | (p.y >> 2) << 5 | p.z >> 3;
}

// Each work-item combines the population count, the leading zeros and a rotation of an integer.
kernel void bits(global uint *out, global const uint *in)
{
    size_t i = get_global_id(0);
    uint x = in[i];
    out[i] = popcount(x) | clz(x) << 8 | rotate(x, 7u) << 16;
}

// Each work-item interleaves the bits of two coordinates.
kernel void morton(global uint *out, global const ushort2 *in)
{
    size_t i = get_global_id(0);
    uint2 v = convert_uint2(in[i]);
    v = (v | v << 8) & 0x00FF00FF;
    v = (v | v << 4) & 0x0F0F0F0F;
    v = (v | v << 2) & 0x33333333;
    v = (v | v << 1) & 0x55555555;
    out[i] = v.x | v.y << 1;
}

// Each work-item reverses the colour channels of a pixel.
kernel void bgra(global uchar4 *out, global const uchar4 *in)
{
    size_t i = get_global_id(0);
    out[i] = in[i].zyxw;
}

// Each work-item reverses the colour channels of four pixels.
kernel void bgra16(global uchar16 *out, global const uchar16 *in)
{
    size_t i = get_global_id(0);
    out[i] = in[i].s21036547a98bedcf;
}

// Each work-item transposes a 4 by 4 matrix.
kernel void transpose4(global float16 *out, global const float16 *in)
{
    size_t i = get_global_id(0);
    out[i] = in[i].s048c159d26ae37bf;
}

// Each work-item multiplies two quaternions.
kernel void quaternion(global float4 *out, global const float4 *p, global const float4 *q)
{
    size_t i = get_global_id(0);
    float4 a = p[i], b = q[i];
    out[i] = a.w * b + b.w * (float4)(a.xyz, 0.0f) + (float4)(a.yzx * b.zxy - a.zxy * b.yzx, -dot(a.xyz, b.xyz));
}

// Each work-item multiplies two complex numbers.
kernel void complex_multiply(global float2 *out, global const float2 *p, global const float2 *q)
{
    size_t i = get_global_id(0);
    float2 a = p[i], b = q[i];
    out[i] = a.xx * b + (float2)(-a.y, a.y) * b.yx;
}

// Each work-item separates the even and the odd components of a vector.
kernel void deinterleave(global float4 *even, global float4 *odd, global const float8 *in)
{
    size_t i = get_global_id(0);
    even[i] = in[i].even;
    odd[i] = in[i].odd;
}

// Each work-item computes a cross product.
kernel void cross4(global float4 *out, global const float4 *p, global const float4 *q)
{
    size_t i = get_global_id(0);
    out[i] = cross(p[i], q[i]);
}

// Each work-item separates the channels of a pixel.
kernel void planar(global uchar *r, global uchar *g, global uchar *b, global const uchar4 *in)
{
    size_t i = get_global_id(0);
    uchar4 p = in[i];
    r[i] = p.x;
    g[i] = p.y;
    b[i] = p.z;
}

// Each work-item scales and reverses three packed components.
kernel void packed3(global float *out, global const float *in, float gain)
{
    size_t i = get_global_id(0);
    float3 v = vload3(i, in);
    vstore3(v.zyx * gain, i, out);
}

// Each work-item multiplies a 4 by 4 matrix and a vector.
kernel void matrix_vector(global float4 *out, global const float4 *in, constant float16 *matrix)
{
    size_t i = get_global_id(0);
    float4 v = in[i];
    float16 m = *matrix;
    out[i] = v.x * m.s0123 + v.y * m.s4567 + v.z * m.s89ab + v.w * m.scdef;
}

// Each work-item computes y = a * x + y.
kernel void saxpy(global float *y, global const float *x, float a)
{
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

// Each work-item computes y = a * x + y for four elements.
kernel void saxpy4(global float4 *y, global const float4 *x, float a)
{
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

// Each work-item computes a = b + s * c, as in the STREAM benchmark.
kernel void triad(global float *a, global const float *b, global const float *c, float s)
{
    size_t i = get_global_id(0);
    a[i] = b[i] + s * c[i];
}

// Each work-item computes y = a * x + y in double precision.
kernel void daxpy(global double *y, global const double *x, double a)
{
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

// Each work-item copies an element.
kernel void copy(global uint *out, global const uint *in)
{
    size_t i = get_global_id(0);
    out[i] = in[i];
}

// Each work-item stores a constant.
kernel void fill(global float *out, float x)
{
    out[get_global_id(0)] = x;
}
