package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/filetest"
	"github.com/purecl/purecl/internal/image"
	"github.com/purecl/purecl/internal/numeric"
)

// A picture is an image argument: read, or written where each work-item has a pixel.
type picture struct {
	name string
	typ  Type // of what functions read or write, a vector of 4
	size [2]int
}

// pictureFormats are formats and the kinds of their elements.
var pictureFormats = []struct {
	format image.Format
	elem   Type
	suffix string // of the functions
}{
	{image.Format{Order: image.RGBA, Type: image.UnormInt8}, Type{numeric.U8, 4}, "f"},
	{image.Format{Order: image.BGRA, Type: image.UnormInt8}, Type{numeric.U8, 4}, "f"},
	{image.Format{Order: image.RG, Type: image.SnormInt16}, Type{numeric.I16, 2}, "f"},
	{image.Format{Order: image.R, Type: image.Float}, Type{numeric.F32, 1}, "f"},
	{image.Format{Order: image.RGBA, Type: image.HalfFloat}, Type{numeric.F16, 4}, "f"},
	{image.Format{Order: image.RGBA, Type: image.Float}, Type{numeric.F32, 4}, "f"},
	{image.Format{Order: image.RGBA, Type: image.SignedInt32}, Type{numeric.I32, 4}, "i"},
	{image.Format{Order: image.R, Type: image.SignedInt8}, Type{numeric.I8, 1}, "i"},
	{image.Format{Order: image.RGBA, Type: image.UnsignedInt8}, Type{numeric.U8, 4}, "ui"},
	{image.Format{Order: image.RG, Type: image.UnsignedInt16}, Type{numeric.U16, 2}, "ui"},
}

// newPicture makes an image argument of this size.
func (g *generator) newPicture(w, h int) (p picture, a Arg) {
	f := pictureFormats[g.IntN(len(pictureFormats))]
	p = picture{name: g.name("m"), typ: Type{map[string]numeric.Kind{"f": numeric.F32, "i": numeric.I32, "ui": numeric.U32}[f.suffix], 4}, size: [2]int{w, h}}
	return p, Arg{Name: p.name, Type: f.elem.String(), Elem: f.elem.size(), Data: randomData(g.Rand, f.elem, w*h),
		Image: &filetest.Image{Format: f.format, Shape: image.Shape2D, Size: [3]int{w, h, 1}}}
}

// suffix is what the names of functions on images of type t end with.
func (p picture) suffix() string {
	return map[numeric.Kind]string{numeric.F32: "f", numeric.I32: "i", numeric.U32: "ui"}[p.typ.Kind]
}

// samplers are literals, with integer and with float coordinates.
var samplers = []struct {
	text   string
	floats bool
}{
	{"CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST", false},
	{"CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST", false},
	{"CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR", true},
	{"CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST", true},
	{"CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR", true},
}

// readPicture reads an image, as a value of type t.
func (g *generator) readPicture(t Type, d int) *node {
	p := g.read[g.IntN(len(g.read))]
	s := samplers[g.IntN(len(samplers))]
	switch {
	case g.chance(4):
		return g.wrap2(t, p.typ, fmt.Sprintf("read_image%s(%s, (int2)(", p.suffix(), p.name), g.index(p.size[0], d), ", ", g.index(p.size[1], d), "))")
	case g.chance(6):
		return g.wrap2(t, Type{numeric.I32, 1}, oneOf(g, "get_image_width", "get_image_height"), "(", p.name, ")")
	case s.floats || g.chance(2):
		c := Type{numeric.F32, 2}
		return g.wrap2(t, p.typ, fmt.Sprintf("read_image%s(%s, %s, ", p.suffix(), p.name, s.text), value(c, "clamp(", g.expr(c, d), ", (float2)(-30), (float2)(30))"), ")")
	}
	return g.wrap2(t, p.typ, fmt.Sprintf("read_image%s(%s, %s, ", p.suffix(), p.name, s.text), g.expr(Type{numeric.I32, 2}, d), ")")
}

// writePicture writes the work-item's pixel.
func (g *generator) writePicture() *node {
	p := g.drawn[g.IntN(len(g.drawn))]
	return statement(fmt.Sprintf("  write_image%s(%s, (int2)((int)lin %% %d, (int)lin / %d), ", p.suffix(), p.name, p.size[0], p.size[0]), g.expr(p.typ, 2), ");\n")
}
