// One step of n bodies under gravity, tile by tile through local memory. A body is
// (x, y, z, mass); the work-group size divides n.
kernel void step(global const float4 *pos, global float4 *next, global float4 *vel, uint n,
                 float dt, float softening, local float4 *tile)
{
    uint i = get_global_id(0), l = get_local_id(0), tile_size = get_local_size(0);
    float3 p = pos[i].xyz, acc = (float3)(0.0f);
    for (uint start = 0; start < n; start += tile_size) {
        tile[l] = pos[start + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = 0; j < tile_size; j++) {
            float3 d = tile[j].xyz - p;
            float r2 = dot(d, d) + softening;
            float inv = 1.0f / sqrt(r2);
            acc += d * (tile[j].w * inv * inv * inv);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float3 v = vel[i].xyz + acc * dt;
    vel[i].xyz = v;
    next[i] = (float4)(p + v * dt, pos[i].w);
}
