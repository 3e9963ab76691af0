// Kernels that ask for more memory than there may be.
kernel void locals(global int* a, int n) { local int t[1 << 24]; int i = get_local_id(0); t[i + n] = i; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[i + n]; }
kernel void locals2(global int* a, int n) { local int t[1 << 28]; int i = get_local_id(0); t[i + n] = i; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[i + n]; }
kernel void privates(global int* a, int n) { int t[1 << 17]; int i = get_local_id(0); t[i] = i; t[i + n] += 5; a[i] = t[i * 3]; }
kernel void privates2(global int* a, int n) { int t[1 << 20]; int i = get_local_id(0); t[i] = i; t[i + n] += 5; a[i] = t[i * 3]; }
kernel void privates3(global int* a, int n) { int t[1 << 28]; int i = get_local_id(0); t[i] = i; t[i + n] += 5; a[i] = t[i * 3]; }
