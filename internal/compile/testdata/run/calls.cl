// run: kernel=outer
// arg: out int[10] = zeros
// arg: c float8 (1,2,3,4,bits(5),bits(6),bits(7),0)
// arg: v float4 (10,20,30,40)
// arg: b uchar3 (1,2,3)
// want: out 7 100 5 7 100 80 170 6 12 12
//
// Kernels that are called like functions, static and inline functions, record arguments.
typedef struct { float4 scale; int add[2]; char tag; } Config;

static inline int twice(int x) { return x * 2; }
int pick(Config c, int i) { c.add[0]++; return c.add[i] + c.tag; }

kernel void inner(global int *out, Config c, int at) {
    out[at] = c.add[0] + (int)c.scale.y;
    c.add[0] = 100;
    out[at + 1] = c.add[0];
}

kernel void outer(global int *out, Config c, float4 v, uchar3 b) {
    inner(out, c, 0);
    out[2] = c.add[0];
    c.add[1] = 60;
    inner(out + 3, c, 0);
    out[5] = pick(c, 0) + pick(c, 1);
    float4 s = v * c.scale;
    out[6] = (int)(s.x + s.w);
    out[7] = b.x + b.y + b.z;
    out[8] = twice(twice(b.z));
    Config d = c;
    d.scale.w = 8;
    out[9] = (int)(c.scale.w + d.scale.w);
}
