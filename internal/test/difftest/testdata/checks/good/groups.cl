// run: kernel=ranks global=6 local=6 -cl-std=CL3.0
// arg: x int[6] = 3 1 4 1 5 9
// arg: out int[6] = zeros
// want: out 3 4 8 9 14 23
kernel void ranks(global const int *x, global int *out) {
    size_t i = get_global_id(0);
    int s = work_group_scan_inclusive_add(x[i]);
    out[i] = work_group_any(s < 0) ? -1 : s;
}
