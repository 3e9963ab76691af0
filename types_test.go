package purecl

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// A dataType is a row of the standard's table of application data types.
type dataType struct {
	cl    string
	size  uintptr
	goT   reflect.Type
	align func() uintptr // the remainder of an AlignedSlice's address
}

func row[T Data](cl string, size uintptr) dataType {
	return dataType{cl, size, reflect.TypeFor[T](), func() (bad uintptr) {
		for n := range 20 {
			s := AlignedSlice[T](n)
			if len(s) != n || cap(s) != n {
				return ^uintptr(0)
			}
			bad |= uintptr(unsafe.Pointer(unsafe.SliceData(s))) % size
			for i := range s { // all of it is ours to write
				*(*byte)(unsafe.Add(unsafe.Pointer(&s[i]), size-1)) = 1
			}
		}
		return bad
	}}
}

var dataTypes = []dataType{
	row[Char2]("char2", 2), row[Char3]("char3", 4), row[Char4]("char4", 4), row[Char8]("char8", 8), row[Char16]("char16", 16),
	row[Uchar2]("uchar2", 2), row[Uchar3]("uchar3", 4), row[Uchar4]("uchar4", 4), row[Uchar8]("uchar8", 8), row[Uchar16]("uchar16", 16),
	row[Short2]("short2", 4), row[Short3]("short3", 8), row[Short4]("short4", 8), row[Short8]("short8", 16), row[Short16]("short16", 32),
	row[Ushort2]("ushort2", 4), row[Ushort3]("ushort3", 8), row[Ushort4]("ushort4", 8), row[Ushort8]("ushort8", 16), row[Ushort16]("ushort16", 32),
	row[Int2]("int2", 8), row[Int3]("int3", 16), row[Int4]("int4", 16), row[Int8]("int8", 32), row[Int16]("int16", 64),
	row[Uint2]("uint2", 8), row[Uint3]("uint3", 16), row[Uint4]("uint4", 16), row[Uint8]("uint8", 32), row[Uint16]("uint16", 64),
	row[Long2]("long2", 16), row[Long3]("long3", 32), row[Long4]("long4", 32), row[Long8]("long8", 64), row[Long16]("long16", 128),
	row[Ulong2]("ulong2", 16), row[Ulong3]("ulong3", 32), row[Ulong4]("ulong4", 32), row[Ulong8]("ulong8", 64), row[Ulong16]("ulong16", 128),
	row[Half2]("half2", 4), row[Half3]("half3", 8), row[Half4]("half4", 8), row[Half8]("half8", 16), row[Half16]("half16", 32),
	row[Float2]("float2", 8), row[Float3]("float3", 16), row[Float4]("float4", 16), row[Float8]("float8", 32), row[Float16]("float16", 64),
	row[Double2]("double2", 16), row[Double3]("double3", 32), row[Double4]("double4", 32), row[Double8]("double8", 64), row[Double16]("double16", 128),
	row[int8]("char", 1), row[uint16]("ushort", 2), row[Half]("half", 2), row[float32]("float", 4), row[float64]("double", 8),
}

func TestDataTypes(t *testing.T) {
	for _, d := range dataTypes {
		if d.goT.Size() != d.size {
			t.Errorf("%s has %d bytes, want %d", d.cl, d.goT.Size(), d.size)
		}
		if r := d.align(); r != 0 {
			t.Errorf("AlignedSlice of %s: off by %#x", d.cl, r)
		}
		if d.goT.Kind() != reflect.Array {
			continue
		}
		// A slice of lesser alignment is legal Go and has the same layout.
		if a := d.goT.Align(); uintptr(a) > d.size {
			t.Errorf("%s is aligned to %d", d.cl, a)
		}
		if s := fmt.Sprint(reflect.Zero(d.goT)); !strings.HasPrefix(s, d.cl+" (0, ") {
			t.Errorf("%s prints as %s", d.cl, s)
		}
	}
}

func TestComponents(t *testing.T) {
	v4, v3, v2 := Float4{1, 2, 3, 4}, Int3{1, 2, 3}, Uchar2{1, 2}
	v8, v16 := Short8{0, 1, 2, 3, 4, 5, 6, 7}, Half16{}
	for i := range v16 {
		v16[i] = HalfOf(float64(i))
	}
	for _, c := range []struct{ got, want any }{
		{v4.X() + v4.Y()*10 + v4.Z()*100 + v4.W()*1000, float32(4321)},
		{v4.Lo(), Float2{1, 2}}, {v4.Hi(), Float2{3, 4}}, {v4.Even(), Float2{1, 3}}, {v4.Odd(), Float2{2, 4}},
		{v4.Lo().Hi(), float32(2)}, {v4.Odd().Lo(), float32(2)},
		{v4.Swizzle4(W, Z, Y, X), Float4{4, 3, 2, 1}}, {v4.Swizzle4(X, X, Y, Y), Float4{1, 1, 2, 2}},
		{v4.Swizzle3(Z, Z, S0), Float3{3, 3, 1}}, {v4.Swizzle2(S5, S4), Float2{2, 1}},
		{v3.Hi(), Int2{3, 0}}, {v3.Lo(), Int2{1, 2}}, {v3.Odd(), Int2{2, 0}}, {v3.Even(), Int2{1, 3}}, {v3.Z(), int32(3)},
		{v2.Lo(), uint8(1)}, {v2.Hi(), uint8(2)}, {v2.Even(), uint8(1)}, {v2.Odd(), uint8(2)}, {v2.S(3), uint8(2)},
		{v8.Hi(), Short4{4, 5, 6, 7}}, {v8.Odd().Even(), Short2{1, 5}}, {v8.S(S7), int16(7)},
		{v8.Swizzle8([8]Component{S7, S6, S5, S4, S3, S2, S1, S0}), Short8{7, 6, 5, 4, 3, 2, 1, 0}},
		{v16.S(SF), HalfOf(15)}, {v16.Swizzle2(SA, S1), Half2{HalfOf(10), HalfOf(1)}}, {v16.Even().S(S7), HalfOf(14)},
		{v2.Swizzle16([16]Component{1: 1, 15: 1}), Uchar16{1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}},
		{SplatLong3(7), Long3{7, 7, 7}}, {SplatUint2(7), Uint2{7, 7}},
		{JoinFloat4(v4.Hi(), v4.Lo()), Float4{3, 4, 1, 2}}, {JoinShort8(v8.Hi(), v8.Lo()).S(S0), int16(4)},
		{Float4{-5, 254.5, float32(math.Inf(-1)), float32(math.NaN())}.String(), "float4 (-5, 254.5, -inf, nan)"},
		{Half3{0x3c00, 0x2e66, 0x7c00}.String(), "half3 (1, 0.1, inf)"},
		{Char2{-128, 127}.String(), "char2 (-128, 127)"}, {Ulong2{1 << 63}.String(), "ulong2 (9223372036854775808, 0)"},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}
