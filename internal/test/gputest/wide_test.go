//go:build unix

package gputest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

// A sparse machine is the simulator with large memory of which only the written pages exist.
type sparse struct {
	*sim
	t testing.TB
}

func (s sparse) Info() *exec.Info {
	x := *s.sim.Info()
	x.Memory, x.MaxAlloc = 1<<36, 1<<35
	return &x
}

func (s sparse) Alloc(n int) (uint64, error) {
	if n < 1<<30 {
		return s.sim.Alloc(n)
	}
	return s.m.Map(kerneltest.Sparse(s.t, n)), nil
}

func (s sparse) NewStream() (device.Stream, error) {
	q, err := s.sim.NewStream()
	return sparseStream{q}, err
}

// A sparseStream does not clear large memory, which is zero.
type sparseStream struct{ device.Stream }

func (q sparseStream) Clear(dst uint64, n int) error {
	if n < 1<<30 {
		return q.Stream.Clear(dst, n)
	}
	return nil
}

// TestWideImages writes and reads images of 1 GiB and more.
func TestWideImages(t *testing.T) {
	m := machine(t)
	if s, ok := m.(*sim); ok {
		m = sparse{s, t}
	}
	dev := device.New(m)
	res, err := compile.Compile(context.Background(), "k.cl", []byte(kerneltest.FormatSources()["image2d_array_t"]), nil)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := dev.Load(&exec.Module{Module: res.Module, NonUniform: true})
	if err != nil {
		t.Fatal(err)
	}
	defer prog.Close()
	for i := range kerneltest.WideCases {
		c := &kerneltest.WideCases[i]
		t.Run(fmt.Sprint(c.Format), func(t *testing.T) {
			ref, err := launch.NewProgram(res.Module, interp.Reference)
			if err != nil {
				t.Fatal(err)
			}
			w := newWide(t, dev, prog, c)
			for _, x := range c.Runs(rand.New(rand.NewPCG(9, uint64(i))), w.image) {
				color, findings := x.LaunchOn(t, ref, w.image)
				w.same(t, &x, color, findings)
			}
		})
	}
}

// wide is an image on a device, and the same for the reference executor in the host's memory.
type wide struct {
	dev   exec.Device
	prog  exec.Program
	q     exec.Queue
	mem   exec.Memory
	image *image.Image
}

func newWide(t *testing.T, dev exec.Device, prog exec.Program, c *kerneltest.WideCase) *wide {
	w := &wide{dev: dev, prog: prog}
	var err error
	if w.image, err = c.Image(kerneltest.Sparse(t, c.Bytes())); err != nil {
		t.Fatal(err)
	}
	if w.mem, err = dev.Allocate(c.Bytes()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.mem.Free)
	if w.q, err = dev.NewQueue(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.q.Close)
	return w
}

// same runs a launch on the device, and compares its colors, its number of findings and the elements that it writes.
func (w *wide) same(t *testing.T, x *kerneltest.FormatRun, color []byte, findings string) {
	t.Helper()
	args := []exec.Arg{{Kind: exec.ImageArg, Image: w.image, Memory: w.mem, ReadOnly: x.Kernel != "write_ui"}}
	if x.Kernel == "at_ui" || x.Kernel == "sample_ui" {
		args = append(args, exec.Arg{Kind: exec.SamplerArg, Sampler: x.Sampler})
	}
	var buffers [2]exec.Memory
	for i, data := range [...][]byte{x.Coords(), x.Color()} {
		m, err := w.dev.Allocate(len(data))
		if err != nil {
			t.Fatal(err)
		}
		defer m.Free()
		if err := w.q.Write(m, data); err != nil {
			t.Fatal(err)
		}
		buffers[i] = m
		args = append(args, exec.Arg{Kind: exec.MemoryArg, Memory: m})
	}
	l := &exec.Launch{Args: args, Faults: exec.Robust}
	prepare(t, w.prog, x.Kernel, l, exec.Range{Global: []uint64{uint64(x.Items())}})
	got := make([]byte, len(color))
	if err := launchAndWait(w.q, l); err != nil {
		t.Fatal(err)
	}
	if (len(l.Report.Findings) > 0) != (findings != "") {
		t.Errorf("%s: findings %v, want %s", x.Kernel, l.Report.Findings, findings)
	}
	if err := w.q.Read(got, buffers[1]); err != nil {
		t.Fatal(err)
	}
	size := w.image.ElementSize()
	elements := x.Elements()
	if x.Kernel != "write_ui" {
		elements = nil
	}
	room := make([]byte, size*len(elements))
	for i, off := range elements {
		if err := w.q.Read(room[size*i:size*i+size], w.mem.Part(off, size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.q.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if text := x.Colors(got, color, false); text != "" {
		t.Errorf("%s: %s", x.Kernel, text)
	}
	for i, off := range elements {
		if want := w.image.Data[off : off+size]; !bytes.Equal(room[size*i:size*i+size], want) {
			t.Errorf("%s: element at %d: % x, want % x", x.Kernel, off, room[size*i:size*i+size], want)
		}
	}
}
