package ssa

import (
	"strconv"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A Kind is the kind of an SSA value's elements: the scalar kinds of package numeric with the same numbers, and
// the kinds below.
type Kind uint8

// The scalar kinds and the kinds that are not numbers.
const (
	Bool = Kind(numeric.Bool)
	I8   = Kind(numeric.I8)
	U8   = Kind(numeric.U8)
	I16  = Kind(numeric.I16)
	U16  = Kind(numeric.U16)
	I32  = Kind(numeric.I32)
	U32  = Kind(numeric.U32)
	I64  = Kind(numeric.I64)
	U64  = Kind(numeric.U64)
	F16  = Kind(numeric.F16)
	F32  = Kind(numeric.F32)
	F64  = Kind(numeric.F64)

	// Pointers, one kind for each address space. A pointer has 64 bits: the number of its memory object above
	// ObjectShift, and the byte offset in the object below.
	PtrPrivate Kind = iota + Kind(numeric.NumKinds)
	PtrLocal
	PtrGlobal
	PtrConstant
	PtrGeneric

	Handle // an image, sampler or event: 64 opaque bits
	Void   // no value
)

// ObjectShift and OffsetMask split a pointer's 64 bits. Adding an offset never changes the object: the sum
// wraps within the offset bits.
const (
	ObjectShift        = 40
	OffsetMask  uint64 = 1<<ObjectShift - 1
)

// IsPtr reports whether k is a pointer kind.
func (k Kind) IsPtr() bool { return k >= PtrPrivate && k <= PtrGeneric }

// Num returns the numeric kind: k itself for a number, U64 for a pointer or handle.
func (k Kind) Num() numeric.Kind {
	if k.IsPtr() || k == Handle {
		return numeric.U64
	}
	if k == Void {
		return numeric.Invalid
	}
	return numeric.Kind(k)
}

// String returns the kind's name in the text form.
func (k Kind) String() string {
	switch k {
	case PtrPrivate:
		return "ptr.private"
	case PtrLocal:
		return "ptr.local"
	case PtrGlobal:
		return "ptr.global"
	case PtrConstant:
		return "ptr.constant"
	case PtrGeneric:
		return "ptr.generic"
	case Handle:
		return "handle"
	case Void:
		return "void"
	}
	return numeric.Kind(k).String()
}

// A Type is the type of a value: N elements of kind K; N is 1 for a scalar.
type Type struct {
	K Kind
	N uint8
}

// Scalar returns the type of one element of kind k.
func Scalar(k Kind) Type { return Type{k, 1} }

// Vec returns the type of n elements of kind k.
func Vec(k Kind, n int) Type { return Type{k, uint8(n)} }

// The types used most.
var (
	TVoid = Type{Void, 0}
	TBool = Type{Bool, 1}
	TI32  = Type{I32, 1}
	TU32  = Type{U32, 1}
	TI64  = Type{I64, 1}
	TU64  = Type{U64, 1}
	TF32  = Type{F32, 1}
)

// Elem returns the scalar type of t's elements.
func (t Type) Elem() Type { return Type{t.K, 1} }

// With returns the type with t's number of elements and kind k.
func (t Type) With(k Kind) Type { return Type{k, t.N} }

// IsVec reports whether t has more than one element.
func (t Type) IsVec() bool { return t.N > 1 }

// Size returns the bytes of a value of type t in memory: N times the element's size. A vector of 3 has 3
// elements; no load or store touches its fourth slot, the padding.
func (t Type) Size() int { return int(t.N) * t.K.Num().Size() }

// String returns the text form: i32, v4f32, ptr.global.
func (t Type) String() string {
	if t.N > 1 {
		return "v" + strconv.Itoa(int(t.N)) + t.K.String()
	}
	return t.K.String()
}
