// Rotate turns a picture by any angle with a linear sampler. Images of Go's package image are passed to the kernel
// directly: it reads the decoded picture and writes the result in place.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"image"
	_ "image/jpeg"
	"image/png"
	"log"
	"math"
	"os"
	"time"

	"github.com/purecl/purecl"
)

//go:embed rotate.cl
var source string

func main() {
	log.SetFlags(0)
	in := flag.String("in", "examples/scene.png", "picture to rotate (PNG or JPEG)")
	out := flag.String("out", "out/rotated.png", "PNG to write")
	angle := flag.Float64("angle", 30, "degrees, clockwise")
	zoom := flag.Float64("zoom", 1, "magnification")
	flag.Parse()
	if err := rotate(*in, *out, *angle, *zoom); err != nil {
		log.Fatal(err)
	}
}

func rotate(in, out string, angle, zoom float64) error {
	f, err := os.Open(in)
	if err != nil {
		return err
	}
	defer f.Close()
	photo, _, err := image.Decode(f)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	dst := image.NewNRGBA(photo.Bounds())

	prog, err := purecl.Compile(source)
	if err != nil {
		return err
	}
	k, err := prog.Kernel("rotate_image")
	if err != nil {
		return err
	}
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	start := time.Now()
	if err := k.Run(context.Background(), purecl.Range(w, h), photo, dst, angle*math.Pi/180, zoom); err != nil {
		return err
	}
	took := time.Since(start)
	o, err := os.Create(out)
	if err != nil {
		return err
	}
	defer o.Close()
	if err := png.Encode(o, dst); err != nil {
		return err
	}
	fmt.Printf("%s: %d×%d pixels turned by %v degrees in %v\n", out, w, h, angle, took.Round(time.Microsecond))
	return o.Close()
}
