//go:build linux

package bench

import "math/rand/v2"

// Widths of the images. Their heights are the problem sizes.
const (
	byteWidth  = 4096
	floatWidth = 2048
)

// stencilRows returns the rows of stencil.cl. A unit is a row of the result.
func stencilRows() []*Row {
	of := func(name string, width, border int, args func(pixels int) []Arg, more ...Arg) *Row {
		return &Row{Name: name, Class: Stencil, File: "stencil.cl", Kernel: name, Reference: name, Full: 1024, Small: 20,
			Case: func(n int) Case {
				return Case{Global: []int{width - 2*border, n - 2*border}, Units: n - 2*border, Args: append(append(args(width*n), more...), integer(width))}
			}}
	}
	bytes := func(pixels int) []Arg { return []Arg{out[uint8](pixels), in(pixels, random[uint8])} }
	bytes4 := func(pixels int) []Arg { return bytes(4 * pixels) }
	floats := func(pixels int) []Arg { return []Arg{out[float32](pixels), in(pixels, between[float32](0, 1))} }
	coefficients := in(25, between[float32](-1, 1))
	rows := []*Row{
		of("box_uchar", byteWidth, 1, bytes), of("gauss_uchar", byteWidth, 1, bytes), of("gauss_uchar4", byteWidth/4, 1, bytes4),
		of("sobel_uchar", byteWidth, 1, bytes), of("median_uchar", byteWidth, 1, bytes), of("erode_uchar", byteWidth, 1, bytes),
		of("laplace", floatWidth, 1, floats), of("jacobi", floatWidth, 1, floats),
		of("convolve3", floatWidth, 1, floats, coefficients), of("convolve5", floatWidth, 2, floats, coefficients),
	}
	clamped := of("clamped", floatWidth, 0, floats)
	inner := clamped.Case
	clamped.Case = func(n int) Case {
		c := inner(n)
		c.Args = append(c.Args, integer(n))
		return c
	}
	return append(rows, clamped)
}

// controlRows returns the rows of control.cl.
func controlRows() []*Row {
	of := func(name string, full, small int, launch func(n int) Case) *Row {
		return &Row{Name: name, Class: Divergent, File: "control.cl", Kernel: name, Reference: name, Full: full, Small: small, Case: launch}
	}
	elements := func(n int, args ...Arg) Case { return Case{Global: []int{n}, Units: n, Args: args} }
	return []*Row{
		of("mandelbrot", 512, 64, func(n int) Case {
			return Case{Global: []int{n, n}, Units: n, Args: []Arg{out[uint32](n * n), integer(n), integer(n), integer(256)}}
		}),
		of("collatz", 1<<17, 1<<10, func(n int) Case { return elements(n, out[uint32](n)) }),
		of("search", 1<<15, 1<<10, func(n int) Case {
			const rows, keys = 256, 64
			c := elements(n, out[int32](n), in(rows*n, index[int32](keys)), integer(rows), integer(7))
			c.More = []Arg{integer(n)}
			return c
		}),
		of("ray_sphere", 512, 64, func(n int) Case {
			const spheres = 32
			return Case{Global: []int{n, n}, Units: n, Args: []Arg{out[float32](n * n), in(4*spheres, sphere), integer(spheres), integer(n), integer(n)}}
		}),
		of("cube_root", 1<<20, 1<<10, func(n int) Case { return elements(n, out[float32](n), in(n, between[float32](0.1, 1000))) }),
		of("classify", 1<<20, 1<<10, func(n int) Case { return elements(n, out[float32](n), in(n, between[float32](-100, 100))) }),
	}
}

// sphere returns the numbers of spheres in front of the eye: position and radius.
func sphere(r *rand.PCG, i int) float32 {
	switch i % 4 {
	case 2:
		return between[float32](3, 8)(r, i)
	case 3:
		return between[float32](0.2, 0.8)(r, i)
	}
	return between[float32](-3, 3)(r, i)
}
