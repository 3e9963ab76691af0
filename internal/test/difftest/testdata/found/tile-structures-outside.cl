// As tile-structures.cl, with a tile that ends before the last elements.
// run: kernel=outside global=32,24 local=8,8
// arg: out float[768] = zeros
// arg: n int 250
#define STEPS 8
kernel __attribute__((reqd_work_group_size(8, 8, 1))) void outside(global float *out, int n)
{
    local float a[STEPS * 33 - 3];
    int x = get_local_id(0), y = get_local_id(1);
    for (int k = 0; k < 4; k++)
        a[y * 33 + 4 * x + k] = x + y + k; // FINDS out-of-bounds "store of 4 bytes"
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int k = 0; k < STEPS; k++) {
        s += a[k * 33 + 4 * x] + a[k * 33 + 4 * x + 1];
        s += a[k * 33 + 4 * x + 3]; // FINDS out-of-bounds "load of 4 bytes"
        s += a[y + n + k]; // FINDS out-of-bounds "load of 4 bytes"
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * 32 + get_global_id(0)] = s;
}
