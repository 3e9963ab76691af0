// run:
// arg: out int[32] = zeros
// arg: mem int[8] = 1433
// want: out -3 21 2047 0 -3 29 2047 -2048 -1 1 -1 19088743 1 -8 7 29 16 5 300 70000 9 5 1 70001 9 5 26
// want: mem 1433 0 0 0 515 0 0 0
//
// Bit-fields, which the specification leaves out and clang has as an extension.
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
struct Bits { int a : 3; uint b : 5; int c : 12; uint : 0; uint d : 1; int e : 31; ulong w : 40; bool f : 1; char g : 4; };
struct __attribute__((packed)) Tight { uchar a : 3; ushort b : 9; uint c : 20; char d; };

kernel void k(global int *out, global struct Bits *mem) {
    int n = 0;
    struct Bits f = {.a = -3, .b = 21, .c = 2047};
    out[n++] = f.a;
    out[n++] = f.b;
    out[n++] = f.c;
    out[n++] = f.d + f.e + (int)f.w + f.f + f.g;
    f.a = 5;
    out[n++] = f.a;
    f.b += 40;
    out[n++] = f.b;
    out[n++] = f.c++;
    out[n++] = f.c;
    out[n++] = (f.a = 7);
    out[n++] = f.d = 3;
    f.e = -1;
    out[n++] = f.e;
    f.w = 0x123456789AUL;
    out[n++] = (int)(f.w >> 12);
    f.f = 4;
    out[n++] = f.f;
    f.g = -8;
    out[n++] = f.g--;
    out[n++] = f.g;
    out[n++] = f.b;
    out[n++] = sizeof(struct Bits);
    struct Tight t = {5, 300, 70000, 9};
    out[n++] = t.a; out[n++] = t.b; out[n++] = t.c; out[n++] = t.d;
    t.b -= 299; t.c++;
    out[n++] = t.a; out[n++] = t.b; out[n++] = t.c; out[n++] = t.d;
    out[n++] = sizeof t;
    mem[1].a = mem[0].b;
    mem[1].c = mem[0].a + 1;
    out[n] = n;
}
