package vec

import (
	"fmt"
	"math"
	"strconv"
)

// Number is the set of OpenCL C's scalar types.
type Number interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | Half | float32 | float64
}

// A vector is a vector of any width.
type vector[T Number] interface {
	Vec2[T] | Vec3[T] | Vec4[T] | Vec8[T] | Vec16[T]
}

// Vector is the set of the vectors of T.
type Vector[T Number] interface {
	vector[T]
	// S returns a component.
	S(Component) T
}

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

// component returns component c of a vector with the components v. It panics if the vector has no such component.
func component[T Number](v []T, c Component) T {
	if int(c) >= len(v) {
		panic(fmt.Sprintf("vec: %s%d has no component s%x", kindOf[T]().CName(), len(v), uint8(c)))
	}
	return v[c]
}

// Vec2 is a vector of 2 components.
type Vec2[T Number] [2]T

// Splat2 returns a vector whose components are all x, like (float2)(x).
func Splat2[T Number](x T) Vec2[T] { return Vec2[T]{x, x} }

// X returns component 0, v.x.
func (v Vec2[T]) X() T { return v[0] }

// Y returns component 1, v.y.
func (v Vec2[T]) Y() T { return v[1] }

// Lo returns the lower half, v.lo.
func (v Vec2[T]) Lo() T { return v[0] }

// Hi returns the upper half, v.hi.
func (v Vec2[T]) Hi() T { return v[1] }

// Even returns the components of even number, v.even.
func (v Vec2[T]) Even() T { return v[0] }

// Odd returns the components of odd number, v.odd.
func (v Vec2[T]) Odd() T { return v[1] }

// S returns the component c. It panics where v has none of that name.
func (v Vec2[T]) S(c Component) T { return component(v[:2], c) }

// Equal reports whether all components of v and w are equal.
func (v Vec2[T]) Equal(w Vec2[T]) bool { return v == w }

// String formats v in OpenCL C's notation, such as float2 (1, 2).
func (v Vec2[T]) String() string { return format(v[:2]) }

// Vec3 is a vector of 3 components.
// It has the size of a 4-vector; what stands in the fourth place is no component.
type Vec3[T Number] [4]T

// Splat3 returns a vector whose components are all x, like (float3)(x).
func Splat3[T Number](x T) Vec3[T] { return Vec3[T]{x, x, x} }

// X returns component 0, v.x.
func (v Vec3[T]) X() T { return v[0] }

// Y returns component 1, v.y.
func (v Vec3[T]) Y() T { return v[1] }

// Z returns component 2, v.z.
func (v Vec3[T]) Z() T { return v[2] }

// Lo returns the lower half, v.lo; v counts as a 4-vector.
func (v Vec3[T]) Lo() Vec2[T] { return Vec2[T]{v[0], v[1]} }

// Hi returns the upper half, v.hi; v counts as a 4-vector.
func (v Vec3[T]) Hi() Vec2[T] { return Vec2[T]{v[2], v[3]} }

// Even returns the components of even number, v.even; v counts as a 4-vector.
func (v Vec3[T]) Even() Vec2[T] { return Vec2[T]{v[0], v[2]} }

// Odd returns the components of odd number, v.odd; v counts as a 4-vector.
func (v Vec3[T]) Odd() Vec2[T] { return Vec2[T]{v[1], v[3]} }

// S returns the component c. It panics where v has none of that name.
func (v Vec3[T]) S(c Component) T { return component(v[:3], c) }

// Equal reports whether all components of v and w are equal. It ignores the fourth place, which == compares.
func (v Vec3[T]) Equal(w Vec3[T]) bool { return [3]T(v[:3]) == [3]T(w[:3]) }

// String formats v in OpenCL C's notation, such as float3 (1, 2, …).
func (v Vec3[T]) String() string { return format(v[:3]) }

// Vec4 is a vector of 4 components.
type Vec4[T Number] [4]T

// Splat4 returns a vector whose components are all x, like (float4)(x).
func Splat4[T Number](x T) Vec4[T] { return Vec4[T]{x, x, x, x} }

// Join4 returns the vector with the halves lo and hi, like (float4)(lo, hi).
func Join4[T Number](lo, hi Vec2[T]) Vec4[T] {
	return Vec4[T]{lo[0], lo[1], hi[0], hi[1]}
}

// X returns component 0, v.x.
func (v Vec4[T]) X() T { return v[0] }

// Y returns component 1, v.y.
func (v Vec4[T]) Y() T { return v[1] }

// Z returns component 2, v.z.
func (v Vec4[T]) Z() T { return v[2] }

// W returns component 3, v.w.
func (v Vec4[T]) W() T { return v[3] }

// Lo returns the lower half, v.lo.
func (v Vec4[T]) Lo() Vec2[T] { return Vec2[T]{v[0], v[1]} }

// Hi returns the upper half, v.hi.
func (v Vec4[T]) Hi() Vec2[T] { return Vec2[T]{v[2], v[3]} }

// Even returns the components of even number, v.even.
func (v Vec4[T]) Even() Vec2[T] { return Vec2[T]{v[0], v[2]} }

// Odd returns the components of odd number, v.odd.
func (v Vec4[T]) Odd() Vec2[T] { return Vec2[T]{v[1], v[3]} }

// S returns the component c. It panics where v has none of that name.
func (v Vec4[T]) S(c Component) T { return component(v[:4], c) }

// Equal reports whether all components of v and w are equal.
func (v Vec4[T]) Equal(w Vec4[T]) bool { return v == w }

// String formats v in OpenCL C's notation, such as float4 (1, 2, …).
func (v Vec4[T]) String() string { return format(v[:4]) }

// Vec8 is a vector of 8 components.
type Vec8[T Number] [8]T

// Splat8 returns a vector whose components are all x, like (float8)(x).
func Splat8[T Number](x T) Vec8[T] { return Vec8[T]{x, x, x, x, x, x, x, x} }

// Join8 returns the vector with the halves lo and hi, like (float8)(lo, hi).
func Join8[T Number](lo, hi Vec4[T]) Vec8[T] {
	return Vec8[T]{lo[0], lo[1], lo[2], lo[3], hi[0], hi[1], hi[2], hi[3]}
}

// Lo returns the lower half, v.lo.
func (v Vec8[T]) Lo() Vec4[T] { return Vec4[T]{v[0], v[1], v[2], v[3]} }

// Hi returns the upper half, v.hi.
func (v Vec8[T]) Hi() Vec4[T] { return Vec4[T]{v[4], v[5], v[6], v[7]} }

// Even returns the components of even number, v.even.
func (v Vec8[T]) Even() Vec4[T] { return Vec4[T]{v[0], v[2], v[4], v[6]} }

// Odd returns the components of odd number, v.odd.
func (v Vec8[T]) Odd() Vec4[T] { return Vec4[T]{v[1], v[3], v[5], v[7]} }

// S returns the component c. It panics where v has none of that name.
func (v Vec8[T]) S(c Component) T { return component(v[:8], c) }

// Equal reports whether all components of v and w are equal.
func (v Vec8[T]) Equal(w Vec8[T]) bool { return v == w }

// String formats v in OpenCL C's notation, such as float8 (1, 2, …).
func (v Vec8[T]) String() string { return format(v[:8]) }

// Vec16 is a vector of 16 components.
type Vec16[T Number] [16]T

// Splat16 returns a vector whose components are all x, like (float16)(x).
func Splat16[T Number](x T) Vec16[T] { return Vec16[T]{x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x} }

// Join16 returns the vector with the halves lo and hi, like (float16)(lo, hi).
func Join16[T Number](lo, hi Vec8[T]) Vec16[T] {
	return Vec16[T]{lo[0], lo[1], lo[2], lo[3], lo[4], lo[5], lo[6], lo[7], hi[0], hi[1], hi[2], hi[3], hi[4], hi[5], hi[6], hi[7]}
}

// Lo returns the lower half, v.lo.
func (v Vec16[T]) Lo() Vec8[T] { return Vec8[T]{v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]} }

// Hi returns the upper half, v.hi.
func (v Vec16[T]) Hi() Vec8[T] { return Vec8[T]{v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15]} }

// Even returns the components of even number, v.even.
func (v Vec16[T]) Even() Vec8[T] { return Vec8[T]{v[0], v[2], v[4], v[6], v[8], v[10], v[12], v[14]} }

// Odd returns the components of odd number, v.odd.
func (v Vec16[T]) Odd() Vec8[T] { return Vec8[T]{v[1], v[3], v[5], v[7], v[9], v[11], v[13], v[15]} }

// S returns the component c. It panics where v has none of that name.
func (v Vec16[T]) S(c Component) T { return component(v[:16], c) }

// Equal reports whether all components of v and w are equal.
func (v Vec16[T]) Equal(w Vec16[T]) bool { return v == w }

// String formats v in OpenCL C's notation, such as float16 (1, 2, …).
func (v Vec16[T]) String() string { return format(v[:16]) }

// Swizzle2 returns the components of v that are named, like v.yx.
func Swizzle2[V Vector[T], T Number](v V, x, y Component) Vec2[T] {
	return Vec2[T]{v.S(x), v.S(y)}
}

// Swizzle3 returns the components of v that are named, like v.zyx.
func Swizzle3[V Vector[T], T Number](v V, x, y, z Component) Vec3[T] {
	return Vec3[T]{v.S(x), v.S(y), v.S(z)}
}

// Swizzle4 returns the components of v that are named, like v.wzyx.
func Swizzle4[V Vector[T], T Number](v V, x, y, z, w Component) Vec4[T] {
	return Vec4[T]{v.S(x), v.S(y), v.S(z), v.S(w)}
}

// Swizzle8 returns the components of v that are named, like v.s01234567.
func Swizzle8[V Vector[T], T Number](v V, c [8]Component) (r Vec8[T]) {
	for i := range r {
		r[i] = v.S(c[i])
	}
	return r
}

// Swizzle16 returns the components of v that are named, like v.s0123456789abcdef.
func Swizzle16[V Vector[T], T Number](v V, c [16]Component) (r Vec16[T]) {
	for i := range r {
		r[i] = v.S(c[i])
	}
	return r
}

// format formats components in OpenCL C's notation.
func format[T Number](v []T) string {
	b := make([]byte, 0, 96)
	b = append(b, kindOf[T]().CName()...)
	b = strconv.AppendInt(b, int64(len(v)), 10)
	b = append(b, " ("...)
	for i, x := range v {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendNumber(b, any(x))
	}
	return string(append(b, ')'))
}

// appendNumber formats a number in decimal; infinities and NaNs as C does.
func appendNumber(b []byte, x any) []byte {
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
