// run: kernel=collatz global=4 local=4
// arg: x int[4] = 1 6 7 27
// arg: out int[4] = zeros
// want: out 0 8 16 111
//
// Loops of different lengths, with a variable that every way sets before it is read.
kernel void collatz(global const int *x, global int *out) {
    int n = x[get_global_id(0)], steps = 0, next;
    while (n != 1) {
        if (n & 1)
            next = 3 * n + 1;
        else
            next = n / 2;
        n = next;
        steps++;
    }
    out[get_global_id(0)] = steps;
}
