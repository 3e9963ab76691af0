//go:build cgo && linux

package main

// #include "driver.h"
// #include <stdlib.h>
import "C"

import (
	"io"
	"slices"
	"sync"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/host"
)

// A contextObject is a context with its devices' handles.
type contextObject struct {
	*entry
	*host.Context
	devices []*deviceObject
	props   []int     // as given, for CL_CONTEXT_PROPERTIES
	out     io.Writer // where printf writes
	ends    callbacks // set by clSetContextDestructorCallback
	notify  callback  // set by clCreateContext
	told    map[place]bool

	mu     sync.Mutex
	queues map[*queueObject]struct{} // that may have commands
}

// A callback is one of the host's functions with its user data.
type callback struct{ fn, user unsafe.Pointer }

// callbacks are called when an object is destroyed, the last one first.
type callbacks struct {
	mu   sync.Mutex
	list []callback
}

func (c *callbacks) add(cb callback) {
	c.mu.Lock()
	c.list = append(c.list, cb)
	c.mu.Unlock()
}

// call calls the callbacks with the object's handle.
func (c *callbacks) call(handle uintptr) {
	for i := len(c.list) - 1; i >= 0; i-- {
		C.purecl_call_object(c.list[i].fn, C.uintptr_t(handle), c.list[i].user)
	}
}

// An output passes what kernels print to the host: to its standard output or, with CL_PRINTF_CALLBACK_ARM, to its
// function.
type output struct {
	mu sync.Mutex
	callback
}

func (o *output) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.fn == nil {
		C.purecl_write_stdout(unsafe.Pointer(&b[0]), C.size_t(len(b)))
	} else {
		s := C.CString(string(b))
		C.purecl_call_printf(o.fn, s, C.size_t(len(b)), o.user)
		C.free(unsafe.Pointer(s))
	}
	return len(b), nil
}

// Names of context properties that only the headers of extensions define (cl_arm_printf).
const (
	printfCallbackARM   = 0x40B0
	printfBufferSizeARM = 0x40B1
)

func clCreateContext(props *int, n uint32, devices *uintptr, notify, user unsafe.Pointer) (uintptr, error) {
	c, err := contextWith(props, notify, user)
	if err != nil {
		return 0, err
	}
	// CL_INVALID_VALUE: devices is NULL or num_devices is 0.
	if n == 0 || devices == nil {
		return 0, opencl.InvalidValue
	}
	list, err := list[deviceObject](n, devices, kindDevice, opencl.InvalidValue)
	if err != nil {
		return 0, err
	}
	return c.start(list, notify, user)
}

func clCreateContextFromType(props *int, typ uint64, notify, user unsafe.Pointer) (uintptr, error) {
	c, err := contextWith(props, notify, user)
	if err != nil {
		return 0, err
	}
	p, err := thePlatform()
	if err != nil {
		return 0, err
	}
	list, err := p.ofType(typ)
	if err != nil {
		return 0, err
	}
	return c.start(list, notify, user)
}

// contextWith returns a context with its properties and without devices.
func contextWith(props *int, notify, user unsafe.Pointer) (*contextObject, error) {
	pairs, raw, twice := properties(props, opencl.InvalidProperty)
	for _, p := range pairs {
		if p[0] == C.CL_CONTEXT_PLATFORM {
			// CL_INVALID_PLATFORM: the platform value is not a valid platform.
			if _, err := find[platformObject](uintptr(p[1]), kindPlatform); err != nil {
				return nil, err
			}
		}
	}
	// CL_INVALID_PROPERTY: a name is given twice or not supported, or a value is not valid.
	if twice != nil {
		return nil, twice
	}
	c := &contextObject{props: raw, queues: map[*queueObject]struct{}{}}
	out := &output{}
	for _, p := range pairs {
		switch p[0] {
		case C.CL_CONTEXT_PLATFORM, printfBufferSizeARM:
		case C.CL_CONTEXT_INTEROP_USER_SYNC:
			if p[1] != 0 && p[1] != 1 {
				return nil, opencl.InvalidProperty
			}
		case printfCallbackARM:
			out.fn = pointer(p[1])
			out.user = user
		default:
			return nil, opencl.InvalidProperty
		}
	}
	c.out = out
	// CL_INVALID_VALUE: user_data is given without pfn_notify.
	if notify == nil && user != nil {
		return nil, opencl.InvalidValue
	}
	return c, nil
}

// start sets the context's devices, each of them once, and registers its handle.
func (c *contextObject) start(devices []*deviceObject, notify, user unsafe.Pointer) (uintptr, error) {
	var inner []*host.Device
	var parents []*entry
	for _, d := range devices {
		if !slices.Contains(c.devices, d) {
			inner, parents, c.devices = append(inner, d.Device), append(parents, d.entry), append(c.devices, d)
		}
	}
	var err error
	if c.Context, err = host.NewContext(nil, inner...); err != nil {
		return 0, err
	}
	c.notify = callback{notify, user}
	c.SetNotices(c.report)
	c.SetDump(dumper())
	c.SetProfile(profiled())
	c.SetAllocator(alloc)
	c.entry = &entry{kind: kindContext, self: c, parents: parents}
	c.end = func() { c.ends.call(c.handle) }
	return c.handleOf()
}

// handleOf registers an object and returns its handle.
func (e *entry) handleOf() (uintptr, error) {
	if err := e.register(); err != nil {
		return 0, err
	}
	return e.handle, nil
}

// pointer converts a property's value, a C pointer, to a Go pointer.
func pointer(n int) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&n)) }

func clRetainContext(context uintptr) error  { return retain(context, kindContext) }
func clReleaseContext(context uintptr) error { return release(context, kindContext) }

func handlesOf(devices []*deviceObject) []uintptr {
	out := make([]uintptr, len(devices))
	for i, d := range devices {
		out[i] = d.handle
	}
	return out
}

func clGetContextInfo(context uintptr, name uint32, a answer) error {
	c, err := find[contextObject](context, kindContext)
	if err != nil {
		return err
	}
	switch name {
	case C.CL_CONTEXT_REFERENCE_COUNT:
		return value(a, uint32(c.refs.Load()))
	case C.CL_CONTEXT_NUM_DEVICES:
		return value(a, uint32(len(c.devices)))
	case C.CL_CONTEXT_DEVICES:
		return values(a, handlesOf(c.devices))
	case C.CL_CONTEXT_PROPERTIES:
		return values(a, c.props)
	}
	return opencl.InvalidValue
}

func clSetContextDestructorCallback(context uintptr, fn, user unsafe.Pointer) error {
	c, err := find[contextObject](context, kindContext)
	if err != nil {
		return err
	}
	if fn == nil {
		return opencl.InvalidValue
	}
	c.ends.add(callback{fn, user})
	return nil
}

// deviceIn returns a device of the context.
func (c *contextObject) deviceIn(h uintptr) (*deviceObject, error) {
	d, err := find[deviceObject](h, kindDevice)
	if err != nil {
		return nil, err
	}
	for _, x := range c.devices {
		if x == d {
			return d, nil
		}
	}
	return nil, opencl.InvalidDevice
}

// handleFor returns the handle of a device of the context.
func (c *contextObject) handleFor(d *host.Device) uintptr {
	for _, x := range c.devices {
		if x.Device == d {
			return x.handle
		}
	}
	return 0
}
