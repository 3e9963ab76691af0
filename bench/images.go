//go:build linux

package bench

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/image"
)

// The formats of images.cl's rows.
var (
	bytes4  = image.Format{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}
	floats4 = image.Format{Order: opencl.OrderRGBA, Type: opencl.FloatChannel}
	floats1 = image.Format{Order: opencl.OrderR, Type: opencl.FloatChannel}
)

// A picture describes an image in a memory object.
type picture struct {
	format image.Format
	size   [3]int
}

// of returns a as an image argument.
func (p picture) of(a Arg) Arg {
	a.picture = &p
	return a
}

// over returns the image over a memory object.
func (p *picture) over(b []byte) (*image.Image, error) {
	shape, row := opencl.Image2D, p.format.Size()*p.size[0]
	if p.size[2] > 1 {
		shape = opencl.Image3D
	}
	return image.New(p.format, shape, p.size, row, row*p.size[1], b)
}

// imageRows returns the rows of images.cl.
func imageRows() []*Row {
	const turnC, turnS = 0.9921977, 0.1246747
	of := func(name, kernel string, full, small int, launch func(n int) Case) *Row {
		return &Row{Name: name, Class: Images, File: "images.cl", Kernel: kernel, Reference: name, Full: full, Small: small, Case: launch}
	}
	unit := between[float32](-1, 1)
	input := func(f image.Format, n, depth int) Arg {
		p := picture{f, [3]int{n, n, depth}}
		if f == bytes4 {
			return p.of(in(4*n*n*depth, random[uint8]))
		}
		return p.of(in(f.Size()/4*n*n*depth, unit))
	}
	turned := func(name, kernel string, f image.Format) *Row {
		return of(name, kernel, 1024, 64, func(n int) Case {
			return Case{Global: []int{n, n}, Units: n, Args: []Arg{out[float32](n * n), input(f, n, 1), float(turnC), float(turnS)}, More: []Arg{integer(n)}}
		})
	}
	written := func(n int) Arg { return picture{bytes4, [3]int{n, n, 1}}.of(out[uint8](4 * n * n)) }
	return []*Row{
		turned("image_rgba8", "image_rotate", bytes4),
		turned("image_rgba8_linear", "image_rotate_linear", bytes4),
		turned("image_float4", "image_rotate", floats4),
		turned("image_float4_linear", "image_rotate_linear", floats4),
		turned("image_float", "image_rotate", floats1),
		turned("image_float_linear", "image_rotate_linear", floats1),
		of("image_volume", "image_volume", 256, 64, func(n int) Case {
			p := picture{floats1, [3]int{n / 4, n / 4, 16}}
			return Case{Global: []int{n, n}, Units: n, Args: []Arg{out[float32](n * n), p.of(in(n/4*n/4*16, unit)), float(turnC), float(turnS)}, More: []Arg{integer(n)}}
		}),
		of("image_blur", "image_blur", 1024, 64, func(n int) Case {
			return Case{Global: []int{n, n}, Units: n, Args: []Arg{written(n), input(bytes4, n, 1)}, More: []Arg{integer(n)}}
		}),
		of("image_write", "image_write", 1024, 64, func(n int) Case {
			return Case{Global: []int{n, n}, Units: n, Args: []Arg{written(n), float(turnC), float(turnS)}, More: []Arg{integer(n)}}
		}),
		of("image_rows", "image_rows", 1040, 80, func(n int) Case {
			return Case{Global: []int{n}, Units: n, Args: []Arg{out[float32](n), input(floats1, n, 1)}, More: []Arg{integer(n)}}
		}),
	}
}
