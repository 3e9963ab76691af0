// What is out of range of a floating-point number's conversion is not an integer's low
// bits (docs/decisions/0002).
// run: kernel=chains global=4
// arg: a uint[4] = 7 0x80000000 0x80000001 0xffffffff
// arg: b short[4] =
// arg: c int[4] =
// arg: d uint[4] =
// want: b 7 0 0 0
// want: c 7 -2147483648 -2147483648 -2147483648
// want: d 7 0x80000000 0x80000001 0xffffffff
kernel void chains(global const uint* a, global short* b, global int* c, global uint* d) {
  int i = get_global_id(0);
  b[i] = (short)(double)a[i];
  c[i] = (int)(double)a[i];
  d[i] = (uint)(double)a[i];
}
