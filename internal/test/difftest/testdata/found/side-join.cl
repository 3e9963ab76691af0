// Sub-group functions on a GPU: an inner and an outer branch end at different blocks, and work-items reach both by other ways.
// run: kernel=k global=40 local=40 -cl-std=CL3.0
// arg: out uint[40] = zeros
// arg: x uint[40] = 18 21 32 31 15 31 27 0 21 18 21 12 22 12 0 25 9 45 8 43 34 1 1 38 31 29 22 1 29 12 1 10 14 2 6 11 10 43 13 4
// arg: n uint = 12
__attribute__((intel_reqd_sub_group_size(32))) kernel void k(global uint *out, global const uint *x, uint n) {
	uint l = get_local_id(0), g = get_global_id(0), r = l;
	for (uint i1 = 0; i1 < (r) % 4; i1++) {
		if ((l / 32 >> 0) % 6u < 2u) {
			if ((x[l] >> 1) % 6u < 2u) continue;
		} else {
			if ((l >> 1) % 3u < 3u) {
				r = r * 31 + sub_group_non_uniform_broadcast(r, 17);
			}
		}
		if ((l / 32 >> 0) % 6u < 2u) continue;
	}
	out[g] = r * 31 + sub_group_non_uniform_reduce_add(r & 255);
}
