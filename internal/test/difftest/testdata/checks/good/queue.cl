// run: kernel=compact global=8 local=4
// arg: x int[8] = 5 -1 3 -2 -7 8 0 1
// arg: n int[1] = zeros
// arg: out int[8] = zeros
// want: n 5
//
// Items claim places of a list with an atomic counter: no two write the same one.
kernel void compact(global const int *x, volatile global int *n, global int *out) {
    int v = x[get_global_id(0)];
    if (v >= 0)
        out[atomic_inc(n)] = v;
}
