// run: kernel=scale global=10 local=5
// arg: x float[9] = range
//
// The buffer has one element less than there are work-items: the classic missing test.
kernel void scale(global float *x) {
    size_t i = get_global_id(0);
    x[i] = x[i] * 2.0f; // FINDS out-of-bounds "load of 4 bytes at offset 36" // FINDS out-of-bounds "store of 4 bytes at offset 36"
}
