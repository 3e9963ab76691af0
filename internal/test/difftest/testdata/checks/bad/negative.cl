// run: kernel=diff global=8 local=8
// arg: x int[8] = range(1,3)
// arg: y int[8] = zeros
//
// The first item looks before the buffer.
kernel void diff(global const int *x, global int *y) {
    int i = get_global_id(0);
    y[i] = x[i] - x[i - 1]; // FINDS out-of-bounds "at offset -4, outside the 32 bytes of the global memory of x"
}
