// run:
// arg: f float4[6] = zeros
// arg: d double4[2] = zeros
// arg: c char4[2] = (-1,2,-128,127) (-7,5,-2,100)
// arg: s short4[2] = (-1,2,-32768,32767) (-7,5,-2,100)
// want: f (4294967296,2,4294967168,127) (4294967296,5,4294967296,100) (4294967296,2,4294934528,32767) (4294967296,5,4294967296,100) (-1,2,-128,127) (-7,5,-2,100)
// want: d (4294967295,2,4294967168,127) (4294967289,5,4294967294,100)
//
// Vectors of narrow integers with a sign, converted to floats as unsigned integers of more bits: assemblers and
// back ends that make one instruction of load, extension and conversion must not take the sign.
kernel void k(global float4 *f, global double4 *d, global const char4 *c, global const short4 *s) {
    for (int i = 0; i < 2; i++) {
        f[i] = convert_float4(convert_uint4(c[i]));
        f[i + 2] = convert_float4(convert_uint4(s[i]));
        f[i + 4] = convert_float4(c[i]);
        d[i] = convert_double4(convert_uint4(c[i]));
    }
}
