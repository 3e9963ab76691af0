package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
)

var count = flag.Int("count", 40, "number of pictures")

func TestMain(m *testing.M) {
	flag.Parse()
	sdk.Init()
	os.Exit(m.Run())
}

// picture returns a synthetic photograph: bright discs before a gradient.
func picture(n int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, 40+n%23, 30+n%17))
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			c := color.NRGBA{uint8(3 * x), uint8(4 * y), uint8(n), 255}
			if (x-n%40)*(x-n%40)+(y-15)*(y-15) < 60 {
				c.R, c.B = 250, 240
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

// sobel returns the strength of the edge at a pixel, in Go.
func sobel(m image.Image, x, y int) float64 {
	grey := func(dx, dy int) float64 {
		r := m.Bounds()
		c := color.NRGBAModel.Convert(m.At(min(max(x+dx, 0), r.Dx()-1), min(max(y+dy, 0), r.Dy()-1))).(color.NRGBA)
		return 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)
	}
	gx := grey(1, -1) + 2*grey(1, 0) + grey(1, 1) - grey(-1, -1) - 2*grey(-1, 0) - grey(-1, 1)
	gy := grey(-1, 1) + 2*grey(0, 1) + grey(1, 1) - grey(-1, -1) - 2*grey(0, -1) - grey(1, -1)
	return math.Min(255, math.Hypot(gx, gy))
}

// TestFilter filters a folder with two broken pictures: one whose header is broken, and one that
// ends early.
func TestFilter(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "edges")
	store := func(name string, file []byte) {
		if err := os.WriteFile(filepath.Join(from, name), file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for n := range *count {
		var b bytes.Buffer
		if n%2 == 0 {
			_ = png.Encode(&b, picture(n))
			store(fmt.Sprintf("%04d.png", n), b.Bytes())
		} else {
			_ = jpeg.Encode(&b, picture(n), nil)
			store(fmt.Sprintf("%04d.jpg", n), b.Bytes())
		}
	}
	store("header.jpg", []byte("this is no picture"))
	var b bytes.Buffer
	_ = png.Encode(&b, picture(1))
	store("half.png", b.Bytes()[:b.Len()/2])

	p, s := sdk.NewPipelineWithRoot()
	if err := filter(s, from, to); err != nil {
		t.Fatal(err)
	}
	if _, err := prism.Execute(context.Background(), p); err != nil {
		t.Fatal(err)
	}

	list, err := os.ReadFile(filepath.Join(to, "bad.txt"))
	if err != nil {
		t.Fatal(err)
	}
	bad := strings.Split(strings.TrimSpace(string(list)), "\n")
	sort.Strings(bad)
	if len(bad) != 2 || !strings.Contains(bad[0], "half.png: read-error: ") || !strings.Contains(bad[1], "header.jpg: read-error: image: unknown format") {
		t.Errorf("bad pictures: %q", bad)
	}
	for n := range *count {
		f, err := os.Open(filepath.Join(to, fmt.Sprintf("%04d.png", n)))
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if n%2 == 1 {
			continue // JPEG is lossy
		}
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				if got, want := m.(*image.Gray).GrayAt(x, y).Y, sobel(picture(n), x, y); math.Abs(float64(got)-want) > 0.51 {
					t.Fatalf("picture %d: element %d, %d is %d, want %.2f", n, x, y, got, want)
				}
			}
		}
	}
}
