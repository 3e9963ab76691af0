package launch

import (
	"errors"
	"fmt"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// A Buffer is memory shared by kernels and their host, used in place.
type Buffer struct {
	Name     string // for reports; if empty, the argument's name
	Data     []byte
	ReadOnly bool // kernels may not write to it
}

// An Arg is the value of a kernel argument. The zero Arg is no value.
type Arg struct {
	kind   argKind
	bytes  []byte
	buffer *Buffer
	size   int64
	image  *Image
	bits   opencl.Sampler
}

type argKind uint8

const (
	noArg argKind = iota
	valueArg
	bufferArg
	localArg
	imageArg
	samplerArg
)

var argKindNames = [...]string{"none", "a value", "a buffer", "a size of local memory", "an image", "a sampler"}

// Value returns an argument passed by value: the bytes of a scalar, vector (a 3-vector has the size of a 4-vector)
// or struct, in the kernel's memory layout. The bytes are read when the launch starts.
func Value(b []byte) Arg { return Arg{kind: valueArg, bytes: b} }

// Memory returns a pointer to the beginning of a buffer; nil gives the null pointer.
func Memory(b *Buffer) Arg { return Arg{kind: bufferArg, buffer: b} }

// An Image is an image shared by kernels and their host, used in place.
type Image struct {
	*image.Image
	Name     string // for reports; if empty, the argument's name
	ReadOnly bool   // kernels may not write to it
}

// Picture returns an image argument.
func Picture(m *Image) Arg { return Arg{kind: imageArg, image: m} }

// Sampler returns a sampler argument with the bits of sampler literals in kernels.
func Sampler(s opencl.Sampler) Arg { return Arg{kind: samplerArg, bits: s} }

// Local returns a pointer to size bytes of local memory.
func Local(size int64) Arg { return Arg{kind: localArg, size: size} }

// Bytes returns the size of the argument's memory.
func (a Arg) Bytes() int64 {
	switch {
	case a.buffer != nil:
		return int64(len(a.buffer.Data))
	case a.image != nil && a.image.Image != nil:
		return int64(len(a.image.Data))
	}
	return int64(len(a.bytes))
}

// CopyArgs copies the arguments from to to, with their own memory, which clone copies. Memory shared by several
// arguments is copied once.
func CopyArgs(to, from []Arg, clone func([]byte) []byte) {
	for i, a := range from {
		to[i] = a
		for j := range i {
			if a.buffer != nil && from[j].buffer == a.buffer || a.image != nil && from[j].image == a.image {
				to[i] = to[j]
			}
		}
		switch {
		case to[i].buffer != nil && to[i].buffer == a.buffer:
			b := *a.buffer
			b.Data = clone(b.Data)
			to[i].buffer = &b
		case to[i].image != nil && to[i].image == a.image && a.image.Image != nil:
			m := *a.image.Image
			m.Data = clone(m.Data)
			to[i].image = &Image{&m, a.image.Name, a.image.ReadOnly}
		}
	}
}

// An ArgError describes a mistake in a kernel argument.
type ArgError struct {
	Kernel string
	Index  int    // -1: the mistake is the number of arguments
	Name   string // of the parameter
	Msg    string
}

func (e *ArgError) Error() string {
	if e.Index < 0 {
		return fmt.Sprintf("kernel %s: %s", e.Kernel, e.Msg)
	}
	return fmt.Sprintf("kernel %s: argument %d (%s): %s", e.Kernel, e.Index, e.Name, e.Msg)
}

// CheckArg reports why a cannot be argument i of the kernel, nil if it can.
func (k *Kernel) CheckArg(i int, a Arg) error {
	args := k.Func.Kernel.Args
	if i < 0 || i >= len(args) {
		return &ArgError{k.Func.Name, -1, "", fmt.Sprintf("there is no argument %d: the kernel takes %d", i, len(args))}
	}
	ka := &args[i]
	fail := func(format string, v ...any) error {
		return &ArgError{k.Func.Name, i, ka.Name, fmt.Sprintf(format, v...)}
	}
	want, kind := argKind(noArg), ""
	switch ka.Kind {
	case ssa.ArgValue, ssa.ArgStruct:
		want, kind = valueArg, "a value of type "+ka.TypeName
	case ssa.ArgGlobal, ssa.ArgConstant:
		want, kind = bufferArg, "a buffer"
	case ssa.ArgLocal:
		want, kind = localArg, "a size of local memory"
	case ssa.ArgImage:
		want, kind = imageArg, "an image"
	case ssa.ArgSampler:
		want, kind = samplerArg, "a sampler"
	}
	if a.kind != want {
		return fail("%s expected, got %s", kind, argKindNames[a.kind])
	}
	switch want {
	case valueArg:
		if int64(len(a.bytes)) != ka.Size || ka.Kind == ssa.ArgValue && len(a.bytes) < ka.Type.Size() {
			return fail("%d bytes expected for type %s, got %d", ka.Size, ka.TypeName, len(a.bytes))
		}
	case imageArg:
		if err := FitsImage(ka, a.image); err != nil {
			return fail("%v", err)
		}
	case localArg:
		if a.size <= 0 {
			return fail("a size of local memory must be positive, not %d", a.size)
		}
	case bufferArg:
		if a.buffer != nil && uint64(len(a.buffer.Data)) > ssa.OffsetMask/2 {
			return fail("a buffer of %d bytes is too large", len(a.buffer.Data))
		}
	}
	return nil
}

// FitsImage reports why an image cannot be an argument of the kind ka, nil if it can.
func FitsImage(ka *ssa.KernelArg, m *Image) error {
	if m == nil || m.Image == nil {
		return errors.New("an image expected, got none")
	}
	t := types.ImageKind(ka.Image).Row()
	if t.Multi {
		return errors.New("multi-sample images are not supported")
	}
	if m.Shape != t.Shape {
		return fmt.Errorf("a %v expected for %s, got a %v", t.Shape, t.Name, m.Shape)
	}
	if t.Depth != (m.Format.Order == opencl.OrderDepth) {
		return fmt.Errorf("%s does not fit an image of format %v", t.Name, m.Format)
	}
	if m.ReadOnly && types.Access(ka.Access) >= types.WriteOnly {
		return errors.New("the kernel may write to the argument, but the image is read-only")
	}
	return nil
}

// A binding is the object table and the parameters of a launch.
type binding struct {
	objects []exec.Object
	params  [][]uint64
	room    []uint64 // backing array of params
}

// clear releases the memory of a launch.
func (b *binding) clear() {
	clear(b.objects)
	clear(b.params)
	b.objects, b.params, b.room = b.objects[:0], b.params[:0], b.room[:0]
}

// add adds the object of argument i and returns its address.
func (b *binding) add(i int, ka *ssa.KernelArg, o exec.Object) uint64 {
	if o.Name == "" {
		o.Name = ka.Name
	}
	o.WhereMsg = argumentName(i)
	b.objects = append(b.objects, o)
	return uint64(len(b.objects)-1) << ssa.ObjectShift
}

// param adds a parameter of one element.
func (b *binding) param(bits uint64) {
	b.room = append(b.room, bits)
	b.params = append(b.params, b.room[len(b.room)-1:])
}

// bind fills b, which must be empty, with the binding of a kernel's arguments.
func (b *binding) bind(k *Kernel, args []Arg) error {
	kargs := k.Func.Kernel.Args
	if len(args) != len(kargs) {
		return &ArgError{k.Func.Name, -1, "", fmt.Sprintf("%d arguments expected, got %d", len(kargs), len(args))}
	}
	if len(k.Func.Params) != len(kargs) {
		return &ArgError{k.Func.Name, -1, "", "internal error: parameters and their descriptions differ in number"}
	}
	b.objects = append(b.objects, k.Program.objects...)
	for i := range args {
		a, ka := &args[i], &kargs[i]
		if err := k.CheckArg(i, *a); err != nil {
			return err
		}
		switch ka.Kind {
		case ssa.ArgValue:
			from := len(b.room)
			b.room = Elements(b.room, a.bytes, k.Func.Params[i].Type)
			b.params = append(b.params, b.room[from:])
		case ssa.ArgStruct:
			b.param(b.add(i, ka, exec.Object{Space: ssa.PtrConstant, Data: append([]byte(nil), a.bytes...), ReadOnly: true}))
		case ssa.ArgImage:
			m := a.image
			at := b.earlier(i, func(j int) bool { return args[j].image == m })
			if at == 0 {
				at = b.add(i, ka, exec.Object{Name: m.Name, Space: ssa.PtrGlobal, Data: m.Data, ReadOnly: m.ReadOnly, Image: m.Image})
			}
			b.param(at)
		case ssa.ArgSampler:
			b.param(uint64(a.bits))
		case ssa.ArgLocal:
			b.param(b.add(i, ka, exec.Object{Space: ssa.PtrLocal, Size: a.size}))
		default:
			b.param(b.memory(i, kargs, args))
		}
	}
	return nil
}

// memory returns the address of the buffer that argument i is.
func (b *binding) memory(i int, kargs []ssa.KernelArg, args []Arg) uint64 {
	m := args[i].buffer
	if m == nil {
		return 0
	}
	readOnly := func(j int) bool { return m.ReadOnly || kargs[j].Kind == ssa.ArgConstant }
	if at := b.earlier(i, func(j int) bool { return args[j].buffer == m && readOnly(j) == readOnly(i) }); at != 0 {
		return at
	}
	o := exec.Object{Name: m.Name, Space: ssa.PtrGlobal, Data: m.Data, ReadOnly: readOnly(i)}
	if kargs[i].Kind == ssa.ArgConstant {
		o.Space = ssa.PtrConstant
	}
	return b.add(i, &kargs[i], o)
}

// earlier returns the address of the object of an earlier argument j for which same(j) is true, 0 if there is none.
func (b *binding) earlier(i int, same func(j int) bool) uint64 {
	for j := range i {
		if same(j) {
			return b.params[j][0]
		}
	}
	return 0
}

// argumentNames avoids formatting in the launches of most kernels.
var argumentNames = func() (names [32]string) {
	for i := range names {
		names[i] = fmt.Sprintf("argument %d", i)
	}
	return names
}()

func argumentName(i int) string {
	if i < len(argumentNames) {
		return argumentNames[i]
	}
	return fmt.Sprintf("argument %d", i)
}

// Elements appends the bits of each element of a value, zero-extended.
func Elements(to []uint64, b []byte, t ssa.Type) []uint64 {
	size := t.K.Num().Size()
	for i := range int(t.N) {
		x := uint64(0)
		for j := size - 1; j >= 0; j-- {
			x = x<<8 | uint64(b[i*size+j])
		}
		if t.K == ssa.Bool && x != 0 {
			x = 1
		}
		to = append(to, x)
	}
	return to
}
