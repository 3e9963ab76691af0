package host

import (
	"errors"
	"sync"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// An object that is nil, or was not made by this package's functions, is an error of the calls that use it. Methods
// that only return a property call or first, and return the zero value for such an object.

func (c *Context) valid() error {
	if c == nil || len(c.devices) == 0 {
		return failf(opencl.InvalidContext, "a context that was not made by NewContext")
	}
	return nil
}

func (d *Device) valid() error {
	if d == nil || d.info.ComputeUnits == 0 {
		return failf(opencl.InvalidDevice, "a device that is none of the platform's")
	}
	return nil
}

func (p *Program) valid() error {
	if p == nil || p.ctx == nil || len(p.targets) == 0 {
		return failf(opencl.InvalidProgram, "a program that was not made by a context")
	}
	return nil
}

func (k *Kernel) valid() error {
	if k == nil || k.code == nil {
		return failf(opencl.InvalidKernel, "a kernel that was not made by a program")
	}
	return nil
}

func (q *Queue) valid() error {
	if q == nil || q.ctx == nil {
		return failf(opencl.InvalidCommandQueue, "a queue that was not made by a context")
	}
	return nil
}

func (e *Event) valid() error {
	if e == nil || e.ctx == nil {
		return failf(opencl.InvalidEvent, "an event that is neither a command's nor a user event")
	}
	return nil
}

func (b *Buffer) valid() error {
	if b == nil || b.ctx == nil {
		return failf(opencl.InvalidMemObject, "a buffer that was not made by a context")
	}
	return nil
}

func (m *Image) valid() error {
	if m == nil || m.img == nil {
		return failf(opencl.InvalidMemObject, "an image that was not made by a context")
	}
	return nil
}

func (s *Sampler) valid() error {
	if s == nil || s.ctx == nil {
		return failf(opencl.InvalidSampler, "a sampler that was not made by a context")
	}
	return nil
}

// or returns p or, for nil, a zero object.
func or[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

// or returns p, or a program without devices' builds.
func (p *Program) or() *Program {
	if p == nil || len(p.targets) == 0 {
		return &Program{ctx: &Context{}, targets: []target{{dev: &Device{}, built: build{status: BuildNone}}}}
	}
	return p
}

// or returns k, or a kernel without a name and arguments.
func (k *Kernel) or() *Kernel {
	if k.valid() != nil {
		f := &ssa.Func{Kernel: &ssa.Kernel{}}
		return &Kernel{code: &kernelCode{Kernel: noCode{}, module: &ssa.Module{}, fn: f}, mu: &sync.Mutex{}}
	}
	return k
}

// noCode is the code of a kernel that is nil.
type noCode struct{}

func (noCode) Resolve(exec.Range) (r exec.NDRange, err error) { return r, errors.New("no kernel") }
func (noCode) Memory() (local, private int64)                 { return 0, 0 }
func (noCode) LocalVariables() int64                          { return 0 }
func (noCode) Times() (t timing.Times)                        { return t }

// or returns m, or an image without elements.
func (m *Image) or() *Image {
	if m.valid() != nil {
		return &Image{img: &image.Image{}}
	}
	return m
}
