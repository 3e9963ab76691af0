// run: kernel=load4 global=4 local=4
// arg: bytes uchar[32] = range
// arg: out uint[4] = zeros
//
// Words read through a cast at places where vload belongs.
kernel void load4(global const uchar *bytes, global uint *out) {
    size_t i = get_global_id(0);
    uint4 v = *(global const uint4 *)(bytes + 4 * i); // FINDS misaligned "load of 16 bytes at offset 4"
    out[i] = v.x;
}
