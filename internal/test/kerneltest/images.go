package kerneltest

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/run/image"
	"github.com/purecl/purecl/internal/test/filetest"
)

// A shape is an image type with its coordinates.
type shape struct {
	opencl.ImageShape
	typeName string
	dims     int // dimensions of the size
	coords   int // components of a coordinate: 1, 2, or 4 of which the first dims are used
}

// flat is the shape of written images.
var flat = shape{opencl.Image2D, "image2d_t", 2, 2}

// readShapes are the shapes of read images.
var readShapes = []shape{flat, flat, {opencl.Image1D, "image1d_t", 1, 1}, {opencl.Image1DArray, "image1d_array_t", 2, 2},
	{opencl.Image2DArray, "image2d_array_t", 3, 4}, {opencl.Image3D, "image3d_t", 3, 4}}

// shapeName returns the name of a shape in run tests.
func shapeName(s opencl.ImageShape) string {
	for _, sh := range readShapes {
		if sh.ImageShape == s {
			return strings.TrimSuffix(sh.typeName, "_t")
		}
	}
	panic(fmt.Sprint("no images of shape ", s))
}

// A picture is an image argument. A written one has a pixel for each work-item.
type picture struct {
	name  string
	typ   Type // color type of the functions, a vector of 4
	shape shape
	size  [3]int
}

// pictureFormats are formats with their element types.
var pictureFormats = []struct {
	format image.Format
	elem   Type
	suffix string // suffix of the functions
}{
	{image.Format{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}, Type{numeric.U8, 4}, "f"},
	{image.Format{Order: opencl.OrderBGRA, Type: opencl.UnormInt8}, Type{numeric.U8, 4}, "f"},
	{image.Format{Order: opencl.OrderRG, Type: opencl.SnormInt16}, Type{numeric.I16, 2}, "f"},
	{image.Format{Order: opencl.OrderR, Type: opencl.FloatChannel}, Type{numeric.F32, 1}, "f"},
	{image.Format{Order: opencl.OrderR, Type: opencl.UnormInt8}, Type{numeric.U8, 1}, "f"},
	{image.Format{Order: opencl.OrderR, Type: opencl.SnormInt16}, Type{numeric.I16, 1}, "f"},
	{image.Format{Order: opencl.OrderRGBA, Type: opencl.HalfFloat}, Type{numeric.F16, 4}, "f"},
	{image.Format{Order: opencl.OrderRGBA, Type: opencl.FloatChannel}, Type{numeric.F32, 4}, "f"},
	{image.Format{Order: opencl.OrderRGBA, Type: opencl.SignedInt32}, Type{numeric.I32, 4}, "i"},
	{image.Format{Order: opencl.OrderR, Type: opencl.SignedInt8}, Type{numeric.I8, 1}, "i"},
	{image.Format{Order: opencl.OrderRGBA, Type: opencl.UnsignedInt8}, Type{numeric.U8, 4}, "ui"},
	{image.Format{Order: opencl.OrderRG, Type: opencl.UnsignedInt16}, Type{numeric.U16, 2}, "ui"},
}

// newPicture makes an image argument of this shape and size.
func (g *memory) newPicture(sh shape, size [3]int) (p picture, a Arg) {
	for d := sh.dims; d < 3; d++ {
		size[d] = 1
	}
	f := pictureFormats[g.IntN(len(pictureFormats))]
	p = picture{name: g.name("m"), typ: Type{map[string]numeric.Kind{"f": numeric.F32, "i": numeric.I32, "ui": numeric.U32}[f.suffix], 4}, shape: sh, size: size}
	return p, Arg{Name: p.name, Type: f.elem.String(), Elem: f.elem.size(), Data: randomData(g.Rand, f.elem, size[0]*size[1]*size[2]),
		Image: &filetest.Image{Format: f.format, Shape: sh.ImageShape, Size: size}}
}

// suffix returns the suffix of the functions on the image.
func (p picture) suffix() string {
	return map[numeric.Kind]string{numeric.F32: "f", numeric.I32: "i", numeric.U32: "ui"}[p.typ.Kind]
}

// queries returns how many of the functions for width, height and depth the image has.
func (p picture) queries() int {
	switch p.shape.ImageShape {
	case opencl.Image1D, opencl.Image1DArray:
		return 1
	case opencl.Image3D:
		return 3
	}
	return 2
}

// samplers are sampler literals for integer and for float coordinates.
var samplers = []struct {
	text   string
	floats bool
}{
	{"CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST", false},
	{"CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST", false},
	{"CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR", true},
	{"CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR", true},
	{"CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST", true},
	{"CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR", true},
}
