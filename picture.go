package purecl

import (
	goimage "image"
	"image/draw"
	"math"
	"reflect"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
	"github.com/purecl/purecl/internal/run/launch"
)

// Pictures of Go's package image serve as images of kernels. *image.NRGBA, *image.RGBA (with premultiplied colors)
// and *image.Gray are used in place, with the formats CL_RGBA and CL_LUMINANCE of CL_UNORM_INT8. Other pictures are
// copied for reading; pictures with more than 8 bits a channel become CL_UNORM_INT16.

var (
	rgba8  = image.Format{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}
	grey8  = image.Format{Order: opencl.OrderLuminance, Type: opencl.UnormInt8}
	rgba16 = image.Format{Order: opencl.OrderRGBA, Type: opencl.UnormInt16}
	grey16 = image.Format{Order: opencl.OrderLuminance, Type: opencl.UnormInt16}
)

// maxPicture is the greatest width and height of a picture.
var maxPicture = image.MaxSize(opencl.Image2D)[0]

// bindImage binds a picture.
func (p *param) bindImage(a *exec.Arg, v any) error {
	access := types.Access(p.Access)
	writes := access == types.WriteOnly || access == types.ReadWrite
	if m, ok := v.(*image.Image); ok && m != nil { // from packages of this module: any format and shape
		if err := launch.FitsImage((*ssa.KernelArg)(p.KernelArg), &launch.Image{Image: m}); err != nil {
			return unfitf("%v", err)
		}
		a.Kind, a.Image, a.ReadOnly = exec.ImageArg, m, !writes
		return nil
	}
	x, ok := v.(goimage.Image)
	if rv := reflect.ValueOf(v); !ok || rv.Kind() == reflect.Pointer && rv.IsNil() {
		return p.got(v)
	}
	if t := types.ImageKind(p.Image).Row(); t.Shape != opencl.Image2D || t.Depth || t.Multi {
		return unfitf("got %s; pictures are for image2d_t only", describe(v))
	}
	r := x.Bounds()
	// Differences of coordinates may overflow.
	if r.Empty() || float64(r.Max.X)-float64(r.Min.X) > float64(maxPicture) || float64(r.Max.Y)-float64(r.Min.Y) > float64(maxPicture) {
		return unfitf("got %s of %.0f×%.0f pixels; from 1×1 to %d×%d are possible", describe(v),
			math.Max(0, float64(r.Max.X)-float64(r.Min.X)), math.Max(0, float64(r.Max.Y)-float64(r.Min.Y)), maxPicture, maxPicture)
	}
	f, pix, stride := rgba8, []byte(nil), 0
	switch x := x.(type) {
	case *goimage.NRGBA:
		pix, stride = x.Pix, x.Stride
	case *goimage.RGBA:
		pix, stride = x.Pix, x.Stride
	case *goimage.Gray:
		f, pix, stride = grey8, x.Pix, x.Stride
	default:
		if writes {
			return p.got(v)
		}
		var err error
		if f, pix, stride, err = copyPicture(x); err != nil {
			return err
		}
	}
	m, err := image.New(f, opencl.Image2D, [3]int{r.Dx(), r.Dy(), 1}, stride, 0, pix)
	if err != nil {
		return unfitf("got %s whose pixels do not fill its bounds: %v", describe(v), err)
	}
	if err := launch.FitsImage((*ssa.KernelArg)(p.KernelArg), &launch.Image{Image: m}); err != nil {
		return unfitf("%v", err)
	}
	a.Kind, a.Image, a.ReadOnly = exec.ImageArg, m, !writes
	return nil
}

// copyPicture returns the pixels of a picture, without premultiplication. The picture's own methods may panic.
func copyPicture(x goimage.Image) (f image.Format, pix []byte, stride int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = unfitf("got %s that cannot be read: %v", describe(x), r)
		}
	}()
	r := x.Bounds()
	to := goimage.Rect(0, 0, r.Dx(), r.Dy())
	switch p := x.(type) {
	case *goimage.Gray16:
		return grey16, swapped(p.Pix, p.Stride, r, 2), 2 * r.Dx(), nil
	case *goimage.NRGBA64:
		return rgba16, swapped(p.Pix, p.Stride, r, 8), 8 * r.Dx(), nil
	case *goimage.RGBA64:
		y := goimage.NewNRGBA64(to)
		draw.Draw(y, to, p, r.Min, draw.Src)
		return rgba16, swapped(y.Pix, y.Stride, to, 8), y.Stride, nil
	}
	if o, ok := x.(interface{ Opaque() bool }); ok && o.Opaque() { // draw copies an opaque picture faster, with the same result
		y := goimage.NewRGBA(to)
		draw.Draw(y, to, x, r.Min, draw.Src)
		return rgba8, y.Pix, y.Stride, nil
	}
	y := goimage.NewNRGBA(to)
	draw.Draw(y, to, x, r.Min, draw.Src)
	return rgba8, y.Pix, y.Stride, nil
}

// swapped returns 16-bit pixels of size bytes, tightly packed, with the bytes of each value
// exchanged: Go's images are big-endian.
func swapped(pix []byte, stride int, r goimage.Rectangle, size int) []byte {
	n := r.Dx() * size
	out := make([]byte, 0, n*r.Dy())
	for y := range r.Dy() {
		row := pix[y*stride : y*stride+n]
		for i := 0; i < n; i += 2 {
			out = append(out, row[i+1], row[i])
		}
	}
	return out
}
