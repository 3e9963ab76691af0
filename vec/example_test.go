package vec_test

import (
	"fmt"

	"github.com/purecl/purecl/vec"
)

func Example() {
	v := vec.Float4{-5, 254.5, 254.6, 1.2e9}
	fmt.Println(vec.Convert4[uint8](v, vec.Sat, vec.RTE)) // convert_uchar4_sat_rte(v)
	fmt.Println(vec.As16[vec.Uint4](v).X())               // as_uint4(v).x
	// Output:
	// uchar4 (0, 254, 255, 255)
	// 3231711232
}

func ExampleVec4() {
	v := vec.Float4{1, 2, 3, 4}
	fmt.Println(v.Lo(), v.Odd().Hi())
	fmt.Println(vec.Swizzle4(v, vec.W, vec.Z, vec.Y, vec.X))
	v[2] = 5 // v.z = 5
	fmt.Println(v)
	// Output:
	// float2 (1, 2) 4
	// float4 (4, 3, 2, 1)
	// float4 (1, 2, 5, 4)
}

func ExampleConvert() {
	fmt.Println(vec.Convert[int32](-1.5, vec.RTN), vec.Convert[int32](-1.5))
	// Output: -2 -1
}

func ExampleConvertSlice() {
	grey := []float32{-0.4, 0.2, 127.5, 300}
	pixels := make([]uint8, len(grey))
	vec.ConvertSlice(pixels, grey, vec.Sat, vec.RTE)
	fmt.Println(pixels)
	// Output: [0 0 128 255]
}

func ExampleAs4() {
	bits := vec.As4[uint32](float32(-1))
	fmt.Printf("%#x %v\n", bits, vec.As4[float32](bits&^(1<<31)))
	// Output: 0xbf800000 1
}

func ExampleHalf() {
	h := vec.HalfOf(0.1)
	fmt.Println(h, h.Float64(), vec.As2[uint16](h))
	// Output: 0.1 0.0999755859375 11878
}

func ExampleVec3_Equal() {
	a, b := vec.Float3{1, 2, 3, 4}, vec.Float3{1, 2, 3, 5}
	fmt.Println(a.Equal(b), a == b)
	// Output: true false
}
