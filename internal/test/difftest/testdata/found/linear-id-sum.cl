// A sum of the linear local id and a local id is not the linear local id, also if rows have one work-item.
// run: kernel=k global=1,4 local=1,4 -cl-std=CL3.0
// arg: o uint[4] = zeros
// want: o 0 2 4 6
kernel void k(global uint *o) {
    o[get_global_id(1)] = get_local_id(1) + get_local_linear_id();
    barrier(CLK_LOCAL_MEM_FENCE);
}
