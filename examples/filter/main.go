// Filter convolves a picture with a mask: uchar4 → float4 → convert_uchar4_sat_rte.
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg"
	"image/png"
	"log"
	"os"
	"time"

	"github.com/purecl/purecl"
)

//go:embed filter.cl
var files embed.FS

// masks are the weights of 3×3 and 5×5 convolutions.
var masks = map[string][]float32{
	"sharpen": {-1, -1, -1, -1, 9, -1, -1, -1, -1},
	"edges":   {-1, -1, -1, -1, 8, -1, -1, -1, -1},
	"emboss":  {-2, -1, 0, -1, 1, 1, 0, 1, 2},
	"blur": {1 / 256., 4 / 256., 6 / 256., 4 / 256., 1 / 256., 4 / 256., 16 / 256., 24 / 256., 16 / 256., 4 / 256., 6 / 256., 24 / 256., 36 / 256., 24 / 256.,
		6 / 256., 4 / 256., 16 / 256., 24 / 256., 16 / 256., 4 / 256., 1 / 256., 4 / 256., 6 / 256., 4 / 256., 1 / 256.},
}

func main() {
	log.SetFlags(0)
	in := flag.String("in", "examples/scene.png", "picture to filter (PNG or JPEG)")
	out := flag.String("out", "out/filtered.png", "PNG to write")
	mask := flag.String("mask", "sharpen", "sharpen, edges, emboss or blur")
	careless := flag.Bool("careless", false, "run the kernel that reads outside of the picture, and show what is reported")
	flag.Parse()
	if masks[*mask] == nil {
		log.Fatalf("unknown mask %q", *mask)
	}
	src, err := load(*in)
	if err != nil {
		log.Fatal(err)
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	dst := image.NewNRGBA(src.Rect)

	start := time.Now()
	dev, err := purecl.Open("")
	if err != nil {
		log.Fatal(err)
	}
	prog, err := dev.CompileFS(files, "filter.cl") // so that diagnostics and findings have the file name
	if err != nil {
		log.Fatal(err)
	}
	compiled := time.Since(start)
	if *careless {
		k, err := prog.Kernel("convolve_careless")
		if err != nil {
			log.Fatal(err)
		}
		err = k.Run(context.Background(), purecl.Range(w, h), src.Pix, dst.Pix, w, masks["sharpen"])
		var fault *purecl.FaultError
		if !errors.As(err, &fault) {
			log.Fatalf("expected a fault, got %v", err)
		}
		fmt.Print(fault.Findings[0].Rendered)
		return
	}
	k, err := prog.Kernel("convolve")
	if err != nil {
		log.Fatal(err)
	}
	radius := 1
	if len(masks[*mask]) == 25 {
		radius = 2
	}
	start = time.Now()
	if err := k.Run(context.Background(), purecl.Range(w, h), src.Pix, dst.Pix, w, h, masks[*mask], radius); err != nil {
		log.Fatal(err)
	}
	ran := time.Since(start)
	if err := save(*out, dst); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %d×%d pixels, %s; compiled in %v, ran in %v\n", *out, w, h, *mask, compiled.Round(time.Microsecond), ran.Round(time.Microsecond))
}

func load(name string) (*image.NRGBA, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	pix := image.NewNRGBA(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	draw.Draw(pix, pix.Rect, img, img.Bounds().Min, draw.Src)
	return pix, nil
}

func save(name string, img image.Image) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := png.Encode(f, img); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
