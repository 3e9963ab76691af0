// The last gang of a padded row loads fields of structures, whose bounds are not those of single elements.
// run: kernel=fields global=48 local=24
// arg: o double[48] = zeros
// arg: s uchar[767] = zeros
struct S { float f; double d; };
kernel void fields(global double *o, global struct S *s) {
    local double t[24];
    uint l = get_local_id(0);
    t[l] = s[get_global_id(0)].d; // FINDS out-of-bounds "load of 8 bytes at offset 760, outside the 767 bytes of the global memory of s (argument 1) [work-item (47,0,0)"
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = t[23 - l];
}
