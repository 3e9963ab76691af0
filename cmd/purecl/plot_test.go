package main

import (
	"bytes"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/run/argument"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// floatArg returns a buffer of floats with a shape.
func floatArg(shape []int, f func(i int) float64) *arg {
	n := 1
	for _, s := range shape {
		n *= s
	}
	d := &data{Elem: elem{Kind: numeric.F32, Lanes: 1, Size: 4}, Shape: shape, Bytes: make([]byte, 4*n)}
	for i := range n {
		argument.PutBits(d.Bytes[4*i:], numeric.F32, uint64(math.Float32bits(float32(f(i)))))
	}
	return &arg{Info: param{KernelArg: &ssa.KernelArg{Name: "y", TypeName: "float*"}}, Data: d}
}

// drawTo draws a buffer into a file and returns its bytes.
func drawTo(t *testing.T, a *arg, kind, ext string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "y"+ext)
	c := plotFlags{PlotAs: kind}
	if err := c.draw([]plotted{{"--plot y", a, file}}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestHeatMap checks that one large element is the bright spot, in the right quarter of the picture, and that a NaN
// has a colour of its own.
func TestHeatMap(t *testing.T) {
	const cols, rows = 40, 30
	a := floatArg([]int{rows, cols}, func(i int) float64 {
		switch i {
		case 5*cols + 30: // in the upper right
			return 7
		case 25*cols + 5: // in the lower left
			return math.NaN()
		}
		return 0
	})
	img, err := png.Decode(bytes.NewReader(drawTo(t, a, "auto", ".png")))
	if err != nil {
		t.Fatal(err)
	}
	blue := color.RGBA{0, 128, 255, 255}
	found := map[string]bool{}
	size := img.Bounds().Size()
	for y := size.Y / 10; y < size.Y*8/10; y++ {
		for x := size.X * 2 / 10; x < size.X*8/10; x++ {
			c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			where := map[bool]string{true: "upper ", false: "lower "}[y < size.Y/2] + map[bool]string{true: "left", false: "right"}[x < size.X/2]
			switch {
			case c == blue:
				found["NaN "+where] = true
			case c.R > 250 && c.G > 250 && c.B > 200:
				found["great "+where] = true
			}
		}
	}
	if len(found) != 2 || !found["great upper right"] || !found["NaN lower left"] {
		t.Errorf("found %v", found)
	}
}

// TestLines checks that peaks of long buffers are drawn, and that NaN leaves a gap.
func TestLines(t *testing.T) {
	a := floatArg([]int{100_000}, func(i int) float64 {
		if i == 50_001 {
			return 1000
		}
		return math.Sin(float64(i) / 1000)
	})
	if s := string(drawTo(t, a, "line", ".svg")); !strings.Contains(s, "<svg") || !strings.Contains(s, "a list of 100000 elements of float") || !strings.Contains(s, ">900<") && !strings.Contains(s, ">1000<") {
		t.Error("the axis does not reach the peak")
	}
	whole := strings.Count(string(drawTo(t, floatArg([]int{9}, func(i int) float64 { return float64(i) }), "line", ".svg")), "<path")
	split := strings.Count(string(drawTo(t, floatArg([]int{9}, func(i int) float64 {
		if i == 4 {
			return math.NaN()
		}
		return float64(i)
	}), "line", ".svg")), "<path")
	if split != whole+1 {
		t.Errorf("%d paths with a NaN, %d without", split, whole)
	}
}

// TestDrawingErrors checks the errors of buffers that cannot be drawn.
func TestDrawingErrors(t *testing.T) {
	for want, a := range map[string]*arg{
		"has no elements":       floatArg([]int{0}, nil),
		"has no finite numbers": floatArg([]int{3}, func(int) float64 { return math.Inf(1) }),
	} {
		for _, kind := range []string{"line", "histogram"} {
			if _, _, err := drawing(a, kind); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", kind, err, want)
			}
		}
	}
}
