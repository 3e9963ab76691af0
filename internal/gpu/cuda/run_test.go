package cuda

import (
	"context"
	"testing"

	"github.com/purecl/purecl"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
)

// BenchmarkRun measures the public package's part of a launch and its wait, without the driver's.
func BenchmarkRun(b *testing.B) {
	f := newFake()
	exec.Register("fake", func() ([]exec.Device, error) {
		list, err := (&driver{fake: f.call}).machines()
		if err != nil {
			return nil, err
		}
		return []exec.Device{device.New(list[0])}, nil
	})
	dev, err := purecl.Open("fake")
	if err != nil {
		b.Fatal(err)
	}
	prog, err := dev.Compile("kernel void step(global int *p, int n) { p[get_global_id(0)] += n; }")
	if err != nil {
		b.Fatal(err)
	}
	k, err := prog.Kernel("step")
	if err != nil {
		b.Fatal(err)
	}
	m, err := purecl.NewBuffer(dev, make([]int32, 1024))
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if err := k.Run(ctx, purecl.Range(1024), m, 1); err != nil {
			b.Fatal(err)
		}
		f.started = f.started[:0]
	}
}
