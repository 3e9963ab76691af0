// The pull of all bodies on those from first on.
kernel void pull(global float4 *out, global const float4 *pos, int n, int first)
{
    size_t i = get_global_id(0);
    float3 me = pos[first + i].xyz, sum = 0;
    for (int j = 0; j < n; j++) {
        float3 d = pos[j].xyz - me;
        float r = rsqrt(dot(d, d) + 1e-4f);
        sum += pos[j].w * r * r * r * d;
    }
    out[i] = (float4)(sum, 0);
}
