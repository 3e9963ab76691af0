// Command pictures finds the edges in every JPEG and PNG file of a folder. A picture that cannot be
// read does not end the job: it goes into bad.txt with the reason.
//
//	go run ./examples/pictures -in photos -out edges
package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg"
	"image/png"
	"log"
	"os"
	"path/filepath"
	"strings"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/purecl/purecl/beam"
	"github.com/purecl/purecl/vec"
)

//go:embed edges.cl
var source string

var edges = beam.NewTiles[vec.Uchar4, uint8, beam.None](beam.Kernel{Source: source, Name: "edges"}, beam.TileIO[vec.Uchar4, uint8]{Read: read, Write: write})

func init() {
	register.Function4x0(measure)
	register.Function1x1(describe)
}

// read returns a picture's elements: each picture is one tile.
func read(_ context.Context, name string, r beam.Region) ([]vec.Uchar4, error) {
	file, err := os.ReadFile(in(name))
	if err != nil {
		return nil, err
	}
	m, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	flat := image.NewNRGBA(image.Rect(0, 0, r.W, r.H))
	draw.Draw(flat, flat.Bounds(), m, m.Bounds().Min, draw.Src)
	list := make([]vec.Uchar4, r.W*r.H)
	for i := range list {
		list[i] = vec.Uchar4(flat.Pix[4*i:][:4])
	}
	return list, nil
}

// A picture's name is the path of the source, a line break and that of the result.
func in(name string) string  { from, _, _ := strings.Cut(name, "\n"); return from }
func out(name string) string { _, to, _ := strings.Cut(name, "\n"); return to }

// write stores the edges of a picture.
func write(_ context.Context, name string, r beam.Region, grey []uint8) error {
	f, err := os.Create(out(name))
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, &image.Gray{Pix: grey, Stride: r.W, Rect: image.Rect(0, 0, r.W, r.H)}), f.Close())
}

// measure emits a picture with its size, or the reason why it has none.
func measure(to, name string, emit func(string, beam.Grid), bad func(beam.BadTile)) {
	f, err := os.Open(name)
	if err == nil {
		defer f.Close()
		var c image.Config
		if c, _, err = image.DecodeConfig(f); err == nil {
			result := filepath.Join(to, strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))+".png")
			emit(name+"\n"+result, beam.Grid{Width: c.Width, Height: c.Height, TileWidth: c.Width, TileHeight: c.Height, HaloX: 1, HaloY: 1})
			return
		}
	}
	bad(beam.BadTile{Name: name, Finding: beam.Finding{Kind: beam.ReadError, Message: err.Error()}})
}

func describe(b beam.BadTile) string {
	return fmt.Sprintf("%s: %s: %s", in(b.Name), b.Finding.Kind, b.Finding.Message)
}

// filter adds the job to a pipeline.
func filter(s sdk.Scope, from, to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	var names []any
	for _, f := range files {
		switch strings.ToLower(filepath.Ext(f.Name())) {
		case ".jpg", ".jpeg", ".png":
			names = append(names, pair{to, filepath.Join(from, f.Name())})
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%s has no JPEG or PNG files", from)
	}
	sizes, unread := sdk.ParDo2(s, measure, sdk.ParDo(s, unpack, sdk.Create(s, names...)))
	_, bad, err := edges.Apply(s, sizes, sdk.PCollection{}, beam.Options{})
	if err != nil {
		return err
	}
	textio.Write(s, filepath.Join(to, "bad.txt"), sdk.ParDo(s, describe, sdk.Flatten(s, unread, bad)))
	return nil
}

// A pair is the folder of the results and a picture's file.
type pair struct{ To, Name string }

func init() { register.Function1x2(unpack) }

func unpack(p pair) (string, string) { return p.To, p.Name }

func main() {
	from := flag.String("in", "", "folder of pictures")
	to := flag.String("out", "edges", "folder of the results")
	flag.Parse()
	sdk.Init()
	p, s := sdk.NewPipelineWithRoot()
	if err := filter(s, *from, *to); err != nil {
		log.Fatal(err)
	}
	if err := beamx.Run(context.Background(), p); err != nil {
		log.Fatal(err)
	}
}
