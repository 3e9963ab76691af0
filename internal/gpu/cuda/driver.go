package cuda

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// A function is the index of a libcuda function.
type function int

const (
	cuInit function = iota
	cuDriverGetVersion
	cuDeviceGetCount
	cuDeviceGet
	cuDeviceGetName
	cuDeviceTotalMem
	cuDeviceGetAttribute
	cuCtxCreate
	cuCtxDestroy
	cuCtxSetCurrent
	cuMemAlloc
	cuMemFree
	cuMemHostRegister
	cuMemHostUnregister
	cuMemHostGetDevicePointer
	cuMemcpyHtoDAsync
	cuMemcpyDtoHAsync
	cuMemcpyDtoDAsync
	cuMemsetD8Async
	cuModuleLoadData
	cuModuleUnload
	cuModuleGetFunction
	cuFuncGetAttribute
	cuFuncSetAttribute
	cuLaunchKernel
	cuStreamCreate
	cuStreamSynchronize
	cuStreamDestroy
	cuGetErrorName
	cuGetErrorString
	cuLinkCreate
	cuLinkAddData
	cuLinkComplete
	cuLinkDestroy
	cuEventCreate
	cuEventRecord
	cuEventElapsedTime
	cuEventDestroy
	cuEventSynchronize
	cuEventQuery
	cuStreamQuery
	cuStreamWriteValue32
	cuGraphCreate
	cuGraphAddKernelNode
	cuGraphInstantiate
	cuGraphExecKernelNodeSetParams
	cuGraphLaunch
	cuGraphExecDestroy
	cuGraphDestroy
	numFunctions

	firstOptional = cuStreamWriteValue32 // older drivers lack functions from here on
)

// symbols are the functions' names in the library, in the versions that CUDA 11 and later have.
var symbols = [numFunctions]string{
	"cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceTotalMem_v2", "cuDeviceGetAttribute",
	"cuCtxCreate_v2", "cuCtxDestroy_v2", "cuCtxSetCurrent", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemHostRegister_v2", "cuMemHostUnregister", "cuMemHostGetDevicePointer_v2",
	"cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2", "cuMemsetD8Async", "cuModuleLoadData", "cuModuleUnload",
	"cuModuleGetFunction", "cuFuncGetAttribute", "cuFuncSetAttribute", "cuLaunchKernel", "cuStreamCreate", "cuStreamSynchronize",
	"cuStreamDestroy_v2", "cuGetErrorName", "cuGetErrorString", "cuLinkCreate_v2", "cuLinkAddData_v2", "cuLinkComplete", "cuLinkDestroy",
	"cuEventCreate", "cuEventRecord", "cuEventElapsedTime", "cuEventDestroy_v2", "cuEventSynchronize", "cuEventQuery", "cuStreamQuery",
	"cuStreamWriteValue32_v2", "cuGraphCreate", "cuGraphAddKernelNode_v2", "cuGraphInstantiateWithFlags", "cuGraphExecKernelNodeSetParams_v2", "cuGraphLaunch",
	"cuGraphExecDestroy", "cuGraphDestroy",
}

// minVersion is the oldest usable driver version: CUDA 11.7, which introduced the PTX version that package ptx
// writes.
const minVersion = 11070

// A driver is a loaded libcuda.
type driver struct {
	address [numFunctions]uintptr
	// fake replaces the library in tests.
	fake    func(f function, args []uintptr) int32
	version int
}

// find sets the functions' addresses. lookup returns the address of a symbol of the library.
func (d *driver) find(library string, lookup func(name string) (uintptr, error)) error {
	for i, name := range symbols {
		var err error
		if d.address[i], err = lookup(name); err != nil {
			if d.address[i] = 0; function(i) < firstOptional {
				return fmt.Errorf("the NVIDIA driver is too old: %s has no function %s", library, name)
			}
		}
	}
	return nil
}

// has reports whether the driver has all functions from the first to the last.
func (d *driver) has(first, last function) bool {
	for f := first; f <= last; f++ {
		if d.fake == nil && d.address[f] == 0 {
			return false
		}
	}
	return true
}

// An Error is an error reported by the driver.
type Error struct {
	Call string // the function that returned it
	Code int32
	Name string // such as CUDA_ERROR_OUT_OF_MEMORY
	Text string // the driver's description
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s (%d): %s", e.Call, e.Name, e.Code, e.Text)
}

// Error codes of the driver (CUresult).
const (
	errorOutOfMemory    = 2
	errorNoDevice       = 100
	errorInvalidContext = 201
	errorInvalidHandle  = 400
	errorNotReady       = 600
	errorNotSupported   = 801
)

// sticky reports whether an error ends its context: errors of kernels and of the hardware, and a destroyed context.
func sticky(code int32) bool {
	switch code {
	case 214, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719:
		return true
	}
	return false
}

// call calls a function. Arguments may be pointers, which are kept alive until it returns.
//
//go:uintptrescapes
func (d *driver) call(f function, args ...uintptr) error {
	if code := d.invoke(f, args); code != 0 {
		return d.failed(f, code)
	}
	return nil
}

// failed returns the error of a function that returned a code.
func (d *driver) failed(f function, code int32) error {
	e := &Error{Call: symbols[f], Code: code, Name: "an unknown error"}
	e.Name, e.Text = d.describe(cuGetErrorName, code), d.describe(cuGetErrorString, code)
	return e
}

// invoke calls a function. It does not keep the memory alive that arguments point to.
func (d *driver) invoke(f function, args []uintptr) int32 {
	if d.fake != nil {
		return d.fake(f, args)
	}
	return int32(callAddress(d.address[f], args))
}

// describe returns the driver's name (cuGetErrorName) or text (cuGetErrorString) of an error code.
func (d *driver) describe(f function, code int32) string {
	text := new(*byte)
	var pin runtime.Pinner
	pin.Pin(text)
	defer pin.Unpin()
	if d.invoke(f, []uintptr{uintptr(code), uintptr(unsafe.Pointer(text))}) != 0 || *text == nil {
		return "unknown"
	}
	s := unsafe.Slice(*text, 512)
	n := 0
	for n < len(s) && s[n] != 0 {
		n++
	}
	return string(s[:n])
}

// start initialises the driver; its error says what is missing.
func (d *driver) start() error {
	version := new(int32)
	if err := d.call(cuDriverGetVersion, uintptr(unsafe.Pointer(version))); err != nil {
		return err
	}
	if d.version = int(*version); d.version < minVersion {
		return fmt.Errorf("the NVIDIA driver is too old: it is for CUDA %s, %s or later is needed; install a newer driver", versionText(d.version), versionText(minVersion))
	}
	err := d.call(cuInit, 0)
	var e *Error
	if errors.As(err, &e) && e.Code == errorNoDevice {
		return fmt.Errorf("the NVIDIA driver finds no GPU: %w", err)
	}
	return err
}

func versionText(v int) string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }

// cstring returns text as a C string.
func cstring(s string) *byte { return &append([]byte(s), 0)[0] }

// gostring returns the text of a C string.
func gostring(b []byte) string {
	if n := bytes.IndexByte(b, 0); n >= 0 {
		b = b[:n]
	}
	return string(b)
}
