// Sub-group functions (OpenCL C 6.15.19). A sub-group has 8, 16 or 32 work-items, and a
// ballot is a mask with a bit for each. Folds go in order of the work-items, so that results do not
// depend on how a sub-group is executed.

//@ sub_group_below any
// The work-items before this one.
uint lib_sub_group_below(void) { return (1u << get_sub_group_local_id()) - 1; }

//@ sub_group_everyone any
// The work-items of a full sub-group.
uint lib_sub_group_everyone(void) { return 0xffffffffu >> (32 - get_max_sub_group_size()); }

//@ sub_group_fold any
// Combines the values of the work-items in the mask, which must be active.
S lib_sub_group_fold(S x, uint mask)
{
	S r = IDENTITY;
	for (uint i = 0; i < get_max_sub_group_size(); i++) {
		S y = __sub_group_exchange(x, i);
		r = mask >> i & 1 ? COMBINE(r, y) : r;
	}
	return r;
}

//@ sub_group_fold_reduce any
S lib_sub_group_fold_reduce(S x) { return lib_sub_group_fold(x, __sub_group_ballot(1)); }

//@ sub_group_fold_scan_inclusive any
S lib_sub_group_fold_scan_inclusive(S x) { return lib_sub_group_fold(x, __sub_group_ballot(1) & (lib_sub_group_below() * 2 + 1)); }

//@ sub_group_fold_scan_exclusive any
S lib_sub_group_fold_scan_exclusive(S x) { return lib_sub_group_fold(x, __sub_group_ballot(1) & lib_sub_group_below()); }

//@ sub_group_reduce any
S lib_sub_group_reduce(S x) { __sub_group_converge(); return lib_sub_group_fold_reduce(x); }

//@ sub_group_scan_inclusive any
S lib_sub_group_scan_inclusive(S x) { __sub_group_converge(); return lib_sub_group_fold_scan_inclusive(x); }

//@ sub_group_scan_exclusive any
S lib_sub_group_scan_exclusive(S x) { __sub_group_converge(); return lib_sub_group_fold_scan_exclusive(x); }

//@ sub_group_cluster any
// The number of the first work-item of this one's cluster. A size that is no power of two
// up to the sub-group's has no meaning; one beyond it is taken for the sub-group's.
uint lib_sub_group_cluster(uint size) { return size - 1 < get_max_sub_group_size() ? get_sub_group_local_id() & -size : 0; }

//@ sub_group_clustered_reduce any
S lib_sub_group_clustered_reduce(S x, uint size)
{
	return lib_sub_group_fold(x, __sub_group_ballot(1) & ((2u << (size - 1 & get_max_sub_group_size() - 1)) - 1) << lib_sub_group_cluster(size));
}

//@ sub_group_non_uniform_all any
int lib_sub_group_non_uniform_all(int p) { return __sub_group_ballot(!p) == 0; }

//@ sub_group_non_uniform_any any
int lib_sub_group_non_uniform_any(int p) { return __sub_group_ballot(p) != 0; }

//@ sub_group_all any
int lib_sub_group_all(int p) { __sub_group_converge(); return lib_sub_group_non_uniform_all(p); }

//@ sub_group_any any
int lib_sub_group_any(int p) { __sub_group_converge(); return lib_sub_group_non_uniform_any(p); }

//@ sub_group_broadcast_first any
S lib_sub_group_broadcast_first(S x) { return __sub_group_exchange(x, ctz(__sub_group_ballot(1))); }

//@ sub_group_non_uniform_all_equal any
int lib_sub_group_non_uniform_all_equal(S x) { return __sub_group_ballot(!(x == lib_sub_group_broadcast_first(x))) == 0; }

//@ sub_group_elect any
int lib_sub_group_elect(void) { return ctz(__sub_group_ballot(1)) == get_sub_group_local_id(); }

//@ sub_group_ballot any
uint4 lib_sub_group_ballot(int p) { return (uint4)(__sub_group_ballot(p), 0, 0, 0); }

//@ sub_group_ballot_bit_extract any
int lib_sub_group_ballot_bit_extract(uint4 b, uint i) { return i < get_max_sub_group_size() ? b.x >> i & 1 : 0; }

//@ sub_group_inverse_ballot any
int lib_sub_group_inverse_ballot(uint4 b) { return b.x >> get_sub_group_local_id() & 1; }

//@ sub_group_ballot_bit_count any
uint lib_sub_group_ballot_bit_count(uint4 b) { return popcount(b.x & lib_sub_group_everyone()); }

//@ sub_group_ballot_inclusive_scan any
uint lib_sub_group_ballot_inclusive_scan(uint4 b) { return popcount(b.x & (lib_sub_group_below() * 2 + 1)); }

//@ sub_group_ballot_exclusive_scan any
uint lib_sub_group_ballot_exclusive_scan(uint4 b) { return popcount(b.x & lib_sub_group_below()); }

//@ sub_group_ballot_find_lsb any
uint lib_sub_group_ballot_find_lsb(uint4 b) { return ctz(b.x & lib_sub_group_everyone()); }

//@ sub_group_ballot_find_msb any
uint lib_sub_group_ballot_find_msb(uint4 b) { return 31 - clz(b.x & lib_sub_group_everyone()); }

//@ get_sub_group_eq_mask any
uint4 lib_get_sub_group_eq_mask(void) { return (uint4)(lib_sub_group_below() + 1, 0, 0, 0); }

//@ get_sub_group_ge_mask any
uint4 lib_get_sub_group_ge_mask(void) { return (uint4)(lib_sub_group_below() ^ lib_sub_group_everyone(), 0, 0, 0); }

//@ get_sub_group_gt_mask any
uint4 lib_get_sub_group_gt_mask(void) { return (uint4)(lib_sub_group_below() * 2 + 1 ^ lib_sub_group_everyone(), 0, 0, 0); }

//@ get_sub_group_le_mask any
uint4 lib_get_sub_group_le_mask(void) { return (uint4)(lib_sub_group_below() * 2 + 1, 0, 0, 0); }

//@ get_sub_group_lt_mask any
uint4 lib_get_sub_group_lt_mask(void) { return (uint4)(lib_sub_group_below(), 0, 0, 0); }

//@ sub_group_shuffle_xor any
S lib_sub_group_shuffle_xor(S x, uint mask) { return __sub_group_exchange(x, get_sub_group_local_id() ^ mask); }

//@ sub_group_shuffle_up any
S lib_sub_group_shuffle_up(S x, uint delta) { return __sub_group_exchange(x, get_sub_group_local_id() - delta); }

//@ sub_group_shuffle_down any
S lib_sub_group_shuffle_down(S x, uint delta) { return __sub_group_exchange(x, get_sub_group_local_id() + delta); }

//@ sub_group_rotate any
S lib_sub_group_rotate(S x, int delta) { return __sub_group_exchange(x, get_sub_group_local_id() + delta & get_max_sub_group_size() - 1); }

//@ sub_group_clustered_rotate any
S lib_sub_group_clustered_rotate(S x, int delta, uint size)
{
	return __sub_group_exchange(x, lib_sub_group_cluster(size) + (get_sub_group_local_id() + delta & size - 1));
}
