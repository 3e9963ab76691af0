// run:
// arg: out int[90] = zeros
// arg: mem int4[4] = range(1)
// arg: packed int[4] = zeros
// arg: z int 0
// want: out 21 42 63 84 15 96 99 31 42 10 10 21 1111 3 12 50 18 60 30 401 43 2 40 9 44 51 20 24 34 30 0 -1 0
// want: out -1 -3 -1 -1 0 -101 -10 -111 -100 44 10 1212 7654 5 1 15 6 3 -3 -49792 0 254 254 255 0 254 255 255
// want: out 1065353216 67305985 12 321 1073741824 394 8 68
// want: mem (1,5,5,6) (6,7,7,8) (18,20,20,24) (1,20,30,77)
// want: packed 5 24 34 0
//
// Vectors: literals, components as r- and l-values, operators, 3-vectors, conversions.
kernel void k(global int *out, global int4 *mem, global int *packed, int z) {
    int n = 0;
    int4 a = (int4)(1, 2, 3, 4);
    int4 b = (int4)(10, (int2)(20, 30), 40);
    int4 r = a + b * 2;
    out[n++] = r.x; out[n++] = r.y; out[n++] = r.z; out[n++] = r.w;  // 21 42 63 84
    r = a + 5;
    out[n++] = r.x + r.w;                                            // 15
    r = 100 - a.wzyx;
    out[n++] = r.x; out[n++] = r.w;                                  // 96 99
    int2 h = b.hi + a.lo;
    out[n++] = h.x; out[n++] = h.y;                                  // 31 42
    h = b.odd - b.even;
    out[n++] = h.x; out[n++] = h.y;                                  // 10 10
    r = a;
    r.xy = r.yx;
    out[n++] = r.x * 10 + r.y;                                       // 21
    r.wz += (int2)(7, 8);
    out[n++] = r.z * 100 + r.w;                                      // 1111
    r.x++;
    out[n++] = r.x--;                                                // 3
    out[n++] = ++r.s3;                                               // 12
    r.hi.lo = 50;
    out[n++] = r.z;                                                  // 50
    r.odd = 9;
    out[n++] = r.s1 + r.s3;                                          // 18
    int8 e = (int8)(a, b);
    out[n++] = e.s5 + e.S7;                                          // 60
    out[n++] = e.even.odd.y;                                         // 30
    e.s01234567 = e.s76543210;
    out[n++] = e.s0 * 10 + e.s7;                                     // 401
    int16 w = (int16)(e, e + 1);
    out[n++] = w.sF + w.s8;                                          // 2 + 41
    w.s0f = w.sf0;
    out[n++] = w.s0;                                                 // 2
    out[n++] = w.sF;                                                 // 40

    // memory: only the components named are touched
    mem[0].y = 5;
    mem[0].zw = mem[1].xy;
    mem[1].s13 = (int2)(7, 8);
    mem[1].x += 1;
    mem[2].s2--;
    mem[2] *= 2;
    mem[3].xyz = mem[0].wzy;
    int i = z + 2;
    out[n++] = mem[0][1] + a[i] + a[i - 2];                          // 5 + 3 + 1
    a[i + 1] = 44;
    out[n++] = a.w;                                                  // 44
    mem[3][i + 1] = 77;

    // 3-vectors: as large as 4, three components
    int3 t = (int3)(1, 2, 3);
    t.yz *= 10;
    out[n++] = t.x + t.y + t.z;                                      // 51
    out[n++] = sizeof t + sizeof(char3);                             // 20
    int3 tt[2] = {t, (int3)(4)};
    out[n++] = tt[1].z + tt[0].y;                                    // 24
    vstore3(t + tt[1], 0, packed);
    out[n++] = vload3(0, packed).z;                                  // 34
    global int3 *p3 = (global int3 *)mem;
    p3[3] = t;                                                       // mem[3].w stays
    out[n++] = t.hi.x;                                               // 30

    // relations: -1 and 0 of the signed type of the same width
    r = a > (int4)(1, 1, 5, 5);
    out[n++] = r.x; out[n++] = r.y; out[n++] = r.z; out[n++] = r.w;  // 0 -1 0 -1
    float4 f = (float4)(1.5f, -2.0f, 0.0f, NAN);
    r = f == f;
    out[n++] = r.x + r.y + r.z + r.w;                                // -3
    long2 l2 = (double2)(1.0, 2.0) < (double2)(2.0, 1.0);
    out[n++] = (int)l2.x + 10 * (int)l2.y;                           // -1
    char2 c2 = (uchar2)(1, 2) != (uchar2)(1, 3);
    out[n++] = c2.x * 10 + c2.y;                                     // -1
    r = !a;
    out[n++] = r.x;                                                  // 0
    r = !(int4)(0, 1, 0, 2);
    out[n++] = r.x + 10 * r.y + 100 * r.z + 1000 * r.w;              // -101
    r = (int4)(0, 1, 2, 0) && (int4)(1, 1, 0, 0);
    out[n++] = r.x + 10 * r.y + 100 * r.z + 1000 * r.w;              // -10
    r = (int4)(0, 1, 2, 0) || (int4)(1, 1, 0, 0);
    out[n++] = r.x + 10 * r.y + 100 * r.z + 1000 * r.w;              // -111
    r = !f;
    out[n++] = r.x + 10 * r.y + 100 * r.z + 1000 * r.w;              // -100
    r = a > 2 ? a : -a;
    out[n++] = r.x + r.y + r.z + r.w;                                // -1-2+3+44
    r = z ? a : b;
    out[n++] = r.x;                                                  // 10
    r = (int4)(0x80000000, 1, -1, 0) ? (int4)(1) : (int4)(2);
    out[n++] = r.x * 1000 + r.y * 100 + r.z * 10 + r.w;              // 1212
    r = ~(int4)(0, 1, 2, 3) & 7;
    out[n++] = r.x * 1000 + r.y * 100 + r.z * 10 + r.w;              // 7654
    r = (int4)(1) << (int4)(0, 1, 33, 31);
    out[n++] = r.x + r.y + r.z;                                      // 5
    out[n++] = r.w < 0;                                              // 1
    uint2 u2 = (uint2)(0xF0000000, 5) >> 28u;
    out[n++] = u2.x + u2.y;                                          // 15
    r = a, r += 1, r -= (int4)(0, 1, 2, 3), r %= 3;
    out[n++] = r.x + r.y + r.z + r.w;                                // 2%3+2%3+2%3+42%3
    r++;
    out[n++] = r.x;                                                  // 3
    r = -r;
    out[n++] = r.x;                                                  // -3
    float4 g = f;
    g.w = 4;
    g *= 2;
    g.xy = g.yx - 1;
    out[n++] = (int)g.x * 10000 + (int)g.y * 100 + (int)g.w;         // -5*10000 + 2*100 + 8

    // conversions and reinterpretation
    uchar4 u4 = convert_uchar4_sat((float4)(-5.0f, 254.5f, 254.6f, 1.2e9f));
    out[n++] = u4.x; out[n++] = u4.y; out[n++] = u4.z; out[n++] = u4.w;  // 0 254 254 255
    u4 = convert_uchar4_sat_rte((float4)(-5.0f, 254.5f, 254.6f, 1.2e9f));
    out[n++] = u4.x; out[n++] = u4.y; out[n++] = u4.z; out[n++] = u4.w;  // 0 254 255 255
    out[n++] = as_int(1.0f);                                         // 0x3f800000
    out[n++] = as_int((uchar4)(1, 2, 3, 4));                         // 0x04030201
    short2 s2 = as_short2(0x00020001);
    out[n++] = s2.x * 10 + s2.y;                                     // 12
    float3 f3 = as_float3((int4)(0x3f800000, 0x40000000, 0x40400000, 0));
    out[n++] = (int)(f3.x + f3.y * 10 + f3.z * 100);                 // 321
    out[n++] = as_int3(f3).y;                                        // 0x40000000
    int4 conv = convert_int4(f.xyyx * 3);
    out[n++] = conv.x * 100 + conv.y;                                // 394
    out[n++] = vec_step(a) + vec_step(t);                            // 8
    out[n] = n;
}
