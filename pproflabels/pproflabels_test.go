package pproflabels_test

import (
	"bytes"
	"context"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/purecl/purecl"
	_ "github.com/purecl/purecl/pproflabels"
)

const source = `kernel void spin(global float *y, int n) {
    float x = get_global_id(0);
    for (int i = 0; i < n; i++)
        x = sqrt(x + i);
    y[get_global_id(0)] = x;
}`

// TestLabels: samples taken in a kernel have its labels and those of the caller, on helpers' goroutines too; the
// caller's goroutine has only its own afterwards.
func TestLabels(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("samples outside of Go code are taken on Linux")
	}
	prog, err := purecl.Compile(source)
	if err != nil {
		t.Fatal(err)
	}
	k, err := prog.Kernel("spin")
	if err != nil {
		t.Fatal(err)
	}
	y := make([]float32, 1<<14)
	for began := time.Now(); time.Since(began) < 20*time.Second; {
		var out bytes.Buffer
		if err := pprof.StartCPUProfile(&out); err != nil {
			t.Skip("another program takes a profile:", err)
		}
		pprof.Do(context.Background(), pprof.Labels("job", "night"), func(ctx context.Context) {
			if err := k.Run(ctx, purecl.Range(len(y)), y, 20_000); err != nil {
				t.Error(err)
			}
			if v, _ := pprof.Label(ctx, "kernel"); v != "" {
				t.Errorf("the caller's context has the label of kernel %s", v)
			}
		})
		pprof.StopCPUProfile()
		p, err := profile.Parse(&out)
		if err != nil {
			t.Fatal(err)
		}
		samples := 0
		for _, s := range p.Sample {
			if s.HasLabel("kernel", "spin") && s.HasLabel("device", "cpu") {
				if samples++; !s.HasLabel("job", "night") {
					t.Errorf("a sample lacks the caller's label: %v", s.Label)
				}
			}
		}
		if samples > 0 {
			return
		}
	}
	t.Error("no sample has the kernel's labels")
}
