// Choices between constants of one value, and masks that exclude each other.
// run: kernel=same global=4
// arg: o int[4] =
// arg: in short[4] = 1 2 3 4
// want: o 1 1 1 1
// run: kernel=apart global=4
// arg: o int4[4] =
// arg: a int4[4] = (1,2,3,4) (0,0,0,0) (9,8,7,6) (5,5,5,5)
// arg: b int4[4] = (4,3,2,1) (1,1,1,1) (9,9,9,9) (5,5,6,6)
// want: o (0,0,0,0) (0,0,0,0) (0,0,0,0) (0,0,0,0)
kernel void same(global int *o, global const short *in)
{
    int i = get_global_id(0), n = 0;
    short s = in[i];
    for (int k = 0; k < 3; k++) {
        int on = 1;
        for (int l = 0; l < 3; l++)
            if (on) {
                n = !((i & 1) && s < s);
                on = 0;
            }
    }
    o[i] = n;
}

kernel void apart(global int4 *o, global const int4 *a, global const int4 *b)
{
    size_t i = get_global_id(0);
    int4 m = a[i] < b[i];
    o[i] = (m & a[i]) & (~m & b[i]);
}
