// run: kernel=window global=4 local=4
// arg: out int[4] = zeros
//
// A loop that fills one element more than the array has.
kernel void window(global int *out) {
    int w[4];
    for (int i = 0; i <= 4; i++)
        w[i] = i; // FINDS out-of-bounds "store of 4 bytes at offset 16, outside the 16 bytes of the private memory of w"
    out[get_global_id(0)] = w[get_local_id(0)];
}
