// Work-items read structures of four elements of a tile in local memory. Members have constant distances, some beyond the end of a
// structure; a counter and the required size of work-groups bound them.
// run: kernel=inside global=32,24 local=8,8
// arg: out float[768] = zeros
// arg: in float[3072] = zeros
// arg: n int 3
// run: kernel=wraps global=32,8 local=8,4
// arg: out int[256] = zeros
// arg: n int 2147483646
#define STEPS 8
kernel __attribute__((reqd_work_group_size(8, 8, 1))) void inside(global float *out, global const float *in, int n)
{
    local float a[STEPS * 33];
    int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * 32 + get_global_id(0);
    for (int t = 0; t < n; t++) {
        for (int k = 0; k < 4; k++)
            a[y * 33 + 4 * x + k] = in[4 * at + k] + t * x + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        float s = t;
        for (int k = 0; k < STEPS; k += 2) {
            s = s * 0.5f + a[k * 33 + 4 * x] + a[k * 33 + 4 * x + 1] * a[y * 33 + k + 2] + a[k * 33 + 4 * x + 3];
            s -= a[(k + 1) * 33 + 4 * x] + a[(k + 1) * 33 + 4 * x + 2] - a[(k + 1) * 33 + 4 * x + 3] * a[y * 33 + k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        out[at] += s;
    }
}

// The sums of 32 bits wrap: they are not sums of 64 bits.
kernel void wraps(global int *out, int n)
{
    local int a[64];
    int x = get_local_id(0), y = get_local_id(1), l = y * 8 + x;
    a[l] = l;
    a[l + 32] = -l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = l + n; // wraps for all but the first two
    int s = a[(i + 3) & 63] + a[(i & 31) + 3] + a[(i & 31) + 5] + a[(uchar)(l + 250) & 31] + a[(uchar)(l + 250) + 7 & 31];
    if (l > 1)
        s += a[i + 2147483647 + 4] + a[i + 2147483647 + 5]; // l + n + n + 5, less 2^32
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * 32 + get_global_id(0)] = s;
}
