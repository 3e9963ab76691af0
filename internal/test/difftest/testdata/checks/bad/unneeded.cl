// run: kernel=unneeded global=4 local=4
// arg: x int[4] = range(1)
// arg: y int[4] = zeros
//
// What is read too far away is not needed after all.
kernel void unneeded(global const int *x, global int *y) {
    int i = get_global_id(0);
    int next = x[i + 1]; // FINDS out-of-bounds "load of 4 bytes at offset 16, outside the 16 bytes of the global memory of x"
    y[i] = x[i];
}
