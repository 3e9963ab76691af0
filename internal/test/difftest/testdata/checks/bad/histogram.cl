// run: kernel=count global=16 local=4
// arg: data uchar[16] = 0 0 1 1 2 2 3 3 0 0 1 1 2 2 3 3
// arg: counts uint[4] = zeros
//
// Counting without atomics: both kinds of race at one line.
kernel void count(global const uchar *data, global uint *counts) {
    counts[data[get_global_id(0)]]++; // FINDS race-in-group "in the global memory of counts"
}
