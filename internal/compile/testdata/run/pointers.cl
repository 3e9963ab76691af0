// run:
// arg: out int[42] = zeros
// arg: data int[6] = 10 20 30 40 50 60
// want: out 15 43 119 99 311 53 8 111 6 4 1 1 3 3 0 2 4 1 1 1 6 31 13 3 0 1 2 35 21 3 1 112 41 30 41 12 323 4
// want: out 98 395 40
// want: data 10 41 30 41 50 60
//
// Pointer arithmetic, arrays, address constants, strings.
constant int table[5] = {2, 3, 5, 7, 11};
constant int *constant mid = table + 2;
constant char *constant names[] = {"zero", "one", "two"};
constant char text[8] = "abc";
constant struct { int v; constant int *p; } refs[2] = {{1, &table[1]}, {2, table + 4}};
constant int matrix[2][3] = {{1, 2, 3}, {4, 5}};
constant float4 vecs[2] = {(float4)(1, 2, 3, 4), (float4)(5)};

int length(constant char *s) { int n = 0; while (*s++) n++; return n; }
void outparam(int *a, int **pp) { *a = 5; *pp = a + 1; }
int total(const int *p, const int *end) { int s = 0; for (; p != end; ++p) s += *p; return s; }

kernel void k(global int *out, global int *data) {
    int n = 0;
    out[n++] = mid[0] + mid[-1] + *(mid + 1);
    out[n++] = length(names[0]) * 10 + length(names[1]);
    out[n++] = names[2][1];
    out[n++] = text[2] + text[3] + text[7];
    out[n++] = *refs[0].p * 100 + *refs[1].p;
    out[n++] = matrix[0][2] + matrix[1][1] * 10 + matrix[1][2];
    out[n++] = (int)(vecs[0].z + vecs[1].w);
    out[n++] = "hello"[4];
    out[n++] = sizeof "hello";

    int a[6] = {1, 2, 3, 4};
    int *p = a, *q = &a[4];
    out[n++] = q - p;
    out[n++] = p < q;
    out[n++] = p == a;
    p += 2;
    out[n++] = *p;
    out[n++] = *p++;
    out[n++] = *++p;
    out[n++] = p[-3];
    p--;
    out[n++] = *p--;
    p -= 1;
    out[n++] = p - a;
    (*p)++;
    out[n++] = a[0];
    *p++ += 10;
    out[n++] = a[0];
    int x = 3;
    int *r;
    outparam(&a[3], &r);
    out[n++] = a[3] + (r == a + 4);
    *r = 9;
    out[n++] = total(a, a + 6);
    int **pp = &p;
    **pp = 42;
    out[n++] = a[1];
    *pp = &x;
    out[n++] = *p;
    out[n++] = !p;
    p = 0;
    out[n++] = !p;
    out[n++] = p ? 1 : 2;
    int g[3][4];
    for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) g[i][j] = i * 10 + j;
    int (*row)[4] = &g[1];
    out[n++] = (*row)[2] + row[1][3];
    out[n++] = *(*(g + 2) + 1);
    out[n++] = sizeof g / sizeof g[0];
    global int *d = data + 1;
    *d = d[1] + d[-1];
    d[2]++;
    ++*d;
    out[n++] = (int)(d - data);
    long li = 2;
    uint ui = 1;
    uchar ci = 1;
    out[n++] = data[li] + data[ui] + data[ci + 2];
    out[n++] = ((global uchar *)data)[4];
    out[n++] = *(global short *)((global char *)data + 8);
    ulong bits = (ulong)(data + 3);
    out[n++] = *(global int *)bits;
    out[n++] = (int)((uintptr_t)&data[3] - (uintptr_t)data);
    char s[] = "xyz";
    s[1] = 'Q';
    out[n++] = s[0] + s[1] + s[2] + s[3];
    out[n++] = sizeof s;
    char pad[6] = "ab";
    out[n++] = pad[1] + pad[5];
    const int lut[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
    int acc = 0;
    for (int i = 0; i < 12; i += 5) acc = acc * 10 + lut[i];
    out[n++] = acc;
    out[n] = n;
}
