package builtin_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

var benchType = flag.String("type", "float", "BenchmarkMath: the functions' type")

// BenchmarkMath measures the functions of one and two arguments as machine code on one core, in nanoseconds per
// element of arrays that fit the cache. "copy" is the loop alone.
func BenchmarkMath(b *testing.B) {
	bench := func(name, expr string) {
		b.Run(name, func(b *testing.B) { benchmarkExpr(b, expr) })
	}
	bench("copy", "x")
	for m := range measurements(1, 2) {
		if m.floatOnly() && *benchType != "float" || forms[m.row.Name] != nil || oracles[m.base] == nil && oracles2[m.base] == nil {
			continue
		}
		bench(m.row.Name, strings.TrimSuffix(strings.TrimPrefix(m.text, "r = "), ";"))
	}
}

func benchmarkExpr(b *testing.B, expr string) {
	const n = 1 << 16
	src := fmt.Sprintf("#define T %s\n#define NUM convert_int\nkernel void k(global const T *a, global const T *b, global T *out) { size_t i = get_global_id(0); T x = a[i], y = b[i]; out[i] = %s; }", *benchType, expr)
	res, err := compile.Compile(context.Background(), "k.cl", []byte(src), &compile.Options{Source: option.Source{Std: opencl.CL30}})
	if err != nil {
		b.Fatal(err)
	}
	p, err := launch.NewProgram(res.Module, jit.Executor())
	if err != nil {
		b.Fatal(err)
	}
	k, err := p.Kernel("k")
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	x, y, out := make([]float64, n), make([]float64, n), make([]float64, n)
	buffers := [][]byte{raw(x), raw(y), raw(out)}
	if *benchType == "float" {
		x, y, out := make([]float32, n), make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], y[i] = rng.Float32(), 8*rng.Float32()
		}
		buffers = [][]byte{raw(x), raw(y), raw(out)}
	} else {
		for i := range x {
			x[i], y[i] = rng.Float64(), 8*rng.Float64()
		}
	}
	l := &launch.Launch{Kernel: k, Workers: 1, Range: launch.Range{Global: []uint64{n}, Local: []uint64{4096}}}
	for _, buf := range buffers {
		l.Args = append(l.Args, launch.Memory(&launch.Buffer{Data: buf}))
	}
	var report *launch.Report
	begin := timing.Processor()
	for b.Loop() {
		if report, err = launch.Run(context.Background(), l); err != nil {
			b.Fatal(err)
		}
	}
	if report.Stats.Executor == interp.Reference.Name() {
		b.ReportMetric(1, "reference-executor")
	}
	// Processor time, which a busy machine distorts less.
	b.ReportMetric(float64(timing.Processor()-begin)/float64(b.N)/n, "ns/elem")
	b.ReportMetric(0, "ns/op")
}
