// An index that wraps in 32 bits, used twice in 64.
// run: kernel=twice global=9,3
// arg: o long[100] = range
// arg: q long[27] = fill(5)
// want: q 0 28 2 30 4 32 6 34 8 36 10 38 12 40 14 42 16 44 18 46 20 48 22 50 24 52 26
// A number computed once, in all elements of a vector.
// run: kernel=all global=9
// arg: o char2[9] = fill(5)
// arg: q long[1] = 300
// want: o 9*(44)
kernel void twice(global long* o, global long* q) {
  uint lin = get_global_id(0) + 9 * get_global_id(1);
  q[lin] = o[lin + 27 * ((long)lin & 1)];
}
kernel void all(global char2* o, global const long* q) {
  o[get_global_id(0)] = convert_char2((long2)(q[0]));
}
