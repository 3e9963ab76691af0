// A generic pointer that is known to point into a buffer, at a distance between
// work-items.
// run: kernel=own global=20 -cl-std=CL2.0
// arg: o short[60] = range
// want: o 1 1 2 4 4 5 7 7 8 10 10 11 13 13 14 16 16 17 19 19 20 22 22 23 25 25 26 28 28 29
// want: o 31 31 32 34 34 35 37 37 38 40 40 41 43 43 44 46 46 47 49 49 50 52 52 53 55 55 56 58 58 59
kernel void own(global short* o) {
  long i = get_global_id(0);
  short* p = &o[i * 3];
  o[i * 3] = *p + 1;
}
