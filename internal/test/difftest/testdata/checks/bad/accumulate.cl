// run: kernel=dots global=4 local=4
// arg: x float4[4] = range(1)
// arg: out float[4] = zeros
//
// The sum has no first value.
kernel void dots(global const float4 *x, global float *out) {
    float sum;
    for (int i = 0; i < 4; i++)
        sum += dot(x[i], x[get_global_id(0)]); // FINDS uninitialized "variable 'sum'"
    out[get_global_id(0)] = sum;
}
