// run: global=20
// arg: x float[20] = nan inf -inf -1.0 -0.5 0.5 1.5 127.5 -128.5 -129.0 254.5 255.5 256.0 32767.5 -32768.5 65535.5 65536.0 1000000000.0 -1000000000.0 0.49999997
// arg: uchar_out uchar4[20] = zeros
// arg: char_out char4[20] = zeros
// arg: ushort_out ushort4[20] = zeros
// arg: short_out short4[20] = zeros
// want: uchar_out (0,0,0,0) (255,255,255,255) (0,0,0,0) (0,0,0,0) (0,0,0,0) (0,0,0,1) (2,1,1,2) (128,127,127,128) (0,0,0,0) (0,0,0,0) (254,254,254,255) (255,255,255,255) (255,255,255,255) (255,255,255,255) (0,0,0,0) (255,255,255,255) (255,255,255,255) (255,255,255,255) (0,0,0,0) (0,0,0,1)
// want: char_out (0,0,0,0) (127,127,127,127) (-128,-128,-128,-128) (-1,-1,-1,-1) (0,0,-1,0) (0,0,0,1) (2,1,1,2) (127,127,127,127) (-128,-128,-128,-128) (-128,-128,-128,-128) (127,127,127,127) (127,127,127,127) (127,127,127,127) (127,127,127,127) (-128,-128,-128,-128) (127,127,127,127) (127,127,127,127) (127,127,127,127) (-128,-128,-128,-128) (0,0,0,1)
// want: ushort_out (0,0,0,0) (65535,65535,65535,65535) (0,0,0,0) (0,0,0,0) (0,0,0,0) (0,0,0,1) (2,1,1,2) (128,127,127,128) (0,0,0,0) (0,0,0,0) (254,254,254,255) (256,255,255,256) (256,256,256,256) (32768,32767,32767,32768) (0,0,0,0) (65535,65535,65535,65535) (65535,65535,65535,65535) (65535,65535,65535,65535) (0,0,0,0) (0,0,0,1)
// want: short_out (0,0,0,0) (32767,32767,32767,32767) (-32768,-32768,-32768,-32768) (-1,-1,-1,-1) (0,0,-1,0) (0,0,0,1) (2,1,1,2) (128,127,127,128) (-128,-128,-129,-128) (-129,-129,-129,-129) (254,254,254,255) (256,255,255,256) (256,256,256,256) (32767,32767,32767,32767) (-32768,-32768,-32768,-32768) (32767,32767,32767,32767) (32767,32767,32767,32767) (32767,32767,32767,32767) (-32768,-32768,-32768,-32768) (0,0,0,1)
//
// Saturating conversions to narrow integers in all rounding modes.
kernel void k(global const float *x, global uchar4 *uchar_out, global char4 *char_out, global ushort4 *ushort_out, global short4 *short_out) {
    int i = get_global_id(0);
    float f = x[i];
    uchar_out[i] = (uchar4)(convert_uchar_sat_rte(f), convert_uchar_sat_rtz(f), convert_uchar_sat_rtn(f), convert_uchar_sat_rtp(f));
    char_out[i] = (char4)(convert_char_sat_rte(f), convert_char_sat_rtz(f), convert_char_sat_rtn(f), convert_char_sat_rtp(f));
    ushort_out[i] = (ushort4)(convert_ushort_sat_rte(f), convert_ushort_sat_rtz(f), convert_ushort_sat_rtn(f), convert_ushort_sat_rtp(f));
    short_out[i] = (short4)(convert_short_sat_rte(f), convert_short_sat_rtz(f), convert_short_sat_rtn(f), convert_short_sat_rtp(f));
}
