// Kernels that never end.
int again(int x) { while (x != 3) x ^= 1 << 30; return x; }
kernel void forever(global int* a) { int i = get_global_id(0); while (a[0] == 0 || i < 1000000) { i ^= 1; } a[i & 63] = 1; }
kernel void nothing(global int* a) { while (1) {} }
kernel void uniform_(global int* a) { for (uint k = 0;; k++) a[0] = k; }
kernel void half_(global int* a) { int i = get_global_id(0); if (i & 1) for (;;) a[i & 63]++; a[i & 63] = 1; }
kernel void last(global int* a) { int i = get_global_id(0), n = get_global_size(0); while (i == n - 1) a[i & 63]++; }
kernel void barriers(global int* a) { for (;;) { a[get_local_id(0) & 63]++; barrier(CLK_GLOBAL_MEM_FENCE); } }
kernel void jumps(global int* a) { int i = get_global_id(0); L: a[i & 63]++; if (i & 1) goto M; i += 2; goto L; M: i += 1; goto L; }
kernel void nested(global int* a) { int i = get_global_id(0); for (;;) for (int k = 0; k < 100; k++) { if (k == i) break; a[i & 63] += k; } }
kernel void nested2(global int* a) { int i = get_global_id(0); for (int k = 0; k < 2000000000; k++) for (int j = 0; j < 2000000000; j++) a[i & 63] ^= j * k; }
kernel void waits(volatile global int* a) { while (atomic_add(a, 0) == 0) ; }
kernel void counts(volatile global int* a) { for (;;) atomic_inc(a + (get_global_id(0) & 7)); }
kernel void spins(global int* a) { volatile local int l; if (get_local_id(0) == 0) l = 0; barrier(CLK_LOCAL_MEM_FENCE); while (l == 0) ; a[0] = 1; }
kernel void calls(global int* a) { int i = get_global_id(0); a[i & 63] = again(i + 4); }
kernel void privates(global int* a) { int t[16]; int i = get_global_id(0); for (int k = 0; k < 16; k++) t[k] = k; for (int k = i;; k++) t[k & 15] += t[(k * 3) & 15]; }
kernel void floats(global float* a) { float x = get_global_id(0); do x = x * 0.5f + 1.0f; while (x < 3.0f); a[0] = x; }
kernel void switches(global int* a) { int s = get_global_id(0) & 3; for (;;) switch (s) { case 0: s = 2; continue; case 1: s = 3; break; default: s = 0; } }
