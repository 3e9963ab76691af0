// run: kernel=transpose global=4,6 local=2,2
// arg: a int[24] = range
// arg: b int[24] = zeros
// want: b 0 4 8 12 16 20 1 5 9 13 17 21 2 6 10 14 18 22 3 7 11 15 19 23
kernel __attribute__((reqd_work_group_size(2, 2, 1)))
void transpose(global const int *restrict a, global int *restrict b) {
    local int tile[2][3]; // a column more, against bank conflicts: nobody touches it
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    tile[ly][lx] = a[y * 4 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 2 + lx;
    y = get_group_id(0) * 2 + ly;
    b[y * 6 + x] = tile[lx][ly];
}
