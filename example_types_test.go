package purecl_test

import (
	"fmt"

	"github.com/purecl/purecl"
)

func ExampleFloat4() {
	v := purecl.Float4{1, 2, 3, 4}
	fmt.Println(v.Lo(), v.Odd().Hi())
	fmt.Println(v.Swizzle4(purecl.W, purecl.Z, purecl.Y, purecl.X))
	v[2] = 5 // v.z = 5
	fmt.Println(v)
	// Output:
	// float2 (1, 2) 4
	// float4 (4, 3, 2, 1)
	// float4 (1, 2, 5, 4)
}

func ExampleConvertUchar4SatRte() {
	fmt.Println(purecl.ConvertUchar4SatRte(purecl.Float4{-5, 254.5, 254.6, 1.2e9}))
	// Output: uchar4 (0, 254, 255, 255)
}

func ExampleConvertIntRtn() {
	fmt.Println(purecl.ConvertIntRtn(-1.5), purecl.ConvertInt(-1.5))
	// Output: -2 -1
}

func ExampleAsUint() {
	bits := purecl.AsUint(float32(-1))
	fmt.Printf("%#x %v\n", bits, purecl.AsFloat(bits&^(1<<31)))
	// Output: 0xbf800000 1
}

func ExampleAlignedSlice() {
	pixels := purecl.AlignedSlice[purecl.Uchar4](640 * 480)
	pixels[0] = purecl.SplatUchar4(255)
	fmt.Println(len(pixels), pixels[0])
	// Output: 307200 uchar4 (255, 255, 255, 255)
}

func ExampleHalf() {
	h := purecl.HalfOf(0.1)
	fmt.Println(h, h.Float64(), purecl.AsUshort(h))
	// Output: 0.1 0.0999755859375 11878
}
