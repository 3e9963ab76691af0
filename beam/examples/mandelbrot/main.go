// Command mandelbrot renders the Mandelbrot set as deep-zoom tiles: a pyramid of pictures, each
// level twice as wide as the one before, and a page to view it.
//
//	go run ./examples/mandelbrot -size 32768 -out mosaic    # a gigapixel
//	open mosaic/index.html
//
// Flags of Beam select the runner: -runner flink -endpoint host:8099 runs the same tiles on a
// Flink cluster; -out must then be a folder that all workers share.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"log"
	"math/bits"
	"os"
	"path/filepath"
	"strings"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/purecl/purecl/beam"
)

//go:embed mandelbrot.cl
var source string

//go:embed index.html
var page string

// Settings are the kernel's constants.
type Settings struct{ Iterations int32 }

var mandelbrot = beam.NewTiles[uint8, uint8, Settings](beam.Kernel{Source: source, Name: "mandelbrot"}, beam.TileIO[uint8, uint8]{Write: write})

// A level is a picture of the pyramid: its folder and its grid.
type level struct {
	Folder string
	Grid   beam.Grid
}

func init() { register.Function1x2(unpack) }

func unpack(l level) (string, beam.Grid) { return l.Folder, l.Grid }

// write stores a tile as folder/column_row.png, as deep-zoom pages expect it.
func write(_ context.Context, folder string, r beam.Region, grey []uint8) error {
	name := filepath.Join(folder, fmt.Sprintf("%d_%d.png", r.X/tileSize, r.Y/tileSize))
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	return errors.Join(enc.Encode(f, &image.Gray{Pix: grey, Stride: r.W, Rect: image.Rect(0, 0, r.W, r.H)}), f.Close())
}

const tileSize = 256

// pyramid adds the pyramid to a pipeline. Every level is rendered separately, because there is no source picture to
// scale.
func pyramid(s sdk.Scope, out string, size, iterations int) error {
	top := bits.Len(uint(size - 1))
	var levels []any
	for n := 0; n <= top; n++ {
		side := max(1, size>>(top-n))
		folder := filepath.Join(out, "mosaic_files", fmt.Sprint(n))
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		levels = append(levels, level{folder, beam.Grid{Width: side, Height: side, TileWidth: tileSize, TileHeight: tileSize}})
	}
	dzi := fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="png" Overlap="0" TileSize="%d"><Size Width="%d" Height="%d"/></Image>
`, tileSize, size, size)
	view := strings.NewReplacer("{{size}}", fmt.Sprint(size), "{{tile}}", fmt.Sprint(tileSize), "{{top}}", fmt.Sprint(top)).Replace(page)
	if err := errors.Join(os.WriteFile(filepath.Join(out, "mosaic.dzi"), []byte(dzi), 0o666), os.WriteFile(filepath.Join(out, "index.html"), []byte(view), 0o666)); err != nil {
		return err
	}
	_, _, err := mandelbrot.Apply(s, sdk.ParDo(s, unpack, sdk.Create(s, levels...)), sdk.Create(s, Settings{int32(iterations)}), beam.Options{FailOnFault: true})
	return err
}

func main() {
	size := flag.Int("size", 4096, "width and height of the whole in elements, a power of two")
	iterations := flag.Int("iterations", 255, "of each element at most")
	out := flag.String("out", "mosaic", "folder of the result")
	flag.Parse()
	sdk.Init()
	if *size < 1 || *size&(*size-1) != 0 {
		log.Fatalf("-size %d: not a power of two", *size)
	}
	p, s := sdk.NewPipelineWithRoot()
	if err := pyramid(s, *out, *size, *iterations); err != nil {
		log.Fatal(err)
	}
	if err := beamx.Run(context.Background(), p); err != nil {
		log.Fatal(err)
	}
}
