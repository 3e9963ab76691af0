package vec

import (
	"fmt"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A Mode is a suffix of a conversion's name: saturation or a rounding mode (OpenCL C,
// "Rounding Modes", 6.4.3.2, and "Out-of-Range Behavior and Saturated Conversions",
// 6.4.3.3).
type Mode uint8

// The modes.
const (
	Sat Mode = iota + 1 // to the nearest value in range; 0 for a NaN
	RTE                 // round to nearest, ties to even
	RTZ                 // round toward zero
	RTP                 // round toward positive infinity
	RTN                 // round toward negative infinity
)

var rounds = [...]numeric.Round{RTE: numeric.RTE, RTZ: numeric.RTZ, RTP: numeric.RTP, RTN: numeric.RTN}

// String returns the mode's suffix in OpenCL C, such as "_rte".
func (m Mode) String() string {
	switch {
	case m == Sat:
		return "_sat"
	case m >= RTE && m <= RTN:
		return "_" + rounds[m].String()
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// conversion returns the conversion from S to D with these modes. It panics if OpenCL C has no such conversion.
func conversion(dst, src numeric.Kind, modes []Mode) numeric.Conversion {
	c := numeric.Conversion{Dst: dst, Src: src}
	for _, m := range modes {
		switch {
		case m == Sat && dst.IsFloat():
			panic(fmt.Sprintf("vec: a conversion to %s cannot saturate: Sat is for integer types", dst.CName()))
		case m == Sat:
			c.Sat = true
		case m < RTE || m > RTN:
			panic(fmt.Sprintf("vec: %v is no mode of a conversion", m))
		case c.Round != numeric.RoundDefault && c.Round != rounds[m]:
			panic(fmt.Sprintf("vec: a conversion has one rounding mode, not both _%v and %v", c.Round, m))
		default:
			c.Round = rounds[m]
		}
	}
	return c
}

// kindOf returns the number format of T.
func kindOf[T Number]() numeric.Kind {
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

// convert converts the first n components of v.
func convert[D, S any](v S, src numeric.Kind, n int, dst numeric.Kind, modes []Mode) (d D) {
	c := conversion(dst, src, modes)
	c.Apply(
		unsafe.Slice((*byte)(unsafe.Pointer(&d)), n*dst.Size()),
		unsafe.Slice((*byte)(unsafe.Pointer(&v)), n*src.Size()))
	return d
}

// Convert is OpenCL C's convert_T for a scalar, with T for D.
func Convert[D, S Number](x S, modes ...Mode) D {
	return convert[D](x, kindOf[S](), 1, kindOf[D](), modes)
}

// Convert2 is OpenCL C's convert_T2, with T for D.
func Convert2[D, S Number](v Vec2[S], modes ...Mode) Vec2[D] {
	return convert[Vec2[D]](v, kindOf[S](), 2, kindOf[D](), modes)
}

// Convert3 is OpenCL C's convert_T3, with T for D.
func Convert3[D, S Number](v Vec3[S], modes ...Mode) Vec3[D] {
	return convert[Vec3[D]](v, kindOf[S](), 3, kindOf[D](), modes)
}

// Convert4 is OpenCL C's convert_T4, with T for D.
func Convert4[D, S Number](v Vec4[S], modes ...Mode) Vec4[D] {
	return convert[Vec4[D]](v, kindOf[S](), 4, kindOf[D](), modes)
}

// Convert8 is OpenCL C's convert_T8, with T for D.
func Convert8[D, S Number](v Vec8[S], modes ...Mode) Vec8[D] {
	return convert[Vec8[D]](v, kindOf[S](), 8, kindOf[D](), modes)
}

// Convert16 is OpenCL C's convert_T16, with T for D.
func Convert16[D, S Number](v Vec16[S], modes ...Mode) Vec16[D] {
	return convert[Vec16[D]](v, kindOf[S](), 16, kindOf[D](), modes)
}
