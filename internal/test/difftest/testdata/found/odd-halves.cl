// Elements of two bytes at odd addresses of a local array, all of which are in bounds.
// run: kernel=k global=10
// arg: o ushort[10] = zeros
kernel void k(global ushort *o) {
    uint i = get_global_id(0), l = get_local_id(0);
    local uchar e[189];
    *(local ushort *)(e + l * 3) = (ushort)(i * 1000 + 77);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = *(local ushort *)(e + l * 3);
}
