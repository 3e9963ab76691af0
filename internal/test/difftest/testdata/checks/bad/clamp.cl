// run: kernel=quantise global=5 local=5
// arg: x float[5] = 0.5 -3 200 256.5 257
// arg: out uchar[5] = zeros
//
// convert_uchar where convert_uchar_sat was meant; 255.5 still fits, it becomes 255.
kernel void quantise(global const float *x, global uchar *out) {
    size_t i = get_global_id(0);
    float v = x[i] - 1.0f;
    out[i] = convert_uchar(v); // FINDS convert-out-of-range "without _sat" "work-item (1,0,0)" "(2 times)"
}
