package numeric

import "unsafe"

// A Bit is an element of a column of kind [Bool]: 0 or 1.
type Bit uint8

// Signed, Unsigned, Int and Float are the Go types that arithmetic is generic over.
type (
	Signed   interface{ int8 | int16 | int32 | int64 }
	Unsigned interface {
		uint8 | uint16 | uint32 | uint64
	}
	Int   interface{ Signed | Unsigned }
	Float interface{ float32 | float64 }
)

// Number is the set of element types of columns, one for each [Kind].
type Number interface {
	Bit | Int | Half | Float
}

// KindOf returns the kind of the element type T.
func KindOf[T Number]() Kind {
	var zero T
	switch any(zero).(type) {
	case Bit:
		return Bool
	case int8:
		return I8
	case uint8:
		return U8
	case int16:
		return I16
	case uint16:
		return U16
	case int32:
		return I32
	case uint32:
		return U32
	case int64:
		return I64
	case uint64:
		return U64
	case Half:
		return F16
	case float32:
		return F32
	case float64:
		return F64
	}
	return Invalid
}

// width returns the number of bits of T.
func width[T Int]() uint { return 8 * uint(unsafe.Sizeof(T(0))) }

// isSigned reports whether T has negative values.
func isSigned[T Int]() bool { return ^T(0) < 0 }

// MinOf returns the least value of T.
func MinOf[T Int]() T {
	if isSigned[T]() {
		return T(1) << (width[T]() - 1)
	}
	return 0
}

// MaxOf returns the greatest value of T.
func MaxOf[T Int]() T { return ^MinOf[T]() }
