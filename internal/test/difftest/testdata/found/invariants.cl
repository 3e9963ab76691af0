// run: kernel=k global=4
// arg: y ushort[64] =
// arg: x short[779] =
// arg: first uint 3
// arg: by long 1
// A sum that an inner loop uses was left in the outer loop, although a sum moved before that loop needs it.
kernel void k(global ushort *y, constant short *x, uint first, long by)
{
    ulong i = get_global_id(0);
    for (uchar a = first; a != 7; a++)
        for (int b = first; b-- > 0;)
            y[i * 2] += x[(i * 7 + 3) % 779 * first + b * by];
}
