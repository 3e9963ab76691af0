// run:
// arg: out float[26] = zeros
// arg: iout int[18] = zeros
// arg: a float 3.75
// arg: b float -1.3
// arg: z int 0
// want: out 0x1.39999ap+1 0x1.433334p+2 -0x1.38p+2 -0x1.713b14p+1 -0x1.ep+1 0x1.3p+2 0x1.111112p-2
// want: out 0x1.555556p-2 0x1.ep+1 0x1.7p+2 0x1.6p+2 -0x1.c99998p+2 -0x1.c99998p+0 -0x1.c99998p+0
// want: out -0x1.c99998p+0 0x1.03p+8 0x1p+24 inf 0 3 1 10 10 253 0x1.d8fadep+1
// want: iout 3 -3 -3 1 -727379968 1 0 0 1 0 0 1 1 1 1 1
//
// Floating-point operators and conversions between floating and integer types.
kernel void k(global float *out, global int *iout, float a, float b, int z) {
    int n = 0;
    out[n++] = a + b;
    out[n++] = a - b;
    out[n++] = a * b;
    out[n++] = a / b;
    out[n++] = -a;
    out[n++] = a + 1;
    out[n++] = 1 / a;
    out[n++] = (float)(1 / 3.0);
    out[n++] = a > b ? a : b;
    a += 2;      out[n++] = a;
    a -= 0.25;   out[n++] = a;
    a *= b;      out[n++] = a;
    a /= 4;      out[n++] = a;
    out[n++] = a++;
    out[n++] = --a;
    out[n++] = (float)7u + (float)-3L + (float)(uchar)255;
    out[n++] = (float)16777217;
    out[n++] = 1e10f * 1e30f;
    out[n++] = (double)0.1f == 0.1;
    out[n++] = 0x1.8p1f;
    out[n++] = 3 / 2;
    int i = z + 7;
    i *= 1.5f;
    out[n++] = i;
    i += 0.75;
    out[n++] = i;
    uchar c = (uchar)(z + 250);
    c += 3.7f;
    out[n++] = c;
    double d = a;
    d = d * d + 0.5;
    out[n++] = (float)d;
    n = 0;
    iout[n++] = (int)3.99f;
    iout[n++] = (int)-3.99f;
    iout[n++] = (char)-3.7f;
    iout[n++] = (uint)3e9f == 3000000000u;
    iout[n++] = (int)(long)1e12;
    iout[n++] = a < b;
    iout[n++] = a != a;
    float nan = (z + 0.0f) / z;
    iout[n++] = nan == nan;
    iout[n++] = nan != nan;
    iout[n++] = nan < 1 || nan > 1 || nan <= 1 || nan >= 1;
    iout[n++] = !nan;
    iout[n++] = !0.0f;
    iout[n++] = -0.0f == 0.0f;
    iout[n++] = (bool)0.1f;
    iout[n++] = a && b;
    iout[n++] = 1.5f + z > 1;
}
