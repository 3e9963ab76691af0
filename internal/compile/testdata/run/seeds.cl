// run: kernel=literals
// arg: out float4[9] = zeros
// arg: a float 1
// arg: b float 2
// arg: c float 3
// arg: d float 4
// want: out (1,2,3,4) (5,5,5,5) (1,2,3,4) (1,2,3,4) (1,2,3,4) (1,2,3,4) (1,2,3,4) (1,2,3,4) (1,1,1,1)
//
// run: kernel=components
// arg: out float4[11] = zeros
// arg: v float4 (1,2,3,4)
// arg: e float16 (0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15)
// want: out (1,2,1,4) (3,4,1,4) (3,4,5,4) (4,3,2,1) (1,1,2,2) (0,7,10,15)
// want: out (1,2,3,4) (1,2,0,0) (2,4,1,3) (10,11,9,15) (1,1,3,3)
//
// run: kernel=reinterpretation
// arg: out int4[8] = zeros
// arg: f float -2.5
// arg: u uint 0x3f800000
// arg: v float4 (1,2,3,4)
// arg: w float4 (2,1,4,3)
// want: out (0x40200000,0x3f800000,0,0) (0x3f800000,0x40000000,0x40400000,0x40800000) (-1,0,-1,0)
// want: out (0x3f800000,0,0x40400000,0) (0,0x3f80,0,0) (0,0x3f80,0,0x4000) (0,0x4040,0,0x4080) (0x3f800000,0x40000000,0x40400000,0)
//
// run: kernel=conversions
// arg: out int4[11] = zeros
// arg: f float4 (-5,254.5,254.6,1.2e9)
// arg: g float4 (2.5,3.5,-2.5,-0.75)
// arg: big float4 (3e9,-3e9,nan,2.5)
// arg: s short4 (-300,-128,127,300)
// arg: u uchar4 (0,127,128,255)
// arg: below float 0x1.fffffep-2
// want: out (0,127,128,255) (0,254,255,255) (0,254,255,65535) (0,0,127,300) (-128,-128,127,127)
// want: out (2,3,-2,0) (2147483647,-2147483648,0,2) (2,4,-2,-1) (2147483647,-2147483648,0,2) (1,0,0,-1) (212,128,127,44)
//
// run: kernel=to_float
// arg: out float4[4] = zeros
// arg: i int4 (16777217,-16777217,16777219,1)
// arg: d double 1e300
// want: out (16777216,-16777216,16777220,1) (16777218,-16777216,16777220,1) (inf,-inf,0x1.fffffep+127,0x1.fffffep+127) (inf,-0x1.fffffep+127,-0x1.fffffep+127,-inf)
//
// run: kernel=layout
// arg: out int[30] = zeros
// want: out 2 4 4 8 16  4 8 8 16 32  8 16 16 32 64  16 32 32 64 128  4 8 16 32 8 16 32 64 32 16
//
// What the seed texts say, with values that follow from the text or, for rounding and
// overflow, from IEEE 754. check/testdata/seeds holds what they say is legal and what not.
kernel void literals(global float4 *out, float a, float b, float c, float d) {
    out[0] = (float4)(a, b, c, d);
    uint4 u = (uint4)(5);
    out[1] = convert_float4(u);
    out[2] = (float4)((float2)(a, b), (float2)(c, d));
    out[3] = (float4)(a, (float2)(b, c), d);
    out[4] = (float4)((float2)(a, b), c, d);
    out[5] = (float4)(a, b, (float2)(c, d));
    out[6] = (float4)((float3)(a, b, c), d);
    out[7] = (float4)(a, (float3)(b, c, d));
    out[8] = (float4)(a);
}

kernel void components(global float4 *out, float4 v, float16 e) {
    float4 c;
    c.xyzw = v;
    c.z = 1.0f;
    out[0] = c;
    c.xy = (float2)(3.0f, 4.0f);
    out[1] = c;
    c.xyz = (float3)(3.0f, 4.0f, 5.0f);
    out[2] = c;
    out[3] = v.wzyx;
    out[4] = v.xxyy;
    out[5] = (float4)(e.s0, e.s7, e.sa, e.sF);
    float2 low = v.lo, high = v.hi;
    out[6] = (float4)(low, high);
    out[7] = (float4)(low.lo, low.hi, 0, 0);
    out[8] = (float4)(v.odd, v.even);
    e.sA = 9;
    out[9] = (float4)(e.hi.lo.hi.lo + 1, e.sB, e.sa, e.sf);
    float3 t = v.xyz;
    out[10] = (float4)(t.x, t.even.x, t.hi.x, t.z); // .hi.y is the fourth component, undefined
}

kernel void reinterpretation(global int4 *out, float f, uint u, float4 v, float4 w) {
    f = as_float(as_uint(f) & ~(1 << 31));
    out[0] = (int4)(as_int(f), as_int(as_float(u)), 0, 0);
    out[1] = as_int4(v);
    int4 is_less = v < w;
    out[2] = is_less;
    out[3] = as_int4(as_float4(as_int4(v) & is_less));
    short2 j = as_short2(as_int(v.x));
    out[4] = (int4)(j.x, j.y, 0, 0);
    short8 k = as_short8(as_int4(v));
    out[5] = convert_int4(k.lo);
    out[6] = convert_int4(k.hi);
    float3 g = as_float3(v);
    out[7] = (int4)(as_int(g.x), as_int(g.y), as_int(g.z), 0);
}

kernel void conversions(global int4 *out, float4 f, float4 g, float4 big, short4 s, uchar4 u, float below) {
    out[0] = convert_int4(u);
    out[1] = convert_int4(convert_uchar4_sat_rte(f));
    out[2] = convert_int4(convert_ushort4_sat_rte(f));
    out[3] = convert_int4(convert_ushort4_sat(s));
    out[4] = convert_int4(convert_char4_sat(s));
    out[5] = convert_int4(g);
    out[6] = convert_int4_sat(big);
    out[7] = convert_int4_rte(g);
    out[8] = convert_int4_sat_rte(big);
    // (int)(x + 0.5f) is no rounding: it fails below one half and for negative numbers.
    out[9] = (int4)((int)(below + 0.5f), convert_int_rte(below), (int)(g.w + 0.5f), convert_int_rte(g.w));
    out[10] = convert_int4(convert_uchar4(s)); // the least significant bits
}

kernel void to_float(global float4 *out, int4 i, double d) {
    out[0] = convert_float4(i);
    out[1] = convert_float4_rtp(i);
    // What is too large becomes infinite or the largest finite number, as the mode has it.
    out[2] = (float4)(convert_float(d), convert_float(-d), convert_float_rtz(d), convert_float_rtn(d));
    out[3] = (float4)(convert_float_rtp(d), convert_float_rtp(-d), convert_float_rtz(-d), convert_float_rtn(-d));
}

#define SIZES(T, n) out[n] = sizeof(T##2), out[n + 1] = sizeof(T##3), out[n + 2] = sizeof(T##4), out[n + 3] = sizeof(T##8), out[n + 4] = sizeof(T##16)
#define ALIGN(T) __builtin_offsetof(struct { char c; T x; }, x)

kernel void layout(global int *out) {
    SIZES(char, 0);
    SIZES(ushort, 5);
    SIZES(float, 10);
    SIZES(ulong, 15);
    out[20] = ALIGN(uchar3), out[21] = ALIGN(short3), out[22] = ALIGN(float3), out[23] = ALIGN(double3);
    out[24] = ALIGN(char8), out[25] = ALIGN(half8), out[26] = ALIGN(int8), out[27] = ALIGN(long8);
    struct { char c; float4 v; } s;
    out[28] = sizeof s, out[29] = __alignof__(s);
}
