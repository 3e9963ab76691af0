package host

import (
	"fmt"
	"math"
	"reflect"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// LocalMem is a kernel argument: so many bytes of local memory for each work-group.
type LocalMem int

// An argument is a kernel argument ready to launch. Exactly one of the fields is
// set, or none for a null pointer.
type argument struct {
	set    bool
	value  []byte  // of an ArgValue or ArgStruct: its bytes
	memory []byte  // of a pointer to global or constant memory: a Go slice's bytes, used in place
	buffer *Buffer // the same: a memory object
	local  int     // of a pointer to local memory: its size

	image      *Image
	sampler    opencl.Sampler
	samplerCtx *Context // of a sampler object
}

// bind checks that the Go value v fits the kernel argument and returns it ready to
// launch. Errors say what was expected.
func bind(info *ssa.KernelArg, v any) (argument, error) {
	if raw, ok := v.(RawValue); ok && (info.Kind == ssa.ArgValue || info.Kind == ssa.ArgStruct) {
		if int64(len(raw)) != info.Size {
			return argument{}, failf(opencl.InvalidArgSize, "%s has %d bytes, not %d", info.TypeName, info.Size, len(raw))
		}
		return argument{set: true, value: append([]byte(nil), raw...)}, nil
	}
	switch info.Kind {
	case ssa.ArgValue:
		b, err := valueBytes(info, v)
		return argument{set: true, value: b}, err
	case ssa.ArgStruct:
		b, err := structBytes(info, v)
		return argument{set: true, value: b}, err
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
	switch x := v.(type) {
	case nil:
		return argument{set: true}, nil
	case *Buffer:
		if x == nil {
			return argument{set: true}, nil
		}
		if err := x.valid(); err != nil {
			return argument{}, err
		}
		return argument{set: true, buffer: x}, nil
	}
	mem, elem, ok := sliceBytes(reflect.ValueOf(v))
	if !ok {
		return argument{}, failf(opencl.InvalidArgValue, "expected a slice or *Buffer for %s, not %T", info.TypeName, v)
	}
	if err := fitsPointee(info, elem, len(mem)); err != nil {
		return argument{}, err
	}
	return argument{set: true, memory: mem}, nil
}

// sliceBytes returns the memory of a slice or of what a pointer points to, and its
// element type. ok is false where v is neither or the elements hold Go pointers.
func sliceBytes(v reflect.Value) (mem []byte, elem reflect.Type, ok bool) {
	switch v.Kind() {
	case reflect.Slice:
		elem = v.Type().Elem()
		n := v.Len() * int(elem.Size())
		return unsafe.Slice((*byte)(v.UnsafePointer()), n), elem, flat(elem)
	case reflect.Pointer:
		elem = v.Type().Elem()
		if v.IsNil() {
			return nil, elem, false
		}
		return unsafe.Slice((*byte)(v.UnsafePointer()), int(elem.Size())), elem, flat(elem)
	}
	return nil, nil, false
}

// flat reports whether values of t are bytes without Go pointers and of a size that is
// the same on every machine.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Bool:
		return true
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		return t.Size() == 8
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return false
}

// fitsPointee checks a slice's element type against the kernel's pointer. Bytes fit
// everything (raw memory); other elements must be the pointee or its component, or for
// a struct have its size.
func fitsPointee(info *ssa.KernelArg, elem reflect.Type, n int) error {
	if info.Size == 0 || elem.Kind() == reflect.Uint8 {
		return nil
	}
	bad := func() error {
		return failf(opencl.InvalidArgValue, "a slice of %v does not fit %s: expected elements of %s", elem, info.TypeName, pointeeGo(info))
	}
	kind, lanes := goKind(elem)
	switch {
	case info.ElemKind == ssa.Void: // a struct or array
		if int64(elem.Size()) != info.Size {
			return failf(opencl.InvalidArgValue, "an element of %v has %d bytes, but one of %s has %d", elem, elem.Size(), info.TypeName, info.Size)
		}
		return nil
	case kind != info.ElemKind.Num():
		return bad()
	case lanes != 1 && int64(elem.Size()) != info.Size:
		return bad()
	case int64(n)%info.Size != 0:
		return failf(opencl.InvalidArgValue, "%d bytes are no whole number of the %d-byte elements of %s", n, info.Size, info.TypeName)
	}
	return nil
}

func pointeeGo(info *ssa.KernelArg) string {
	if info.ElemKind == ssa.Void {
		return fmt.Sprintf("%d bytes", info.Size)
	}
	name := goNames[info.ElemKind.Num()]
	if info.ElemLanes > 1 {
		return fmt.Sprintf("%s or arrays of %d of them", name, info.ElemLanes)
	}
	return name
}

var goNames = [numeric.NumKinds]string{numeric.Bool: "bool", numeric.I8: "int8", numeric.U8: "uint8", numeric.I16: "int16", numeric.U16: "uint16",
	numeric.I32: "int32", numeric.U32: "uint32", numeric.I64: "int64", numeric.U64: "uint64", numeric.F16: "numeric.Half", numeric.F32: "float32", numeric.F64: "float64"}

// goKind returns the number format of a Go type and its components: 1 for a number,
// the length for an array of numbers (the application vector types are such), and
// Invalid for any other type.
func goKind(t reflect.Type) (numeric.Kind, int) {
	if t.Kind() == reflect.Uint16 && t.Name() == "Half" {
		return numeric.F16, 1
	}
	switch t.Kind() {
	case reflect.Bool:
		return numeric.Bool, 1
	case reflect.Int8:
		return numeric.I8, 1
	case reflect.Uint8:
		return numeric.U8, 1
	case reflect.Int16:
		return numeric.I16, 1
	case reflect.Uint16:
		return numeric.U16, 1
	case reflect.Int32:
		return numeric.I32, 1
	case reflect.Uint32:
		return numeric.U32, 1
	case reflect.Int64, reflect.Int:
		return numeric.I64, 1
	case reflect.Uint64, reflect.Uint, reflect.Uintptr:
		return numeric.U64, 1
	case reflect.Float32:
		return numeric.F32, 1
	case reflect.Float64:
		return numeric.F64, 1
	case reflect.Array:
		k, n := goKind(t.Elem())
		if n == 1 {
			return k, t.Len()
		}
	}
	return numeric.Invalid, 0
}

// valueBytes returns the bytes of a scalar or vector argument. A Go int or float64
// (the types of Go's constants) fits any number that it can represent; other types
// must be exactly the kernel's.
func valueBytes(info *ssa.KernelArg, v any) ([]byte, error) {
	rv := reflect.ValueOf(v)
	expected := goNames[info.Type.K.Num()]
	if info.Type.N > 1 {
		expected = fmt.Sprintf("an array of %d %s", info.Type.N, expected)
	}
	if !rv.IsValid() {
		return nil, failf(opencl.InvalidArgValue, "expected %s for %s, not nil", expected, info.TypeName)
	}
	want := info.Type.K.Num()
	kind, lanes := goKind(rv.Type())
	if kind == want && int64(rv.Type().Size()) == info.Size {
		p := reflect.New(rv.Type())
		p.Elem().Set(rv)
		b := make([]byte, info.Size)
		copy(b, unsafe.Slice((*byte)(p.UnsafePointer()), int(info.Size)))
		return b, nil
	}
	if info.Type.N == 1 && lanes == 1 {
		if bits, ok := constantBits(want, rv); ok {
			b := make([]byte, 8)
			for i := range b {
				b[i] = byte(bits >> (8 * i))
			}
			return b[:info.Size], nil
		}
	}
	return nil, failf(opencl.InvalidArgValue, "expected %s for %s, not %v of type %T", expected, info.TypeName, v, v)
}

// constantBits converts a Go int or float64 to a number of kind k if it can hold it: an
// integer must fit, a float64 may be rounded.
func constantBits(k numeric.Kind, v reflect.Value) (uint64, bool) {
	switch v.Kind() {
	case reflect.Int:
		n := v.Int()
		if k.IsFloat() {
			return numeric.ConvertBits(k, false, numeric.RTE, numeric.I64, uint64(n)), true
		}
		back := numeric.ConvertBits(numeric.I64, false, numeric.RoundDefault, k, numeric.ConvertBits(k, false, numeric.RoundDefault, numeric.I64, uint64(n)))
		if int64(back) != n || n < 0 && !k.Signed() {
			return 0, false
		}
		return numeric.ConvertBits(k, false, numeric.RoundDefault, numeric.I64, uint64(n)), true
	case reflect.Float64:
		if !k.IsFloat() {
			return 0, false
		}
		return numeric.ConvertBits(k, false, numeric.RTE, numeric.F64, math.Float64bits(v.Float())), true
	}
	return 0, false
}

func structBytes(info *ssa.KernelArg, v any) ([]byte, error) {
	rv := reflect.ValueOf(v)
	if rv.IsValid() && rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	if !rv.IsValid() || !flat(rv.Type()) {
		return nil, failf(opencl.InvalidArgValue, "expected a struct of numbers and arrays, or a RawValue, for %s, not %T", info.TypeName, v)
	}
	if int64(rv.Type().Size()) != info.Size {
		return nil, failf(opencl.InvalidArgSize, "%s has %d bytes, but %v has %d: fields and padding must agree", info.TypeName, info.Size, rv.Type(), rv.Type().Size())
	}
	p := reflect.New(rv.Type())
	p.Elem().Set(rv)
	return append([]byte(nil), unsafe.Slice((*byte)(p.UnsafePointer()), int(info.Size))...), nil
}

// A RawValue is the bytes of a kernel argument that is passed by value, as they lie in
// memory: it must have exactly the argument's size.
type RawValue []byte
