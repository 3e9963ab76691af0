// test: debug
constant int table[2] = { 1, 2 };

int twice(int x) {
  return x * 2;
}

kernel void k(global int *y, int n) {
  local int shared[4];
  for (int i = 0; i < n; i++) {
    int t = twice(i), u;
    if (t > 3)
      y[i] = t;
  }
  shared[0] = table[1];
}
// want:
global @table ptr.constant size=8 align=4 type="int[2]" init=0100000002
global @k.shared ptr.local size=16 align=4 type="int[4]"

func @twice(v0 i32) i32 {
  source "twice" file="test.cl" from=3:5 to=5:2
  variable "x" type="int" from=3:18 to=5:2 in=v1
  statement from=4:3 to=4:16
b0 "entry":
  v1 = alloca ptr.private size=4 align=4 name="x" type="int"
  store v1, v0 align=4
  v3 = load i32 v1 align=4
  v4 = const i32 2
  v5 = mul i32 v3, v4
  return v5
}

kernel @k(v0 ptr.global, v1 i32) {
  arg kind=global name="y" typename="int*" size=4 align=4 elem=i32
  arg kind=value name="n" typename="int" type=i32 size=4 align=4
  source "k" file="test.cl" from=7:13 to=15:2
  variable "shared" type="int[4]" from=8:19 to=15:2 in=@k.shared
  variable "y" type="__global int *" from=7:37 to=15:2 in=v2
  variable "n" type="int" from=7:37 to=15:2 in=v4
  variable "i" type="int" from=9:13 to=13:4 in=v6
  variable "t" type="int" from=10:10 to=13:4 in=v14
  variable "u" type="int" from=10:24 to=13:4 in=v18
  statement from=9:19 to=9:24
  statement from=9:12 to=9:17
  statement from=10:9 to=10:21
  statement from=10:23 to=10:24
  statement from=11:9 to=11:14
  statement from=12:7 to=12:16
  statement from=9:26 to=9:29
  statement from=14:3 to=14:24
  statement from=15:1 to=15:2
b0 "entry":
  v2 = alloca ptr.private size=8 align=8 name="y" type="__global int *"
  v4 = alloca ptr.private size=4 align=4 name="n" type="int"
  v6 = alloca ptr.private size=4 align=4 name="i" type="int"
  v14 = alloca ptr.private size=4 align=4 name="t" type="int"
  v18 = alloca ptr.private size=4 align=4 name="u" type="int"
  store v2, v0 align=8
  store v4, v1 align=4
  v7 = const i32 0
  store v6, v7 align=4
  jump b1
b1 "loop":
  v10 = load i32 v6 align=4
  v11 = load i32 v4 align=4
  v12 = lt bool v10, v11
  branch v12 b2 b6
b2 "body":
  v15 = load i32 v6 align=4
  v16 = call i32 @twice v15
  store v14, v16 align=4
  v19 = load i32 v14 align=4
  v20 = const i32 3
  v21 = lt bool v20, v19
  branch v21 b3 b4
b3 "then":
  v23 = load i32 v14 align=4
  v24 = load ptr.global v2 align=8
  v25 = load i32 v6 align=4
  v26 = convert.implicit i64 v25
  v27 = const i64 4
  v28 = mul i64 v26, v27
  v29 = ptradd ptr.global v24, v28
  store v29, v23 align=4
  jump b4
b4 "endif":
  jump b5
b5 "next":
  v33 = load i32 v6 align=4
  v34 = const i32 1
  v35 = add i32 v33, v34
  store v6, v35 align=4
  jump b1
b6 "end":
  v38 = global ptr.constant @table
  v39 = const i64 4
  v40 = ptradd ptr.constant v38, v39
  v41 = load i32 v40 align=4
  v42 = global ptr.local @k.shared
  store v42, v41 align=4
  return
}
