// Arithmetic and mathematical functions.

// Each work-item sums the accelerations of its body; the work-group loads tiles of bodies into local memory.
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void nbody(global float4 *acceleration, global const float4 *bodies, int n, float softening)
{
    local float4 tile[64];
    float4 me = bodies[get_global_id(0)];
    float x = 0.0f, y = 0.0f, z = 0.0f;
    for (int t = 0; t < n; t += 64) {
        tile[get_local_id(0)] = bodies[t + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 64; k++) {
            float4 b = tile[k];
            float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;
            float d = dx * dx + dy * dy + dz * dz + softening;
            float f = b.w / (d * sqrt(d));
            x += f * dx;
            y += f * dy;
            z += f * dz;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    acceleration[get_global_id(0)] = (float4)(x, y, z, 0.0f);
}

// Each work-item sums the accelerations of its body, with the bodies in global memory.
kernel void nbody_global(global float4 *acceleration, global const float4 *bodies, int n, float softening)
{
    float4 me = bodies[get_global_id(0)];
    float x = 0.0f, y = 0.0f, z = 0.0f;
    for (int k = 0; k < n; k++) {
        float4 b = bodies[k];
        float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;
        float d = dx * dx + dy * dy + dz * dz + softening;
        float f = b.w / (d * sqrt(d));
        x += f * dx;
        y += f * dy;
        z += f * dz;
    }
    acceleration[get_global_id(0)] = (float4)(x, y, z, 0.0f);
}

float normal(float x)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float p = k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float n = 0.39894228f * exp(-0.5f * x * x) * p;
    return x > 0.0f ? 1.0f - n : n;
}
// Each work-item prices a call and a put option by the Black-Scholes formula.
kernel void black_scholes(global float *call, global float *put, global const float *price, global const float *strike, global const float *years, float rate, float volatility)
{
    size_t i = get_global_id(0);
    float s = price[i], x = strike[i], t = years[i], root = sqrt(t);
    float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root), d2 = d1 - volatility * root;
    float discounted = x * exp(-rate * t), n1 = normal(d1), n2 = normal(d2);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}

// Each work-item evaluates a polynomial of degree 64 by Horner's method.
kernel void horner(global float *out, global const float *in)
{
    size_t i = get_global_id(0);
    float x = in[i], s = 0.5f;
    for (int k = 0; k < 64; k++)
        s = s * x + 0.25f;
    out[i] = s;
}

// Each work-item normalises a vector.
kernel void normalize4(global float4 *out, global const float4 *in)
{
    size_t i = get_global_id(0);
    float4 v = in[i];
    out[i] = v / sqrt(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
}

// Each work-item computes FUNCTION of an element.
kernel void function(global TYPE *out, global const TYPE *in)
{
    size_t i = get_global_id(0);
    out[i] = FUNCTION(in[i]);
}

// Each work-item computes a power.
kernel void power(global float *out, global const float *x, global const float *y)
{
    size_t i = get_global_id(0);
    out[i] = pow(x[i], y[i]);
}

// Each work-item rotates a point by its angle.
kernel void rotate_points(global float2 *out, global const float2 *in, global const float *angle)
{
    size_t i = get_global_id(0);
    float c, s = sincos(angle[i], &c);
    float2 p = in[i];
    out[i] = (float2)(c * p.x - s * p.y, s * p.x + c * p.y);
}
