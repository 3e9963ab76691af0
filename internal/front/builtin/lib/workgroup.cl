// Work-group functions (OpenCL C 6.15.16). Every work-item puts its value into local
// memory; the first one combines them in order of the linear local id, so that results
// are the same in every run. The last barrier frees the memory for the next function.

//@ work_group_put any
// Stores x as this work-item's value and returns the memory.
local S *lib_work_group_put(S x)
{
	local S *s = (local S *)__work_group_scratch();
	s[get_local_linear_id()] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	return s;
}

//@ work_group_reduce any
S lib_work_group_reduce(S x)
{
	local S *s = lib_work_group_put(x);
	if (get_local_linear_id() == 0) {
		size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
		S r = COMBINE((S)IDENTITY, s[0]);
		for (size_t i = 1; i < n; i++)
			r = COMBINE(r, s[i]);
		s[0] = r;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	x = s[0];
	barrier(CLK_LOCAL_MEM_FENCE);
	return x;
}

//@ work_group_scan_inclusive any
S lib_work_group_scan_inclusive(S x)
{
	local S *s = lib_work_group_put(x);
	size_t id = get_local_linear_id();
	if (id == 0) {
		size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
		S r = IDENTITY;
		for (size_t i = 0; i < n; i++)
			s[i] = r = COMBINE(r, s[i]);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	x = s[id];
	barrier(CLK_LOCAL_MEM_FENCE);
	return x;
}

//@ work_group_scan_exclusive any
S lib_work_group_scan_exclusive(S x)
{
	local S *s = lib_work_group_put(x);
	size_t id = get_local_linear_id();
	if (id == 0) {
		size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
		S r = IDENTITY;
		for (size_t i = 0; i < n; i++) {
			S next = COMBINE(r, s[i]);
			s[i] = r;
			r = next;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	x = s[id];
	barrier(CLK_LOCAL_MEM_FENCE);
	return x;
}

//@ work_group_broadcast3 any
S lib_work_group_broadcast3(S x, size_t id0, size_t id1, size_t id2)
{
	local S *s = lib_work_group_put(x);
	x = s[(id2 * get_local_size(1) + id1) * get_local_size(0) + id0];
	barrier(CLK_LOCAL_MEM_FENCE);
	return x;
}

//@ work_group_broadcast2 any
S lib_work_group_broadcast2(S x, size_t id0, size_t id1) { return lib_work_group_broadcast3(x, id0, id1, 0); }

//@ work_group_broadcast1 any
S lib_work_group_broadcast1(S x, size_t id0) { return lib_work_group_broadcast3(x, id0, 0, 0); }
