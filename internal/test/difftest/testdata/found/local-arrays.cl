// Local arrays of work-groups of known size, whose elements are kept in registers where all addresses are known: shifts
// and permutations over several gangs, exchanges that data decide, reductions, and arrays that must stay in memory.

// run: kernel=sort_char global=32 local=32
// arg: a char[32] = 79 32 94 45 88 94 83 67 3 59 99 31 83 6 20 14 47 60 31 48 69 13 73 31 1 93 27 52 35 23 98 49
// want: a 1 3 6 13 14 20 23 27 31 31 31 32 35 45 47 48 49 52 59 60 67 69 73 79 83 83 88 93 94 94 98 99

// run: kernel=scan_char global=32 local=32
// arg: a char[32] = 0 0 0 2 2 1 0 0 0 0 0 0 0 0 1 1 0 2 2 2 0 0 2 0 1 1 0 1 1 0 0 1
// want: a 0 0 0 2 4 5 5 5 5 5 5 5 5 5 6 7 7 9 11 13 13 13 15 15 16 17 17 18 19 19 19 20

// run: kernel=move_char global=32 local=32
// arg: a char[32] = 8 42 38 77 75 0 76 86 90 43 8 39 45 39 61 89 40 23 61 60 90 22 7 32 2 95 45 51 2 70 53 46
// want: a 32 2 95 45 60 90 22 7 89 40 23 61 39 45 39 61 86 90 43 8 77 75 0 76 46 8 42 38 51 2 70 53

// run: kernel=least_char global=32 local=32
// arg: a char[32] = 48 74 1 57 5 90 23 79 25 15 96 31 59 44 65 45 67 32 99 59 13 75 95 99 47 37 4 55 11 26 43 65
// want: a 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1

// run: kernel=scatter_char global=32 local=32
// arg: a char[32] = 23 29 4 10 8 22 17 2 9 21 28 31 5 24 30 20 15 18 11 0 1 16 27 6 12 13 19 25 14 26 3 7
// want: a 19 20 7 30 2 12 23 31 4 8 3 18 24 25 28 16 21 6 17 26 15 9 5 0 13 27 29 22 10 1 14 11

// run: kernel=sort_ushort global=32 local=32
// arg: a ushort[32] = 18 7 81 4 63 42 26 16 93 72 16 80 52 13 21 55 47 19 7 53 37 18 58 79 21 66 58 62 88 93 40 61
// want: a 4 7 7 13 16 16 18 18 19 21 21 26 37 40 42 47 52 53 55 58 58 61 62 63 66 72 79 80 81 88 93 93

// run: kernel=scan_ushort global=32 local=32
// arg: a ushort[32] = 1 1 1 1 0 0 1 2 0 2 1 1 0 0 1 1 2 2 2 1 0 1 2 2 2 0 1 1 2 2 2 1
// want: a 1 2 3 4 4 4 5 7 7 9 10 11 11 11 12 13 15 17 19 20 20 21 23 25 27 27 28 29 31 33 35 36

// run: kernel=move_ushort global=32 local=32
// arg: a ushort[32] = 62 33 98 88 91 37 43 83 22 74 1 60 70 99 32 41 85 35 59 36 64 82 86 45 44 35 82 44 94 52 44 22
// want: a 45 44 35 82 36 64 82 86 41 85 35 59 60 70 99 32 83 22 74 1 88 91 37 43 22 62 33 98 44 94 52 44

// run: kernel=least_ushort global=32 local=32
// arg: a ushort[32] = 88 57 46 42 66 18 67 21 25 46 61 36 88 10 92 85 93 53 21 78 99 74 66 85 53 38 79 70 99 81 34 92
// want: a 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10

// run: kernel=scatter_ushort global=32 local=32
// arg: a ushort[32] = 1 6 5 18 14 19 20 29 7 21 24 25 31 15 23 22 26 27 2 28 16 13 17 3 0 8 30 10 11 4 9 12
// want: a 24 0 18 23 29 2 1 8 25 30 27 28 31 21 4 13 20 22 3 5 6 9 15 14 10 11 16 17 19 7 26 12

// run: kernel=sort_double global=32 local=32
// arg: a double[32] = 40 13 11 69 20 76 9 93 27 79 2 56 69 45 62 54 73 98 48 66 80 16 92 1 96 39 88 57 28 70 14 17
// want: a 1 2 9 11 13 14 16 17 20 27 28 39 40 45 48 54 56 57 62 66 69 69 70 73 76 79 80 88 92 93 96 98

// run: kernel=scan_double global=32 local=32
// arg: a double[32] = 1 1 0 1 1 1 0 0 2 0 1 0 2 0 1 2 2 0 1 0 1 2 0 0 2 0 1 1 0 0 1 1
// want: a 1 2 2 3 4 5 5 5 7 7 8 8 10 10 11 13 15 15 16 16 17 19 19 19 21 21 22 23 23 23 24 25

// run: kernel=move_double global=32 local=32
// arg: a double[32] = 48 96 98 71 0 36 83 97 16 73 3 56 18 88 83 2 93 6 89 54 34 13 48 71 16 41 8 39 21 17 33 63
// want: a 71 16 41 8 54 34 13 48 2 93 6 89 56 18 88 83 97 16 73 3 71 0 36 83 63 48 96 98 39 21 17 33

// run: kernel=least_double global=32 local=32
// arg: a double[32] = 86 41 36 4 8 69 97 94 71 3 3 15 6 16 45 55 33 78 2 29 67 54 16 46 25 42 45 1 20 74 79 20
// want: a 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1

// run: kernel=scatter_double global=32 local=32
// arg: a double[32] = 6 8 16 19 5 20 22 4 14 13 25 3 10 28 23 7 17 9 31 2 29 0 12 30 11 26 24 18 27 21 1 15
// want: a 21 30 19 11 7 4 0 15 1 17 12 24 22 9 8 31 2 16 27 3 5 29 6 14 26 10 25 28 13 20 23 18

// run: kernel=rounds global=32 local=32
// arg: a int[32] = 0 37 74 10 47 84 20 57 94 30 67 3 40 77 13 50 87 23 60 97 33 70 6 43 80 16 53 90 26 63 100 36
// arg: n int 3
// want: a 332 32 121 288 641 669 441 117 279 147 225 302 380 711 427 58 467 363 716 316 366 -285 312 -29 352 276 775 639 453 -260 281 -66

#define KERNELS(T)                                                     \
  kernel void sort_##T(global T* a) {                                  \
    local T x[32];                                                     \
    uint l = get_local_id(0);                                          \
    x[l] = a[l];                                                       \
    for (uint k = 2; k <= 32; k *= 2)                                  \
      for (uint j = k / 2; j > 0; j /= 2) {                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                  \
        uint o = l ^ j;                                                \
        if (o > l && (x[l] > x[o]) == ((l & k) == 0)) {                \
          T y = x[l];                                                  \
          x[l] = x[o];                                                 \
          x[o] = y;                                                    \
        }                                                              \
      }                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                      \
    a[l] = x[l];                                                       \
  }                                                                    \
  kernel void scan_##T(global T* a) {                                  \
    local T x[32];                                                     \
    uint l = get_local_id(0);                                          \
    T s = a[l];                                                        \
    for (uint d = 1; d < 32; d *= 2) {                                 \
      x[l] = s;                                                        \
      barrier(CLK_LOCAL_MEM_FENCE);                                    \
      s += l >= d ? x[l - d] : (T)0;                                   \
      barrier(CLK_LOCAL_MEM_FENCE);                                    \
    }                                                                  \
    a[l] = s;                                                          \
  }                                                                    \
  kernel void move_##T(global T* a) {                                  \
    local T x[32], y[32];                                              \
    uint l = get_local_id(0);                                          \
    x[31 - l] = a[l];                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                      \
    y[(l + 27) % 32] = x[l];                                           \
    barrier(CLK_LOCAL_MEM_FENCE);                                      \
    a[l] = y[l ^ 3];                                                   \
  }                                                                    \
  kernel void least_##T(global T* a) {                                 \
    local T x[32];                                                     \
    uint l = get_local_id(0);                                          \
    x[l] = a[l];                                                       \
    for (uint s = 16; s > 0; s /= 2) {                                 \
      barrier(CLK_LOCAL_MEM_FENCE);                                    \
      if (l < s && x[l + s] < x[l])                                    \
        x[l] = x[l + s];                                               \
    }                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                      \
    a[l] = x[0];                                                       \
  }                                                                    \
  kernel void scatter_##T(global T* a) {                               \
    local T x[32], y[32];                                              \
    uint l = get_local_id(0);                                          \
    x[l] = (T)l;                                                       \
    barrier(CLK_LOCAL_MEM_FENCE);                                      \
    y[(uint)a[l]] = x[l];                                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                      \
    a[l] = y[l];                                                       \
  }
KERNELS(char)
KERNELS(ushort)
KERNELS(double)

// The numbers of iterations are arguments: the loops stay, and carry the arrays' elements.
kernel void rounds(global int* a, int n) {
  local int x[32], y[32];
  int l = get_local_id(0), v = a[l];
  for (int i = 0; i < n; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    x[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = x[(l + 1) % 32] + i;
    for (int j = 0; j < i; j++) {
      barrier(CLK_LOCAL_MEM_FENCE);
      y[l] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      v = l & 1 ? v * 2 - y[l ^ 5] : v + y[31 - l];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = v + x[l];
}
