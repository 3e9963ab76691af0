// Async copies (OpenCL C 6.15.11): the work-items of the work-group share the elements
// out among themselves; wait_group_events is a barrier. A copy is planes of rows of bytes.
// An executor that watches memory does it as one by __async_copy, which says how many rows
// are left for the work-items: all or none. It tells events apart; elsewhere they are what
// the program passes. __async_limit bounds a number of elements of
// which most lie outside their objects, so that nobody counts to 2^64.

//@ async_work_group_copy any
event_t lib_async_work_group_copy(SPACE T *dst, const SRC T *src, size_t n, event_t event)
{
	size_t step = get_local_size(0) * get_local_size(1) * get_local_size(2);
	event = __async_event(event);
	n = __async_copy(dst, src, sizeof(CELL), n, 1, sizeof(CELL), sizeof(CELL), 0, 0, event);
	if (n > 65536)
		n = __async_limit(dst, src, n, sizeof(CELL), sizeof(CELL));
	for (size_t i = get_local_linear_id(); i < n; i += step)
		((SPACE CELL *)dst)[i] = ((const SRC CELL *)src)[i];
	return event;
}

//@ async_work_group_strided_copy any
event_t lib_async_work_group_strided_copy(SPACE T *dst, const SRC T *src, size_t n, size_t stride, event_t event)
{
	// The stride is that of global memory.
	size_t dst_stride = DST_GLOBAL ? stride : 1, src_stride = DST_GLOBAL ? 1 : stride;
	size_t step = get_local_size(0) * get_local_size(1) * get_local_size(2);
	event = __async_event(event);
	n = __async_copy(dst, src, sizeof(CELL), n, 1, dst_stride * sizeof(CELL), src_stride * sizeof(CELL), 0, 0, event);
	if (n > 65536)
		n = __async_limit(dst, src, n, dst_stride * sizeof(CELL), src_stride * sizeof(CELL));
	for (size_t i = get_local_linear_id(); i < n; i += step)
		((SPACE CELL *)dst)[i * dst_stride] = ((const SRC CELL *)src)[i * src_stride];
	return event;
}

//@ async_work_group_copy_2D2D any
event_t lib_async_work_group_copy_2D2D(SPACE void *dst, size_t dst_offset, const SRC void *src, size_t src_offset,
	size_t bytes, size_t elements, size_t lines, size_t src_line, size_t dst_line, event_t event)
{
	SPACE char *d = (SPACE char *)dst + dst_offset * bytes;
	const SRC char *s = (const SRC char *)src + src_offset * bytes;
	size_t step = get_local_size(0) * get_local_size(1) * get_local_size(2);
	size_t row = mul_hi(elements, bytes) ? ~(size_t)0 : elements * bytes;
	event = __async_event(event);
	lines = __async_copy(d, s, row, lines, 1, dst_line * bytes, src_line * bytes, 0, 0, event);
	if (row == 0 || lines == 0)
		return event;
	if (row > 65536)
		row = __async_limit(d, s, row, 1, 1);
	if (lines > 65536)
		lines = __async_limit(d, s, lines, dst_line * bytes, src_line * bytes);
	for (size_t i = get_local_linear_id(); i < row * lines; i += step) {
		size_t y = i / row, x = i % row;
		d[y * dst_line * bytes + x] = s[y * src_line * bytes + x];
	}
	return event;
}

//@ async_work_group_copy_3D3D any
event_t lib_async_work_group_copy_3D3D(SPACE void *dst, size_t dst_offset, const SRC void *src, size_t src_offset,
	size_t bytes, size_t elements, size_t lines, size_t planes,
	size_t src_line, size_t src_plane, size_t dst_line, size_t dst_plane, event_t event)
{
	SPACE char *d = (SPACE char *)dst + dst_offset * bytes;
	const SRC char *s = (const SRC char *)src + src_offset * bytes;
	size_t step = get_local_size(0) * get_local_size(1) * get_local_size(2);
	size_t row = mul_hi(elements, bytes) ? ~(size_t)0 : elements * bytes;
	event = __async_event(event);
	lines = __async_copy(d, s, row, lines, planes, dst_line * bytes, src_line * bytes, dst_plane * bytes, src_plane * bytes, event);
	if (row == 0 || lines == 0)
		return event;
	if (row > 65536)
		row = __async_limit(d, s, row, 1, 1);
	if (lines > 65536)
		lines = __async_limit(d, s, lines, dst_line * bytes, src_line * bytes);
	if (planes > 65536)
		planes = __async_limit(d, s, planes, dst_plane * bytes, src_plane * bytes);
	for (size_t i = get_local_linear_id(); i < row * lines * planes; i += step) {
		size_t z = i / (row * lines), y = i / row % lines, x = i % row;
		d[(z * dst_plane + y * dst_line) * bytes + x] = s[(z * src_plane + y * src_line) * bytes + x];
	}
	return event;
}
