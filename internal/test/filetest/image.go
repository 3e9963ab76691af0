package filetest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/run/image"
)

// An Image describes an image argument. Its elements, of Arg.Type, are tightly packed in Arg.Data.
type Image struct {
	Format image.Format
	Shape  opencl.ImageShape
	Size   [3]int
}

// imageShape returns the shape of an image type's name without "_t".
func imageShape(typ string) (opencl.ImageShape, bool) {
	for _, t := range opencl.ImageTypes {
		if t.Name == typ+"_t" && !t.Depth && !t.Multi {
			return t.Shape, true
		}
	}
	return 0, false
}

var channelKinds = map[opencl.ChannelType]numeric.Kind{opencl.SnormInt8: numeric.I8, opencl.SnormInt16: numeric.I16, opencl.UnormInt8: numeric.U8, opencl.UnormInt16: numeric.U16,
	opencl.UnormShort565: numeric.U16, opencl.UnormShort555: numeric.U16, opencl.UnormInt101010: numeric.U32, opencl.UnormInt101010x2: numeric.U32,
	opencl.SignedInt8: numeric.I8, opencl.SignedInt16: numeric.I16, opencl.SignedInt32: numeric.I32, opencl.UnsignedInt8: numeric.U8, opencl.UnsignedInt16: numeric.U16,
	opencl.UnsignedInt32: numeric.U32, opencl.HalfFloat: numeric.F16, opencl.FloatChannel: numeric.F32}

// parseImage parses "ORDER TYPE WxHxD = values" of the image called name.
func parseImage(name, typ, s string) (a Arg, err error) {
	head, values, _ := strings.Cut(s, "=")
	words := strings.Fields(head)
	if len(words) != 3 {
		return a, fmt.Errorf("an image has an order, a type and a size: %q", head)
	}
	shape, _ := imageShape(typ)
	m := &Image{Shape: shape, Size: [3]int{1, 1, 1}}
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

var samplerWords = map[string]opencl.Sampler{"normalized": opencl.NormalizedCoords, "none": opencl.SamplerNone, "edge": opencl.SamplerClampToEdge,
	"clamp": opencl.SamplerClamp, "repeat": opencl.SamplerRepeat, "mirror": opencl.SamplerMirroredRepeat, "nearest": opencl.SamplerNearest, "linear": opencl.SamplerLinear}

// parseSampler parses the words of a sampler.
func parseSampler(name, s string) (a Arg, err error) {
	bits := opencl.Sampler(0)
	for w := range strings.FieldsSeq(s) {
		b, ok := samplerWords[w]
		if !ok {
			return a, fmt.Errorf("%q says nothing of a sampler", w)
		}
		bits |= b
	}
	return Arg{Name: name, Sampler: &bits}, nil
}
