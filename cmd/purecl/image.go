package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/run/host"
)

// Images and samplers as arguments of `purecl run`.

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

// imageFormat reads a format such as "rgba8" or "r32ui".
func imageFormat(s string) (f host.ImageFormat, e elem, ok bool) {
	for i := 1; i < len(s); i++ {
		order, known := imageOrders[s[:i]]
		typ, fits := channelTypes[s[i:]]
		if !known || !fits {
			continue
		}
		f = host.ImageFormat{Order: order, Type: typ.typ}
		if size := f.ElementSize(); size > 0 {
			return f, elem{typ.kind, size / typ.kind.Size(), size}, true
		}
	}
	return f, e, false
}

// bindImage makes an image of "[FORMAT:]DATA".
func (a *arg) bindImage() error {
	spec, name := a.spec, "rgba8"
	if a.info.Depth {
		name = "depthf"
	}
	if head, rest, ok := strings.Cut(spec, ":"); ok {
		if _, _, known := imageFormat(head); known {
			name, spec = head, rest
		} else if !strings.ContainsAny(head, "/\\.(") {
			return fmt.Errorf("%q is no image format; rgba8, r8, rgbaf and r32ui are", head)
		}
	}
	f, e, _ := imageFormat(name)
	d, err := parseData(spec, e)
	if err != nil {
		return err
	}
	return a.wrapImage(f, d)
}

// wrapImage makes the argument an image over the data.
func (a *arg) wrapImage(f host.ImageFormat, d *data) error {
	desc := host.ImageDesc{Type: a.info.Shape}
	want, s := 1, d.Shape
	switch desc.Type {
	case opencl.Image1DArray, opencl.Image2D:
		want = 2
	case opencl.Image2DArray, opencl.Image3D:
		want = 3
	case 0:
		return errors.New("multi-sample images are not supported")
	}
	if len(s) != want {
		return fmt.Errorf("a %v needs data of %s, such as %s; this is %s", desc.Type, countOf(want, "dimension"), [...]string{1: "zeros(64)", 2: "zeros(640x480)", 3: "zeros(4x4x4)"}[want], shapeText(s))
	}
	desc.Width = s[len(s)-1]
	switch desc.Type {
	case opencl.Image1DArray:
		desc.ArraySize = s[0]
	case opencl.Image2D:
		desc.Height = s[0]
	case opencl.Image2DArray:
		desc.ArraySize, desc.Height = s[0], s[1]
	case opencl.Image3D:
		desc.Depth, desc.Height = s[0], s[1]
	}
	c, flags, mem := host.DefaultContext(), host.MemUseHostPtr, d.Bytes
	if desc.Type == opencl.Image1DBuffer {
		b, err := c.NewBuffer(flags, len(d.Bytes), d.Bytes)
		if err != nil {
			return err
		}
		desc.Buffer, flags, mem = b, 0, nil
	}
	m, err := c.NewImage(flags, f, desc, mem)
	if err != nil {
		return err
	}
	a.data, a.val, a.format = d, m, f
	return nil
}

// imageLike makes an image that was left out: zeros of the size of the first buffer or
// image, with the format of the first image.
func (a *arg) imageLike(args []*arg, first *data) error {
	if first == nil {
		return errors.New("not given, and there is no other buffer or image to take its size from")
	}
	f, e, _ := imageFormat("rgba8")
	if a.info.Depth {
		f, e, _ = imageFormat("depthf")
	}
	for _, b := range args {
		if b.set && b.info.Image() && b.info.Depth == a.info.Depth {
			f, e = b.format, b.data.Elem
			break
		}
	}
	d, err := newData(e, first.Shape...)
	if err != nil {
		return err
	}
	return a.wrapImage(f, d)
}

var samplerWords = map[string]func(*host.SamplerDesc){
	"normalized": func(d *host.SamplerDesc) { d.Normalized = true },
	"none":       func(d *host.SamplerDesc) { d.Addressing = opencl.AddressNone },
	"edge":       func(d *host.SamplerDesc) { d.Addressing = opencl.AddressClampToEdge },
	"clamp":      func(d *host.SamplerDesc) { d.Addressing = opencl.AddressClamp },
	"repeat":     func(d *host.SamplerDesc) { d.Addressing = opencl.AddressRepeat },
	"mirror":     func(d *host.SamplerDesc) { d.Addressing = opencl.AddressMirroredRepeat },
	"nearest":    func(d *host.SamplerDesc) { d.Filter = opencl.FilterNearest },
	"linear":     func(d *host.SamplerDesc) { d.Filter = opencl.FilterLinear },
}

func (a *arg) bindSampler() error {
	d := host.SamplerDesc{Addressing: opencl.AddressClampToEdge}
	if a.set {
		for w := range strings.FieldsFuncSeq(a.spec, func(r rune) bool { return strings.ContainsRune("|, +", r) }) {
			set := samplerWords[w]
			if set == nil {
				return fmt.Errorf("%q says nothing of a sampler: normalized; none, edge, clamp, repeat or mirror; nearest or linear", w)
			}
			set(&d)
		}
	}
	a.val = d
	return nil
}
