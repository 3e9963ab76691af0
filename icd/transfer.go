//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"runtime"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/host"
)

// A memKind is a set of kinds of memory objects.
type memKind int

const (
	anyMem memKind = iota
	bufferMem
	imageMem
)

// mem returns the memory object of a handle, or CL_INVALID_MEM_OBJECT where it is of another kind.
func mem(h uintptr, k memKind) (*memObject, error) {
	m, err := find[memObject](h, kindMemObject)
	if err == nil && (k == bufferMem && m.buf == nil || k == imageMem && m.img == nil) {
		return nil, opencl.InvalidMemObject
	}
	return m, err
}

// operands returns the queue, memory object and wait list of a command. It replaces NULL by a value that package
// host refuses, so that host reports all errors in the specification's order.
func operands(queue uintptr, w waitList, h uintptr, k memKind) (q *queueObject, m *memObject, wait []*host.Event, err error) {
	if q, err = find[queueObject](queue, kindCommandQueue); err == nil {
		m, err = mem(h, k)
	}
	return q, m, w.events(), err
}

// operands2 is operands for a source and a destination.
func operands2(queue uintptr, w waitList, src uintptr, sk memKind, dst uintptr, dk memKind) (q *queueObject, s, d *memObject, wait []*host.Event, err error) {
	if q, s, wait, err = operands(queue, w, src, sk); err == nil {
		d, err = mem(dst, dk)
	}
	return q, s, d, wait, err
}

// refused is an offset outside every memory object. It replaces an origin or region that is NULL.
const refused = -1

func orRefused(p unsafe.Pointer, offset int) int {
	if p == nil {
		return refused
	}
	return offset
}

func clEnqueueReadBuffer(queue, buffer uintptr, blocking uint32, offset, n int, p unsafe.Pointer, w waitList) error {
	q, m, wait, err := operands(queue, w, buffer, bufferMem)
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: ptr is NULL.
	e, err := q.Read(hostBytes(p, n), m.buf, orRefused(p, offset), wait...)
	return w.finish(q, blocking, e, err)
}

func clEnqueueWriteBuffer(queue, buffer uintptr, blocking uint32, offset, n int, p unsafe.Pointer, w waitList) error {
	q, m, wait, err := operands(queue, w, buffer, bufferMem)
	if err != nil {
		return err
	}
	e, err := q.Write(m.buf, orRefused(p, offset), hostBytes(p, n), wait...)
	return w.finish(q, blocking, e, err)
}

func clEnqueueCopyBuffer(queue, src, dst uintptr, srcOffset, dstOffset, n int, w waitList) error {
	q, s, d, wait, err := operands2(queue, w, src, bufferMem, dst, bufferMem)
	if err != nil {
		return err
	}
	e, err := q.Copy(d.buf, dstOffset, s.buf, srcOffset, n, wait...)
	return w.done(q, e, err)
}

// triple reads three sizes. For NULL it returns sizes that callers refuse.
func triple(p *int) [3]int {
	if p == nil {
		return [3]int{refused, refused, refused}
	}
	return *(*[3]int)(unsafe.Pointer(p))
}

// extent returns the size of host memory that a box needs, or 0 where that overflows.
func extent(r host.Rect, region [3]int) int {
	n, err := r.Extent(region)
	if err != nil {
		return 0
	}
	return n
}

func clEnqueueReadBufferRect(queue, buffer uintptr, blocking uint32, bufferOrigin, hostOrigin, region *int, bufferRow, bufferSlice, hostRow, hostSlice int, p unsafe.Pointer, w waitList) error {
	q, m, wait, err := operands(queue, w, buffer, bufferMem)
	if err != nil {
		return err
	}
	n := triple(region)
	h := host.Rect{Origin: triple(hostOrigin), RowPitch: hostRow, SlicePitch: hostSlice}
	e, err := q.ReadRect(hostBytes(p, extent(h, n)), h, m.buf, host.Rect{Origin: triple(bufferOrigin), RowPitch: bufferRow, SlicePitch: bufferSlice}, n, wait...)
	return w.finish(q, blocking, e, err)
}

func clEnqueueWriteBufferRect(queue, buffer uintptr, blocking uint32, bufferOrigin, hostOrigin, region *int, bufferRow, bufferSlice, hostRow, hostSlice int, p unsafe.Pointer, w waitList) error {
	q, m, wait, err := operands(queue, w, buffer, bufferMem)
	if err != nil {
		return err
	}
	n := triple(region)
	h := host.Rect{Origin: triple(hostOrigin), RowPitch: hostRow, SlicePitch: hostSlice}
	e, err := q.WriteRect(m.buf, host.Rect{Origin: triple(bufferOrigin), RowPitch: bufferRow, SlicePitch: bufferSlice}, hostBytes(p, extent(h, n)), h, n, wait...)
	return w.finish(q, blocking, e, err)
}

func clEnqueueCopyBufferRect(queue, src, dst uintptr, srcOrigin, dstOrigin, region *int, srcRow, srcSlice, dstRow, dstSlice int, w waitList) error {
	q, s, d, wait, err := operands2(queue, w, src, bufferMem, dst, bufferMem)
	if err != nil {
		return err
	}
	e, err := q.CopyRect(d.buf, host.Rect{Origin: triple(dstOrigin), RowPitch: dstRow, SlicePitch: dstSlice},
		s.buf, host.Rect{Origin: triple(srcOrigin), RowPitch: srcRow, SlicePitch: srcSlice}, triple(region), wait...)
	return w.done(q, e, err)
}

func clEnqueueFillBuffer(queue, buffer uintptr, pattern unsafe.Pointer, patternSize, offset, n int, w waitList) error {
	q, m, wait, err := operands(queue, w, buffer, bufferMem)
	if err != nil {
		return err
	}
	if patternSize > 128 { // CL_INVALID_VALUE: treated as an empty pattern, and not read
		patternSize = 0
	}
	e, err := q.Fill(m.buf, hostBytes(pattern, patternSize), offset, n, wait...)
	return w.done(q, e, err)
}

// validMapFlags reports whether all flags are known and CL_MAP_WRITE_INVALIDATE_REGION is not combined with
// another.
func validMapFlags(flags uint64) bool {
	const known = C.CL_MAP_READ | C.CL_MAP_WRITE | C.CL_MAP_WRITE_INVALIDATE_REGION
	return flags&^known == 0 && (flags&C.CL_MAP_WRITE_INVALIDATE_REGION == 0 || flags == C.CL_MAP_WRITE_INVALIDATE_REGION)
}

func clEnqueueMapBuffer(queue, buffer uintptr, blocking uint32, flags uint64, offset, n int, w waitList) (unsafe.Pointer, error) {
	q, m, wait, err := operands(queue, w, buffer, bufferMem)
	if err != nil {
		return nil, err
	}
	// CL_INVALID_VALUE: values in map_flags are not valid.
	if !validMapFlags(flags) {
		offset = refused
	}
	region, e, err := q.Map(m.buf, flags&C.CL_MAP_READ != 0, flags&^C.CL_MAP_READ != 0, offset, n, wait...)
	return m.given(q, blocking, region, w, e, err)
}

// given returns a mapped region to the host. If the call blocks and the command fails, it unmaps the region.
func (m *memObject) given(q *queueObject, blocking uint32, region []byte, w waitList, e *host.Event, err error) (unsafe.Pointer, error) {
	if err != nil {
		return nil, err
	}
	p := unsafe.Pointer(unsafe.SliceData(region))
	m.mapped.Store(p, region)
	if err := w.finish(q, blocking, e, nil); err != nil {
		m.unmap(q, p, nil)
		return nil, err
	}
	return p, nil
}

// unmap enqueues the unmapping of the region at an address.
func (m *memObject) unmap(q *queueObject, p unsafe.Pointer, wait []*host.Event) (*host.Event, error) {
	region, ok := m.mapped.Load(p)
	if !ok { // CL_INVALID_VALUE: mapped_ptr is not a pointer that mapping returned
		return nil, opencl.InvalidValue
	}
	if m.img != nil {
		return q.UnmapImage(m.img, region.([]byte), wait...)
	}
	return q.Unmap(m.buf, region.([]byte), wait...)
}

func clEnqueueUnmapMemObject(queue, object uintptr, p unsafe.Pointer, w waitList) error {
	q, m, wait, err := operands(queue, w, object, anyMem)
	if err != nil {
		return err
	}
	e, err := m.unmap(q, p, wait)
	return w.done(q, e, err)
}

func clEnqueueMigrateMemObjects(queue uintptr, n uint32, mems *uintptr, flags uint64, w waitList) error {
	q, err := find[queueObject](queue, kindCommandQueue)
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: num_mem_objects is 0, mem_objects is NULL, or flags is not valid.
	if n == 0 || mems == nil || flags&^(C.CL_MIGRATE_MEM_OBJECT_HOST|C.CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) != 0 {
		return opencl.InvalidValue
	}
	list, err := list[memObject](n, mems, kindMemObject, opencl.InvalidValue)
	if err != nil {
		return err
	}
	var objects []host.MemObject
	for _, m := range list {
		if m.img != nil {
			objects = append(objects, m.img)
		} else {
			objects = append(objects, m.buf)
		}
	}
	e, err := q.MigrateAll(objects, w.events()...)
	return w.done(q, e, err)
}

func clEnqueueMarkerWithWaitList(queue uintptr, w waitList) error {
	q, err := find[queueObject](queue, kindCommandQueue)
	if err != nil {
		return err
	}
	e, err := q.Marker(w.events()...)
	return w.done(q, e, err)
}

func clEnqueueBarrierWithWaitList(queue uintptr, w waitList) error {
	q, err := find[queueObject](queue, kindCommandQueue)
	if err != nil {
		return err
	}
	e, err := q.Barrier(w.events()...)
	return w.done(q, e, err)
}

func clEnqueueMarker(queue uintptr, event *uintptr) error {
	if _, err := find[queueObject](queue, kindCommandQueue); err != nil {
		return err
	}
	if event == nil { // CL_INVALID_VALUE: event is NULL
		return opencl.InvalidValue
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
		return opencl.InvalidValue
	}
	err := clEnqueueBarrierWithWaitList(queue, waitList{n: n, list: events})
	if err != nil && host.StatusOf(err) == opencl.InvalidEventWaitList {
		return opencl.InvalidEvent
	}
	return err
}

func clEnqueueNativeKernel(queue uintptr, fn, args unsafe.Pointer, size int, n uint32, mems *uintptr, places unsafe.Pointer, w waitList) error {
	q, err := find[queueObject](queue, kindCommandQueue)
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: user_func is NULL, args and cb_args disagree, memory objects have
	// no places or the other way round.
	if fn == nil || (args == nil) != (size == 0) || args == nil && n > 0 || (n > 0) != (mems != nil) || (n > 0) != (places != nil) || size < 0 {
		return opencl.InvalidValue
	}
	list, err := list[memObject](n, mems, kindMemObject, opencl.InvalidValue)
	if err != nil {
		return err
	}
	for _, m := range list {
		if m.buf == nil { // CL_INVALID_MEM_OBJECT: an object is no buffer
			return opencl.InvalidMemObject
		}
	}
	var block unsafe.Pointer
	if size > 0 {
		block = unsafe.Pointer(unsafe.SliceData(cpu.AlignedBytes(size)))
		copy(hostBytes(block, size), hostBytes(args, size))
		for i, p := range unsafe.Slice((*uintptr)(places), n) { // the places inside args that receive the address of the memory
			at := p - uintptr(args)
			if at > uintptr(size)-8 || size < 8 {
				return opencl.InvalidValue
			}
			*(*uintptr)(unsafe.Add(block, at)) = uintptr(unsafe.Pointer(unsafe.SliceData(list[i].buf.Bytes())))
		}
	}
	var buffers []*host.Buffer
	for _, m := range list {
		buffers = append(buffers, m.buf)
	}
	e, err := q.HostOn(buffers, func() error {
		C.purecl_call_native(fn, block)
		runtime.KeepAlive(list)
		return nil
	}, w.events()...)
	return w.done(q, e, err)
}
