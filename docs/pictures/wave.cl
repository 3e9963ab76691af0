// A damped wave, for the plot of a line.
kernel void wave(global float2 *y)
{
    float t = get_global_id(0) / (float)get_global_size(0);
    y[get_global_id(0)] = exp(-3.0f * t) * (float2)(sin(60.0f * t), cos(60.0f * t));
}
