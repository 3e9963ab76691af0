//go:build cgo && linux

package main

// #include "driver.h"
// #include <stdlib.h>
import "C"

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/host"
)

// A memObject is a memory object: a buffer or an image.
type memObject struct {
	*entry
	buf    *host.Buffer // nil for an image
	img    *host.Image  // nil for a buffer
	ctx    *contextObject
	parent *memObject     // of a sub-buffer or an image made from a memory object
	host   unsafe.Pointer // the host_ptr of CL_MEM_USE_HOST_PTR
	props  []uint64
	ends   callbacks
	mapped sync.Map // the region mapped at an address: unsafe.Pointer to []byte
}

func clCreateBuffer(context uintptr, flags uint64, size int, host unsafe.Pointer) (uintptr, error) {
	return newBuffer(context, nil, flags, size, host)
}

func clCreateBufferWithProperties(context uintptr, props *uint64, flags uint64, size int, host unsafe.Pointer) (uintptr, error) {
	raw, err := noProperties(context, props)
	if err != nil {
		return 0, err
	}
	return newBuffer(context, raw, flags, size, host)
}

// noProperties checks the property list of a memory object, which must be empty.
func noProperties(context uintptr, props *uint64) ([]uint64, error) {
	if _, err := find[contextObject](context, kindContext); err != nil {
		return nil, err
	}
	// CL_INVALID_PROPERTY: a property name is not supported. No name is.
	pairs, raw, err := properties(props, opencl.InvalidProperty)
	if err != nil || len(pairs) > 0 {
		return nil, opencl.InvalidProperty
	}
	return raw, nil
}

// hostBytes returns memory of the host as a slice.
func hostBytes(p unsafe.Pointer, n int) []byte {
	if p == nil || n < 0 {
		return nil
	}
	return unsafe.Slice((*byte)(p), n)
}

func newBuffer(context uintptr, props []uint64, flags uint64, size int, hostPtr unsafe.Pointer) (uintptr, error) {
	c, err := find[contextObject](context, kindContext)
	if err != nil {
		return 0, err
	}
	b, err := c.NewBuffer(host.MemFlags(flags), size, hostBytes(hostPtr, size))
	if err != nil {
		return 0, err
	}
	m := &memObject{buf: b, ctx: c, props: props}
	if flags&C.CL_MEM_USE_HOST_PTR != 0 {
		m.host = hostPtr
	}
	return m.start(c.entry)
}

// common returns the methods that buffers and images share.
func (m *memObject) common() interface {
	Flags() host.MemFlags
	Size() int
	MapCount() int
	Bytes() []byte
} {
	if m.img != nil {
		return m.img
	}
	return m.buf
}

// start registers the handle.
func (m *memObject) start(parent *entry) (uintptr, error) {
	m.entry = &entry{kind: kindMemObject, self: m, parents: []*entry{parent}, end: m.ended}
	return m.handleOf()
}

// alloc allocates memory objects in C's memory, because the host has its address while a region is mapped, and Go's
// collector, which frees unused objects, does not see that.
func alloc(n int) ([]byte, func()) {
	const align = 128 // the alignment of long16
	p := C.calloc(1, C.size_t(n)+align)
	if p == nil {
		return nil, nil
	}
	off := -uintptr(p) & (align - 1)
	return unsafe.Slice((*byte)(unsafe.Add(p, off)), n), func() { C.free(p) }
}

// collectAfter is the least number of bytes of destroyed memory objects after which the garbage collector runs and
// frees them; the collector does not count these bytes itself. As with Go's own memory, it runs when the destroyed
// objects exceed the live ones.
const collectAfter = 32 << 20

var ended atomic.Int64

// collect counts n bytes of destroyed objects, and runs the garbage collector when they exceed the limit.
func collect(n int) {
	sum := ended.Add(int64(n))
	if sum > max(collectAfter, cpu.Allocated()-sum) && ended.CompareAndSwap(sum, 0) {
		go runtime.GC()
	}
}

// ended is called when the handle is destroyed. Commands may still use the memory.
func (m *memObject) ended() {
	if len(m.ends.list) > 0 {
		m.ctx.whenIdle(func() { m.ends.call(m.handle) })
	}
	if m.parent == nil && m.host == nil {
		collect(m.common().Size())
	}
}

// whenIdle calls f when the commands in the context's queues are complete. It calls f at once if there are none.
func (c *contextObject) whenIdle(f func()) {
	c.mu.Lock()
	var queues []*host.Queue
	for q := range c.queues {
		queues = append(queues, q.Queue)
	}
	c.mu.Unlock()
	busy := queues[:0]
	for _, q := range queues {
		if !q.Idle() {
			busy = append(busy, q)
		}
	}
	if len(busy) == 0 {
		f()
		return
	}
	go func() {
		for _, q := range busy {
			q.Finish(context.Background()) // errors are in the commands' events
		}
		f()
	}()
}

func clCreateSubBuffer(buffer uintptr, flags uint64, typ uint32, info unsafe.Pointer) (uintptr, error) {
	m, err := mem(buffer, bufferMem)
	if err != nil {
		return 0, err
	}
	// CL_INVALID_VALUE: buffer_create_type is not valid, buffer_create_info is NULL.
	region := &C.cl_buffer_region{origin: C.size_t(math.MaxInt), size: 1}
	if typ == C.CL_BUFFER_CREATE_TYPE_REGION && info != nil {
		region = (*C.cl_buffer_region)(info)
	}
	b, err := m.buf.SubBuffer(host.MemFlags(flags), int(region.origin), int(region.size))
	if err != nil {
		return 0, err
	}
	s := &memObject{buf: b, ctx: m.ctx, parent: m}
	if m.host != nil {
		s.host = unsafe.Add(m.host, int(region.origin))
	}
	return s.start(m.entry)
}

func clRetainMemObject(mem uintptr) error  { return retain(mem, kindMemObject) }
func clReleaseMemObject(mem uintptr) error { return release(mem, kindMemObject) }

func clSetMemObjectDestructorCallback(mem uintptr, fn, user unsafe.Pointer) error {
	m, err := find[memObject](mem, kindMemObject)
	if err != nil {
		return err
	}
	if fn == nil {
		return opencl.InvalidValue
	}
	m.ends.add(callback{fn, user})
	return nil
}

func clGetMemObjectInfo(mem uintptr, name uint32, a answer) error {
	m, err := find[memObject](mem, kindMemObject)
	if err != nil {
		return err
	}
	switch name {
	case C.CL_MEM_TYPE:
		return value(a, m.typ())
	case C.CL_MEM_FLAGS:
		return value(a, uint64(m.common().Flags()))
	case C.CL_MEM_SIZE:
		return value(a, m.common().Size())
	case C.CL_MEM_HOST_PTR:
		return value(a, m.host)
	case C.CL_MEM_MAP_COUNT:
		return value(a, uint32(m.common().MapCount()))
	case C.CL_MEM_REFERENCE_COUNT:
		return value(a, uint32(m.refs.Load()))
	case C.CL_MEM_CONTEXT:
		return value(a, m.ctx.handle)
	case C.CL_MEM_ASSOCIATED_MEMOBJECT:
		if m.parent == nil {
			return value(a, uintptr(0))
		}
		return value(a, m.parent.handle)
	case C.CL_MEM_OFFSET:
		origin := 0
		if m.buf != nil {
			_, origin = m.buf.Parent()
		}
		return value(a, origin)
	case C.CL_MEM_USES_SVM_POINTER:
		return value(a, uint32(0))
	case C.CL_MEM_PROPERTIES:
		return values(a, m.props)
	}
	return opencl.InvalidValue
}

// typ returns the cl_mem_object_type.
func (m *memObject) typ() uint32 {
	if m.img != nil {
		return uint32(m.img.Desc().Type)
	}
	return C.CL_MEM_OBJECT_BUFFER
}
