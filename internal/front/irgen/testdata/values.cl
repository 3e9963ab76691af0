// test:
// Parameters and variables that keep their value need no memory; others are allocas.
int f(int a, int b) { const int c = a * b; int d = c; d += 1; b--; return d + b; }
// want:
func @f(v0 i32, v1 i32) i32 {
b0 "entry":
  v2 = alloca ptr.private size=4 align=4 name="b" type="int"
  v6 = alloca ptr.private size=4 align=4 name="d" type="int"
  store v2, v1 align=4
  v4 = load i32 v2 align=4
  v5 = mul i32 v0, v4
  store v6, v5 align=4
  v8 = const i32 1
  v9 = load i32 v6 align=4
  v10 = add i32 v9, v8
  store v6, v10 align=4
  v12 = load i32 v2 align=4
  v13 = sub i32 v12, v8
  store v2, v13 align=4
  v15 = load i32 v6 align=4
  v16 = load i32 v2 align=4
  v17 = add i32 v15, v16
  return v17
}

// test:
// A variable past whose initializer a jump may lead has memory.
int f(int a) { switch (a) { case 0:; int b = 5; case 1: return b; } return 0; }
// want:
func @f(v0 i32) i32 {
b0 "entry":
  v2 = alloca ptr.private size=4 align=4 name="b" type="int"
  switch v0 b3 0:b1 1:b2
b1 "case":
  v3 = const i32 5
  store v2, v3 align=4
  jump b2
b2 "case":
  v6 = load i32 v2 align=4
  return v6
b3 "endswitch":
  v8 = const i32 0
  return v8
}

// test:
// Conversions say whether the user wrote them; int indices are extended before they are scaled.
float f(global const short4 *p, int i) { return (float)p[i].y + p[i + 1].x; }
// want:
func @f(v0 ptr.global, v1 i32) f32 {
b0 "entry":
  v2 = convert.implicit i64 v1
  v3 = const i64 8
  v4 = mul i64 v2, v3
  v5 = ptradd ptr.global v0, v4
  v6 = const i64 2
  v7 = ptradd ptr.global v5, v6
  v8 = load i16 v7 align=2
  v9 = convert f32 v8
  v10 = const i32 1
  v11 = add i32 v1, v10
  v12 = convert.implicit i64 v11
  v13 = mul i64 v12, v3
  v14 = ptradd ptr.global v0, v13
  v15 = load i16 v14 align=2
  v16 = convert.implicit f32 v15
  v17 = add f32 v9, v16
  return v17
}

// test: -cl-mad-enable
#pragma OPENCL FP_CONTRACT OFF
float f(float a, float b) { return a * b + 1; }
// want:
func @f(v0 f32, v1 f32) f32 {
b0 "entry":
  v2 = mul.contract f32 v0, v1
  v3 = const f32 1
  v4 = add.contract f32 v2, v3
  return v4
}

// test:
// Conditions become branches; a value of one is a phi.
int f(int a, int b) { if (a && (b || a > 2)) return 1; return !a || b; }
// want:
func @f(v0 i32, v1 i32) i32 {
b0 "entry":
  v2 = convert bool v0
  branch v2 b1 b4
b1:
  v4 = convert bool v1
  branch v4 b3 b2
b2:
  v6 = const i32 2
  v7 = lt bool v6, v0
  branch v7 b3 b4
b3 "then":
  v9 = const i32 1
  return v9
b4 "endif":
  v11 = convert bool v0
  branch v11 b5 b6
b5:
  v13 = convert bool v1
  branch v13 b6 b7
b6:
  v15 = const i32 1
  jump b8
b7:
  v17 = const i32 0
  jump b8
b8:
  v19 = phi i32 b6:v15 b7:v17
  return v19
}

// test:
// Dead code is not translated, unless a label leads there.
int f(int a) { while (1) { if (a) break; return 1; a = 2; } for (;;) { goto out; a = 3; out: return a; } return 7; }
// want:
func @f(v0 i32) i32 {
b0 "entry":
  v1 = alloca ptr.private size=4 align=4 name="a" type="int"
  store v1, v0 align=4
  jump b1
b1 "loop":
  jump b2
b2 "body":
  v5 = load i32 v1 align=4
  v6 = convert bool v5
  branch v6 b3 b4
b3 "then":
  jump b5
b4 "endif":
  v9 = const i32 1
  return v9
b5 "end":
  jump b6
b6 "loop":
  jump b7
b7 "out":
  v13 = load i32 v1 align=4
  return v13
}

// test:
// Wide case ranges are compared, narrow ones expanded.
int f(uint a) { switch (a) { case 1 ... 3: return 1; case 100 ... 1000: return 2; default: return 3; } }
// want:
func @f(v0 u32) i32 {
b0 "entry":
  v1 = const u32 100
  v2 = sub u32 v0, v1
  v3 = const u32 900
  v4 = le bool v2, v3
  branch v4 b3 b1
b1:
  switch v0 b4 1:b2 2:b2 3:b2
b2 "case":
  v7 = const i32 1
  return v7
b3 "case":
  v9 = const i32 2
  return v9
b4 "default":
  v11 = const i32 3
  return v11
}

// test:
// A product is fused with the sum it goes into, the left one first, also through a compound assignment.
float f(float a, float b, float c, float d) { return a * b + c * d; }
float g(float a, float b, float c) { return c - (a * b); }
float4 h(float4 a, float4 b, float4 c) { c += a * b; c -= a * b; return a * b - c; }
// want:
func @f(v0 f32, v1 f32, v2 f32, v3 f32) f32 {
b0 "entry":
  v5 = mul f32 v2, v3
  v6 = fma f32 v0, v1, v5
  return v6
}

func @g(v0 f32, v1 f32, v2 f32) f32 {
b0 "entry":
  v4 = fnma f32 v0, v1, v2
  return v4
}

func @h(v0 v4f32, v1 v4f32, v2 v4f32) v4f32 {
b0 "entry":
  v3 = alloca ptr.private size=16 align=16 name="c" type="float4"
  store v3, v2 align=16
  v6 = load v4f32 v3 align=16
  v7 = fma v4f32 v0, v1, v6
  store v3, v7 align=16
  v10 = load v4f32 v3 align=16
  v11 = fnma v4f32 v0, v1, v10
  store v3, v11 align=16
  v14 = load v4f32 v3 align=16
  v15 = fms v4f32 v0, v1, v14
  return v15
}

// test:
// Not through a variable, a conversion or a negation, of halves, or where the pragma says no.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
float f(float a, float b, float c) { float m = a * b; return m + c; }
double g(float a, float b, double c) { return (a * b) + c; }
float h(float a, float b, float c) { return -(a * b) + c; }
half i(half a, half b, half c) { return a * b + c; }
float j(float a, float b, float c) {
#pragma OPENCL FP_CONTRACT OFF
  return a * b + c;
}
#pragma OPENCL FP_CONTRACT OFF
float k(float a, float b, float c) { return a * b + c; }
#pragma OPENCL FP_CONTRACT ON
float l(float a, float b, float c) { return a * b + c; }
// want:
func @f(v0 f32, v1 f32, v2 f32) f32 {
b0 "entry":
  v3 = mul f32 v0, v1
  v4 = add f32 v3, v2
  return v4
}

func @g(v0 f32, v1 f32, v2 f64) f64 {
b0 "entry":
  v3 = mul f32 v0, v1
  v4 = convert.implicit f64 v3
  v5 = add f64 v4, v2
  return v5
}

func @h(v0 f32, v1 f32, v2 f32) f32 {
b0 "entry":
  v3 = mul f32 v0, v1
  v4 = neg f32 v3
  v5 = add f32 v4, v2
  return v5
}

func @i(v0 f16, v1 f16, v2 f16) f16 {
b0 "entry":
  v3 = mul f16 v0, v1
  v4 = add f16 v3, v2
  return v4
}

func @j(v0 f32, v1 f32, v2 f32) f32 {
b0 "entry":
  v3 = mul f32 v0, v1
  v4 = add f32 v3, v2
  return v4
}

func @k(v0 f32, v1 f32, v2 f32) f32 {
b0 "entry":
  v3 = mul f32 v0, v1
  v4 = add f32 v3, v2
  return v4
}

func @l(v0 f32, v1 f32, v2 f32) f32 {
b0 "entry":
  v4 = fma f32 v0, v1, v2
  return v4
}
