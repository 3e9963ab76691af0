//go:build linux

package main

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// An openCL is an OpenCL library that was loaded at run time, with a context and a queue on its
// first GPU.
type openCL struct {
	f                      map[string]uintptr
	context, device, queue uintptr
	name                   string
}

var functions = []string{"clGetPlatformIDs", "clGetPlatformInfo", "clGetDeviceIDs", "clGetDeviceInfo", "clCreateContext", "clCreateCommandQueue", "clCreateBuffer",
	"clReleaseMemObject", "clCreateProgramWithSource", "clBuildProgram", "clGetProgramBuildInfo", "clReleaseProgram", "clCreateKernel", "clReleaseKernel", "clSetKernelArg",
	"clEnqueueNDRangeKernel", "clEnqueueReadBuffer", "clEnqueueWriteBuffer", "clFinish"}

const (
	deviceTypeGPU = 1 << 2
	deviceName    = 0x102B
	platformName  = 0x0902
	buildLog      = 0x1183
	memReadWrite  = 1
)

// loadOpenCL loads a library and opens the first GPU of the platform whose name has these words.
func loadOpenCL(path, platform string) (*openCL, error) {
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, err
	}
	cl := &openCL{f: map[string]uintptr{}}
	for _, name := range functions {
		if cl.f[name], err = purego.Dlsym(lib, name); err != nil {
			return nil, fmt.Errorf("%s has no %s", path, name)
		}
	}
	list, n := make([]uintptr, 16), new(uint32)
	if err := cl.call("clGetPlatformIDs", 16, uintptr(unsafe.Pointer(&list[0])), uintptr(unsafe.Pointer(n))); err != nil {
		return nil, err
	}
	for _, p := range list[:min(*n, 16)] {
		if !strings.Contains(cl.text("clGetPlatformInfo", p, platformName), platform) || cl.call("clGetDeviceIDs", p, deviceTypeGPU, 1, uintptr(unsafe.Pointer(&cl.device)), 0) != nil {
			continue
		}
		cl.name = cl.text("clGetDeviceInfo", cl.device, deviceName)
		status := new(int32)
		cl.context, _, _ = purego.SyscallN(cl.f["clCreateContext"], 0, 1, uintptr(unsafe.Pointer(&cl.device)), 0, 0, uintptr(unsafe.Pointer(status)))
		if *status == 0 {
			cl.queue, _, _ = purego.SyscallN(cl.f["clCreateCommandQueue"], cl.context, cl.device, 0, uintptr(unsafe.Pointer(status)))
		}
		if *status != 0 {
			return nil, fmt.Errorf("%s: status %d", cl.name, *status)
		}
		return cl, nil
	}
	return nil, fmt.Errorf("%s has no GPU of a platform %q", path, platform)
}

// call calls a function that returns a status.
//
//go:uintptrescapes
func (cl *openCL) call(name string, args ...uintptr) error {
	r, _, _ := purego.SyscallN(cl.f[name], args...)
	if status := int32(r); status != 0 {
		return fmt.Errorf("%s: status %d", name, status)
	}
	return nil
}

// make calls a function that returns an object; its last argument, the status, is added.
//
//go:uintptrescapes
func (cl *openCL) make(name string, args ...uintptr) (uintptr, error) {
	status := new(int32)
	x, _, _ := purego.SyscallN(cl.f[name], append(args, uintptr(unsafe.Pointer(status)))...)
	if *status != 0 {
		return 0, fmt.Errorf("%s: status %d", name, *status)
	}
	return x, nil
}

// text returns a property that is a string.
func (cl *openCL) text(name string, object uintptr, property uintptr) string {
	b := make([]byte, 4096)
	if cl.call(name, object, property, uintptr(len(b)), uintptr(unsafe.Pointer(&b[0])), 0) != nil {
		return ""
	}
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

// build returns a kernel of a program.
func (cl *openCL) build(source, options, kernel string) (uintptr, error) {
	text := append([]byte(source), 0)
	opts := append([]byte(options), 0)
	name := append([]byte(kernel), 0)
	p := &text[0]
	var pin runtime.Pinner
	pin.Pin(p)
	defer pin.Unpin()
	prog, err := cl.make("clCreateProgramWithSource", cl.context, 1, uintptr(unsafe.Pointer(&p)), 0)
	if err != nil {
		return 0, err
	}
	if err := cl.call("clBuildProgram", prog, 1, uintptr(unsafe.Pointer(&cl.device)), uintptr(unsafe.Pointer(&opts[0])), 0, 0); err != nil {
		log := make([]byte, 8192)
		if cl.call("clGetProgramBuildInfo", prog, cl.device, buildLog, uintptr(len(log)), uintptr(unsafe.Pointer(&log[0])), 0) == nil {
			line, _, _ := strings.Cut(string(log), "\x00")
			err = fmt.Errorf("%w: %.200s", err, strings.TrimSpace(line))
		}
		return 0, err
	}
	return cl.make("clCreateKernel", prog, uintptr(unsafe.Pointer(&name[0])))
}

// buffer returns a buffer with a content.
func (cl *openCL) buffer(content []byte) (uintptr, error) {
	m, err := cl.make("clCreateBuffer", cl.context, memReadWrite, uintptr(len(content)), 0)
	if err != nil {
		return 0, err
	}
	return m, cl.call("clEnqueueWriteBuffer", cl.queue, m, 1, 0, uintptr(len(content)), uintptr(unsafe.Pointer(&content[0])), 0, 0, 0)
}

func (cl *openCL) read(m uintptr, n int) ([]byte, error) {
	b := make([]byte, n)
	return b, cl.call("clEnqueueReadBuffer", cl.queue, m, 1, 0, uintptr(n), uintptr(unsafe.Pointer(&b[0])), 0, 0, 0)
}

// run launches a kernel and waits for it.
func (cl *openCL) run(kernel uintptr, global, local []int) error {
	g := sizes(global)
	l := (*uint64)(nil)
	if local != nil {
		l = &sizes(local)[0]
	}
	if err := cl.call("clEnqueueNDRangeKernel", cl.queue, kernel, uintptr(len(global)), 0, uintptr(unsafe.Pointer(&g[0])), uintptr(unsafe.Pointer(l)), 0, 0, 0); err != nil {
		return err
	}
	return cl.call("clFinish", cl.queue)
}

func sizes(list []int) *[3]uint64 {
	var s [3]uint64
	for i, n := range list {
		s[i] = uint64(n)
	}
	return &s
}
