// run: kernel=largest global=4 local=4
// arg: x int[4] = 5 -3 8 1
// arg: out int[4] = zeros
//
// A variable that only one way through the function sets.
int pick(int v) {
    int r;
    if (v > 0)
        r = v;
    return r + 1; // FINDS uninitialized "use of an uninitialized value: variable 'r' [work-item (1,0,0)"
}
kernel void largest(global const int *x, global int *out) {
    size_t i = get_global_id(0);
    out[i] = pick(x[i]);
}
