// # Application data types
//
// Scalars are Go's: char is int8, uchar uint8, and so on to ulong, uint64; float is
// float32, double float64; half is [Half]. Vectors are arrays of their components in
// memory order ([Float4], [Uchar16], …; OpenCL C, "Built-in Vector Data Types"):
//
//	v := purecl.Float4{1, 2, 3, 4}
//	v[2] = 5 // v.z = 5
//
// They have the sizes of the standard; a 3-vector has the size of a 4-vector.
//
// The standard also aligns each type to its size. Go aligns arrays to their elements
// only, and PureCL's kernels need no more: slices and values of any alignment are
// fine as arguments. Two things to know: other OpenCL implementations want the full
// alignment of memory that they use in place, which [AlignedSlice] gives; and a Go
// struct that mirrors one of a kernel needs explicit padding before a vector that
// would not stand at a multiple of its size.
//
// # Conversions
//
// The functions Convert… and As… are OpenCL C's convert_T and as_T for the host, with
// the same meaning as in kernels ("Explicit Conversions", "Reinterpreting Data As
// Another Type"):
//
//	convert_uchar4_sat_rte(f)   ConvertUchar4SatRte(f)
//	convert_float(i)            ConvertFloat(i)
//	as_int4(f)                  AsInt4(f)
//
// They are generic over the source; Go's compiler checks that the numbers of
// components, or the sizes, are equal. Without a mode, conversions to integers round
// toward zero and those to floating point to nearest even. With Sat they give the
// nearest value in range, and 0 for a NaN; without it, a floating-point number out
// of an integer type's range gives what decision record 0002 in docs/decisions
// defines. As… between different numbers of components keeps the order in memory;
// a 3-vector can be made of a 4-vector, but not the other way round.
package purecl

import (
	"math"
	"strconv"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/numeric"
)

//go:generate go run ./internal/gen/vectors

// A Component names a component of a vector: X to W or S0 to SF.
type Component uint8

// The components by name.
const (
	X Component = iota
	Y
	Z
	W
)

// The components by number.
const (
	S0 Component = iota
	S1
	S2
	S3
	S4
	S5
	S6
	S7
	S8
	S9
	SA
	SB
	SC
	SD
	SE
	SF
)

// AlignedSlice returns n zero values at an address that is a multiple of the
// type's size, which is the alignment that the standard gives it. Like make, it
// panics if n is negative or too large.
func AlignedSlice[T Data](n int) []T {
	size := unsafe.Sizeof(*new(T))
	s := make([]T, n+1) // one more: the start moves by less than an element
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(s))) % size
	if skip == 0 {
		return s[:n:n]
	}
	return unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), skip)), n)
}

// formatVector formats components in OpenCL C's notation.
func formatVector[T Scalar](name string, v []T) string {
	b := append(make([]byte, 0, 96), name...)
	b = append(b, " ("...)
	for i, x := range v {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendScalar(b, any(x))
	}
	return string(append(b, ')'))
}

// appendScalar formats a scalar in decimal; infinities and NaNs as C does.
func appendScalar(b []byte, x any) []byte {
	switch x := x.(type) {
	case int8:
		return strconv.AppendInt(b, int64(x), 10)
	case int16:
		return strconv.AppendInt(b, int64(x), 10)
	case int32:
		return strconv.AppendInt(b, int64(x), 10)
	case int64:
		return strconv.AppendInt(b, x, 10)
	case uint8:
		return strconv.AppendUint(b, uint64(x), 10)
	case uint16:
		return strconv.AppendUint(b, uint64(x), 10)
	case uint32:
		return strconv.AppendUint(b, uint64(x), 10)
	case uint64:
		return strconv.AppendUint(b, x, 10)
	case Half:
		if x.IsNaN() || x.IsInf(0) {
			return appendFloat(b, x.Float64(), 64)
		}
		return append(b, x.String()...)
	case float32:
		return appendFloat(b, float64(x), 32)
	case float64:
		return appendFloat(b, x, 64)
	}
	return b
}

func appendFloat(b []byte, x float64, bits int) []byte {
	switch {
	case x != x:
		return append(b, "nan"...)
	case math.IsInf(x, 1):
		return append(b, "inf"...)
	case math.IsInf(x, -1):
		return append(b, "-inf"...)
	}
	return strconv.AppendFloat(b, x, 'g', -1, bits)
}

// kindOf returns the number format of the scalar type T.
func kindOf[T Scalar]() numeric.Kind {
	switch any(*new(T)).(type) {
	case int8:
		return numeric.I8
	case uint8:
		return numeric.U8
	case int16:
		return numeric.I16
	case uint16:
		return numeric.U16
	case int32:
		return numeric.I32
	case uint32:
		return numeric.U32
	case int64:
		return numeric.I64
	case uint64:
		return numeric.U64
	case Half:
		return numeric.F16
	case float32:
		return numeric.F32
	}
	return numeric.F64
}
