//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"bytes"
	"strings"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/host"
)

// A programObject is a program.
type programObject struct {
	*entry
	*host.Program
	ctx *contextObject
}

func newProgram(c *contextObject, p *host.Program) (uintptr, error) {
	return newProgramObject(c, p).handleOf()
}

// newProgramObject returns a program whose handle is not registered yet.
func newProgramObject(c *contextObject, p *host.Program) *programObject {
	o := &programObject{Program: p, ctx: c}
	o.entry = &entry{kind: kindProgram, self: o, parents: []*entry{c.entry}}
	return o
}

func clCreateProgramWithSource(context uintptr, n uint32, strs unsafe.Pointer, lengths *int) (uintptr, error) {
	c, err := find[contextObject](context, kindContext)
	if err != nil {
		return 0, err
	}
	// CL_INVALID_VALUE: count is 0, strings or an entry of it is NULL.
	if n == 0 || strs == nil {
		return 0, opencl.InvalidValue
	}
	var b strings.Builder
	lens := array(lengths, n)
	for i, p := range unsafe.Slice((*unsafe.Pointer)(strs), n) {
		if p == nil {
			return 0, opencl.InvalidValue
		}
		if lens != nil && lens[i] != 0 {
			b.Write(hostBytes(p, lens[i]))
		} else {
			b.WriteString(text(p))
		}
	}
	return newProgram(c, c.NewProgram(host.Source{Text: b.String(), Watched: checks() != host.CheckNone}))
}

func clCreateProgramWithBinary(context uintptr, n uint32, devices *uintptr, lengths *int, binaries unsafe.Pointer, binaryStatus *int32) (uintptr, error) {
	c, err := find[contextObject](context, kindContext)
	if err != nil {
		return 0, err
	}
	// CL_INVALID_VALUE: device_list is NULL, num_devices is 0, lengths or binaries is NULL
	// or an entry of them is NULL or 0.
	if n == 0 || devices == nil {
		return 0, opencl.InvalidValue
	}
	on, err := c.some(n, devices)
	if err != nil {
		return 0, err
	}
	if lengths == nil || binaries == nil {
		return 0, opencl.InvalidValue
	}
	images := make([][]byte, n)
	for i, bin := range unsafe.Slice((*unsafe.Pointer)(binaries), n) {
		images[i] = bytes.Clone(hostBytes(bin, array(lengths, n)[i]))
	}
	p, errs := c.NewProgramBinaries(on, images)
	states := array(binaryStatus, n)
	var first error
	for i, err := range errs {
		if states != nil {
			states[i] = status(err)
		}
		if first == nil {
			first = err
		}
	}
	if first != nil {
		return 0, first
	}
	return newProgram(c, p)
}

func clCreateProgramWithIL(context uintptr, il unsafe.Pointer, size int) (uintptr, error) {
	if _, err := find[contextObject](context, kindContext); err != nil {
		return 0, err
	}
	// CL_INVALID_OPERATION: no device of the context supports intermediate languages.
	return 0, opencl.InvalidOperation
}

func clCreateProgramWithBuiltInKernels(context uintptr, n uint32, devices *uintptr, names unsafe.Pointer) (uintptr, error) {
	if _, err := find[contextObject](context, kindContext); err != nil {
		return 0, err
	}
	// CL_INVALID_VALUE: no devices, or kernel_names is NULL or holds a name that no device
	// supports: there are none.
	return 0, opencl.InvalidValue
}

func clSetProgramSpecializationConstant(program uintptr, _ uint32, _ int, _ unsafe.Pointer) error {
	if _, err := find[programObject](program, kindProgram); err != nil {
		return err
	}
	// CL_INVALID_OPERATION: no device of the program supports intermediate languages.
	return opencl.InvalidOperation
}

func clRetainProgram(program uintptr) error  { return retain(program, kindProgram) }
func clReleaseProgram(program uintptr) error { return release(program, kindProgram) }

// disagree reports whether an array is NULL and its length is not 0, or the opposite.
func disagree[T any](n uint32, p *T) bool { return (n == 0) != (p == nil) }

// some returns the devices of a device_list, or none for NULL.
func (c *contextObject) some(n uint32, devices *uintptr) (list []*host.Device, err error) {
	// CL_INVALID_DEVICE: a device is none of the program's.
	for _, h := range array(devices, n) {
		d, err := c.deviceIn(h)
		if err != nil {
			return nil, err
		}
		list = append(list, d.Device)
	}
	return list, nil
}

// devices returns the handles of the program's devices.
func (o *programObject) devices() (list []uintptr) {
	for _, d := range o.Devices() {
		list = append(list, o.ctx.handleFor(d))
	}
	return list
}

// completion returns a function that calls the host's fn when a build is complete, or nil without fn. It keeps the
// program's handle alive until then.
func (o *programObject) completion(fn, user unsafe.Pointer) func() {
	if fn == nil {
		return nil
	}
	o.uses.Add(1)
	return func() {
		C.purecl_call_object(fn, C.uintptr_t(o.handle), user)
		o.drop()
	}
}

func clBuildProgram(program uintptr, n uint32, devices *uintptr, options, fn, user unsafe.Pointer) error {
	o, err := find[programObject](program, kindProgram)
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: device_list and num_devices disagree, or user_data is given without pfn_notify.
	if disagree(n, devices) || fn == nil && user != nil {
		return opencl.InvalidValue
	}
	on, err := o.ctx.some(n, devices)
	if err != nil {
		return err
	}
	return o.started(fn, o.BuildAsync(text(options), o.completion(fn, user), on...))
}

// started drops the completion's use of the handle if the build never began.
func (o *programObject) started(fn unsafe.Pointer, err error) error {
	if err != nil && fn != nil {
		o.drop()
	}
	return err
}

func clCompileProgram(program uintptr, n uint32, devices *uintptr, options unsafe.Pointer, count uint32, headers *uintptr, names, fn, user unsafe.Pointer) error {
	o, err := find[programObject](program, kindProgram)
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: device_list and num_devices disagree, or headers, their names and their number, or
	// user_data is given without pfn_notify.
	if disagree(n, devices) || disagree(count, headers) || (count == 0) != (names == nil) || fn == nil && user != nil {
		return opencl.InvalidValue
	}
	on, err := o.ctx.some(n, devices)
	if err != nil {
		return err
	}
	list, err := list[programObject](count, headers, kindProgram, opencl.InvalidValue)
	if err != nil {
		return err
	}
	byName := map[string]*host.Program{}
	for i, h := range list {
		byName[text(unsafe.Slice((*unsafe.Pointer)(names), count)[i])] = h.Program
	}
	return o.started(fn, o.CompileAsync(text(options), byName, o.completion(fn, user), on...))
}

func clLinkProgram(context uintptr, n uint32, devices *uintptr, options unsafe.Pointer, count uint32, inputs *uintptr, fn, user unsafe.Pointer) (uintptr, error) {
	c, err := find[contextObject](context, kindContext)
	if err != nil {
		return 0, err
	}
	// CL_INVALID_VALUE: device_list and num_devices disagree, num_input_programs is 0 or
	// input_programs is NULL.
	if disagree(n, devices) || count == 0 || inputs == nil {
		return 0, opencl.InvalidValue
	}
	list, err := list[programObject](count, inputs, kindProgram, opencl.InvalidValue)
	if err != nil {
		return 0, err
	}
	// CL_INVALID_VALUE: user_data is given without pfn_notify.
	if fn == nil && user != nil {
		return 0, opencl.InvalidValue
	}
	on, err := c.some(n, devices)
	if err != nil {
		return 0, err
	}
	var programs []*host.Program
	for _, o := range list {
		programs = append(programs, o.Program)
	}
	var done func(*host.Program)
	ready := make(chan *programObject, 1)
	if fn != nil {
		done = func(*host.Program) {
			if o := <-ready; o != nil {
				C.purecl_call_object(fn, C.uintptr_t(o.handle), user)
				o.drop()
			}
		}
	}
	p, err := c.LinkAsync(text(options), on, done, programs...)
	if p == nil {
		return 0, err
	}
	o := newProgramObject(c, p)
	if fn != nil {
		o.uses.Add(1) // for the callback
	}
	h, herr := o.handleOf()
	if herr != nil {
		ready <- nil
		return 0, herr
	}
	ready <- o
	return h, err
}

func clGetProgramInfo(program uintptr, name uint32, a answer) error {
	o, err := find[programObject](program, kindProgram)
	if err != nil {
		return err
	}
	switch name {
	case C.CL_PROGRAM_REFERENCE_COUNT:
		return value(a, uint32(o.refs.Load()))
	case C.CL_PROGRAM_CONTEXT:
		return value(a, o.ctx.handle)
	case C.CL_PROGRAM_NUM_DEVICES:
		return value(a, uint32(len(o.Devices())))
	case C.CL_PROGRAM_DEVICES:
		return values(a, o.devices())
	case C.CL_PROGRAM_SOURCE:
		return a.str(o.Source().Text)
	case C.CL_PROGRAM_IL:
		return a.bytes(nil, 0)
	case C.CL_PROGRAM_BINARY_SIZES:
		var sizes []int
		for _, d := range o.Devices() {
			b, err := o.BinaryFor(d)
			if err != nil {
				return err
			}
			sizes = append(sizes, len(b))
		}
		return values(a, sizes)
	case C.CL_PROGRAM_BINARIES:
		return o.binaries(a)
	case C.CL_PROGRAM_NUM_KERNELS, C.CL_PROGRAM_KERNEL_NAMES, C.CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, C.CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
		// CL_INVALID_PROGRAM_EXECUTABLE: no executable has been built successfully.
		if !o.Executable() {
			return opencl.InvalidProgramExecutable
		}
		switch names := o.KernelNames(); name {
		case C.CL_PROGRAM_NUM_KERNELS:
			return value(a, len(names))
		case C.CL_PROGRAM_KERNEL_NAMES:
			return a.str(strings.Join(names, ";"))
		}
		return value(a, uint32(0))
	}
	return opencl.InvalidValue
}

// binaries fills in the host's array of pointers, of which some may be NULL.
func (o *programObject) binaries(a answer) error {
	devices := o.Devices()
	n := len(devices)
	if a.value != nil {
		if a.size < n*8 {
			return opencl.InvalidValue
		}
		for i, p := range unsafe.Slice((*unsafe.Pointer)(a.value), n) {
			b, err := o.BinaryFor(devices[i])
			if err != nil {
				return err
			}
			if p != nil {
				copy(hostBytes(p, len(b)), b)
			}
		}
	}
	put(a.ret, n*8)
	return nil
}

func clGetProgramBuildInfo(program, device uintptr, name uint32, a answer) error {
	o, err := find[programObject](program, kindProgram)
	if err != nil {
		return err
	}
	d, err := o.ctx.deviceIn(device)
	if err != nil {
		return err
	}
	b, err := o.BuildState(d.Device)
	if err != nil {
		return err
	}
	switch name {
	case C.CL_PROGRAM_BUILD_STATUS:
		return value(a, int32(b.Status))
	case C.CL_PROGRAM_BUILD_OPTIONS:
		return a.str(b.Options)
	case C.CL_PROGRAM_BUILD_LOG:
		return a.str(b.Log)
	case C.CL_PROGRAM_BINARY_TYPE:
		return value(a, uint32(b.Binary))
	case C.CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
		return value(a, int(b.VariablesSize))
	}
	return opencl.InvalidValue
}
