// run: kernel=pack global=3 local=3
// arg: rgb uchar[9] = 1 2 3 4 5 6 7 8 9
// arg: out uchar4[3] = zeros
// want: out (3,2,1,255) (6,5,4,255) (9,8,7,255)
//
// vload3 needs no alignment; the fourth component of a 3-vector is used nowhere; a
// vector is set one component after the other.
kernel void pack(global const uchar *rgb, global uchar4 *out) {
    size_t i = get_global_id(0);
    uchar3 p = vload3(i, rgb);
    uchar4 v;
    v.xyz = p.zyx;
    v.w = 255;
    out[i] = v;
}
