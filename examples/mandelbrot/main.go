// Mandelbrot renders the Mandelbrot set to a PNG.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"image"
	"image/png"
	"log"
	"os"

	"github.com/purecl/purecl"
	"github.com/purecl/purecl/vec"
)

//go:embed mandelbrot.cl
var source string

func main() {
	log.SetFlags(0)
	out := flag.String("out", "out/mandelbrot.png", "PNG to write")
	width := flag.Int("width", 640, "width in pixels")
	height := flag.Int("height", 480, "height in pixels")
	limit := flag.Int("limit", 100, "most iterations of a pixel")
	flag.Parse()
	prog, err := purecl.Compile(source)
	if err != nil {
		log.Fatal(err)
	}
	k, err := prog.Kernel("mandelbrot")
	if err != nil {
		log.Fatal(err)
	}
	img := image.NewNRGBA(image.Rect(0, 0, *width, *height))
	if err := k.Run(context.Background(), purecl.Range(*width, *height), img.Pix, vec.Float2{-0.6, 0}, 2.4, *limit); err != nil {
		log.Fatal(err)
	}
	f, err := os.Create(*out)
	if err != nil {
		log.Fatal(err)
	}
	if err := png.Encode(f, img); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	c := img.NRGBAAt(*width/8, *height/8)
	fmt.Printf("%s: %d×%d pixels; the one at (1/8, 1/8) is (%d, %d, %d)\n", *out, *width, *height, c.R, c.G, c.B)
}
