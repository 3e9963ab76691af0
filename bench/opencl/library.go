//go:build linux

package opencl

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/purecl/purecl/internal/run/image"
)

// A Library is an OpenCL library that was loaded at run time, with a context and a queue on one of
// its devices. It serves one goroutine.
type Library struct {
	f                      map[string]uintptr
	context, device, queue uintptr
	name                   string
}

// Name returns the device's name.
func (cl *Library) Name() string { return cl.name }

var functions = []string{"clGetPlatformIDs", "clGetPlatformInfo", "clGetDeviceIDs", "clGetDeviceInfo", "clCreateContext", "clCreateCommandQueue", "clCreateBuffer",
	"clReleaseMemObject", "clCreateImage", "clCreateProgramWithSource", "clBuildProgram", "clGetProgramBuildInfo", "clReleaseProgram", "clCreateKernel", "clReleaseKernel", "clSetKernelArg", "clGetKernelWorkGroupInfo",
	"clEnqueueNDRangeKernel", "clEnqueueReadBuffer", "clEnqueueWriteBuffer", "clFinish"}

// A DeviceType is a kind of device. (OpenCL API, 4.2)
type DeviceType uintptr

// The kinds of devices.
const (
	CPU DeviceType = 1 << 1
	GPU DeviceType = 1 << 2
)

const (
	deviceName   = 0x102B
	platformName = 0x0902
	buildLog     = 0x1183
	memReadWrite = 1
	useHostPtr   = 1 << 3
	image2D      = 0x10F1
	image3D      = 0x10F2
	compiledSize = 0x11B1 // CL_KERNEL_COMPILE_WORK_GROUP_SIZE
)

// Open loads the library at path and opens the first device of a type, of the first platform whose name
// contains platform.
func Open(path, platform string, kind DeviceType) (*Library, error) {
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, err
	}
	cl := &Library{f: map[string]uintptr{}}
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
		if !strings.Contains(cl.text("clGetPlatformInfo", p, platformName), platform) || cl.call("clGetDeviceIDs", p, uintptr(kind), 1, uintptr(unsafe.Pointer(&cl.device)), 0) != nil {
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
	return nil, fmt.Errorf("%s has no device of this type on a platform %q", path, platform)
}

// call calls a function that returns a status.
//
//go:uintptrescapes
func (cl *Library) call(name string, args ...uintptr) error {
	r, _, _ := purego.SyscallN(cl.f[name], args...)
	if status := int32(r); status != 0 {
		return fmt.Errorf("%s: status %d", name, status)
	}
	return nil
}

// make calls a function that returns an object; its last argument, the status, is added.
//
//go:uintptrescapes
func (cl *Library) make(name string, args ...uintptr) (uintptr, error) {
	status := new(int32)
	x, _, _ := purego.SyscallN(cl.f[name], append(args, uintptr(unsafe.Pointer(status)))...)
	if *status != 0 {
		return 0, fmt.Errorf("%s: status %d", name, *status)
	}
	return x, nil
}

// text returns a property that is a string.
func (cl *Library) text(name string, object uintptr, property uintptr) string {
	b := make([]byte, 4096)
	if cl.call(name, object, property, uintptr(len(b)), uintptr(unsafe.Pointer(&b[0])), 0) != nil {
		return ""
	}
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

// Build compiles a program and returns one of its kernels.
func (cl *Library) Build(source, options, kernel string) (uintptr, error) {
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

// Buffer returns a buffer with a content.
func (cl *Library) Buffer(content []byte) (uintptr, error) {
	m, err := cl.make("clCreateBuffer", cl.context, memReadWrite, uintptr(len(content)), 0)
	if err != nil {
		return 0, err
	}
	return m, cl.call("clEnqueueWriteBuffer", cl.queue, m, 1, 0, uintptr(len(content)), uintptr(unsafe.Pointer(&content[0])), 0, 0, 0)
}

// Read returns n bytes of a buffer.
func (cl *Library) Read(m uintptr, n int) ([]byte, error) {
	b := make([]byte, n)
	return b, cl.call("clEnqueueReadBuffer", cl.queue, m, 1, 0, uintptr(n), uintptr(unsafe.Pointer(&b[0])), 0, 0, 0)
}

// Required returns the size of work-groups that the kernel's source requires, nil if it requires none.
// Libraries may refuse to launch such a kernel without a local size.
func (cl *Library) Required(kernel uintptr) ([]int, error) {
	s := new([3]uint64)
	if err := cl.call("clGetKernelWorkGroupInfo", kernel, cl.device, compiledSize, unsafe.Sizeof(*s), uintptr(unsafe.Pointer(s)), 0); err != nil || s[0] == 0 {
		return nil, err
	}
	return []int{int(s[0]), int(s[1]), int(s[2])}, nil
}

// Run launches a kernel and waits for its end. local may have more dimensions than global.
func (cl *Library) Run(kernel uintptr, global, local []int) error {
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

// SetArg sets an argument that is passed by value.
func (cl *Library) SetArg(kernel uintptr, i int, value []byte) error {
	return cl.call("clSetKernelArg", kernel, uintptr(i), uintptr(len(value)), uintptr(unsafe.Pointer(&value[0])))
}

// SetObject sets an argument that is a buffer or an image.
func (cl *Library) SetObject(kernel uintptr, i int, object uintptr) error {
	return cl.SetArg(kernel, i, binary.LittleEndian.AppendUint64(nil, uint64(object)))
}

// ReleaseObject releases a buffer or an image.
func (cl *Library) ReleaseObject(m uintptr) { _ = cl.call("clReleaseMemObject", m) }

// ReleaseKernel releases a kernel. Its program stays.
func (cl *Library) ReleaseKernel(k uintptr) { _ = cl.call("clReleaseKernel", k) }

// shared returns a buffer whose memory is b, which must not move: it lies outside Go's heap.
func (cl *Library) shared(b []byte) (uintptr, error) {
	return cl.make("clCreateBuffer", cl.context, memReadWrite|useHostPtr, uintptr(len(b)), uintptr(unsafe.Pointer(&b[0])))
}

// An imageDesc is cl_image_desc. (OpenCL API, 5.3.1.2)
type imageDesc struct {
	kind                                               uint32
	width, height, depth, layers, rowPitch, slicePitch uintptr
	levels, samples                                    uint32
	parent                                             uintptr
}

// sharedImage is shared for an image. Sizes beyond the image's dimensions are 1.
func (cl *Library) sharedImage(f image.Format, size [3]int, b []byte) (uintptr, error) {
	format := [2]uint32{uint32(f.Order), uint32(f.Type)}
	row := f.Size() * size[0]
	d := imageDesc{kind: image2D, width: uintptr(size[0]), height: uintptr(size[1]), rowPitch: uintptr(row)}
	if size[2] > 1 {
		d.kind, d.depth, d.slicePitch = image3D, uintptr(size[2]), uintptr(row*size[1])
	}
	return cl.make("clCreateImage", cl.context, memReadWrite|useHostPtr, uintptr(unsafe.Pointer(&format)), uintptr(unsafe.Pointer(&d)), uintptr(unsafe.Pointer(&b[0])))
}
