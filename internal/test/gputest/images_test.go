package gputest

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// TestHostImages passes images in host memory to a kernel: they are copied to the device and, if kernels may write
// to them, back. Two arguments with the same elements stay one.
func TestHostImages(t *testing.T) {
	dev := device.New(machine(t))
	picture := func(data []byte) *image.Image {
		m, err := image.New(image.Format{Order: opencl.OrderRGBA, Type: opencl.UnsignedInt8}, opencl.Image2D, [3]int{3, 2, 1}, 12, 0, data)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	const src = `kernel void k(read_only image2d_t in, read_write image2d_t both, write_only image2d_t out) {
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	uint4 x = read_imageui(both, p);
	write_imageui(out, p, read_imageui(in, p) + x);
	write_imageui(both, p, x + 1);
}
kernel void outside(write_only image2d_t m) {
	write_imageui(m, (int2)(get_global_id(0), -1), 7);
}`
	a, b, c := make([]byte, 24), make([]byte, 24), make([]byte, 24)
	for i := range a {
		a[i], b[i] = byte(i), byte(2*i)
	}
	wantB, wantC := bytes.Clone(b), make([]byte, 24)
	for i := range wantB {
		wantB[i]++
		wantC[i] = a[i] + b[i]
	}
	l := &exec.Launch{Args: []exec.Arg{{Kind: exec.ImageArg, Image: picture(a), ReadOnly: true}, {Kind: exec.ImageArg, Image: picture(b)}, {Kind: exec.ImageArg, Image: picture(c)}}}
	if err := launchOn(t, dev, src, "k", l, exec.Range{Global: []uint64{3, 2}}); err != nil || len(l.Report.Findings) > 0 {
		t.Fatal(err, l.Report.Findings)
	}
	if !bytes.Equal(b, wantB) || !bytes.Equal(c, wantC) {
		t.Errorf("got % x and % x, want % x and % x", b, c, wantB, wantC)
	}
	for _, mode := range []exec.FaultMode{exec.Strict, exec.Robust} {
		l = &exec.Launch{Args: []exec.Arg{{Kind: exec.ImageArg, Image: picture(c)}}, Faults: mode}
		err := launchOn(t, dev, src, "outside", l, exec.Range{Global: []uint64{3}})
		if err != nil || len(l.Report.Findings) != 1 {
			t.Fatal(err, l.Report.Findings)
		}
		f := l.Report.Findings[0]
		if f.Object != "m" || f.Count != 3 || !strings.Contains(f.Note, "element (0, -1)") || !bytes.Equal(c, wantC) {
			t.Errorf("%+v", f)
		}
	}
}

// An uploads machine counts the copies to the device by their size.
type uploads struct {
	device.Machine
	sizes map[int]int
	freed int
}

func (m *uploads) NewStream() (device.Stream, error) {
	q, err := m.Machine.NewStream()
	return uploadStream{q, m}, err
}

func (m *uploads) Free(addr uint64, generation int) {
	m.freed++
	m.Machine.Free(addr, generation)
}

type uploadStream struct {
	device.Stream
	m *uploads
}

func (q uploadStream) Write(dst uint64, src []byte) error {
	q.m.sizes[len(src)]++
	return q.Stream.Write(dst, src)
}

// TestHostImagesKept launches kernels with images in the host's memory: until the queue is waited for, each is copied to
// the device once, unless the queue's work has set its memory.
func TestHostImagesKept(t *testing.T) {
	m := &uploads{Machine: machine(t), sizes: map[int]int{}}
	dev := device.New(m)
	prog, q := programAndQueue(t, dev, `
kernel void add(read_only image2d_t in, read_write image2d_t out) {
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	write_imageui(out, p, read_imageui(in, p) + read_imageui(out, p));
}`)
	ctx := context.Background()
	picture := func(data []byte, rows int) *image.Image {
		m, err := image.New(image.Format{Order: opencl.OrderRGBA, Type: opencl.UnsignedInt8}, opencl.Image2D, [3]int{5, rows, 1}, 20, 0, data)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	add := func(in, out *image.Image) {
		t.Helper()
		l := &exec.Launch{Args: []exec.Arg{{Kind: exec.ImageArg, Image: in, ReadOnly: true}, {Kind: exec.ImageArg, Image: out}}}
		prepare(t, prog, "add", l, exec.Range{Global: []uint64{5, uint64(in.Size[1])}})
		if err := q.Launch(ctx, l); err != nil {
			t.Fatal(err)
		}
	}
	wait := func(uploads int, what string, data []byte, want byte) {
		t.Helper()
		if err := q.Wait(ctx); err != nil {
			t.Fatal(err)
		}
		if n := m.sizes[60] + m.sizes[40]; n != uploads {
			t.Errorf("%s: %d copies to the device, want %d", what, n, uploads)
		}
		if !bytes.Equal(data, bytes.Repeat([]byte{want}, len(data))) {
			t.Errorf("%s: % d, want %d", what, data, want)
		}
		clear(m.sizes)
	}
	a, b := bytes.Repeat([]byte{1}, 60), make([]byte, 60)
	in, out := picture(a, 3), picture(b, 3)
	for range 5 {
		add(in, out)
	}
	wait(2, "five launches", b, 5)
	for i := range a {
		a[i], b[i] = 2, 10
	}
	add(in, out)
	add(out, in)
	wait(2, "changed by the host", b, 12)
	wait(0, "each other", a, 14)
	mem := allocated(t, dev, 60)
	if err := q.Write(mem, bytes.Repeat([]byte{3}, 60)); err != nil {
		t.Fatal(err)
	}
	if err := q.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	clear(m.sizes)
	add(in, out)
	if err := q.Read(a, mem); err != nil {
		t.Fatal(err)
	}
	add(in, out)
	wait(3, "changed by a read", b, 12+14+3)
	upper := picture(a[:40], 2) // shares memory with in
	for i := range a {
		a[i], b[i] = 1, 1
	}
	add(in, out)
	add(picture(b, 3), upper)
	add(in, out)
	wait(4, "changed by an image in the same memory", b[:40], 1+1+3)
	before := m.freed
	wait(0, "no launches", b[40:], 3)
	if m.freed == before {
		t.Error("memory that no launch uses stays")
	}
}
