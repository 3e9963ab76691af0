// Each iteration reads the top of a stack, which most iterations have stored: the element is passed on in a value. Work-items
// push and pop at different times, and the last ones leave a stack with one element.
// run: kernel=k global=36 -cl-std=CL3.0
// arg: ways uint[36] =
// arg: sums uint[36] =
// arg: n int 6
// want: ways 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 1 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0
// want: sums 1 7 10 43 151 64 208 259 2419 961 8737 388 3493 1342 11953 1555 40921 15541 407743 5821 450997 56851 4413355 2332 60247 22447 581590 8146 622693 77563 5958406 9331 714031 263995 20340655 94273
kernel void k(global uint *ways, global uint *sums, int n) {
  int id = get_global_id(0), first = id / n, second = id % n;
  uint all = (1u << n) - 1, count = 0;
  uint columns[16], left[16], right[16], open[16];
  uint a = 1u << first, b = 1u << second;
  if (!(b & (a | a << 1 | a >> 1))) {
    int row = 2;
    columns[2] = a | b;
    left[2] = (a << 1 | b) << 1;
    right[2] = (a >> 1 | b) >> 1;
    open[2] = all & ~(columns[2] | left[2] | right[2]);
    while (row >= 2) {
      uint f = open[row], bit = f & -f;
      if (f == 0) {
        row--;
        continue;
      }
      open[row] = f ^ bit;
      if (row == n - 1) {
        count++;
        continue;
      }
      columns[row + 1] = columns[row] | bit;
      left[row + 1] = (left[row] | bit) << 1;
      right[row + 1] = (right[row] | bit) >> 1;
      row++;
      open[row] = all & ~(columns[row] | left[row] | right[row]);
    }
  }
  ways[id] = count;
  uint s = 0, stack[8];
  int top = 0;
  stack[0] = id + 1;
  while (top >= 0) {
    uint v = stack[top];
    if (v == 0) {
      top--;
      continue;
    }
    stack[top] = v >> 1;
    s = s * 3 + v;
    if ((v & 1) && top < 6)
      stack[++top] = v >> 2;
  }
  sums[id] = s;
}
