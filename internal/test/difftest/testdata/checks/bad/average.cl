// run: kernel=average global=4 local=4
// arg: sum int[4] = 10 -2147483648 7 9
// arg: n int[4] = 5 -1 0 3
//
// Divisors that nobody has looked at.
kernel void average(global int *sum, global const int *n) {
    size_t i = get_global_id(0);
    sum[i] /= n[i]; // FINDS division-by-zero "work-item (2,0,0)" // FINDS divide-overflow "work-item (1,0,0)"
}
