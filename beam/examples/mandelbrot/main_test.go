package main

import (
	"context"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
)

func TestMain(m *testing.M) {
	sdk.Init()
	os.Exit(m.Run())
}

// iterations is the definition, in Go.
func iterations(cr, ci float64, most int) int {
	n, z := 0, complex(0, 0)
	for ; n < most && real(z)*real(z)+imag(z)*imag(z) < 4; n++ {
		z = z*z + complex(cr, ci)
	}
	return n
}

// TestPyramid renders a pyramid and compares elements of every level with the definition.
func TestPyramid(t *testing.T) {
	const size, most = 1024, 60
	out := t.TempDir()
	p, s := sdk.NewPipelineWithRoot()
	if err := pyramid(s, out, size, most); err != nil {
		t.Fatal(err)
	}
	if _, err := prism.Execute(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.html", "mosaic.dzi"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	differ, seen := 0, 0
	for level, side := 0, 1; side <= size; level, side = level+1, 2*side {
		for y := 0; y < side; y += max(1, side/37) {
			for x := 0; x < side; x += max(1, side/41) {
				n := iterations(-2+3*float64(x)/float64(side), -1.5+3*float64(y)/float64(side), most)
				want := uint8(255 - 255*n/most)
				if n == most {
					want = 0
				}
				seen++
				if element(t, filepath.Join(out, "mosaic_files"), level, x, y) != want {
					differ++ // the kernel fuses products and sums, and the border is chaotic
				}
			}
		}
	}
	if seen < 5000 || differ > seen/200 {
		t.Errorf("%d of %d elements differ from the definition", differ, seen)
	}
}

var tiles = map[string]image.Image{}

func element(t *testing.T, dir string, level, x, y int) uint8 {
	name := filepath.Join(dir, strconv.Itoa(level), strconv.Itoa(x/tileSize)+"_"+strconv.Itoa(y/tileSize)+".png")
	if tiles[name] == nil {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		m, _, err := image.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		tiles[name] = m
	}
	return tiles[name].(*image.Gray).GrayAt(x%tileSize, y%tileSize).Y
}
