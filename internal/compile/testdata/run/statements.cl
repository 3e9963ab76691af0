// run:
// arg: out int[53] = zeros
// arg: z int 0
// want: out 11 100 31 32 23 -2 30 7 -2 55 1000 2211 2222 111 33 0 25 425 450 501 12680 304 0 1 1 2 1 6 1 9 4
// want: out 10 7 9 11 17 77 9 1 8 9 547
//
// Every statement (C99 6.8), goto into and out of loops included.
int classify(int x) {
    switch (x) {
    case 0: return 100;
    case 1:
    case 2: x += 10; // falls through
    case 3: x += 20; break;
    default: x = -1; // falls through
    case 10 ... 20: x *= 2; break;
    case 1000 ... 2000: return 7;
    case -5: { return 55; }
    }
    return x;
}

int duff(int count) {
    int n = (count + 3) / 4, sum = 0;
    switch (count % 4) {
    case 0: do { sum += 1;
    case 3:      sum += 10;
    case 2:      sum += 100;
    case 1:      sum += 1000;
            } while (--n > 0);
    }
    return sum;
}

int collatz(int x) {
    int steps = 0;
again:
    if (x == 1) goto done;
    steps++;
    if (x & 1) { x = 3 * x + 1; goto again; }
    x /= 2;
    goto again;
done:
    return steps;
}

int into(int x) {
    int sum = 0;
    if (x > 5) goto middle;
    for (int i = 0; i < 3; i++) {
        sum += 1;
middle:
        sum += 10;
        if (sum > 60) break;
    }
    return sum;
}

int side(global int *log, int v) { log[0] += 1; return v; }

kernel void k(global int *out, int z) {
    int n = 1;
    out[0] = 0;
    out[n++] = classify(0);
    out[n++] = classify(1);
    out[n++] = classify(2);
    out[n++] = classify(3);
    out[n++] = classify(4);
    out[n++] = classify(15);
    out[n++] = classify(1999);
    out[n++] = classify(2001);
    out[n++] = classify(-5);
    out[n++] = duff(1);
    out[n++] = duff(6);
    out[n++] = duff(8);
    out[n++] = collatz(27);
    out[n++] = into(1);
    out[n++] = z;

    int sum = 0;
    for (int i = 0; i < 10; i++) {
        if (i == 3) continue;
        if (i == 8) break;
        sum += i;
    }
    out[n++] = sum;
    int i = 5;
    while (i --> 0) { if (i == 2) continue; sum += 100; }
    out[n++] = sum;
    do { sum++; if (sum % 7 == 0) continue; } while (sum < 450);
    out[n++] = sum;
    for (;;) { if (++sum > 500) break; }
    out[n++] = sum;
    int cells = 0;
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) {
            if (x == y) continue;
            if (x > 2) break;
            cells = cells * 3 + x + y;
        }
    out[n++] = cells;
    for (int a = 0, b = 10; a < b; a++, b -= 2) out[n] = a * 100 + b;
    n++;

    // short circuit
    out[n++] = side(out, 0) && side(out, 1);
    out[n++] = out[0];
    out[n++] = side(out, 1) || side(out, 1);
    out[n++] = out[0];
    out[n++] = (side(out, 0) || side(out, 1)) && !side(out, 0) && side(out, 5) != 4;
    out[n++] = out[0];
    if (side(out, 1) && (side(out, 0) || side(out, 2))) out[n++] = 1; else out[n++] = 2;
    out[n++] = out[0];
    out[n++] = z ? side(out, 3) : side(out, 4);
    out[n++] = out[0];
    out[n++] = (z + 7) ?: side(out, 9);
    out[n++] = z ?: side(out, 9);
    out[n++] = out[0];
    out[n++] = ({ int q = z + 4; q *= q; q + 1; });
    if (z) ; else if (z == 1) out[n++] = 1; else if (z == 0) out[n++] = 77; else out[n++] = 3;
    switch (z) { int dead = 3; case 0: dead = 9; out[n++] = dead; }
    switch (z + 1) { default: out[n++] = 1; break; case 0: out[n++] = 2; }
    switch (z) ;
    switch ((uchar)(z + 255)) { case 255: out[n++] = 8; }
    switch ((long)z - 1) { case -1: out[n++] = 9; break; case 0xFFFFFFFFL: out[n++] = 10; }
    while (z) z--;
    {
        int n2 = n;
        { int n2 = 5; sum += n2; }
        out[n++] = n2 + sum;
    }
    return;
    out[n++] = 12345;
}
