// run:
// arg: out char2[2] = zeros
// arg: f float2[1] = zeros
// arg: c char2 (-1,1)
// arg: a char 5
// arg: b char 7
// want: out (5,7) (7,5)
// want: f (2.5,1)
//
// ?: with a vector condition and scalars of one type, which are widened as they are
// (OpenCL C, "Ternary Selection Operator", 6.5.9).
kernel void k(global char2 *out, global float2 *f, char2 c, char a, char b) {
    out[0] = c ? a : b;
    out[1] = ~c ? a : b;
    f[0] = (int2)(-1, 1) ? 2.5f : 1.0f;
}
