//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
)

// A kind is the kind of object behind a handle; driver.h uses the same numbers.
type kind uint32

const (
	kindNone kind = iota
	kindPlatform
	kindDevice
	kindContext
	kindCommandQueue
	kindMemObject
	kindProgram
	kindKernel
	kindEvent
	kindSampler
)

// invalid is the status of a handle that is not of the kind expected.
var invalid = [...]opencl.Status{
	kindPlatform: opencl.InvalidPlatform, kindDevice: opencl.InvalidDevice, kindContext: opencl.InvalidContext,
	kindCommandQueue: opencl.InvalidCommandQueue, kindMemObject: opencl.InvalidMemObject, kindProgram: opencl.InvalidProgram,
	kindKernel: opencl.InvalidKernel, kindEvent: opencl.InvalidEvent, kindSampler: opencl.InvalidSampler,
}

// An entry is the common part of the objects behind handles.
type entry struct {
	handle uintptr
	kind   kind
	// refs is the reference count that the host sees. uses counts the entries, calls and callbacks that need
	// this one, plus one while refs is not 0. The handle lives while uses is not 0: a queue returns its
	// context's handle even if the host has released it. Once 0, uses stays 0 (see use), so that the handle
	// ends once.
	refs, uses atomic.Int32
	parents    []*entry
	self       any    // the object: *contextObject, *queueObject, …
	end        func() // called when the handle has ended; may be nil
}

// slots is the memory of handles: an array of slots of slotSize bytes, of which the
// loader reads the first word. It is reserved at once and filled from the beginning.
const (
	slotSize  = 16
	maxSlots  = 1 << 24
	chunkSize = 1 << 12
)

type slotTable struct {
	base   uintptr
	chunks [maxSlots / chunkSize]atomic.Pointer[[chunkSize]atomic.Pointer[entry]]

	mu   sync.Mutex
	used int   // slots used so far
	free []int // slots free for reuse, oldest first
	head int   // index of the oldest in free
}

var slots slotTable

// reuseAfter is the number of handles that must be destroyed before a slot is reused. Until then a stale handle is
// recognised.
const reuseAfter = 1 << 12

// reserve maps the memory of the handles.
var reserve = sync.OnceValue(func() error {
	mem, err := syscall.Mmap(-1, 0, maxSlots*slotSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err == nil {
		slots.base = uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
		slotMemory = mem
	}
	return err
})

var slotMemory []byte

// newEntry returns the entry of a new object that needs its parents.
func newEntry(k kind, self any, parents ...*entry) (*entry, error) {
	e := &entry{kind: k, self: self, parents: parents}
	return e, e.register()
}

// register gives an entry its handle and keeps the uses that were added before. It fails if a parent was destroyed
// meanwhile or memory is exhausted.
func (e *entry) register() error {
	if err := reserve(); err != nil {
		return opencl.OutOfHostMemory
	}
	for i, p := range e.parents {
		if !p.use() {
			dropAll(e.parents[:i])
			return invalid[p.kind]
		}
	}
	i, ok := slots.take()
	if !ok {
		dropAll(e.parents)
		return opencl.OutOfHostMemory
	}
	t := &slots
	e.handle = t.base + uintptr(i)*slotSize
	e.refs.Store(1)
	e.uses.Add(1)
	*(**C.cl_icd_dispatch)(unsafe.Pointer(&slotMemory[i*slotSize])) = (*C.cl_icd_dispatch)(unsafe.Pointer(&C.purecl_dispatch))
	t.chunks[i/chunkSize].Load()[i%chunkSize].Store(e)
	return nil
}

func dropAll(list []*entry) {
	for _, e := range list {
		e.drop()
	}
}

// take returns a slot that is not in use, if there is one.
func (t *slotTable) take() (i int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case len(t.free)-t.head > reuseAfter:
		i = t.free[t.head]
		if t.head++; t.head > len(t.free)/2 {
			t.free = append(t.free[:0], t.free[t.head:]...)
			t.head = 0
		}
	case t.used < maxSlots:
		i = t.used
		t.used++
		if i%chunkSize == 0 {
			t.chunks[i/chunkSize].Store(new([chunkSize]atomic.Pointer[entry]))
		}
	default:
		return 0, false
	}
	return i, true
}

// at returns the entry of a handle, nil of anything else.
func (t *slotTable) at(h uintptr) *entry {
	off := h - t.base
	if t.base == 0 || off >= maxSlots*slotSize || off%slotSize != 0 {
		return nil
	}
	i := off / slotSize
	chunk := t.chunks[i/chunkSize].Load()
	if chunk == nil {
		return nil
	}
	return chunk[i%chunkSize].Load()
}

// use adds a use, unless the handle has ended.
func (e *entry) use() bool {
	for {
		n := e.uses.Load()
		if n <= 0 {
			return false
		}
		if e.uses.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// stale is a value that is neither a handle nor NULL.
const stale = 1

// hold finds the object of a handle and keeps it alive until the call ends, in one step: if another thread releases
// it meanwhile, the call either holds the object or does not find it. A handle of another kind becomes stale. NULL
// stays NULL because it may have a meaning. The generated functions hold every handle argument and release it at
// their end.
func hold(h *uintptr, k kind) *entry {
	if *h == 0 {
		return nil
	}
	e := slots.at(*h)
	if e == nil || e.kind != k || !e.use() {
		*h = stale
		return nil
	}
	return e
}

// done releases what hold holds.
func (e *entry) done() {
	if e != nil {
		e.drop()
	}
}

// find returns the object of a handle of a kind, or the kind's error. The call holds the handle, unless the handle
// comes from the host's memory. Go may use such an object, but if it is destroyed meanwhile it cannot become a
// parent (see register).
func find[T any](h uintptr, k kind) (*T, error) {
	if e := slots.at(h); e != nil && e.kind == k {
		if x, ok := e.self.(*T); ok {
			return x, nil
		}
	}
	return nil, invalid[k]
}

// retain adds a reference of the host. It succeeds even after the host has released its last reference, if another
// object keeps this one alive: PyOpenCL gets a queue's context that way.
func retain(h uintptr, k kind) error {
	e := slots.at(h)
	if e == nil || e.kind != k {
		return invalid[k]
	}
	for {
		if n := e.refs.Load(); n > 0 {
			if e.refs.CompareAndSwap(n, n+1) {
				return nil
			}
			continue
		}
		if !e.use() {
			return invalid[k]
		}
		if e.refs.CompareAndSwap(0, 1) {
			return nil
		}
		e.drop()
	}
}

// release decrements the reference count.
func release(h uintptr, k kind) error {
	e := slots.at(h)
	if e == nil || e.kind != k {
		return invalid[k]
	}
	for {
		n := e.refs.Load()
		if n <= 0 {
			return invalid[k]
		}
		if e.refs.CompareAndSwap(n, n-1) {
			if n == 1 {
				e.drop()
			}
			return nil
		}
	}
}

// drop removes a use; the last one ends the handle.
func (e *entry) drop() {
	if e.uses.Add(-1) > 0 {
		return
	}
	if e.end != nil {
		e.end()
	}
	t := &slots
	i := int(e.handle-t.base) / slotSize
	t.chunks[i/chunkSize].Load()[i%chunkSize].Store(nil)
	t.mu.Lock()
	t.free = append(t.free, i)
	t.mu.Unlock()
	dropAll(e.parents)
}

// list returns the objects of an array of handles. bad is the status for a NULL array with a count, for a count
// without an array, and for a handle of another kind.
func list[T any](n uint32, p *uintptr, k kind, bad opencl.Status) ([]*T, error) {
	if (n == 0) != (p == nil) {
		return nil, bad
	}
	if n == 0 {
		return nil, nil
	}
	out := make([]*T, n)
	for i, h := range unsafe.Slice(p, n) {
		x, err := find[T](h, k)
		if err != nil {
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}

//export goAbsent
func goAbsent(k kind, h uintptr, s int32) int32 {
	if k != kindNone {
		if e := slots.at(h); e == nil || e.kind != k {
			return int32(invalid[k])
		}
	}
	return s
}
