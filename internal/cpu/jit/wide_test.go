//go:build amd64 && (linux || darwin)

package jit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

// TestWideImages writes and reads images of 1 GiB and more.
func TestWideImages(t *testing.T) {
	m := build(t, kerneltest.FormatSources()["image2d_array_t"])
	for i := range kerneltest.WideCases {
		c := &kerneltest.WideCases[i]
		lvs := levels()
		lv := lvs[i%len(lvs)]
		t.Run(fmt.Sprintf("%v, %s", c.Format, lv.Name), func(t *testing.T) {
			ref := programOf(t, m, interp.Reference)
			e := &lastCode{Executor: New(Options{Level: lv, Panics: true})}
			p := programOf(t, m, e)
			want, err := c.Image(kerneltest.Sparse(t, c.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Image(kerneltest.Sparse(t, c.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range c.Runs(rand.New(rand.NewPCG(9, uint64(i))), want) {
				color, text := x.LaunchOn(t, ref, want)
				gotColor, gotText := x.LaunchOn(t, p, got)
				if gotText != text {
					t.Errorf("%s: findings%s\nwant%s", x.Kernel, gotText, text)
				}
				if text := x.Colors(gotColor, color, false); text != "" {
					t.Errorf("%s: %s", x.Kernel, text)
				}
				for _, off := range x.Elements() {
					if a, b := got.Data[off:off+want.ElementSize()], want.Data[off:off+want.ElementSize()]; !bytes.Equal(a, b) {
						t.Errorf("%s: element at %d: % x, want % x", x.Kernel, off, a, b)
					}
				}
				for _, f := range e.code.(*imageCode).formats {
					if hasImageCall(f.code) {
						t.Errorf("%s: accesses make host calls", x.Kernel)
					}
				}
			}
		})
	}
}
