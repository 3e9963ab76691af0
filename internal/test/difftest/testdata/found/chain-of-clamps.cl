// Minima and maxima of sums with several uses: analyses that visit a value once for each path to it do not end.
// run: kernel=k global=64 local=64
// arg: out int[256] =
// arg: in int[64] =
// arg: n int 3
// arg: m int 5
kernel __attribute__((reqd_work_group_size(64,1,1))) void k(global int *out, global const int *in, int n, int m) {
 local int t[256]; int l = get_local_id(0), g = get_global_id(0), u = get_group_id(0); int a = g, b = l;
 a = max(a, b + 1); b = (int)(uint)(b + a) % 64;
 a = a + b; b = (int)(uint)(b + a) % 64;
 a = a + b; b = b + a;
 a = (int)(uint)(a + b) % 64; b = max(b, a + 1);
 a = (int)(uint)(a + b) % 64; b = max(b, a + 1);
 a = (int)(uint)(a + b) % 64; b = max(b, a + 1);
 a = (int)(uint)(a + b) % 64; b = b + a;
 a = a + b; b = b + a;
 a = max(a, b + 1); b = (int)(uint)(b + a) % 64;
 a = max(a, b + 1); b = max(b, a + 1);
 a = (int)(uint)(a + b) % 64; b = b + a;
 a = (int)(uint)(a + b) % 64; b = max(b, a + 1);
 a = a + b; b = (int)(uint)(b + a) % 64;
 a = (int)(uint)(a + b) % 64; b = (int)(uint)(b + a) % 64;
 a = (int)(uint)(a + b) % 64; b = b + a;
 a = a + b; b = b + a;
 a = a + b; b = max(b, a + 1);
 a = a + b; b = b + a;
 a = (int)(uint)(a + b) % 64; b = max(b, a + 1);
 a = max(a, b + 1); b = b + a;
 a = a + b; b = b + a;
 a = a + b; b = (int)(uint)(b + a) % 64;
 a = (int)(uint)(a + b) % 64; b = max(b, a + 1);
 a = max(a, b + 1); b = b + a;
 a = a + b; b = (int)(uint)(b + a) % 64;
 a = max(a, b + 1); b = (int)(uint)(b + a) % 64;
 a = a + b; b = (int)(uint)(b + a) % 64;
 a = max(a, b + 1); b = b + a;
 a = a + b; b = b + a;
 a = max(a, b + 1); b = (int)(uint)(b + a) % 64;
 a = max(a, b + 1); b = max(b, a + 1);
 a = (int)(uint)(a + b) % 64; b = (int)(uint)(b + a) % 64;
 a = max(a, b + 1); b = max(b, a + 1);
 a = (int)(uint)(a + b) % 64; b = b + a;
 a = max(a, b + 1); b = max(b, a + 1);
 a = max(a, b + 1); b = max(b, a + 1);
 a = max(a, b + 1); b = (int)(uint)(b + a) % 64;
 a = a + b; b = max(b, a + 1);
 a = (int)(uint)(a + b) % 64; b = b + a;
 a = a + b; b = (int)(uint)(b + a) % 64;
 t[l & 255] = a; barrier(CLK_LOCAL_MEM_FENCE); if (l < n) out[g] = t[a & 255] + b; barrier(CLK_LOCAL_MEM_FENCE); out[64 + l] = t[l & 255] + b; }