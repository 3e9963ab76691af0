package host

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/launch"
)

// A RawValue is the bytes of a kernel argument that is passed by value, as they lie in
// memory: it must have exactly the argument's size.
type RawValue []byte

// LocalMem is a kernel argument: that many bytes of local memory for each work-group.
type LocalMem int

// An argument is a kernel argument that is ready to launch. Exactly one field is set; none is set for a null
// pointer.
type argument struct {
	set    bool
	value  []byte  // of an ArgValue or ArgStruct: its bytes
	buffer *Buffer // of a pointer to global or constant memory
	local  int     // of a pointer to local memory: its size

	image      *Image
	sampler    opencl.Sampler
	samplerCtx *Context // of a sampler object
}

// bind checks that v fits the kernel argument and returns it ready to launch. Errors say what
// was expected.
func bind(info *ssa.KernelArg, v any) (argument, error) {
	switch info.Kind {
	case ssa.ArgValue, ssa.ArgStruct:
		raw, ok := v.(RawValue)
		if !ok {
			return argument{}, failf(opencl.InvalidArgValue, "expected the bytes of a %s, not %T", info.TypeName, v)
		}
		if int64(len(raw)) != info.Size {
			return argument{}, failf(opencl.InvalidArgSize, "%s has %d bytes, not %d", info.TypeName, info.Size, len(raw))
		}
		return argument{set: true, value: append([]byte(nil), raw...)}, nil
	case ssa.ArgLocal:
		n, ok := v.(LocalMem)
		if !ok {
			return argument{}, failf(opencl.InvalidArgValue, "expected a LocalMem, the size in bytes, not %T", v)
		}
		if n <= 0 {
			return argument{}, failf(opencl.InvalidArgSize, "a local argument needs a positive size, not %d", int(n))
		}
		return argument{set: true, local: int(n)}, nil
	case ssa.ArgGlobal, ssa.ArgConstant:
		return bindMemory(info, v)
	case ssa.ArgImage:
		return bindImage(info, v)
	case ssa.ArgSampler:
		return bindSampler(info, v)
	}
	return argument{}, failf(opencl.InvalidArgValue, "arguments of type %s cannot be bound", info.TypeName)
}

func bindMemory(info *ssa.KernelArg, v any) (argument, error) {
	b, ok := v.(*Buffer)
	switch {
	case v == nil || ok && b == nil:
		return argument{set: true}, nil
	case !ok:
		return argument{}, failf(opencl.InvalidArgValue, "expected a *Buffer for %s, not %T", info.TypeName, v)
	}
	if err := b.valid(); err != nil {
		return argument{}, err
	}
	return argument{set: true, buffer: b}, nil
}

func bindImage(info *ssa.KernelArg, v any) (argument, error) {
	m, _ := v.(*Image)
	// CL_INVALID_MEM_OBJECT: arg_value is not a valid memory object.
	if m == nil {
		return argument{}, failf(opencl.InvalidMemObject, "expected an *Image for %s, not %T", info.TypeName, v)
	}
	// CL_INVALID_MEM_OBJECT: the memory object is not valid for the argument. The launch
	// checks shapes too; here the error comes early.
	if err := launch.FitsImage(info, &launch.Image{Image: m.img}); err != nil {
		return argument{}, failf(opencl.InvalidMemObject, "%v", err)
	}
	// CL_INVALID_ARG_VALUE: the image's flags exclude the access that the kernel declares.
	access := types.Access(info.Access)
	if access != types.WriteOnly && m.flags&MemWriteOnly != 0 || access >= types.WriteOnly && m.flags&MemReadOnly != 0 {
		return argument{}, failf(opencl.InvalidArgValue, "the image's flags exclude the access that the kernel declares")
	}
	return argument{set: true, image: m}, nil
}

func bindSampler(info *ssa.KernelArg, v any) (argument, error) {
	s, ok := v.(*Sampler)
	// CL_INVALID_SAMPLER: arg_value is not a valid sampler object.
	if !ok {
		return argument{}, failf(opencl.InvalidSampler, "expected a *Sampler for %s, not %T", info.TypeName, v)
	}
	if err := s.valid(); err != nil {
		return argument{}, err
	}
	return argument{set: true, sampler: s.bits, samplerCtx: s.ctx}, nil
}

// context returns the context of the object that an argument is, or nil.
func (a *argument) context() *Context {
	switch {
	case a.buffer != nil:
		return a.buffer.ctx
	case a.image != nil:
		return a.image.ctx
	}
	return a.samplerCtx
}
