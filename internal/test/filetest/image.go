package filetest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/run/image"
)

// An Image is what an image argument has besides a buffer: its elements, of Arg.Type,
// lie tightly packed in Arg.Data.
type Image struct {
	Format image.Format
	Shape  image.Shape
	Size   [3]int
}

var imageTypes = map[string]image.Shape{"image1d": image.Shape1D, "image1d_buffer": image.Shape1DBuffer, "image1d_array": image.Shape1DArray,
	"image2d": image.Shape2D, "image2d_array": image.Shape2DArray, "image3d": image.Shape3D}

var channelKinds = map[image.Type]numeric.Kind{image.SnormInt8: numeric.I8, image.SnormInt16: numeric.I16, image.UnormInt8: numeric.U8, image.UnormInt16: numeric.U16,
	image.UnormShort565: numeric.U16, image.UnormShort555: numeric.U16, image.UnormInt101010: numeric.U32, image.UnormInt101010x2: numeric.U32,
	image.SignedInt8: numeric.I8, image.SignedInt16: numeric.I16, image.SignedInt32: numeric.I32, image.UnsignedInt8: numeric.U8, image.UnsignedInt16: numeric.U16,
	image.UnsignedInt32: numeric.U32, image.HalfFloat: numeric.F16, image.Float: numeric.F32}

// parseImage parses "ORDER TYPE WxHxD = values" behind the name and type of an image.
func parseImage(name, typ, s string) (a Arg, err error) {
	head, values, _ := strings.Cut(s, "=")
	words := strings.Fields(head)
	if len(words) != 3 {
		return a, fmt.Errorf("an image has an order, a type and a size: %q", head)
	}
	m := &Image{Shape: imageTypes[typ], Size: [3]int{1, 1, 1}}
	found := false
	for f := range image.Formats {
		if f.Order.String() == "CL_"+words[0] && f.Type.String() == "CL_"+words[1] {
			m.Format, found = f, true
		}
	}
	if !found {
		return a, fmt.Errorf("no image format %s %s", words[0], words[1])
	}
	a = Arg{Name: name, Buffer: true, Count: 1, Image: m}
	dims := strings.Split(words[2], "x")
	if len(dims) > 3 {
		return a, fmt.Errorf("%q is no size", words[2])
	}
	for i, d := range dims {
		n, err := strconv.Atoi(d)
		if err != nil || n < 1 || n > maxElements/a.Count {
			return a, fmt.Errorf("%q is no size", words[2])
		}
		m.Size[i] = n
		a.Count *= n
	}
	kind := channelKinds[m.Format.Type]
	a.Type = Type{kind, m.Format.Size() / kind.Size()}
	if a.Type.Lanes == 3 {
		return a, fmt.Errorf("images of three channels are not tested in files")
	}
	a.Data = make([]byte, a.Count*a.Type.Stride())
	return a, a.fill(strings.TrimSpace(values))
}

var samplerWords = map[string]image.Sampler{"normalized": image.NormalizedCoords, "none": image.AddressNone, "edge": image.AddressClampToEdge,
	"clamp": image.AddressClamp, "repeat": image.AddressRepeat, "mirror": image.AddressMirroredRepeat, "nearest": image.FilterNearest, "linear": image.FilterLinear}

// parseSampler parses the words of a sampler.
func parseSampler(name, s string) (a Arg, err error) {
	bits := image.Sampler(0)
	for w := range strings.FieldsSeq(s) {
		b, ok := samplerWords[w]
		if !ok {
			return a, fmt.Errorf("%q says nothing of a sampler", w)
		}
		bits |= b
	}
	return Arg{Name: name, Sampler: &bits}, nil
}
