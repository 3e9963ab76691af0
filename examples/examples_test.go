// Package examples tests that the examples run and print the expected output.
package examples

import (
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestExamples(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		args []string
		want string // part of the output
		png  string
	}{
		{name: "saxpy", want: "y[0], y[1], y[999] = 1 3 1999"},
		{name: "filter", args: []string{"-mask", "blur"}, want: "600×400 pixels, blur", png: "filtered.png"},
		{name: "filter", args: []string{"-careless"}, want: "filter.cl:27:"},
		{name: "mandelbrot", args: []string{"-width", "64", "-height", "48"}, want: "64×48 pixels; the one at (1/8, 1/8) is", png: "mandelbrot.png"},
		{name: "reduction", want: "sum = 1.179645e+06"}, // 2^20 numbers: 104857 times 0 + … + 2.25, and 0, 0.25, … 1.25
		{name: "histogram", args: []string{"-in", "scene.png"}, want: "16978 bytes"},
		{name: "rotate", args: []string{"-in", "scene.png", "-angle", "90"}, want: "600×400 pixels turned by 90 degrees", png: "rotated.png"},
		{name: "gpus", args: []string{"-n", "512"}, want: "the results are equal"},
		{name: "nbody", args: []string{"-n", "128", "-steps", "3"}, want: "128 bodies, 3 steps: momentum 0.0000"},
	} {
		t.Run(strings.Join(append([]string{c.name}, c.args...), " "), func(t *testing.T) {
			args := append([]string{"run", "./" + c.name}, c.args...)
			if c.name == "filter" {
				args = append(args, "-in", "scene.png")
			}
			if c.png != "" {
				args = append(args, "-out", filepath.Join(dir, c.png))
			}
			out, err := exec.Command("go", args...).CombinedOutput()
			if err != nil || !strings.Contains(string(out), c.want) {
				t.Fatalf("%v\n%s\nwant %q", err, out, c.want)
			}
			if c.png == "" {
				return
			}
			f, err := os.Open(filepath.Join(dir, c.png))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := png.Decode(f); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestScene checks that scene.cl renders scene.png.
func TestScene(t *testing.T) {
	made := filepath.Join(t.TempDir(), "scene.png")
	out, err := exec.Command("go", "run", "../cmd/purecl", "run", "-q", "--check=none", "scene.cl", "-a", "out=zeros(600x400)", "-o", "out="+made).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	decode := func(name string) image.Image {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		img, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	got, want := decode(made), decode("scene.png")
	if got.Bounds() != want.Bounds() {
		t.Fatalf("%v, want %v", got.Bounds(), want.Bounds())
	}
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			if got.At(x, y) != want.At(x, y) {
				t.Fatalf("pixel (%d, %d) is %v, want %v", x, y, got.At(x, y), want.At(x, y))
			}
		}
	}
}
