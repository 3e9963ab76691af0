// run: kernel=shift global=8 local=8
// arg: out int[8] = zeros
//
// The last item reads behind the local array.
kernel void shift(global int *out) {
    local int line[8];
    int l = get_local_id(0);
    line[l] = l * l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = line[l + 1]; // FINDS out-of-bounds "at offset 32, outside the 32 bytes of the local memory of shift.line"
}
