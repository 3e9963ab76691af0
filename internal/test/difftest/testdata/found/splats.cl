// One element in all components of vectors that are longer than a register.
// run: kernel=doubles global=8
// arg: o double16[8] = fill(5)
// arg: x double[8] = range
// want: o (0) (1) (2) (3) (4) (5) (6) (7)
// run: kernel=floats global=8
// arg: o float16[8] = fill(5)
// arg: x float[8] = range
// want: o (0) (1) (2) (3) (4) (5) (6) (7)
kernel void doubles(global double16* o, global double* x) { int i = get_global_id(0); o[i] = (double16)(x[i]); }
kernel void floats(global float16* o, global float* x) { int i = get_global_id(0); o[i] = (float16)(x[i]); }
