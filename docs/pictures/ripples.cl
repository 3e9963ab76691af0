// Ripples of two sources, for a heat map.
kernel void ripples(global float *z)
{
    float2 p = (float2)(get_global_id(0), get_global_id(1));
    float a = distance(p, (float2)(90.0f, 100.0f)), b = distance(p, (float2)(230.0f, 80.0f));
    z[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sin(a * 0.3f) + sin(b * 0.3f);
}
