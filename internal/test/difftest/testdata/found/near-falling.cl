// A dividend that falls along the lanes has no version for two neighbouring quotients.
// run: kernel=k global=32
// arg: o int[400] = zeros
// arg: n int 0
kernel void k(global int *o, int n) {
    int x = get_global_id(0) * 5 + get_global_id(1);
    o[x * 2] = (0 - x) / (n | 1);
}
