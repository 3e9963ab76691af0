package purecl

import (
	"context"
	"testing"

	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/program"
)

const saxpySource = `kernel void saxpy(global float *y, global const float *x, float a) {
	size_t i = get_global_id(0);
	y[i] = a * x[i] + y[i];
}`

// BenchmarkRun launches 1,000 work-items on slices. "purecl" uses the API; "exec" uses the device below it, with
// arguments that are bound already.
func BenchmarkRun(b *testing.B) {
	ctx := context.Background()
	x, y := make([]float32, 1000), make([]float32, 1000)
	b.Run("purecl", func(b *testing.B) {
		p, err := Compile(saxpySource)
		if err != nil {
			b.Fatal(err)
		}
		k, err := p.Kernel("saxpy")
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := k.Run(ctx, Range(len(y)), y, x, 2.0); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("exec", func(b *testing.B) {
		m, err := program.Compile(program.Source{Text: saxpySource}, nil)
		if err != nil {
			b.Fatal(err)
		}
		p, err := cpu.All().Load(&m.Module)
		if err != nil {
			b.Fatal(err)
		}
		k, err := p.Kernel("saxpy")
		if err != nil {
			b.Fatal(err)
		}
		q, err := cpu.All().NewQueue()
		if err != nil {
			b.Fatal(err)
		}
		l := exec.Launch{Kernel: k, Args: []exec.Arg{{Kind: exec.SliceArg, Bytes: rawBytes(y)}, {Kind: exec.SliceArg, Bytes: rawBytes(x)},
			{Kind: exec.ValueArg, Bytes: rawBytes([]float32{2})}}}
		if l.Range, err = k.Resolve(exec.Range{Global: []uint64{uint64(len(y))}}); err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := q.Launch(ctx, &l); err != nil {
				b.Fatal(err)
			}
		}
	})
}
