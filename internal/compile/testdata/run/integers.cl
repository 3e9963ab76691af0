// run:
// arg: out int[68] = zeros
// arg: a int -123
// arg: b int 45
// arg: u uint 4000000000
// want: out -78 -168 -5535 -2 -33 5 -83 -88 122 123 -123 -984 -31 1000000000 571428571 3 1 0 1 0 0 1 0 0 1
// want: out -123 133 8072 8072 44 300 -23 143 -3840 1009 1554050723 -29 2147483647 5 -113 -116 812 406 3 83
// want: out 83 3932 3932 3934 3934 3932 7 1 1 2 1 0 1 9 172 1 -3 -1 -4 1 65
//
// Integer operators, promotions and conversions (C99 6.3, 6.5).
kernel void k(global int *out, int a, int b, uint u) {
    int n = 0;
    out[n++] = a + b;
    out[n++] = a - b;
    out[n++] = a * b;
    out[n++] = a / b;
    out[n++] = a % b;
    out[n++] = a & b;
    out[n++] = a | b;
    out[n++] = a ^ b;
    out[n++] = ~a;
    out[n++] = -a;
    out[n++] = +a;
    out[n++] = a << 3;
    out[n++] = a >> 2;
    out[n++] = u >> 2;
    out[n++] = u / 7;
    out[n++] = u % 7;
    out[n++] = a < b;
    out[n++] = a > b;
    out[n++] = a <= a;
    out[n++] = a >= b;
    out[n++] = a == b;
    out[n++] = a != b;
    out[n++] = a < u;          // a is converted to unsigned
    out[n++] = !a;
    out[n++] = !!a;
    char c = (char)a;
    uchar uc = (uchar)a;
    short s = (short)(a * 1000);
    ushort us = (ushort)(a * 1000);
    out[n++] = c;
    out[n++] = uc;
    out[n++] = s;
    out[n++] = us;
    out[n++] = (char)200 + (char)100; // promoted to int
    out[n++] = (uchar)200 + (uchar)100;
    c += 100;
    out[n++] = c;
    uc *= 3;
    out[n++] = uc;
    s <<= 5;
    out[n++] = s;
    us >>= 3;
    out[n++] = us;
    long l = (long)a * 1000000007L;
    out[n++] = (int)l;
    out[n++] = (int)(l >> 32);
    ulong ul = (ulong)a;
    out[n++] = (int)(ul >> 33);
    out[n++] = l < 0 ? 5 : 6;
    a += 10; out[n++] = a;
    a -= 3; out[n++] = a;
    a *= -7; out[n++] = a;
    a /= 2; out[n++] = a;
    a %= 13; out[n++] = a;
    a |= 0x50; out[n++] = a;
    a &= 0xFF; out[n++] = a;
    a ^= 0xF0F; out[n++] = a;
    out[n++] = a++; out[n++] = ++a;
    out[n++] = a--; out[n++] = --a;
    out[n++] = (a = 3, a + 4);
    bool t = a;
    out[n++] = t;
    t = 0.5f;
    out[n++] = t;
    out[n++] = t + t;
    t++;
    out[n++] = t;
    t--;
    out[n++] = t;
    t = 2;
    t += 5;
    out[n++] = t;
    out[n++] = sizeof(long) + sizeof t;
    out[n++] = 'a' + '\n' + '\x41';
    out[n++] = 0x7fffffffu + 1u == 0x80000000u;
    out[n++] = -7 / 2;
    out[n++] = -7 % 2;
    out[n++] = (-7) >> 1;
    out[n++] = 7u - 8u > 0;
    out[n] = n;
}
