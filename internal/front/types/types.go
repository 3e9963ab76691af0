package types

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// A Kind is the kind of a Type.
type Kind uint8

// The kinds. The arithmetic ones are in order of conversion rank within signedness.
const (
	Invalid Kind = iota
	Void
	Bool
	Char
	UChar
	Short
	UShort
	Int
	UInt
	Long
	ULong
	Half
	Float
	Double
	Vector
	Pointer
	Array
	Record // struct or union
	Enum
	Func
	Image
	Sampler
	Event
	Atomic      // atomic_int, atomic_float …
	Placeholder // a named type that programs may name but not use: queue_t, reserve_id_t, …
)

// An AddressSpace is an address space (OpenCL C, "Address Space Qualifiers", 6.7).
type AddressSpace uint8

// The address spaces. NoSpace means that a type has none.
const (
	NoSpace AddressSpace = iota
	Private
	Local
	Global
	Constant
	Generic
)

var spaceNames = [...]string{"", "__private", "__local", "__global", "__constant", "__generic"}

// String returns the space's keyword in diagnostics, "" for NoSpace.
func (s AddressSpace) String() string { return spaceNames[s] }

// Quals is a set of qualifiers with an address space.
type Quals struct {
	Const, Volatile, Restrict bool
	Space                     AddressSpace
}

// A QType is a type with qualifiers.
type QType struct {
	*Type
	Quals
}

// Q returns t without qualifiers.
func Q(t *Type) QType { return QType{Type: t} }

// Unqualified returns q without its qualifiers.
func (q QType) Unqualified() QType { return QType{Type: q.Type} }

// In returns q with the address space s.
func (q QType) In(s AddressSpace) QType { q.Space = s; return q }

// An Access is an image's access qualifier.
type Access uint8

// The access qualifiers.
const (
	NoAccess Access = iota
	ReadOnly
	WriteOnly
	ReadWrite
)

// An ImageKind is an image type: a row of [opencl.ImageTypes].
type ImageKind uint8

// Row returns the kind's row.
func (k ImageKind) Row() *opencl.ImageType { return &opencl.ImageTypes[k] }

// A Type is a type without its top-level qualifiers. Types other than records and
// enums are unique within a Context, so they compare with ==.
type Type struct {
	Kind   Kind
	Name   string       // of a basic, image or placeholder type; tag of a record or enum ("" if anonymous)
	Elem   QType        // of a vector, pointer, array, atomic; result of a function
	Len    int64        // lanes of a vector, elements of an array (-1: incomplete)
	Params []QType      // of a function
	Flags  FuncFlags    // of a function
	Rec    *RecordInfo  // of a record
	Under  *Type        // of an enum: its integer type
	Image  ImageKind    // of an image
	Access Access       // of an image
	align  int64        // of a scalar or vector
	size   int64        // of a scalar or vector
	num    numeric.Kind // of a scalar
}

// FuncFlags are properties of a function type.
type FuncFlags uint8

// The flags.
const (
	Variadic FuncFlags = 1 << iota
	NoProto
)

// A RecordInfo is the body of a struct or union.
type RecordInfo struct {
	Union    bool
	Complete bool
	Packed   bool
	Fields   []Field
	Size     int64
	Align    int64
	Flexible bool   // its last member is a flexible array
	Partial  bool   // members are missing because their declarations are in error
	Typedef  string // the first typedef of a record without a tag, which diagnostics use as its name
}

// A Field is a member of a record.
type Field struct {
	Name   string // "" for an anonymous record or an unnamed bit-field
	Type   QType
	Offset int64  // in bytes; of a bit-field: of its storage unit
	Bits   int    // width of a bit-field, else -1
	BitOff int    // of a bit-field: from the least significant bit of the unit
	Sized  string // the declared type name, such as size_t, if the size depends on the device
}

// Size returns the size in bytes of a complete object type, -1 for any other.
func (t *Type) Size() int64 {
	switch t.Kind {
	case Pointer:
		return 8
	case Image, Sampler, Event, Placeholder:
		return 8
	case Array:
		if t.Len < 0 {
			return -1
		}
		if n := t.Elem.Size(); n >= 0 {
			return n * t.Len
		}
		return -1
	case Record:
		if t.Rec.Complete {
			return t.Rec.Size
		}
		return -1
	case Enum:
		return t.Under.Size()
	case Atomic:
		return t.Elem.Size()
	case Void, Func, Invalid:
		return -1
	}
	return t.size
}

// Align returns the alignment in bytes of an object type, 1 for any other.
func (t *Type) Align() int64 {
	switch t.Kind {
	case Pointer, Image, Sampler, Event, Placeholder:
		return 8
	case Array, Atomic:
		return t.Elem.Align()
	case Record:
		if t.Rec.Complete {
			return t.Rec.Align
		}
		return 1
	case Enum:
		return t.Under.Align()
	case Void, Func, Invalid:
		return 1
	}
	return t.align
}

// Num returns the scalar format of an arithmetic scalar or enum, of a vector's elements, U64 for a pointer, and
// Invalid for any other type.
func (t *Type) Num() numeric.Kind {
	switch t.Kind {
	case Vector, Atomic:
		return t.Elem.Num()
	case Enum:
		return t.Under.num
	case Pointer:
		return numeric.U64
	}
	return t.num
}

// Lanes returns the number of components of a vector, 1 for any other type.
func (t *Type) Lanes() int {
	if t.Kind == Vector {
		return int(t.Len)
	}
	return 1
}

// IsInteger reports whether t is an integer type, bool and enums included.
func (t *Type) IsInteger() bool { return t.Kind >= Bool && t.Kind <= ULong || t.Kind == Enum }

// IsFloating reports whether t is half, float or double.
func (t *Type) IsFloating() bool { return t.Kind >= Half && t.Kind <= Double }

// IsArithmetic reports whether t is a scalar integer or floating type.
func (t *Type) IsArithmetic() bool { return t.IsInteger() || t.IsFloating() }

// IsScalar reports whether t is arithmetic or a pointer (C99 6.2.5p21).
func (t *Type) IsScalar() bool { return t.IsArithmetic() || t.Kind == Pointer }

// IsVector reports whether t is a vector.
func (t *Type) IsVector() bool { return t.Kind == Vector }

// IsVoid reports whether t is void.
func (t *Type) IsVoid() bool { return t.Kind == Void }

// IsPointer reports whether t is a pointer.
func (t *Type) IsPointer() bool { return t.Kind == Pointer }

// IsInvalid reports whether t replaces a type with a reported error.
func (t *Type) IsInvalid() bool { return t == nil || t.Kind == Invalid }

// Element returns the element type of a vector, t itself for any other type.
func (t *Type) Element() *Type {
	if t.Kind == Vector {
		return t.Elem.Type
	}
	return t
}

var (
	scalarTypes [Double + 1]*Type
	vectorTypes [Double + 1][17]*Type
	imageTypes  [len(opencl.ImageTypes)][ReadWrite + 1]*Type

	// The types without structure, unique in every program.
	InvalidType = &Type{Kind: Invalid, Name: "<error>"}
	VoidType    = &Type{Kind: Void, Name: "void"}
	SamplerType = &Type{Kind: Sampler, Name: "sampler_t"}
	EventType   = &Type{Kind: Event, Name: "event_t"}
)

func init() {
	for k := Bool; k <= Double; k++ {
		num := numeric.Bool + numeric.Kind(k-Bool) // both are in OpenCL's order
		n := int64(num.Size())
		s := &Type{Kind: k, Name: num.CName(), num: num, size: n, align: n}
		scalarTypes[k] = s
		if k == Bool {
			continue
		}
		for _, l := range opencl.VectorLengths {
			// A 3-component vector has the size and alignment of a 4-component one
			// (OpenCL C, "Alignment of Types", 6.3.5).
			size := n * int64(l)
			if l == 3 {
				size = n * 4
			}
			vectorTypes[k][l] = &Type{Kind: Vector, Name: s.Name + opencl.VectorSuffixes[l], Elem: Q(s), Len: int64(l), size: size, align: size}
		}
	}
	for k := range imageTypes {
		for a := range imageTypes[k] {
			imageTypes[k][a] = &Type{Kind: Image, Name: ImageKind(k).Row().Name, Image: ImageKind(k), Access: Access(a)}
		}
	}
}

// ScalarType returns the arithmetic type of kind k.
func ScalarType(k Kind) *Type { return scalarTypes[k] }

// ScalarOf returns the arithmetic type whose format is n.
func ScalarOf(n numeric.Kind) *Type { return scalarTypes[Bool+Kind(n-numeric.Bool)] }

// VectorType returns the vector of n elements of the scalar type elem; n = 1 gives elem. It returns nil if there is
// no such type.
func VectorType(elem *Type, n int) *Type {
	if n == 1 {
		return elem
	}
	if elem.Kind < Char || elem.Kind > Double || n < 0 || n > 16 {
		return nil
	}
	return vectorTypes[elem.Kind][n]
}

// ImageRow returns the row of an image type.
func (t *Type) ImageRow() *opencl.ImageType { return t.Image.Row() }

// ImageType returns the image type of the given kind and access.
func ImageType(k ImageKind, a Access) *Type { return imageTypes[k][a] }

// SizeType is size_t, the type of sizeof and of work-item queries.
func SizeType() *Type { return scalarTypes[ULong] }

// PtrdiffType is ptrdiff_t.
func PtrdiffType() *Type { return scalarTypes[Long] }

// A Context creates the derived types of one compilation.
type Context struct {
	pointers map[QType]*Type
	arrays   map[arrayKey]*Type
	atomics  map[*Type]*Type
	funcs    map[QType][]*Type // by result
	opaque   map[string]*Type  // placeholders by name
}

type arrayKey struct {
	elem QType
	n    int64
}

// NewContext returns an empty Context.
func NewContext() *Context {
	return &Context{pointers: map[QType]*Type{}, arrays: map[arrayKey]*Type{}, atomics: map[*Type]*Type{}, funcs: map[QType][]*Type{}, opaque: map[string]*Type{}}
}

// PointerTo returns the type of pointers to elem, whose qualifiers (address space
// included) are the pointee's.
func (c *Context) PointerTo(elem QType) *Type {
	if t := c.pointers[elem]; t != nil {
		return t
	}
	t := &Type{Kind: Pointer, Elem: elem}
	c.pointers[elem] = t
	return t
}

// ArrayOf returns the type of arrays of n elements; n = -1 means an unknown length.
func (c *Context) ArrayOf(elem QType, n int64) *Type {
	k := arrayKey{elem, n}
	if t := c.arrays[k]; t != nil {
		return t
	}
	t := &Type{Kind: Array, Elem: elem, Len: n}
	c.arrays[k] = t
	return t
}

// AtomicOf returns the atomic type of elem.
func (c *Context) AtomicOf(elem *Type) *Type {
	if t := c.atomics[elem]; t != nil {
		return t
	}
	t := &Type{Kind: Atomic, Elem: Q(elem)}
	c.atomics[elem] = t
	return t
}

// OpaqueOf returns the placeholder for a builtin type that programs may only name.
func (c *Context) OpaqueOf(name string) *Type {
	t := c.opaque[name]
	if t == nil {
		t = &Type{Kind: Placeholder, Name: name}
		c.opaque[name] = t
	}
	return t
}

// FuncOf returns the function type. Top-level qualifiers of parameters must have been removed.
func (c *Context) FuncOf(result QType, params []QType, flags FuncFlags) *Type {
next:
	for _, t := range c.funcs[result] {
		if t.Flags != flags || len(t.Params) != len(params) {
			continue
		}
		for i, p := range params {
			if t.Params[i] != p {
				continue next
			}
		}
		return t
	}
	t := &Type{Kind: Func, Elem: result, Params: params, Flags: flags}
	c.funcs[result] = append(c.funcs[result], t)
	return t
}
