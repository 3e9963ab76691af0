package host

import (
	"runtime"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/exec"
)

// MemFlags say how a memory object is used, numbered as in OpenCL's headers.
type MemFlags uint64

// The flags of clCreateBuffer that PureCL supports.
const (
	MemReadWrite     MemFlags = 1 << 0
	MemWriteOnly     MemFlags = 1 << 1
	MemReadOnly      MemFlags = 1 << 2
	MemUseHostPtr    MemFlags = 1 << 3 // the given memory is the buffer: no copy
	MemAllocHostPtr  MemFlags = 1 << 4
	MemCopyHostPtr   MemFlags = 1 << 5 // the given memory is the buffer's initial content
	MemHostWriteOnly MemFlags = 1 << 7
	MemHostReadOnly  MemFlags = 1 << 8
	MemHostNoAccess  MemFlags = 1 << 9

	memKernelAccess = MemReadWrite | MemWriteOnly | MemReadOnly
	memHostAccess   = MemHostWriteOnly | MemHostReadOnly | MemHostNoAccess
	memHostPtr      = MemUseHostPtr | MemAllocHostPtr | MemCopyHostPtr
	memAll          = memKernelAccess | memHostAccess | memHostPtr
)

// A Buffer is a memory object of bytes. Kernels work on its memory in place.
// (OpenCL API, "Buffer Objects", 5.2.)
type Buffer struct {
	ctx    *Context
	flags  MemFlags
	memory exec.Memory
	mem    []byte // the memory's bytes
	parent *Buffer
	origin int
	host   bool // mem is the application's (MemUseHostPtr)
	maps   mapTable
	copies *copies // on devices with memory of their own; nil for a sub-buffer, and where the context has no such device
}

// allocate returns memory for the object o of the context. The memory lives as long as o.
func allocate[T any](c *Context, o *T, n int) (exec.Memory, error) {
	d := c.devices[0].cpu
	var m exec.Memory
	var err error
	if c.alloc == nil {
		m, err = d.Allocate(n)
	} else {
		m, err = d.AllocateFrom(n, c.alloc)
	}
	// CL_MEM_OBJECT_ALLOCATION_FAILURE: memory cannot be allocated.
	if err != nil {
		return nil, failf(opencl.MemObjectAllocationFailure, "%v", err)
	}
	runtime.AddCleanup(o, exec.Memory.Free, m)
	return m, nil
}

// oneOf reports whether at most one bit of mask is set in f.
func (f MemFlags) oneOf(mask MemFlags) bool { x := f & mask; return x&(x-1) == 0 }

// Check returns the error of flags that a new memory object cannot have, for callers that must check them before
// anything else.
func (f MemFlags) Check() error { return checkFlags(f) }

func checkFlags(f MemFlags) error {
	switch {
	case f&^memAll != 0:
		return failf(opencl.InvalidValue, "unknown memory flags %#x", uint64(f&^memAll))
	case !f.oneOf(memKernelAccess):
		return failf(opencl.InvalidValue, "MemReadWrite, MemWriteOnly and MemReadOnly exclude each other")
	case !f.oneOf(memHostAccess):
		return failf(opencl.InvalidValue, "MemHostWriteOnly, MemHostReadOnly and MemHostNoAccess exclude each other")
	case f&MemUseHostPtr != 0 && f&(MemAllocHostPtr|MemCopyHostPtr) != 0:
		return failf(opencl.InvalidValue, "MemUseHostPtr excludes MemAllocHostPtr and MemCopyHostPtr")
	}
	return nil
}

// NewBuffer returns a buffer of size bytes (clCreateBuffer). host is required with
// MemUseHostPtr and MemCopyHostPtr and must have at least size bytes.
func (c *Context) NewBuffer(flags MemFlags, size int, host []byte) (*Buffer, error) {
	if err := c.valid(); err != nil {
		return nil, err
	}
	// CL_INVALID_VALUE: values specified in flags are not valid.
	if err := checkFlags(flags); err != nil {
		return nil, err
	}
	// CL_INVALID_BUFFER_SIZE: size is 0 or greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE.
	if size <= 0 {
		return nil, failf(opencl.InvalidBufferSize, "a buffer's size must be positive, not %d", size)
	}
	for _, d := range c.devices {
		if uint64(size) > d.Info().MaxMemAllocSize {
			return nil, failf(opencl.InvalidBufferSize, "%d bytes are more than the device allocates at once (%d)", size, d.Info().MaxMemAllocSize)
		}
	}
	// CL_INVALID_HOST_PTR: host_ptr is NULL and a flag wants it, or not NULL and none does.
	if wants := flags&(MemUseHostPtr|MemCopyHostPtr) != 0; wants != (host != nil) {
		return nil, failf(opencl.InvalidHostPtr, "host memory goes together with MemUseHostPtr or MemCopyHostPtr")
	}
	if host != nil && len(host) < size {
		return nil, failf(opencl.InvalidHostPtr, "host memory has %d bytes, the buffer %d", len(host), size)
	}
	if flags&memKernelAccess == 0 {
		flags |= MemReadWrite
	}
	b := &Buffer{ctx: c, flags: flags}
	if flags&MemUseHostPtr != 0 {
		m, err := c.devices[0].cpu.Wrap(host[:size:size])
		if err != nil {
			return nil, failf(opencl.InvalidHostPtr, "%v", err)
		}
		b.memory, b.mem, b.host = m, m.Bytes(), true
		b.share()
		return b, nil
	}
	m, err := allocate(c, b, size)
	if err != nil {
		return nil, err
	}
	b.memory, b.mem = m, m.Bytes()
	b.share()
	if host != nil {
		c.devices[0].cpu.CopyBytes(b.mem, host[:size])
	}
	return b, nil
}

// share registers the buffer's memory for copying to devices that cannot use it in place.
func (b *Buffer) share() {
	if b.ctx.remotes {
		b.copies = newCopies(b.mem)
	}
}

// guarded reports whether launches with these checks must not write to the buffer. The standard leaves such writes
// undefined. Programs do write to MemReadOnly buffers (hashcat clears its buffers by a kernel) and it does no harm,
// so only launches with checks report it. Memory of the application is guarded without checks too: a write there
// might fault.
func (b *Buffer) guarded(checks Checks) bool {
	return b.flags&MemReadOnly != 0 && (checks != CheckNone || b.host)
}

// SubBuffer returns a buffer that is the size bytes of b from origin (clCreateSubBuffer with
// CL_BUFFER_CREATE_TYPE_REGION). Flags that the caller leaves out are those of b.
func (b *Buffer) SubBuffer(flags MemFlags, origin, size int) (*Buffer, error) {
	if err := b.valid(); err != nil {
		return nil, err
	}
	// CL_INVALID_MEM_OBJECT: buffer is a sub-buffer object.
	if b.parent != nil {
		return nil, failf(opencl.InvalidMemObject, "a sub-buffer cannot be made from a sub-buffer")
	}
	if err := checkFlags(flags); err != nil {
		return nil, err
	}
	// CL_INVALID_VALUE: flags contradict those of the buffer.
	switch {
	case flags&memHostPtr != 0:
		return nil, failf(opencl.InvalidValue, "a sub-buffer takes no host memory flags")
	case b.flags&MemWriteOnly != 0 && flags&(MemReadWrite|MemReadOnly) != 0,
		b.flags&MemReadOnly != 0 && flags&(MemReadWrite|MemWriteOnly) != 0:
		return nil, failf(opencl.InvalidValue, "the sub-buffer's kernel access exceeds the buffer's")
	case b.flags&MemHostWriteOnly != 0 && flags&MemHostReadOnly != 0,
		b.flags&MemHostReadOnly != 0 && flags&MemHostWriteOnly != 0,
		b.flags&MemHostNoAccess != 0 && flags&(MemHostReadOnly|MemHostWriteOnly) != 0:
		return nil, failf(opencl.InvalidValue, "the sub-buffer's host access exceeds the buffer's")
	case origin < 0 || size < 0 || origin > len(b.mem) || size > len(b.mem)-origin:
		return nil, failf(opencl.InvalidValue, "the region [%d, +%d) leaves the buffer of %d bytes", origin, size, len(b.mem))
	case size == 0:
		return nil, failf(opencl.InvalidBufferSize, "a sub-buffer's size must be positive")
	// CL_MISALIGNED_SUB_BUFFER_OFFSET: origin is not aligned for any device.
	case origin%cpu.BaseAlign != 0:
		return nil, failf(opencl.MisalignedSubBufferOffset, "the origin %d is not a multiple of %d bytes", origin, cpu.BaseAlign)
	}
	if flags&memKernelAccess == 0 {
		flags |= b.flags & memKernelAccess
	}
	if flags&memHostAccess == 0 {
		flags |= b.flags & memHostAccess
	}
	flags |= b.flags & memHostPtr
	m := b.memory.Part(origin, size)
	return &Buffer{ctx: b.ctx, flags: flags, memory: m, mem: m.Bytes(), parent: b, origin: origin, host: b.host}, nil
}

// Context returns the buffer's context.
func (b *Buffer) Context() *Context { b = or(b); return b.ctx }

// Flags returns the buffer's flags.
func (b *Buffer) Flags() MemFlags { b = or(b); return b.flags }

// Size returns the buffer's size in bytes.
func (b *Buffer) Size() int { b = or(b); return len(b.mem) }

// Parent returns the buffer that a sub-buffer belongs to and its offset there in
// bytes, or nil and 0.
func (b *Buffer) Parent() (*Buffer, int) { b = or(b); return b.parent, b.origin }

// MapCount returns how many regions of the buffer are mapped.
func (b *Buffer) MapCount() int { b = or(b); return b.maps.count() }

// Bytes returns the buffer's memory itself. The caller must order its accesses with
// the commands that use the buffer.
func (b *Buffer) Bytes() []byte { b = or(b); return b.mem }
