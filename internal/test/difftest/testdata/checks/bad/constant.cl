// run: kernel=k global=2 local=2
// arg: out int[2] = zeros
//
// A vector's element that does not exist, and a constant table that is too short.
constant int table[3] = { 4, 5, 6 };
kernel void k(global int *out) {
    int i = get_global_id(0) + 2;
    int2 v = (int2)(i, i + 1);
    out[i - 2] = table[i] // FINDS out-of-bounds "outside the 12 bytes of the constant memory of table"
        + v[i]; // FINDS index-out-of-range "(2 times)"
}
