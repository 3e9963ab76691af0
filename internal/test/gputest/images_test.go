package gputest

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// launchOn runs a kernel of a source on a device.
func launchOn(t *testing.T, dev exec.Device, src, kernel string, l *exec.Launch, global ...uint64) error {
	t.Helper()
	opts, err := compile.ParseOptions("-cl-std=CL3.0")
	if err != nil {
		t.Fatal(err)
	}
	res, err := compile.Compile(context.Background(), "k.cl", []byte(src), opts)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := dev.Load(&exec.Module{Module: res.Module})
	if err != nil {
		t.Fatal(err)
	}
	defer prog.Close()
	if l.Kernel, err = prog.Kernel(kernel); err != nil {
		t.Fatal(err)
	}
	q, err := dev.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if l.Range, err = l.Kernel.Resolve(exec.Range{Global: global}); err != nil {
		t.Fatal(err)
	}
	return launchAndWait(q, l)
}

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
	if err := launchOn(t, dev, src, "k", l, 3, 2); err != nil || len(l.Report.Findings) > 0 {
		t.Fatal(err, l.Report.Findings)
	}
	if !bytes.Equal(b, wantB) || !bytes.Equal(c, wantC) {
		t.Errorf("got % x and % x, want % x and % x", b, c, wantB, wantC)
	}
	for _, mode := range []exec.FaultMode{exec.Strict, exec.Robust} {
		l = &exec.Launch{Args: []exec.Arg{{Kind: exec.ImageArg, Image: picture(c)}}, Faults: mode}
		err := launchOn(t, dev, src, "outside", l, 3)
		if err != nil || len(l.Report.Findings) != 1 {
			t.Fatal(err, l.Report.Findings)
		}
		f := l.Report.Findings[0]
		if f.Object != "m" || f.Count != 3 || !strings.Contains(f.Note, "element (0, -1)") || !bytes.Equal(c, wantC) {
			t.Errorf("%+v", f)
		}
	}
}
