package vec

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestSizes checks table 4.3: the application's types have the sizes of OpenCL C's.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		cl   string
		size uintptr
		v    any
	}{
		{"char2", 2, Char2{}}, {"char3", 4, Char3{}}, {"char4", 4, Char4{}}, {"char8", 8, Char8{}}, {"char16", 16, Char16{}},
		{"uchar2", 2, Uchar2{}}, {"uchar3", 4, Uchar3{}}, {"uchar4", 4, Uchar4{}}, {"uchar8", 8, Uchar8{}}, {"uchar16", 16, Uchar16{}},
		{"short2", 4, Short2{}}, {"short3", 8, Short3{}}, {"short4", 8, Short4{}}, {"short8", 16, Short8{}}, {"short16", 32, Short16{}},
		{"ushort2", 4, Ushort2{}}, {"ushort3", 8, Ushort3{}}, {"ushort4", 8, Ushort4{}}, {"ushort8", 16, Ushort8{}}, {"ushort16", 32, Ushort16{}},
		{"int2", 8, Int2{}}, {"int3", 16, Int3{}}, {"int4", 16, Int4{}}, {"int8", 32, Int8{}}, {"int16", 64, Int16{}},
		{"uint2", 8, Uint2{}}, {"uint3", 16, Uint3{}}, {"uint4", 16, Uint4{}}, {"uint8", 32, Uint8{}}, {"uint16", 64, Uint16{}},
		{"long2", 16, Long2{}}, {"long3", 32, Long3{}}, {"long4", 32, Long4{}}, {"long8", 64, Long8{}}, {"long16", 128, Long16{}},
		{"ulong2", 16, Ulong2{}}, {"ulong3", 32, Ulong3{}}, {"ulong4", 32, Ulong4{}}, {"ulong8", 64, Ulong8{}}, {"ulong16", 128, Ulong16{}},
		{"half2", 4, Half2{}}, {"half3", 8, Half3{}}, {"half4", 8, Half4{}}, {"half8", 16, Half8{}}, {"half16", 32, Half16{}},
		{"float2", 8, Float2{}}, {"float3", 16, Float3{}}, {"float4", 16, Float4{}}, {"float8", 32, Float8{}}, {"float16", 64, Float16{}},
		{"double2", 16, Double2{}}, {"double3", 32, Double3{}}, {"double4", 32, Double4{}}, {"double8", 64, Double8{}}, {"double16", 128, Double16{}},
		{"half", 2, Half(0)},
	} {
		if got := reflect.TypeOf(c.v).Size(); got != c.size {
			t.Errorf("%s has %d bytes, want %d", c.cl, got, c.size)
		}
		if s := fmt.Sprint(c.v); c.cl != "half" && !strings.HasPrefix(s, c.cl+" (0, 0") {
			t.Errorf("%s prints as %s", c.cl, s)
		}
	}
}

func TestComponents(t *testing.T) {
	v4, v3, v2 := Float4{1, 2, 3, 4}, Int3{1, 2, 3, 99}, Uchar2{1, 2}
	v8, v16 := Short8{0, 1, 2, 3, 4, 5, 6, 7}, Half16{}
	for i := range v16 {
		v16[i] = HalfOf(float64(i))
	}
	for _, c := range []struct{ got, want any }{
		{v4.X() + v4.Y()*10 + v4.Z()*100 + v4.W()*1000, float32(4321)},
		{v4.Lo(), Float2{1, 2}}, {v4.Hi(), Float2{3, 4}}, {v4.Even(), Float2{1, 3}}, {v4.Odd(), Float2{2, 4}},
		{v4.Lo().Hi(), float32(2)}, {v4.Odd().Lo(), float32(2)},
		{Swizzle4(v4, W, Z, Y, X), Float4{4, 3, 2, 1}}, {Swizzle4(v4, X, X, Y, Y), Float4{1, 1, 2, 2}},
		{Swizzle3(v4, Z, Z, S0), Float3{3, 3, 1}}, {Swizzle2(v8, S5, S4), Short2{5, 4}},
		{v3.Hi(), Int2{3, 99}}, {v3.Lo(), Int2{1, 2}}, {v3.Odd(), Int2{2, 99}}, {v3.Even(), Int2{1, 3}}, {v3.X() + v3.Y() + v3.Z(), int32(6)},
		{v2.Lo(), uint8(1)}, {v2.Hi(), uint8(2)}, {v2.Even(), uint8(1)}, {v2.Odd(), uint8(2)}, {v2.S(1), uint8(2)},
		{v8.Lo(), Short4{0, 1, 2, 3}}, {v8.Hi(), Short4{4, 5, 6, 7}}, {v8.Odd().Even(), Short2{1, 5}}, {v8.S(S7), int16(7)},
		{Swizzle8(v8, [8]Component{S7, S6, S5, S4, S3, S2, S1, S0}), Short8{7, 6, 5, 4, 3, 2, 1, 0}},
		{v16.S(SF), HalfOf(15)}, {Swizzle2(v16, SA, S1), Half2{HalfOf(10), HalfOf(1)}}, {v16.Even().S(S7), HalfOf(14)}, {v16.Odd().S(S7), HalfOf(15)},
		{v16.Lo().S(S7), HalfOf(7)}, {v16.Hi().S(S0), HalfOf(8)},
		{Swizzle16(v2, [16]Component{1: 1, 15: 1}), Uchar16{1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}},
		{Splat3(int64(7)), Long3{7, 7, 7}}, {Splat2(uint32(7)), Uint2{7, 7}}, {Splat8(Half(1)).Hi(), Splat4(Half(1))},
		{Join4(v4.Hi(), v4.Lo()), Float4{3, 4, 1, 2}}, {Join8(v8.Hi(), v8.Lo()).S(S0), int16(4)}, {Join16(v16.Hi(), v16.Lo()).S(S0), HalfOf(8)},
		{v3.Equal(Int3{1, 2, 3}), true}, {v3.Equal(Int3{1, 2, 4}), false}, {v4.Equal(v4), true}, {v2.Equal(Uchar2{}), false},
		{v8.Equal(v8), true}, {v16.Equal(v16), true}, {Float2{float32(math.NaN())}.Equal(Float2{float32(math.NaN())}), false},
		{Float4{-5, 254.5, float32(math.Inf(-1)), float32(math.NaN())}.String(), "float4 (-5, 254.5, -inf, nan)"},
		{Half3{0x3c00, 0x2e66, 0x7c00}.String(), "half3 (1, 0.1, inf)"}, {Splat16(uint8(0)).String()[:10], "uchar16 (0"},
		{Char2{-128, 127}.String(), "char2 (-128, 127)"}, {Ulong2{1 << 63}.String(), "ulong2 (9223372036854775808, 0)"},
		{Splat8(0.5).String(), "double8 (0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)"},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

// TestConversions checks the examples of the specification and of decision record 0002.
func TestConversions(t *testing.T) {
	f := Float4{-5, 254.5, 254.6, 1.2e9}
	nan := float32(math.NaN())
	for _, c := range []struct{ got, want any }{
		{Convert4[uint8](f, Sat, RTE), Uchar4{0, 254, 255, 255}},
		{Convert4[uint16](f, Sat, RTE), Ushort4{0, 254, 255, 65535}},
		{Convert4[uint8](f), Uchar4{251, 254, 254, 0}}, // 1.2e9 = 0x47868c00
		{Convert4[int32](Uchar4{1, 2, 254, 255}), Int4{1, 2, 254, 255}},
		{Convert4[uint16](Short4{-1, 0, 1, 32767}, Sat), Ushort4{0, 0, 1, 32767}},
		{Convert4[int8](Short4{-129, -128, 127, 128}, Sat), Char4{-128, -128, 127, 127}},
		{Convert4[int32](Float4{3e9, -3e9, nan, -1.5}, Sat), Int4{math.MaxInt32, math.MinInt32, 0, -1}},
		{Convert4[int32](Float4{3e9, -3e9, nan, -1.5}), Int4{math.MinInt32, math.MinInt32, math.MinInt32, -1}},
		{Convert4[uint32](Float4{3e9, -3e9, nan, -1.5}), Uint4{3000000000, 1 << 31, 1 << 31, math.MaxUint32}},
		{Convert2[int32](Double2{1.25, -1.25}, RTP), Int2{2, -1}},
		{Convert2[int32](Double2{1.25, -1.25}, RTN), Int2{1, -2}},
		{Convert2[int32](Double2{2.5, 3.5}, RTE), Int2{2, 4}},
		{Convert2[int32](Double2{2.5, -3.5}, RTZ), Int2{2, -3}},
		{Convert4[float32](Int4{1<<24 + 1, -(1<<24 + 1), 7, math.MaxInt32}, RTP), Float4{1<<24 + 2, -(1 << 24), 7, 1 << 31}},
		{Convert4[float32](Int4{1<<24 + 1, 1<<24 + 3}), Float4{1 << 24, 1<<24 + 4}},
		{Convert3[float32](Half3{0x3c00, 0xc000, 1, 0x7e00}), Float3{1, -2, 0x1p-24, 0}}, // three components, not four
		{Convert2[Half](Float2{65519, 1e9}, RTZ), Half2{0x7bff, 0x7bff}},
		{Convert2[Half](Float2{65519, 65520}), Half2{0x7bff, 0x7c00}},
		{Convert[uint8](float32(300), Sat), uint8(255)}, {Convert[uint8](int32(-1)), uint8(255)},
		{Convert[int64](2.5, RTE), int64(2)}, {Convert[float64](Half(0x3555)), 0.333251953125}, {Convert[Half](1.0), Half(0x3c00)},
		{Convert[uint64](float32(-1)), uint64(math.MaxUint64)}, {Convert[float32](uint64(math.MaxUint64), RTN), float32(0x1.fffffep63)},
		{Convert16[uint8](Splat16(int32(256)), Sat), Splat16(uint8(255))}, {Convert8[float64](Splat8(float32(0.5))), Splat8(0.5)},
		{As16[Int4](Float4{1, 2, 3, 4}), Int4{0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
		{As4[float32](uint32(0x3f800000)), float32(1)}, {As4[uint32](As4[float32](uint32(0x7f800001))), uint32(0x7f800001)},
		{As4[Short2](int32(0x00020001)), Short2{1, 2}}, {As16[Short8](Int4{0x20001, 0x40003, 0x60005, 0x80007}), Short8{1, 2, 3, 4, 5, 6, 7, 8}},
		{As16[Float3](Float4{1, 2, 3, 4}), Float3{1, 2, 3, 4}}, {As16[Uint3](Float3{1}), Uint3{0x3f800000}},
		{As8[uint64](Uchar8{1, 2, 3, 4, 5, 6, 7, 8}), uint64(0x0807060504030201)}, {As4[Half2](uint32(0x3c000001)), Half2{1, 0x3c00}},
		{As1[int8](uint8(255)), int8(-1)}, {As2[Char2](uint16(0x0201)), Char2{1, 2}}, {As32[Ulong4](Float8{}), Ulong4{}},
		{As64[Int16](Splat8(int64(-1))), Splat16(int32(-1))}, {As128[Ulong16](Double16{1}), Ulong16{0x3ff << 52}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%T %v, want %v", c.got, c.got, c.want)
		}
	}
	if n := testing.AllocsPerRun(10, func() {
		sink = Convert4[uint8](f, Sat, RTE)
		sinkInt = Convert[int32](1.5, RTP)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var (
	sink    Uchar4
	sinkInt int32
)

// TestMistakes checks the errors of OpenCL C that Go's compiler cannot see.
func TestMistakes(t *testing.T) {
	for text, f := range map[string]func(){
		"a conversion to float cannot saturate":                 func() { Convert[float32](int32(1), Sat) },
		"a conversion to half cannot saturate":                  func() { Convert2[Half](Float2{}, RTE, Sat) },
		"a conversion has one rounding mode, not both _rte and": func() { Convert[int8](1.5, RTE, RTZ) },
		"Mode(9) is no mode of a conversion":                    func() { Convert[int8](1.5, Mode(9)) },
		"float4 has no component s4":                            func() { Float4{}.S(S4) },
		"int3 has no component s3":                              func() { Swizzle2(Int3{}, X, W) },
	} {
		mustPanic(t, text, f)
	}
}

func TestHalf(t *testing.T) {
	for _, c := range []struct{ got, want any }{
		{HalfOf(0.1).Float64(), 0.0999755859375}, {HalfOf(65504).Float32(), float32(65504)}, {HalfOf(0.1).String(), "0.1"},
		{HalfOf(math.NaN()).IsNaN(), true}, {HalfOf(1e9).IsInf(1), true}, {HalfOf(-1e9).IsInf(1), false}, {HalfOf(-1e9).IsInf(0), true},
		{RTE.String() + Sat.String() + Mode(0).String(), "_rte_satMode(0)"},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}
