//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"slices"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/host"
)

// A kernelObject is a kernel.
type kernelObject struct {
	*entry
	*host.Kernel
	prog *programObject
	args []host.ArgInfo
}

func newKernel(p *programObject, k *host.Kernel) (uintptr, error) {
	o := &kernelObject{Kernel: k, prog: p, args: k.Args()}
	o.entry = &entry{kind: kindKernel, self: o, parents: []*entry{p.entry}, end: func() { p.Attach(-1) }}
	p.Attach(1) // before another thread can release it
	h, err := o.handleOf()
	if err != nil {
		p.Attach(-1)
	}
	return h, err
}

func clCreateKernel(program uintptr, name unsafe.Pointer) (uintptr, error) {
	p, err := find[programObject](program, kindProgram)
	if err != nil {
		return 0, err
	}
	// CL_INVALID_VALUE: kernel_name is NULL. This check comes after that for an executable.
	k, err := p.Kernel(text(name))
	if name == nil && (err == nil || host.StatusOf(err) == opencl.InvalidKernelName) {
		return 0, opencl.InvalidValue
	}
	if err != nil {
		return 0, err
	}
	return newKernel(p, k)
}

func clCreateKernelsInProgram(program uintptr, n uint32, kernels *uintptr, count *uint32) error {
	p, err := find[programObject](program, kindProgram)
	if err != nil {
		return err
	}
	if !p.Executable() {
		return opencl.InvalidProgramExecutable
	}
	names := p.KernelNames()
	// CL_INVALID_VALUE: kernels is not NULL and num_kernels is less than the program has.
	if kernels != nil && int(n) < len(names) {
		return opencl.InvalidValue
	}
	put(count, uint32(len(names)))
	if kernels == nil {
		return nil
	}
	out := array(kernels, n)
	for i, name := range names {
		k, err := p.Kernel(name)
		if err != nil {
			return err
		}
		if out[i], err = newKernel(p, k); err != nil {
			return err
		}
	}
	return nil
}

func clCloneKernel(kernel uintptr) (uintptr, error) {
	k, err := find[kernelObject](kernel, kindKernel)
	if err != nil {
		return 0, err
	}
	return newKernel(k.prog, k.Clone())
}

func clRetainKernel(kernel uintptr) error  { return retain(kernel, kindKernel) }
func clReleaseKernel(kernel uintptr) error { return release(kernel, kindKernel) }

func clSetKernelArg(kernel uintptr, index uint32, size int, p unsafe.Pointer) error {
	k, err := find[kernelObject](kernel, kindKernel)
	if err != nil {
		return err
	}
	// CL_INVALID_ARG_INDEX: arg_index is not a valid argument index.
	if int64(index) >= int64(len(k.args)) {
		return opencl.InvalidArgIndex
	}
	i, a := int(index), &k.args[index]
	switch {
	case a.Local():
		// CL_INVALID_ARG_VALUE: arg_value is not NULL for an argument in local memory.
		if p != nil {
			return opencl.InvalidArgValue
		}
		return k.Set(i, host.LocalMem(size))
	case a.Memory():
		// CL_INVALID_ARG_SIZE: not the size of a handle.
		if size != int(unsafe.Sizeof(uintptr(0))) {
			return opencl.InvalidArgSize
		}
		if p == nil || *(*uintptr)(p) == 0 {
			return k.Set(i, nil)
		}
		m, err := argHandle[memObject](p, size, kindMemObject)
		if err != nil {
			return err
		}
		if m.img != nil { // CL_INVALID_MEM_OBJECT: an image for a pointer
			return opencl.InvalidMemObject
		}
		return k.Set(i, m.buf)
	case a.Image():
		m, err := argHandle[memObject](p, size, kindMemObject)
		if err != nil {
			return err
		}
		return k.Set(i, m.img)
	case a.Sampler():
		s, err := argHandle[samplerObject](p, size, kindSampler)
		if err != nil {
			return err
		}
		return k.Set(i, s.Sampler)
	}
	// CL_INVALID_ARG_VALUE: arg_value is NULL.
	if p == nil {
		return opencl.InvalidArgValue
	}
	return k.Set(i, host.RawValue(hostBytes(p, size)))
}

// argHandle returns the object whose handle is the value of a kernel's argument.
func argHandle[T any](p unsafe.Pointer, size int, k kind) (*T, error) {
	// CL_INVALID_MEM_OBJECT, CL_INVALID_SAMPLER: arg_value is not a valid object.
	if p == nil {
		return nil, invalid[k]
	}
	if size != int(unsafe.Sizeof(uintptr(0))) {
		return nil, opencl.InvalidArgSize
	}
	return find[T](*(*uintptr)(p), k)
}

// clSetKernelExecInfo: no device has shared virtual memory.
func clSetKernelExecInfo(kernel uintptr, name uint32, size int, p unsafe.Pointer) error {
	if _, err := find[kernelObject](kernel, kindKernel); err != nil {
		return err
	}
	switch name {
	case C.CL_KERNEL_EXEC_INFO_SVM_PTRS:
		return opencl.InvalidOperation
	case C.CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
		// CL_INVALID_VALUE: param_value is NULL or param_value_size is not valid.
		if p == nil || size != 4 {
			return opencl.InvalidValue
		}
		if *(*uint32)(p) != C.CL_FALSE {
			return opencl.InvalidOperation
		}
		return nil
	}
	return opencl.InvalidValue
}

func clGetKernelInfo(kernel uintptr, name uint32, a answer) error {
	k, err := find[kernelObject](kernel, kindKernel)
	if err != nil {
		return err
	}
	switch name {
	case C.CL_KERNEL_FUNCTION_NAME:
		return a.str(k.Name())
	case C.CL_KERNEL_NUM_ARGS:
		return value(a, uint32(len(k.args)))
	case C.CL_KERNEL_REFERENCE_COUNT:
		return value(a, uint32(k.refs.Load()))
	case C.CL_KERNEL_CONTEXT:
		return value(a, k.prog.ctx.handle)
	case C.CL_KERNEL_PROGRAM:
		return value(a, k.prog.handle)
	case C.CL_KERNEL_ATTRIBUTES:
		return a.str(k.Attributes())
	}
	return opencl.InvalidValue
}

func clGetKernelArgInfo(kernel uintptr, index, name uint32, a answer) error {
	k, err := find[kernelObject](kernel, kindKernel)
	if err != nil {
		return err
	}
	// CL_INVALID_ARG_INDEX: arg_indx is not a valid argument index.
	if int64(index) >= int64(len(k.args)) {
		return opencl.InvalidArgIndex
	}
	i := &k.args[index]
	switch name {
	case C.CL_KERNEL_ARG_ADDRESS_QUALIFIER:
		switch {
		case i.Constant():
			return value(a, uint32(C.CL_KERNEL_ARG_ADDRESS_CONSTANT))
		case i.Local():
			return value(a, uint32(C.CL_KERNEL_ARG_ADDRESS_LOCAL))
		case i.Memory(), i.Image():
			return value(a, uint32(C.CL_KERNEL_ARG_ADDRESS_GLOBAL))
		}
		return value(a, uint32(C.CL_KERNEL_ARG_ADDRESS_PRIVATE))
	case C.CL_KERNEL_ARG_ACCESS_QUALIFIER:
		access := map[string]uint32{"read_only": C.CL_KERNEL_ARG_ACCESS_READ_ONLY, "write_only": C.CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
			"read_write": C.CL_KERNEL_ARG_ACCESS_READ_WRITE, "": C.CL_KERNEL_ARG_ACCESS_NONE}
		return value(a, access[i.Access])
	case C.CL_KERNEL_ARG_TYPE_NAME:
		return a.str(i.TypeName)
	case C.CL_KERNEL_ARG_NAME:
		return a.str(i.Name)
	case C.CL_KERNEL_ARG_TYPE_QUALIFIER:
		q := uint64(0)
		for _, b := range [...]struct {
			on  bool
			bit uint64
		}{{i.Const, C.CL_KERNEL_ARG_TYPE_CONST}, {i.Restrict, C.CL_KERNEL_ARG_TYPE_RESTRICT}, {i.Volatile, C.CL_KERNEL_ARG_TYPE_VOLATILE}} {
			if b.on {
				q |= b.bit
			}
		}
		return value(a, q)
	}
	return opencl.InvalidValue
}

func clGetKernelWorkGroupInfo(kernel, device uintptr, name uint32, a answer) error {
	k, err := find[kernelObject](kernel, kindKernel)
	if err != nil {
		return err
	}
	d, err := k.device(device)
	if err != nil {
		return err
	}
	info := k.Resources(d.Device)
	switch name {
	case C.CL_KERNEL_WORK_GROUP_SIZE:
		return value(a, info.WorkGroupSize)
	case C.CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
		return value(a, k.RequiredLocal())
	case C.CL_KERNEL_LOCAL_MEM_SIZE:
		return value(a, uint64(info.LocalMem))
	case C.CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
		return value(a, info.PreferredMultiple)
	case C.CL_KERNEL_PRIVATE_MEM_SIZE:
		return value(a, uint64(info.PrivateMem))
	case spillMemSize:
		return value(a, uint64(0)) // registers are spilled to the compute unit's own memory
	}
	// CL_INVALID_VALUE: this includes CL_KERNEL_GLOBAL_WORK_SIZE, because the device is not custom and the kernel
	// not built in.
	return opencl.InvalidValue
}

// Queries of cl_intel_required_subgroup_size, in cl_ext.h.
const (
	subGroupSizes       = 0x4108 // CL_DEVICE_SUB_GROUP_SIZES_INTEL
	spillMemSize        = 0x4109 // CL_KERNEL_SPILL_MEM_SIZE_INTEL
	compileSubGroupSize = 0x410A // CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL
)

func clGetKernelSubGroupInfoKHR(kernel, device uintptr, name uint32, inputSize int, input unsafe.Pointer, a answer) error {
	return clGetKernelSubGroupInfo(kernel, device, name, inputSize, input, a)
}

func clGetKernelSubGroupInfo(kernel, device uintptr, name uint32, inputSize int, input unsafe.Pointer, a answer) error {
	k, err := find[kernelObject](kernel, kindKernel)
	if err != nil {
		return err
	}
	d, err := k.device(device)
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: input_value_size and input_value do not fit param_name.
	const word = int(unsafe.Sizeof(0))
	dims := 0
	switch name {
	case C.CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, C.CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
		if dims = inputSize / word; input == nil || inputSize%word != 0 || dims < 1 || dims > 3 {
			return opencl.InvalidValue
		}
	case C.CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
		if input == nil || inputSize != word {
			return opencl.InvalidValue
		}
	}
	switch name {
	case C.CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
		size, _ := k.SubGroupSize()
		return value(a, size)
	case C.CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
		return value(a, k.SubGroups(unsafe.Slice((*int)(input), dims)))
	case C.CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
		local := k.LocalForSubGroups(d.Device, *(*int)(input))
		if a.size > 0 && a.size < 3*word { // as many dimensions as the buffer holds
			return values(a, local[:max(a.size/word, 1)])
		}
		return value(a, local)
	case C.CL_KERNEL_MAX_NUM_SUB_GROUPS:
		return value(a, k.MaxSubGroups(d.Device))
	case C.CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
		return value(a, 0)
	case compileSubGroupSize:
		size, required := k.SubGroupSize()
		if !required {
			size = 0
		}
		return value(a, size)
	}
	return opencl.InvalidValue
}

// device returns the device of a query. NULL means the only one.
func (k *kernelObject) device(h uintptr) (*deviceObject, error) {
	on := k.Devices()
	// CL_INVALID_DEVICE: device is none of the kernel's, or NULL where it has several.
	if h == 0 && len(on) == 1 {
		h = k.prog.ctx.handleFor(on[0])
	}
	d, err := k.prog.ctx.deviceIn(h)
	if err == nil && !slices.Contains(on, d.Device) {
		err = opencl.InvalidDevice
	}
	return d, err
}

func clEnqueueNDRangeKernel(queue, kernel uintptr, dims uint32, offset, global, local *int, w waitList) error {
	q, k, wait, err := launch(queue, kernel, w)
	if err != nil {
		return err
	}
	if dims > 3 { // CL_INVALID_WORK_DIMENSION: treated as 0
		dims = 0
	}
	// The host may change its arrays when the call returns. A NULL global_work_size is a range without work-items
	// (OpenCL 2.1).
	var sizes [9]int
	part := func(i uint32, p *int) []int {
		if p == nil {
			return nil
		}
		s := sizes[i*dims : (i+1)*dims]
		copy(s, array(p, dims))
		return s
	}
	r := host.NDRange{Global: part(0, global), Local: part(1, local), Offset: part(2, offset)}
	if global == nil {
		r.Global = sizes[:dims]
	}
	watchInterrupts()
	e, err := q.NDRangeWith(q.options, k.Kernel, r, wait...)
	watchInterrupts()
	q.stopAtExit()
	return w.done(q, e, err)
}

func launch(queue, kernel uintptr, w waitList) (q *queueObject, k *kernelObject, wait []*host.Event, err error) {
	if q, err = find[queueObject](queue, kindCommandQueue); err != nil {
		return
	}
	if k, err = find[kernelObject](kernel, kindKernel); err != nil {
		return
	}
	return q, k, w.events(), nil
}

func clEnqueueTask(queue, kernel uintptr, w waitList) error {
	q, k, wait, err := launch(queue, kernel, w)
	if err != nil {
		return err
	}
	watchInterrupts()
	e, err := q.TaskWith(q.options, k.Kernel, wait...)
	watchInterrupts()
	q.stopAtExit()
	return w.done(q, e, err)
}
