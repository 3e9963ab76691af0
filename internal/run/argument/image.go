package argument

import (
	"errors"
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
	"github.com/purecl/purecl/internal/run/launch"
)

var imageOrders = map[string]opencl.ChannelOrder{"r": opencl.OrderR, "a": opencl.OrderA, "rg": opencl.OrderRG, "ra": opencl.OrderRA, "rgba": opencl.OrderRGBA, "bgra": opencl.OrderBGRA,
	"argb": opencl.OrderARGB, "abgr": opencl.OrderABGR, "srgba": opencl.OrderSRGBA, "sbgra": opencl.OrderSBGRA, "luminance": opencl.OrderLuminance, "intensity": opencl.OrderIntensity, "depth": opencl.OrderDepth}

// channelTypes are the types by their suffix, with the number format of a component.
var channelTypes = map[string]struct {
	typ  opencl.ChannelType
	kind numeric.Kind
}{
	"8": {opencl.UnormInt8, numeric.U8}, "16": {opencl.UnormInt16, numeric.U16}, "s8": {opencl.SnormInt8, numeric.I8}, "s16": {opencl.SnormInt16, numeric.I16},
	"f": {opencl.FloatChannel, numeric.F32}, "h": {opencl.HalfFloat, numeric.F16}, "8i": {opencl.SignedInt8, numeric.I8}, "16i": {opencl.SignedInt16, numeric.I16},
	"32i": {opencl.SignedInt32, numeric.I32}, "8ui": {opencl.UnsignedInt8, numeric.U8}, "16ui": {opencl.UnsignedInt16, numeric.U16}, "32ui": {opencl.UnsignedInt32, numeric.U32},
}

// ImageFormat parses a format such as "rgba8" or "r32ui".
func ImageFormat(s string) (f image.Format, e Elem, ok bool) {
	for i := 1; i < len(s); i++ {
		order, known := imageOrders[s[:i]]
		typ, fits := channelTypes[s[i:]]
		if !known || !fits {
			continue
		}
		f = image.Format{Order: order, Type: typ.typ}
		if f.Supported() {
			size := f.Size()
			return f, Elem{typ.kind, size / typ.kind.Size(), size}, true
		}
	}
	return f, e, false
}

// bindImage sets the argument to the image that "[FORMAT:]DATA" describes.
func (a *Arg) bindImage(src *Source) error {
	spec, name := a.Spec, "rgba8"
	if a.Info.IsDepth() {
		name = "depthf"
	}
	if head, rest, ok := strings.Cut(spec, ":"); ok {
		if _, _, known := ImageFormat(head); known {
			name, spec = head, rest
		} else if !strings.ContainsAny(head, "/\\.(") {
			return fmt.Errorf("%q is no image format; rgba8, r8, rgbaf and r32ui are", head)
		}
	}
	f, e, _ := ImageFormat(name)
	d, err := src.Parse(spec, e)
	if err != nil {
		return err
	}
	return a.wrapImage(f, d)
}

// wrapImage sets the argument to an image over the data.
func (a *Arg) wrapImage(f image.Format, d *Data) error {
	typ := types.ImageKind(a.Info.Image).Row()
	shape := typ.Shape
	if typ.Multi {
		return errors.New("multi-sample images are not supported")
	}
	want := shape.Dims()
	if shape.Array() {
		want++
	}
	s := d.Shape
	if len(s) != want {
		return fmt.Errorf("a %v needs data of %s, such as %s; this is %s", shape, CountOf(want, "dimension"), [...]string{1: "zeros(64)", 2: "zeros(640x480)", 3: "zeros(4x4x4)"}[want], ShapeText(s))
	}
	size, limit := [3]int{1, 1, 1}, image.MaxSize(shape)
	for i := range s {
		size[i] = s[len(s)-1-i]
	}
	for i, n := range size {
		if n < 1 || n > limit[i] {
			return fmt.Errorf("a %v of %v elements: sizes are from 1 to %v", shape, size, limit)
		}
	}
	row := size[0] * d.Elem.Size
	slice := row * size[1]
	if shape == opencl.Image1DArray {
		slice = row
	}
	m, err := image.New(f, shape, size, row, slice, d.Bytes)
	if err != nil {
		return err
	}
	readOnly := !a.Info.Writable()
	if err := launch.FitsImage(a.Info.KernelArg, &launch.Image{Image: m, ReadOnly: readOnly}); err != nil {
		return err
	}
	a.Data, a.Format = d, f
	a.Bound = exec.Arg{Kind: exec.ImageArg, Image: m, ReadOnly: readOnly}
	return nil
}

// imageLike sets a missing image argument: zeros of the size of the first buffer or image, in the format of the
// first image.
func (a *Arg) imageLike(src *Source, args []*Arg, first *Data) error {
	if first == nil {
		return fmt.Errorf("not given, and there is no other buffer or image to take its size from%s", src.give(a.Info.Name, "zeros(640x480)"))
	}
	f, e, _ := ImageFormat("rgba8")
	if a.Info.IsDepth() {
		f, e, _ = ImageFormat("depthf")
	}
	for _, b := range args {
		if b.Set && b.Info.IsImage() && b.Info.IsDepth() == a.Info.IsDepth() {
			f, e = b.Format, b.Data.Elem
			break
		}
	}
	d, err := src.New(e, first.Shape...)
	if err != nil {
		return err
	}
	return a.wrapImage(f, d)
}

// samplerWords are the words of a sampler: each sets bits of a field.
var samplerWords = map[string]struct{ bits, field opencl.Sampler }{
	"normalized": {opencl.NormalizedCoords, opencl.NormalizedCoords},
	"none":       {opencl.SamplerNone, opencl.SamplerAddressing},
	"edge":       {opencl.SamplerClampToEdge, opencl.SamplerAddressing},
	"clamp":      {opencl.SamplerClamp, opencl.SamplerAddressing},
	"repeat":     {opencl.SamplerRepeat, opencl.SamplerAddressing},
	"mirror":     {opencl.SamplerMirroredRepeat, opencl.SamplerAddressing},
	"nearest":    {opencl.SamplerNearest, opencl.SamplerFilter},
	"linear":     {opencl.SamplerLinear, opencl.SamplerFilter},
}

// ParseSampler parses a sampler's words.
func ParseSampler(spec string) (opencl.Sampler, error) {
	s := opencl.SamplerClampToEdge | opencl.SamplerNearest
	for w := range strings.FieldsFuncSeq(spec, func(r rune) bool { return strings.ContainsRune("|, +", r) }) {
		set, ok := samplerWords[w]
		if !ok {
			return 0, fmt.Errorf("%q says nothing of a sampler: normalized; none, edge, clamp, repeat or mirror; nearest or linear", w)
		}
		s = s&^set.field | set.bits
	}
	return s, nil
}

func (a *Arg) bindSampler() error {
	spec := ""
	if a.Set {
		spec = a.Spec
	}
	s, err := ParseSampler(spec)
	if err != nil {
		return err
	}
	a.Bound = exec.Arg{Kind: exec.SamplerArg, Sampler: s}
	return nil
}
