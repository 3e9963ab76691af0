// Loops that are unrolled wholly: nests whose inner bounds depend on outer counters, several exits, counters of every kind.
// run: kernel=sort global=2
// arg: a int[16] = 5 3 8 1 9 2 7 0 1 1 0 -5 4 4 3 -2
// want: a 0 1 2 3 5 7 8 9 -5 -2 0 1 1 3 4 4
//
// run: kernel=find global=6
// arg: a int[6] = 1 16 17 0 255 1024
// want: a 0 4 104 100 107 110
//
// run: kernel=det global=2 local=2
// arg: a float[18] = 2 0 1 1 3 2 1 1 4 1 2 3 4 5 6 7 8 10
// want: a tol=1e-5 18 -3 _
//
// run: kernel=sums global=3
// arg: a int[3] = 1 2 3
// want: a 2047 4094 6141
kernel void sort(global int *a)
{
    int v[8], base = get_global_id(0) * 8;
    for (int i = 0; i < 8; i++)
        v[i] = a[base + i];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 7 - i; j++)
            if (v[j] > v[j + 1]) {
                int t = v[j];
                v[j] = v[j + 1];
                v[j + 1] = t;
            }
    for (int i = 7; i >= 0; --i)
        a[base + i] = v[i];
}

// The position of the highest bit where it is one of the lowest five and the only one up to there, else 100 and more.
kernel void find(global int *a)
{
    int x = a[get_global_id(0)], i, big = 0;
    for (i = 0; i < 5; i++) {
        if (x == 1 << i)
            break;
        if (i == 4)
            big = 100;
    }
    if (big)
        for (i = 10; i && !(x >> i & 1); i--)
            continue;
    a[get_global_id(0)] = big + i;
}

kernel void det(global float *a)
{
    float m[3][3], d = 1;
    int id = get_global_id(0);
    for (int i = 0; i < 9; i++)
        m[i / 3][i % 3] = a[id * 9 + i];
    for (int k = 0; k < 3; k++)
        for (int i = k + 1; i < 3; i++) {
            float f = m[i][k] / m[k][k];
            for (int j = k; j < 3; j++)
                m[i][j] -= f * m[k][j];
        }
    for (int i = 0; i < 3; i++)
        d *= m[i][i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[id] = d;
}

kernel void sums(global int *a)
{
    int x = a[get_global_id(0)], s = 0;
    for (uint b = 1024; b; b >>= 1)
        s += x * b;
    a[get_global_id(0)] = s;
}
