package host

import (
	goimage "image"
	"image/color"
	"image/draw"
	"math"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/image"
	"github.com/purecl/purecl/internal/run/launch"
)

// Images and samplers as kernel arguments, and Go's images as images.

// context returns the context of the object that an argument is, or nil.
func (a *argument) context() *Context {
	switch {
	case a.buffer != nil:
		return a.buffer.ctx
	case a.image != nil:
		return a.image.ctx
	}
	return a.samplerCtx
}

func bindImage(info *ssa.KernelArg, v any) (argument, error) {
	var m *Image
	var err error
	switch x := v.(type) {
	case *Image:
		m = x
	case *goimage.NRGBA:
		if x != nil {
			m, err = wrapPicture(ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}, x.Rect, x.Pix, x.Stride)
		}
	case *goimage.Gray:
		if x != nil {
			m, err = wrapPicture(ImageFormat{Order: opencl.OrderR, Type: opencl.UnormInt8}, x.Rect, x.Pix, x.Stride)
		}
	}
	if err != nil {
		return argument{}, err
	}
	// CL_INVALID_MEM_OBJECT: arg_value is not a valid memory object.
	if m == nil {
		return argument{}, failf(opencl.InvalidMemObject, "expected *Image, *image.NRGBA or *image.Gray for %s, not %T", info.TypeName, v)
	}
	// CL_INVALID_MEM_OBJECT: the memory object is not valid for the argument. The launch
	// checks shapes too; here the error comes early.
	if err := launch.FitsImage(info, &launch.Image{Image: m.img}); err != nil {
		return argument{}, failf(opencl.InvalidMemObject, "%v", err)
	}
	// CL_INVALID_ARG_VALUE: the image's flags exclude the access that the kernel declares.
	access := types.Access(info.Access)
	if access != types.WriteOnly && m.flags&MemWriteOnly != 0 || access >= types.WriteOnly && m.flags&MemReadOnly != 0 {
		return argument{}, failf(opencl.InvalidArgValue, "the image's flags exclude the access that the kernel declares")
	}
	return argument{set: true, image: m}, nil
}

func bindSampler(info *ssa.KernelArg, v any) (argument, error) {
	switch x := v.(type) {
	case *Sampler:
		if err := x.valid(); err != nil {
			return argument{}, err
		}
		return argument{set: true, sampler: x.bits, samplerCtx: x.ctx}, nil
	case SamplerDesc:
		bits, err := x.bits()
		return argument{set: true, sampler: bits}, err
	}
	// CL_INVALID_SAMPLER: arg_value is not a valid sampler object.
	return argument{}, failf(opencl.InvalidSampler, "expected *Sampler or SamplerDesc for %s, not %T", info.TypeName, v)
}

// wrapPicture returns an image over the pixels of a Go image, used in place. It belongs to
// no context.
func wrapPicture(f ImageFormat, r goimage.Rectangle, pix []byte, stride int) (*Image, error) {
	m, err := DefaultContext().NewImage(MemUseHostPtr, f, ImageDesc{Type: opencl.Image2D, Width: r.Dx(), Height: r.Dy(), RowPitch: stride}, pix)
	if err == nil {
		m.ctx = nil
	}
	return m, err
}

// NewImageFrom returns a 2D image with the pixels of a Go image: grey ones as CL_LUMINANCE,
// others as CL_RGBA without premultiplication; with 8 bits (CL_UNORM_INT8) or, where the
// picture has more, 16 (CL_UNORM_INT16). The flags are those of [Context.NewImage]
// without the ones about host memory.
func (c *Context) NewImageFrom(flags MemFlags, p goimage.Image) (*Image, error) {
	if err := c.valid(); err != nil {
		return nil, err
	}
	if p == nil {
		return nil, failf(opencl.InvalidValue, "a nil image")
	}
	r := p.Bounds()
	// CL_INVALID_IMAGE_SIZE: before pixels are copied, of which an image.Uniform has no end.
	if l := c.devices[0].ImageLimits(); r.Empty() || float64(r.Max.X)-float64(r.Min.X) > float64(l.MaxWidth2D) || float64(r.Max.Y)-float64(r.Min.Y) > float64(l.MaxHeight2D) {
		return nil, failf(opencl.InvalidImageSize, "a picture with the bounds %v: from 1×1 to %d×%d pixels are possible", r, l.MaxWidth2D, l.MaxHeight2D)
	}
	f := ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}
	var pix []byte
	var n int
	switch x := p.(type) {
	case *goimage.Gray:
		f.Order, n = opencl.OrderLuminance, 1
		pix = rows(x.Pix, x.Stride, r, 1)
	case *goimage.Gray16:
		f, n = ImageFormat{Order: opencl.OrderLuminance, Type: opencl.UnormInt16}, 2
		pix = swapped(rows(x.Pix, x.Stride, r, 2))
	case *goimage.NRGBA64, *goimage.RGBA64:
		f, n = ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnormInt16}, 8
		y := goimage.NewNRGBA64(goimage.Rect(0, 0, r.Dx(), r.Dy()))
		draw.Draw(y, y.Rect, p, r.Min, draw.Src)
		if z, ok := p.(*goimage.NRGBA64); ok { // drawing goes through premultiplied colors
			pix = rows(z.Pix, z.Stride, r, 8)
		} else {
			pix = y.Pix
		}
		pix = swapped(pix)
	case *goimage.NRGBA:
		pix, n = rows(x.Pix, x.Stride, r, 4), 4
	default:
		y := goimage.NewNRGBA(goimage.Rect(0, 0, r.Dx(), r.Dy()))
		draw.Draw(y, y.Rect, p, r.Min, draw.Src)
		pix, n = y.Pix, 4
	}
	return c.NewImage(flags|MemCopyHostPtr, f, ImageDesc{Type: opencl.Image2D, Width: r.Dx(), Height: r.Dy(), RowPitch: r.Dx() * n}, pix)
}

// rows returns the pixels of a rectangle that begins at the first byte, tightly packed.
func rows(pix []byte, stride int, r goimage.Rectangle, size int) []byte {
	n := r.Dx() * size
	out := make([]byte, 0, n*r.Dy())
	for y := range r.Dy() {
		out = append(out, pix[y*stride:y*stride+n]...)
	}
	return out
}

// swapped exchanges the bytes of 16-bit values: Go's images are big-endian.
func swapped(b []byte) []byte {
	out := make([]byte, len(b))
	for i := 0; i+1 < len(b); i += 2 {
		out[i], out[i+1] = b[i+1], b[i]
	}
	return out
}

// Picture returns the elements of a 2D image (of others, of the first slice or image) as a
// Go image: *image.NRGBA, *image.NRGBA64, or for formats of one channel *image.Gray or
// *image.Gray16; with 16 bits where the format has more than 8. Values are clamped to
// 0…1; sRGB formats keep their encoding, which is what Go's images have. The caller must
// order it with the commands that use the image. Integer formats (and CL_sRGB) are an error
// with the status [ImageFormatMismatch].
func (m *Image) Picture() (goimage.Image, error) {
	if err := m.valid(); err != nil {
		return nil, err
	}
	f := m.format
	if f.Class() != image.FloatClass || m.format.Order == opencl.OrderSRGB {
		return nil, failf(opencl.ImageFormatMismatch, "an image of format %v cannot be a Go image", m.format)
	}
	view := m.img
	if linear, ok := map[opencl.ChannelOrder]opencl.ChannelOrder{opencl.OrderSRGBx: opencl.OrderRGBx, opencl.OrderSRGBA: opencl.OrderRGBA, opencl.OrderSBGRA: opencl.OrderBGRA}[m.format.Order]; ok {
		v, err := image.New(image.Format{Order: linear, Type: f.Type}, m.img.Shape, m.img.Size, m.img.Pitch[1], m.img.Pitch[2], m.img.Data)
		if err != nil {
			return nil, failf(opencl.InvalidImageSize, "%v", err)
		}
		view = v
	}
	w, h := m.img.Size[0], m.img.Size[1]
	rect := goimage.Rect(0, 0, w, h)
	wide := f.Type != opencl.UnormInt8 && f.Type != opencl.SnormInt8
	grey := f.Channels() == 1
	var out draw.Image
	switch {
	case grey && wide:
		out = goimage.NewGray16(rect)
	case grey:
		out = goimage.NewGray(rect)
	case wide:
		out = goimage.NewNRGBA64(rect)
	default:
		out = goimage.NewNRGBA(rect)
	}
	for y := range h {
		for x := range w {
			c, _ := view.ReadFloat([3]int32{int32(x), int32(y), 0})
			if m.format.Order == opencl.OrderA {
				c[0] = c[3]
			}
			setPixel(out, x, y, &c)
		}
	}
	return out, nil
}

func setPixel(out draw.Image, x, y int, c *[4]float32) {
	q := func(v, scale float32) uint16 {
		if !(v > 0) {
			return 0
		}
		return uint16(math.RoundToEven(float64(min(v, 1) * scale)))
	}
	switch o := out.(type) {
	case *goimage.Gray:
		o.SetGray(x, y, color.Gray{Y: uint8(q(c[0], 255))})
	case *goimage.Gray16:
		o.SetGray16(x, y, color.Gray16{Y: q(c[0], 65535)})
	case *goimage.NRGBA:
		o.SetNRGBA(x, y, color.NRGBA{R: uint8(q(c[0], 255)), G: uint8(q(c[1], 255)), B: uint8(q(c[2], 255)), A: uint8(q(c[3], 255))})
	case *goimage.NRGBA64:
		o.SetNRGBA64(x, y, color.NRGBA64{R: q(c[0], 65535), G: q(c[1], 65535), B: q(c[2], 65535), A: q(c[3], 65535)})
	}
}
