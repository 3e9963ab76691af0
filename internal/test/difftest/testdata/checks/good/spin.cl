// run: kernel=largest global=16 local=4
// arg: x float[16] = 3 1 4 1 5 9 2 6 5 3 5 8 9.5 7 9 3
// arg: best float[1] = -1
// want: best 9.5
//
// The greatest of floats with compare-and-exchange, as programs for OpenCL 1.x do it: a
// volatile load, then as many tries as it takes.
void atomic_largest(volatile global float *at, float v) {
    float old = *at;
    while (v > old) {
        float seen = as_float(atomic_cmpxchg((volatile global int *)at, as_int(old), as_int(v)));
        if (seen == old)
            break;
        old = seen;
    }
}
kernel void largest(global const float *x, global float *best) {
    atomic_largest(best, x[get_global_id(0)]);
}
