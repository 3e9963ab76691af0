// Kernels that reach for memory that is not theirs. A line is a kernel: a fault must name
// its line.
constant int table[4] = {1, 2, 3, 4};
global int counter = 5;
struct S { int a; global int *p; int4 v; };
kernel void past(global int* a, int n) { a[get_global_id(0) + n] = 7; }
kernel void before(global int* a, int n) { a[(int)get_global_id(0) - n] = 7; }
kernel void readpast(global int* a, int n) { int i = get_global_id(0); a[i & 63] = a[i + n] + 1; }
kernel void huge(global int* a, int n) { long i = get_global_id(0); a[i + (1L << 61) + n] = 3; }
kernel void huge2(global int* a, int n) { ulong i = get_global_id(0); a[i * 0x8000000000000001UL * n] = 3; }
kernel void wrap(global int* a, int n) { int i = (int)get_global_id(0) + 0x7ffffff0 + n; a[i] = 3; }
kernel void wrap2(global char* a, int n) { uint i = (uint)get_global_id(0) + 0xfffffff8u + n; a[i] = 3; }
kernel void wrap3(global int* a, int n) { int i = (int)get_global_id(0) + 0x7ffffff8 + n; a[(long)i + (long)(-0x7ffffff8 - n)] = 3; }
kernel void wrap4(global int* a, int n) { int i = (int)get_global_id(0) + 0x7ffffff8; (a + (-0x7ffffff8L - (long)n * 0))[i] = 3; }
kernel void scattered(global int* a, int n) { int i = get_global_id(0); a[i * i * n] = i; }
kernel void far(global int* a, int n) { int i = get_global_id(0); a[i * 12345 * n - 99] = i; }
kernel void wild(global int* a, int n) { global int* p = (global int*)((ulong)a + ((ulong)get_global_id(0) << 40) * n); *p = 5; }
kernel void wild2(global int* a, int n) { global int* p = (global int*)(0x123456789abcdefUL * n); *p = 5; }
kernel void null(global int* a, int n) { global int* p = (global int*)(ulong)(n - n); p[get_global_id(0)] = 5; }
kernel void konst(global int* a, int n) { *(global int*)(ulong)(table + (n & 3)) = 5; }
kernel void misaligned(global int* a, int n) { int i = get_global_id(0); *(global int4*)((global char*)a + i * 17 % 61) = (int4)(i, n, i, n); }
kernel void vectors(global int4* a, int n) { a[get_global_id(0) + n] = (int4)(1, 2, 3, 4); }
kernel void vectors3(global int* a, int n) { int i = get_global_id(0); int3 v = vload3(i * n + (1 << 22), a); vstore3((int3)(1, 2, 3) + v, i + n, a); }
kernel void chars(global uchar4* a, int n) { int i = get_global_id(0); a[i + n] = a[n * i].zyxw; }
kernel void longs(global long* a, int n) { int i = get_global_id(0); a[i * n] = i; }
kernel void private_(global int* a, int n) { int t[8]; int i = get_global_id(0); for (int k = 0; k < 8; k++) t[k] = i + k; t[(i * n) & 31] = 3; a[i & 63] = t[n] + t[i & 7]; }
kernel void local_(global int* a, int n) { local int t[16]; int l = get_local_id(0); t[l * n] = l; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t[(l + n) & 31]; }
kernel void some(global int* a, int n) { int i = get_global_id(0); if (i & 1) a[i * n] = 1; else if (i > 9) a[i + n] = 2; }
kernel void divide(global int* a, int n) { int i = get_global_id(0); a[i] = (i * 100 - 3) / (i % n - 1) + 7 % (n - i) + (int)0x80000000 / (i - 5) + (int)0x80000000 % (n - n - 1); }
kernel void atomics(global int* a, int n) { int i = get_global_id(0); atomic_add(a + i * n, i); }
kernel void guarded(global int* a, int n) { int i = get_global_id(0); if (i > 2 && i < 39) { if (i < 35) a[i + n] = 1; else a[i + n] = 2; } else a[i + n] = 3; }
kernel void striding(global int* a, int n) { for (int i = get_global_id(0); i < 70; i += 64) a[i] += n; }
kernel void uniform_(global int* a, int n) { a[n * 8] = 3; a[32 + (get_global_id(0) & 31)] = a[n * 10]; }
kernel void other(global int* a, global int* b, int n) { int i = get_global_id(0); global int* p = n & 1 ? a : b; p[i + n] = i; }
kernel void between(global int* a, global int* b, int n) { int i = get_global_id(0); long d = (long)((ulong)b - (ulong)a); *(global int*)((global char*)a + d + n) = i; }
kernel void forged(global int* a, global int* b, int n) { int i = get_global_id(0); global int* p = (global int*)((ulong)a + ((ulong)(n & 7) << 40)); p[i] = 9; }
kernel void stored(global ulong* a, int n) { int i = get_global_id(0); *(global int*)a[i & 31] = n; }
kernel void stored2(global int* a, global int* b, int n) { int i = get_global_id(0); struct S s; s.p = i & 1 ? a + n : b - n; s.p[i & 15] = 4; }
kernel void negative(global int* a, int n) { long i = get_global_id(0); a[-i - n] = 1; a[-1] = 2; }
kernel void least(global int* a, int n) { long i = get_global_id(0); a[(long)0x8000000000000000UL + i * n] = 1; }
kernel void most(global int* a, int n) { ulong i = get_global_id(0); a[0x7fffffffffffffffUL - i * n] = 1; }
kernel void round_(global int* a, int n) { ulong i = get_global_id(0); a[(1UL << 62) * (n & 3) + i] = 1; }
kernel void bytes(global uchar* a, int n) { int i = get_global_id(0); for (int k = 0; k < 8; k++) a[(i << 3) + k + n] = k; }
kernel void shorts(global short2* a, int n) { int i = get_global_id(0); a[i * n + 2] += (short2)(i, 1); }
kernel void doubles(global double4* a, int n) { int i = get_global_id(0); a[i + n] = a[i - n] * 2.0; }
kernel void sixteen(global int16* a, int n) { int i = get_global_id(0); a[i + (n & 7)] = (int16)(n); }
kernel void oddly(global char* a, int n) { int i = get_global_id(0); *(global double2*)(a + i * 7 + (n & 15)) = (double2)(i, n); }
kernel void oddly2(global char* a, int n) { int i = get_global_id(0); int8 v = vload8(i, (global int*)(a + 1 + (n & 3))); vstore8(v + 1, 0, (global int*)(a + (n & 127))); }
kernel void halves(global half* a, int n) { int i = get_global_id(0); float4 f = vload_half4(i * n, a); vstore_half4_rtz(f + 1.0f, i + n, a); vstorea_half3(f.xyz, i + n, a); }
kernel void structs(global struct S* a, int n) { int i = get_global_id(0); struct S s = a[i + n]; s.v.y = n; a[i - n] = s; }
kernel void field(global struct S* a, int n) { int i = get_global_id(0); a[i].v.z = n; a[n].a += a[i & 3].v.w; }
kernel void atomics2(volatile global int* a, int n) { int i = get_global_id(0); atomic_max(&a[i + n], i); atomic_cmpxchg(a - i * n, 0, 5); atomic_xchg(&a[(i & 3) * n], 1); }
kernel void atomics3(volatile global long* a, int n) { int i = get_global_id(0); atom_add((volatile global long*)((volatile global char*)a + i * 8 + (n & 7)), 1L); }
kernel void atomics4(volatile local int* l, global int* a, int n) { int i = get_local_id(0); if (i < 16) l[i] = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_add(&l[i * n], 1); barrier(CLK_LOCAL_MEM_FENCE); if (i < 16) a[i] = l[i]; }
kernel void locals(local int* l, global int* a, int n) { local int t[16]; int i = get_local_id(0); if (i < 16) t[i] = l[i] = i; barrier(CLK_LOCAL_MEM_FENCE); if (i == 0) l[16 + (n & 31)] = 77; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0) & 63] = t[i & 15]; }
kernel void locals2(local int4* l, global int* a, int n) { int i = get_local_id(0); l[i + n] = (int4)(i); a[i & 63] = l[(i * n) & 7].x; }
kernel void crossed(local int* l, global int* a, int n) { global int* p = (global int*)(ulong)l; p[n & 15] = 3; local int* q = (local int*)(ulong)a; q[get_local_id(0)] = n; }
kernel void privates(global int* a, int n) { int t[4] = {1, 2, 3, 4}, u[4] = {5, 6, 7, 8}; int i = get_global_id(0); t[i & 7] = n; u[3 - (n & 7)] = i; a[i & 63] = u[i & 3] + t[i & 3]; }
kernel void privates2(global int* a, int n) { int4 t[3] = {(int4)(1), (int4)(2), (int4)(3)}; int i = get_global_id(0); int* p = (int*)t; p[i + n] = 9; p[-1 - (i & 1)] = 8; a[i & 63] = t[i % 3].y; }
kernel void privates3(global int* a, int n) { char t[64]; int i = get_global_id(0); for (int k = 0; k < 64; k++) t[k] = k; *(long4*)(t + i * 3 + (n & 31)) = (long4)(i); a[i & 63] = t[i & 63] + *(short*)(t + (n & 127)); }
kernel void escaped(global ulong* a, int n) { int x[2] = {1, 2}; int i = get_global_id(0); a[i & 31] = (ulong)(x + n) & 1; int* p = (int*)((ulong)x + (ulong)n * 8); *p = 7; a[(i + 1) & 31] = x[0] + x[1] == 3 ? 2 : 3; }
kernel void deep(global int* a, int n) { int t[20000]; int i = get_global_id(0); for (int k = 0; k < 20000; k += 1000) t[k] = i + k; t[n & 0xffff] = 3; a[i & 63] = t[(i & 15) * 1000]; }
kernel void generics(global int* a, int n) { int x = 4; int i = get_global_id(0); int* p = (i + n) & 1 ? (int*)(a + i) : &x; p[n & 3] = 5; a[i & 63] = x; }
kernel void generics2(global int* a, local int* l, int n) { int i = get_global_id(0); int* p = n & 1 ? (int*)a : (int*)l; p[(i + n) & 127] = 6; global int* q = to_global(p); if (q) q[i & 63] = 1; }
kernel void variable(global int* a, int n) { global int* p = &counter + (n & 1) * (get_global_id(0) + 1); a[get_global_id(0) & 63] = *p & 0; }
kernel void tables(global int* a, int n) { int i = get_global_id(0); a[i & 63] = table[i + n] + table[(n >> 3) & 3]; }
kernel void copied(global struct S* a, int n) { int i = get_global_id(0); struct S s[2] = {{1}, {2}}; s[(n + i) & 3] = a[i & 3]; a[(i + n) & 7] = s[0]; }
kernel void asynchronous(local int* l, global int* a, int n) { event_t e = async_work_group_copy(l, a + n, (size_t)(n & 31), 0); wait_group_events(1, &e); barrier(CLK_LOCAL_MEM_FENCE); a[get_local_id(0) & 15] = l[get_local_id(0) & 15] & 0; }
kernel void looped(global int* a, int n) { int s = 0; for (int k = 0; k < 70; k++) s += a[k * (n & 3)]; a[get_global_id(0) & 63] = s; }
kernel void looped2(global int* a, int n) { global int* p = a + (get_global_id(0) & 3); for (int k = 0; k < 40; k++) { *p = k; p += n & 7; } }
kernel void looped3(global float4* a, int n) { int i = get_global_id(0); for (int k = 4; k > -4; k--) a[(i & 7) + k].xz = (float2)(n); }
kernel void hidden(global int* a, int n) { int i = get_global_id(0); if (i > 100) a[i * 100000 + n] = 1; if (n < 0) a[(i & 3) - 1] = 2; }
kernel void switched(global int* a, int n) { int i = get_global_id(0); switch ((i + n) & 3) { case 0: a[i + 40] = 1; break; case 1: a[i - 10] = 2; break; case 2: return; default: a[n] = 4; } }
kernel void divides(global int* a, int n) { int i = get_global_id(0); long x = (long)i << 40, y = n - (n & -n), z = -1; a[i & 63] = (int)(x / y + x % y + ((long)1 << 63) / z + ((long)1 << 63) % z + (ulong)x / (ulong)y); }
kernel void divides2(global int* a, int n) { int i = get_global_id(0); char4 x = (char4)(-128, i, 7, -1); short3 y = (short3)(-32768, i, n); uchar2 z = (uchar2)(n); a[i & 63] = (int)(x / (char4)(-1, 0, n, 0)).x + (y % (short3)(-1, 0, 0)).y + (x % (char4)(0)).z + (z / (uchar2)(0, n)).x; }
kernel void shifts(global int* a, int n) { int i = get_global_id(0); a[i & 63] = (i << n) + (i >> (n + 33)) + (int)((long)i << (n * 70)) + ((char)i >> (n & 63)) + ((short4)(i) << (short4)(n)).x; }
kernel void converts(global int* a, int n) { int i = get_global_id(0); float f = n * 1e30f * i; double d = -1e300 * n * i; a[i & 63] = (int)f + convert_uchar(f) + (int)(long)d + convert_short_sat(d) + (int)convert_ulong_rtz(f); }
