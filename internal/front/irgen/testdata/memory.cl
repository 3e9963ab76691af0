// test:
// Components of vectors in memory are accessed by themselves, whole vectors where several apart are read.
void f(global float4 *p, global float3 *q) { p->x = p->w; p->yz = p->zw; q->hi = p->xz; *q = q[1]; }
// want:
func @f(v0 ptr.global, v1 ptr.global) {
b0 "entry":
  v2 = const i64 12
  v3 = ptradd ptr.global v0, v2
  v4 = load f32 v3 align=4
  store v0, v4 align=4
  v6 = const i64 8
  v7 = ptradd ptr.global v0, v6
  v8 = load v2f32 v7 align=8
  v9 = const i64 4
  v10 = ptradd ptr.global v0, v9
  store v10, v8 align=4
  v12 = load v4f32 v0 align=16
  v13 = shuffle v2f32 v12, v12 lanes=0:2
  v14 = extract f32 v13 lane=0
  v15 = ptradd ptr.global v1, v6
  store v15, v14 align=4
  v17 = const i64 16
  v18 = ptradd ptr.global v1, v17
  v19 = load v3f32 v18 align=16
  store v1, v19 align=16
  return
}

// test:
// An automatic vector is stored whole.
float4 f(float2 a, int i) { float4 v = (float4)(a, a.x, 1); v.wx = a; v[i] = v.y; v.s1 += 2; return v; }
// want:
func @f(v0 v2f32, v1 i32) v4f32 {
b0 "entry":
  v2 = alloca ptr.private size=16 align=16 name="v" type="float4"
  v3 = extract f32 v0 lane=0
  v4 = const f32 1
  v5 = extract f32 v0 lane=0
  v6 = extract f32 v0 lane=1
  v7 = vec v4f32 v5, v6, v3, v4
  store v2, v7 align=16
  v9 = load v4f32 v2 align=16
  v10 = shuffle v4f32 v9, v0 lanes=5:1:2:4
  store v2, v10 align=16
  v12 = load v4f32 v2 align=16
  v13 = extract f32 v12 lane=1
  v14 = convert.implicit u64 v1
  v15 = load v4f32 v2 align=16
  v16 = insertdyn v4f32 v15, v14, v13
  store v2, v16 align=16
  v18 = const f32 2
  v19 = load v4f32 v2 align=16
  v20 = extract f32 v19 lane=1
  v21 = add f32 v20, v18
  v22 = load v4f32 v2 align=16
  v23 = insert v4f32 v22, v21 lane=1
  store v2, v23 align=16
  v25 = load v4f32 v2 align=16
  return v25
}

// test:
// Records: arguments are copies, results go through a hidden parameter, assignment copies memory.
typedef struct { int x; char c[3]; float4 v; } S;
S f(S s, int i) { s.c[i] = 1; S t = s; t.x = s.x; return t; }
void g(global S *p) { *p = f(*p, f(p[1], 2).x); }
// want:
func @f(v0 ptr.private, v1 ptr.private, v2 i32) {
b0 "entry":
  v9 = alloca ptr.private size=32 align=16 name="t" type="S"
  v3 = const i8 1
  v4 = const i64 4
  v5 = ptradd ptr.private v1, v4
  v6 = convert.implicit i64 v2
  v7 = ptradd ptr.private v5, v6
  store v7, v3 align=1
  memcopy v9, v1 size=32
  v11 = load i32 v1 align=4
  store v9, v11 align=4
  memcopy v0, v9 size=32
  return
}

func @g(v0 ptr.global) {
b0 "entry":
  v1 = alloca ptr.private size=32 align=16 type="S"
  v2 = alloca ptr.private size=32 align=16 type="S"
  v4 = alloca ptr.private size=32 align=16 type="S"
  v5 = alloca ptr.private size=32 align=16 type="S"
  memcopy v2, v0 size=32
  v6 = const i64 32
  v7 = ptradd ptr.global v0, v6
  memcopy v5, v7 size=32
  v9 = const i32 2
  call @f v4, v5, v9
  v11 = load i32 v4 align=4
  call @f v1, v2, v11
  memcopy v0, v1 size=32
  return
}

// test:
// A kernel's record lies in constant memory; it is copied only if it is changed or indexed.
typedef struct { int x, y; } P;
kernel void k(P p, P q, global int *out) { q.x++; *out = p.y + q.x; }
// want:
kernel @k(v0 ptr.constant, v1 ptr.constant, v2 ptr.global) {
  arg kind=struct name="p" typename="P" size=8 align=4 layout="{x@0:i32 y@4:i32}8"
  arg kind=struct name="q" typename="P" size=8 align=4 layout="{x@0:i32 y@4:i32}8"
  arg kind=global name="out" typename="int*" size=4 align=4 elem=i32
b0 "entry":
  v3 = alloca ptr.private size=8 align=4 name="q" type="P"
  memcopy v3, v1 size=8
  v5 = load i32 v3 align=4
  v6 = const i32 1
  v7 = add i32 v5, v6
  store v3, v7 align=4
  v9 = const i64 4
  v10 = ptradd ptr.constant v0, v9
  v11 = load i32 v10 align=4
  v12 = load i32 v3 align=4
  v13 = add i32 v11, v12
  store v2, v13 align=4
  return
}

// test:
// A kernel that is called like a function is a body with an entry of its own.
typedef struct { int x, y; } P;
kernel void inner(P p, global int *out) { *out = p.y; }
kernel void outer(P p, global int *out) { inner(p, out); }
// want:
func @inner.body(v0 ptr.private, v1 ptr.global) {
b0 "entry":
  v2 = const i64 4
  v3 = ptradd ptr.private v0, v2
  v4 = load i32 v3 align=4
  store v1, v4 align=4
  return
}

kernel @outer(v0 ptr.constant, v1 ptr.global) {
  arg kind=struct name="p" typename="P" size=8 align=4 layout="{x@0:i32 y@4:i32}8"
  arg kind=global name="out" typename="int*" size=4 align=4 elem=i32
b0 "entry":
  v2 = alloca ptr.private size=8 align=4 type="P"
  memcopy v2, v0 size=8
  call @inner.body v2, v1
  return
}

kernel @inner(v0 ptr.constant, v1 ptr.global) {
  arg kind=struct name="p" typename="P" size=8 align=4 layout="{x@0:i32 y@4:i32}8"
  arg kind=global name="out" typename="int*" size=4 align=4 elem=i32
b0 "entry":
  v2 = alloca ptr.private size=8 align=4 type="P"
  memcopy v2, v0 size=8
  call @inner.body v2, v1
  return
}

// test:
// Initializers: bytes and relocations; equal strings are one; long private tables are copied.
constant int a[3] = {1, [2] = 3};
constant int *constant p[] = {a + 1, 0, &a[2]};
constant struct { char c; constant char *s; float2 v; } r = {'x', "hi", (float2)(1, 2)};
char f(int i) { char t[8] = {1, 2, 3, 4, 5, 6, 7, 8}; int u[3] = {i}; return t[i] + u[1] + "hi"[i] + *p[0]; }
// want:
global @a ptr.constant size=12 align=4 type="int[3]" init=010000000000000003
global @p ptr.constant size=24 align=8 type="__constant int *[3]" init=000000000000000000000000000000000000000000000000 reloc=0:@a+4 reloc=16:@a+8
global @r ptr.constant size=24 align=8 type="struct (anonymous)" init=780000000000000000000000000000000000803f00000040 reloc=8:@.str
global @.str ptr.constant size=3 align=1 type="char[3]" init=686900
global @f.init ptr.constant size=8 align=1 type="char[8]" init=0102030405060708

func @f(v0 i32) i8 {
b0 "entry":
  v1 = alloca ptr.private size=8 align=1 name="t" type="char[8]"
  v4 = alloca ptr.private size=12 align=4 name="u" type="int[3]"
  v2 = global ptr.constant @f.init
  memcopy v1, v2 size=8
  memzero v4 size=12
  store v4, v0 align=4
  v7 = convert.implicit i64 v0
  v8 = ptradd ptr.private v1, v7
  v9 = load i8 v8 align=1
  v10 = convert.implicit i32 v9
  v11 = const i64 4
  v12 = ptradd ptr.private v4, v11
  v13 = load i32 v12 align=4
  v14 = add i32 v10, v13
  v15 = global ptr.constant @.str
  v16 = convert.implicit i64 v0
  v17 = ptradd ptr.constant v15, v16
  v18 = load i8 v17 align=1
  v19 = convert.implicit i32 v18
  v20 = add i32 v14, v19
  v21 = global ptr.constant @p
  v22 = load ptr.constant v21 align=8
  v23 = load i32 v22 align=4
  v24 = add i32 v20, v23
  v25 = convert.implicit i8 v24
  return v25
}

// test: -cl-std=CL3.0
// Local memory, pointers to it as generic ones, pointer difference.
long d(int *a, int *b) { return a - b; }
kernel void k(global long *out) { local int l[4]; *out = d(&l[3], l) + (l == 0); }
// want:
global @k.l ptr.local size=16 align=4 type="int[4]"

func @d(v0 ptr.generic, v1 ptr.generic) i64 {
b0 "entry":
  v2 = bitcast i64 v0
  v3 = bitcast i64 v1
  v4 = sub i64 v2, v3
  v5 = const i64 4
  v6 = div i64 v4, v5
  return v6
}

kernel @k(v0 ptr.global) {
  arg kind=global name="out" typename="long*" size=8 align=8 elem=i64
b0 "entry":
  v1 = global ptr.local @k.l
  v2 = const i64 12
  v3 = ptradd ptr.local v1, v2
  v4 = ptrcast ptr.generic v3
  v5 = global ptr.local @k.l
  v6 = ptrcast ptr.generic v5
  v7 = call i64 @d v4, v6
  v8 = global ptr.local @k.l
  v9 = const ptr.local 0x0
  v10 = eq bool v8, v9
  v11 = convert i32 v10
  v12 = convert.implicit i64 v11
  v13 = add i64 v7, v12
  store v0, v13 align=8
  return
}

// test:
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
struct B { uint a : 3; int b : 7; };
int f(struct B *p) { p->a = 9; return p->b; }
// want:
func @f(v0 ptr.private) i32 {
b0 "entry":
  v1 = const u32 9
  v2 = load u32 v0 align=4
  v3 = const u32 7
  v4 = and u32 v1, v3
  v5 = const u32 4294967288
  v6 = and u32 v2, v5
  v7 = or u32 v6, v4
  store v0, v7 align=4
  v9 = load u32 v0 align=4
  v10 = const u32 22
  v11 = shl u32 v9, v10
  v12 = bitcast i32 v11
  v13 = const i32 25
  v14 = shr i32 v12, v13
  return v14
}

// test:
// volatile accesses stay.
kernel void k(volatile global int *p) { int x = *p; *p; *p = 1; p[2]++; }
// want:
kernel @k(v0 ptr.global) {
  arg kind=global name="p" typename="int*" size=4 align=4 elem=i32 volatile
b0 "entry":
  v1 = load.volatile i32 v0 align=4
  v2 = load.volatile i32 v0 align=4
  v3 = const i32 1
  store.volatile v0, v3 align=4
  v5 = const i64 8
  v6 = ptradd ptr.global v0, v5
  v7 = load.volatile i32 v6 align=4
  v8 = add i32 v7, v3
  store.volatile v6, v8 align=4
  return
}
