package purecl

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"slices"
	"testing"
)

const pictureSource = `
kernel void same(read_only image2d_t in, write_only image2d_t out) {
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	write_imagef(out, p, read_imagef(in, p));
}
kernel void turn(read_write image2d_t m) {
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	write_imagef(m, p, read_imagef(m, p).yzxw);
}`

func pictureKernel(t *testing.T, d *Device, name string) *Kernel {
	t.Helper()
	p, err := d.Compile(pictureSource, "-cl-std=CL3.0")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// painted fills a picture with colors, some of them transparent, and returns it.
func painted(m draw.Image) draw.Image {
	r := m.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			m.Set(x, y, color.NRGBA{R: uint8(40 * (x - r.Min.X)), G: uint8(60 * (y - r.Min.Y)), B: 200, A: uint8(255 - 20*(x-r.Min.X)*((y-r.Min.Y)%2))})
		}
	}
	return m
}

// TestPictures checks that each of Go's image types has the same pixels in a kernel as after Go's own conversion.
func TestPictures(t *testing.T) {
	r := image.Rect(0, 0, 6, 4)
	opaque := image.NewRGBA(r)
	draw.Draw(opaque, r, image.NewUniform(color.RGBA{G: 90, A: 255}), image.Point{}, draw.Src)
	draw.Draw(opaque, r, painted(image.NewNRGBA(r)), image.Point{}, draw.Over)
	var coded bytes.Buffer
	if err := jpeg.Encode(&coded, painted(image.NewRGBA(r)), nil); err != nil {
		t.Fatal(err)
	}
	photo, err := jpeg.Decode(&coded)
	if err != nil {
		t.Fatal(err)
	}
	paletted := image.NewPaletted(r, color.Palette{color.NRGBA{1, 2, 3, 255}, color.NRGBA{200, 100, 50, 255}, color.NRGBA{}})
	for i := range paletted.Pix {
		paletted.Pix[i] = uint8(i % 2)
	}
	part := painted(image.NewNRGBA(image.Rect(-3, 5, 9, 15))).(*image.NRGBA).SubImage(image.Rect(1, 7, 7, 11))
	k := pictureKernel(t, must[*Device](t)(Open("cpu")), "same")
	for _, src := range []image.Image{painted(image.NewNRGBA(r)), opaque, photo, paletted, painted(image.NewNRGBA64(r)), opaque.SubImage(image.Rect(2, 1, 5, 3)), part,
		painted(image.NewGray(r)), painted(image.NewGray16(r)), image.NewCMYK(r), photo.(*image.YCbCr).SubImage(image.Rect(1, 1, 5, 3))} {
		b := src.Bounds()
		got := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		if err := k.Run(context.Background(), Range(b.Dx(), b.Dy()), src, got); err != nil {
			t.Errorf("%T: %v", src, err)
			continue
		}
		for y := range b.Dy() {
			for x := range b.Dx() {
				w, g := color.NRGBAModel.Convert(src.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA), got.NRGBAAt(x, y)
				if far := func(a, b uint8) bool { return max(a, b)-min(a, b) > 1 }; far(w.R, g.R) || far(w.G, g.G) || far(w.B, g.B) || w.A != g.A {
					t.Fatalf("%T at (%d, %d): %v, want %v", src, x, y, g, w)
				}
			}
		}
	}
}

// TestPicturesInPlace checks that kernels write to the picture itself, and leave other pixels unchanged.
func TestPicturesInPlace(t *testing.T) {
	d := must[*Device](t)(Open("cpu"))
	ctx := context.Background()
	r := image.Rect(0, 0, 6, 4)
	src := painted(image.NewRGBA(r)).(*image.RGBA)
	whole := image.NewRGBA(image.Rect(0, 0, 10, 10))
	dst := whole.SubImage(image.Rect(3, 2, 9, 6)).(*image.RGBA)
	if err := pictureKernel(t, d, "same").Run(ctx, Range(6, 4), src, dst); err != nil {
		t.Fatal(err)
	}
	for y := range 10 {
		for x := range 10 {
			if want := src.RGBAAt(x-3, y-2); whole.RGBAAt(x, y) != want {
				t.Fatalf("at (%d, %d): %v, want %v", x, y, whole.RGBAAt(x, y), want)
			}
		}
	}
	grey := painted(image.NewGray(r)).(*image.Gray)
	copied := image.NewGray(r)
	if err := pictureKernel(t, d, "same").Run(ctx, Range(6, 4), grey, copied); err != nil || !slices.Equal(grey.Pix, copied.Pix) {
		t.Errorf("%v, %v", copied.Pix, err)
	}
	m := painted(image.NewNRGBA(r)).(*image.NRGBA)
	was := m.NRGBAAt(2, 1)
	if err := pictureKernel(t, d, "turn").Run(ctx, Range(6, 4), m); err != nil || m.NRGBAAt(2, 1) != (color.NRGBA{was.G, was.B, was.R, was.A}) {
		t.Errorf("%v, %v", m.NRGBAAt(2, 1), err)
	}
	var fault *FaultError
	if err := pictureKernel(t, d, "same").Run(ctx, Range(7, 4), src, dst); !errors.As(err, &fault) {
		t.Errorf("outside of the pictures: %v", err)
	}
}
