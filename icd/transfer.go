//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"runtime"
	"unsafe"

	"github.com/purecl/purecl"
)

// operands are the queue, memory objects and wait list of a command.
func operands(queue uintptr, w waitList, mems ...uintptr) (q *queueObject, m [2]*memObject, wait []*purecl.Event, err error) {
	if q, err = find[queueObject](queue, kindCommandQueue); err != nil {
		return
	}
	for i, h := range mems {
		if m[i], err = find[memObject](h, kindMemObject); err != nil {
			return
		}
	}
	wait, err = w.events()
	return
}

func clEnqueueReadBuffer(queue, buffer uintptr, blocking uint32, offset, n int, p unsafe.Pointer, w waitList) error {
	q, m, wait, err := operands(queue, w, buffer)
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: ptr is NULL; the region is checked by package purecl.
	e, err := q.Read(hostBytes(p, n), m[0].buf, offset, wait...)
	return w.finish(q, blocking, e, err)
}

func clEnqueueWriteBuffer(queue, buffer uintptr, blocking uint32, offset, n int, p unsafe.Pointer, w waitList) error {
	q, m, wait, err := operands(queue, w, buffer)
	if err != nil {
		return err
	}
	e, err := q.Write(m[0].buf, offset, hostBytes(p, n), wait...)
	return w.finish(q, blocking, e, err)
}

func clEnqueueCopyBuffer(queue, src, dst uintptr, srcOffset, dstOffset, n int, w waitList) error {
	q, m, wait, err := operands(queue, w, src, dst)
	if err != nil {
		return err
	}
	e, err := q.Copy(m[1].buf, dstOffset, m[0].buf, srcOffset, n, wait...)
	return w.done(q, e, err)
}

// triple reads three sizes; NULL is CL_INVALID_VALUE.
func triple(p *int, err *error) (v [3]int) {
	if p == nil {
		if *err == nil {
			*err = purecl.InvalidValue
		}
		return v
	}
	return *(*[3]int)(unsafe.Pointer(p))
}

// extent is how much of the host's memory a box reaches, 0 where it overflows.
func extent(r purecl.Rect, region [3]int) int {
	n, err := r.Extent(region)
	if err != nil {
		return 0
	}
	return n
}

func clEnqueueReadBufferRect(queue, buffer uintptr, blocking uint32, bufferOrigin, hostOrigin, region *int, bufferRow, bufferSlice, hostRow, hostSlice int, p unsafe.Pointer, w waitList) error {
	q, m, wait, err := operands(queue, w, buffer)
	bo, ho, n := triple(bufferOrigin, &err), triple(hostOrigin, &err), triple(region, &err)
	if err != nil {
		return err
	}
	h := purecl.Rect{Origin: ho, RowPitch: hostRow, SlicePitch: hostSlice}
	e, err := q.ReadRect(hostBytes(p, extent(h, n)), h, m[0].buf, purecl.Rect{Origin: bo, RowPitch: bufferRow, SlicePitch: bufferSlice}, n, wait...)
	return w.finish(q, blocking, e, err)
}

func clEnqueueWriteBufferRect(queue, buffer uintptr, blocking uint32, bufferOrigin, hostOrigin, region *int, bufferRow, bufferSlice, hostRow, hostSlice int, p unsafe.Pointer, w waitList) error {
	q, m, wait, err := operands(queue, w, buffer)
	bo, ho, n := triple(bufferOrigin, &err), triple(hostOrigin, &err), triple(region, &err)
	if err != nil {
		return err
	}
	h := purecl.Rect{Origin: ho, RowPitch: hostRow, SlicePitch: hostSlice}
	e, err := q.WriteRect(m[0].buf, purecl.Rect{Origin: bo, RowPitch: bufferRow, SlicePitch: bufferSlice}, hostBytes(p, extent(h, n)), h, n, wait...)
	return w.finish(q, blocking, e, err)
}

func clEnqueueCopyBufferRect(queue, src, dst uintptr, srcOrigin, dstOrigin, region *int, srcRow, srcSlice, dstRow, dstSlice int, w waitList) error {
	q, m, wait, err := operands(queue, w, src, dst)
	so, do, n := triple(srcOrigin, &err), triple(dstOrigin, &err), triple(region, &err)
	if err != nil {
		return err
	}
	e, err := q.CopyRect(m[1].buf, purecl.Rect{Origin: do, RowPitch: dstRow, SlicePitch: dstSlice},
		m[0].buf, purecl.Rect{Origin: so, RowPitch: srcRow, SlicePitch: srcSlice}, n, wait...)
	return w.done(q, e, err)
}

func clEnqueueFillBuffer(queue, buffer uintptr, pattern unsafe.Pointer, patternSize, offset, n int, w waitList) error {
	q, m, wait, err := operands(queue, w, buffer)
	if err != nil {
		return err
	}
	if patternSize < 0 || patternSize > 128 {
		return purecl.InvalidValue
	}
	e, err := q.Fill(m[0].buf, hostBytes(pattern, patternSize), offset, n, wait...)
	return w.done(q, e, err)
}

// validMapFlags reports whether flags are known, and CL_MAP_WRITE_INVALIDATE_REGION stands
// alone.
func validMapFlags(flags uint64) bool {
	const known = C.CL_MAP_READ | C.CL_MAP_WRITE | C.CL_MAP_WRITE_INVALIDATE_REGION
	return flags&^known == 0 && (flags&C.CL_MAP_WRITE_INVALIDATE_REGION == 0 || flags == C.CL_MAP_WRITE_INVALIDATE_REGION)
}

func clEnqueueMapBuffer(queue, buffer uintptr, blocking uint32, flags uint64, offset, n int, w waitList) (unsafe.Pointer, error) {
	q, m, wait, err := operands(queue, w, buffer)
	if err != nil {
		return nil, err
	}
	// CL_INVALID_VALUE: values in map_flags are not valid.
	if !validMapFlags(flags) {
		return nil, purecl.InvalidValue
	}
	region, e, err := q.Map(m[0].buf, flags&C.CL_MAP_READ != 0, flags&^C.CL_MAP_READ != 0, offset, n, wait...)
	if err != nil {
		return nil, err
	}
	p := unsafe.Pointer(unsafe.SliceData(region))
	m[0].mapped.Store(p, region)
	return p, w.finish(q, blocking, e, nil)
}

func clEnqueueUnmapMemObject(queue, mem uintptr, p unsafe.Pointer, w waitList) error {
	q, m, wait, err := operands(queue, w, mem)
	if err != nil {
		return err
	}
	region, ok := m[0].mapped.Load(p)
	if !ok { // CL_INVALID_VALUE: mapped_ptr is not a pointer that mapping returned
		return purecl.InvalidValue
	}
	var e *purecl.Event
	if m[0].img != nil {
		e, err = q.UnmapImage(m[0].img, region.([]byte), wait...)
	} else {
		e, err = q.Unmap(m[0].buf, region.([]byte), wait...)
	}
	return w.done(q, e, err)
}

func clEnqueueMigrateMemObjects(queue uintptr, n uint32, mems *uintptr, flags uint64, w waitList) error {
	q, _, wait, err := operands(queue, w)
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: num_mem_objects is 0, mem_objects is NULL, or flags is not valid.
	if n == 0 || mems == nil || flags&^(C.CL_MIGRATE_MEM_OBJECT_HOST|C.CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) != 0 {
		return purecl.InvalidValue
	}
	list, err := list[memObject](n, mems, kindMemObject, purecl.InvalidValue)
	if err != nil {
		return err
	}
	var objects []purecl.MemObject
	for _, m := range list {
		if m.img != nil {
			objects = append(objects, m.img)
		} else {
			objects = append(objects, m.buf)
		}
	}
	e, err := q.MigrateAll(objects, wait...)
	return w.done(q, e, err)
}

func clEnqueueMarkerWithWaitList(queue uintptr, w waitList) error {
	q, _, wait, err := operands(queue, w)
	if err != nil {
		return err
	}
	e, err := q.Marker(wait...)
	return w.done(q, e, err)
}

func clEnqueueBarrierWithWaitList(queue uintptr, w waitList) error {
	q, _, wait, err := operands(queue, w)
	if err != nil {
		return err
	}
	e, err := q.Barrier(wait...)
	return w.done(q, e, err)
}

func clEnqueueMarker(queue uintptr, event *uintptr) error {
	if _, err := find[queueObject](queue, kindCommandQueue); err != nil {
		return err
	}
	if event == nil { // CL_INVALID_VALUE: event is NULL
		return purecl.InvalidValue
	}
	return clEnqueueMarkerWithWaitList(queue, waitList{out: event})
}

func clEnqueueBarrier(queue uintptr) error {
	return clEnqueueBarrierWithWaitList(queue, waitList{})
}

func clEnqueueWaitForEvents(queue uintptr, n uint32, events *uintptr) error {
	if _, err := find[queueObject](queue, kindCommandQueue); err != nil {
		return err
	}
	if n == 0 || events == nil {
		return purecl.InvalidValue
	}
	err := clEnqueueBarrierWithWaitList(queue, waitList{n: n, list: events})
	if err == error(purecl.InvalidEventWaitList) {
		return purecl.InvalidEvent
	}
	return err
}

func clEnqueueNativeKernel(queue uintptr, fn, args unsafe.Pointer, size int, n uint32, mems *uintptr, places unsafe.Pointer, w waitList) error {
	q, _, wait, err := operands(queue, w)
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: user_func is NULL, args and cb_args disagree, memory objects have
	// no places or the other way round.
	if fn == nil || (args == nil) != (size == 0) || args == nil && n > 0 || (n > 0) != (mems != nil) || (n > 0) != (places != nil) || size < 0 {
		return purecl.InvalidValue
	}
	list, err := list[memObject](n, mems, kindMemObject, purecl.InvalidValue)
	if err != nil {
		return err
	}
	var block unsafe.Pointer
	if size > 0 {
		block = unsafe.Pointer(unsafe.SliceData(purecl.AlignedBytes(size)))
		copy(hostBytes(block, size), hostBytes(args, size))
		for i, p := range unsafe.Slice((*uintptr)(places), n) { // inside args: where the memory's address goes
			at := p - uintptr(args)
			if at > uintptr(size)-8 || size < 8 {
				return purecl.InvalidValue
			}
			*(*uintptr)(unsafe.Add(block, at)) = uintptr(unsafe.Pointer(unsafe.SliceData(list[i].common().Bytes())))
		}
	}
	e, err := q.Host(func() error {
		C.purecl_call_native(fn, block)
		runtime.KeepAlive(list)
		return nil
	}, wait...)
	return w.done(q, e, err)
}
