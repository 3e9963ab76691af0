// run:
// arg: in float3[2] = (1,2,3) (-1,-2,-3)
// arg: out int4[4] = zeros
// want: out (0x3f800000,0x40000000,0x40400000,7) (-1082130432,-1073741824,-1069547520,7) (1,2,3,7) (1,2,3,7)
//
// as_type of 3 components to another number (docs/decisions/0004): memory order.
// Nothing here looks at the component that the operand lacks.
kernel void k(global float3 *in, global int4 *out) {
    out[0] = (int4)(as_int4(in[0]).xyz, 7);
    out[1] = (int4)(as_int4(in[1]).xyz, 7);
    out[2] = (int4)(as_int4(as_float3((int3)(1, 2, 3))).xyz, 7);
    char3 c = (char3)(in[0].x, in[0].y, in[0].z);
    out[3] = (int4)(convert_int4(as_uchar4(c)).xyz, 7);
}
