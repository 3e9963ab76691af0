// run: kernel=neighbour global=8 local=8
// arg: l local 36
// arg: out int[8] = zeros
// want: out 0 1 2 3 4 5 6 7
//
// A function reads a neighbour's element, and nothing uses its value. In a loop, too,
// and once on each side of a branch.
void peek(local int *p) { p[get_local_id(0)]; }

kernel void neighbour(local int *l, global int *out) {
    int i = get_local_id(0);
    for (int k = 0; k < 3; k++)
        peek(l + 1);
    l[i] = i; // FINDS race-in-group "against the load"
    if (i & 1)
        l[i + 1]; // FINDS race-in-group "against the store"
    out[i] = l[i];
}
