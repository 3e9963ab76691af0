// Work-items return before the first barrier: in a function of the work-group they go on without an effect.

// run: kernel=tree global=64 local=32
// arg: a int[64] = 0 29 58 4 33 62 8 37 66 12 41 70 16 45 74 20 49 78 24 53 82 28 57 3 32 61 7 36 65 11 40 69 15 44 73 19 48 77 23 52 81 27 56 2 31 60 6 35 64 10 39 68 14 43 72 18 47 76 22 51 80 26 55 1
// arg: n int 40
// want: a 1270 1271 1272 1273 1274 1275 1276 1277 1278 1279 1280 1281 1282 1283 1284 1285 1286 1287 1288 1289 1290 1291 1292 1293 1294 1295 1296 1297 1298 1299 1300 1301 351 352 353 354 355 356 357 358 81 27 56 2 31 60 6 35 64 10 39 68 14 43 72 18 47 76 22 51 80 26 55 1

// run: kernel=shift global=64 local=32
// arg: a int[64] = 0 29 58 4 33 62 8 37 66 12 41 70 16 45 74 20 49 78 24 53 82 28 57 3 32 61 7 36 65 11 40 69 15 44 73 19 48 77 23 52 81 27 56 2 31 60 6 35 64 10 39 68 14 43 72 18 47 76 22 51 80 26 55 1
// arg: n int 40
// want: a 2218 2725 742 2494 3001 678 1753 235 66 3046 3313 853 1180 45 1846 3458 3688 880 24 4381 1943 2788 580 3 3181 1198 2950 3457 1474 3119 3305 359 2014 322 73 3394 3632 699 -121 52 81 27 56 2 31 60 6 35 64 10 39 68 14 43 72 18 47 76 22 51 80 26 55 1

// run: kernel=counted global=64 local=32
// arg: a int[64] = 0 29 58 4 33 62 8 37 66 12 41 70 16 45 74 20 49 78 24 53 82 28 57 3 32 61 7 36 65 11 40 69 15 44 73 19 48 77 23 52 81 27 56 2 31 60 6 35 64 10 39 68 14 43 72 18 47 76 22 51 80 26 55 1
// arg: n int 40
// want: a 11 11 7 3 11 11 7 3 11 11 7 3 11 11 7 3 11 11 7 3 11 11 7 3 11 11 7 3 11 11 7 3 3 2 0 3 3 2 0 3 81 27 56 2 31 60 6 35 64 10 39 68 14 43 72 18 47 76 22 51 80 26 55 1

// run: kernel=late global=64 local=32
// arg: a int[64] = 0 29 58 4 33 62 8 37 66 12 41 70 16 45 74 20 49 78 24 53 82 28 57 3 32 61 7 36 65 11 40 69 15 44 73 19 48 77 23 52 81 27 56 2 31 60 6 35 64 10 39 68 14 43 72 18 47 76 22 51 80 26 55 1
// arg: n int 20
// want: a 0 29 62 99 0 62 45 115 0 12 111 131 0 21 94 147 -20 78 77 37 82 28 57 3 32 61 7 36 65 11 40 69 15 44 73 19 48 77 23 52 81 27 56 2 31 60 6 35 64 10 39 68 14 43 72 18 47 76 22 51 80 26 55 1

kernel void tree(global int* a, int n) {
  local int x[32];
  int l = get_local_id(0), g = get_global_id(0);
  if (g >= n)
    return;
  x[l] = a[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 16; s > 0; s /= 2) {
    int y = l < s ? x[l + s] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      x[l] += y;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[g] = x[0] + l;
}

kernel void shift(global int* a, int n) {
  local int x[32];
  int l = get_local_id(0), g = get_global_id(0), s = 0;
  if (g >= n)
    return;
  global int* p = a + g;
  int k = *p * 5 + l;
  if (*p % 7 == 3)
    return;
  for (int r = 0; r < n / 13; r++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    x[l] = k + r;
    barrier(CLK_LOCAL_MEM_FENCE);
    s = s * 3 + x[(l + r + 1) % 32];
  }
  *p = s - k;
}

kernel void counted(global int* a, int n) {
  local int c[4];
  int l = get_local_id(0), g = get_global_id(0);
  if (n <= g)
    return;
  if (l < 4)
    c[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&c[a[g] & 3]);
  barrier(CLK_LOCAL_MEM_FENCE);
  a[g] = c[l & 3];
}

kernel void late(global int* a, int n) {
  local int x[32];
  int l = get_local_id(0), g = get_global_id(0), v = 0;
  if (g < n) {
    x[l] = a[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < (l & 3); i++)
      v += x[(l + i) % 32];
    if (a[g] & 1)
      v -= x[31 - l];
    a[g] = v;
  }
}
