//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"context"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// BenchmarkKernels measures kernels on one worker: on each level, with blocks that count as for a profile, and
// on the reference executor.
func BenchmarkKernels(b *testing.B) {
	m := build(b, kernels)
	noise := func(n int) []byte { return floats(n, func(i int) float32 { return float32(i%1000) / 7 }) }
	const n = 1 << 20
	cases := []struct {
		name   string
		global []uint64
		args   []launch.Arg
		bytes  int64
	}{
		{"saxpy", []uint64{n / 16}, []launch.Arg{mem(noise(n / 16)), mem(noise(n / 16)), launch.Value(f32(1.5))}, n / 16 * 12},
		{"mandel", []uint64{512, 128}, []launch.Arg{mem(make([]byte, 4*512*128)), launch.Value(i32(512)), launch.Value(i32(128)), launch.Value(i32(200))}, 0},
		{"matmul", []uint64{256, 256}, []launch.Arg{mem(noise(256 * 256)), mem(noise(256 * 256)), mem(noise(256 * 256)), launch.Value(i32(256))}, 0},
		{"sobel", []uint64{1024, 256}, []launch.Arg{mem(bytes.Repeat([]byte{1, 99, 37, 200}, n/4)), mem(make([]byte, n)), launch.Value(i32(1024)), launch.Value(i32(256))}, 1024 * 256 * 2},
		{"conv", []uint64{n / 16}, []launch.Arg{mem(noise(n / 4)), mem(make([]byte, n/4))}, n / 16 * 20},
	}
	execs := append([]exec.Executor{interp.Reference}, executorsOf(Options{})...)
	execs = append(execs, New(Options{Panics: true, Level: Level(), Count: true})) // the difference is the cost of a profile
	for _, c := range cases {
		for _, e := range execs {
			b.Run(c.name+"/"+e.Name(), func(b *testing.B) {
				p := programOf(b, m, e)
				k, _ := p.Kernel(c.name)
				b.SetBytes(c.bytes)
				for b.Loop() {
					if _, err := launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: c.args, Range: launch.Range{Global: c.global}, Workers: 1}); err != nil {
						b.Fatal(err)
					}
				}
				items := uint64(1)
				for _, g := range c.global {
					items *= g
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(items), "ns/item")
			})
		}
	}
}

func mem(b []byte) launch.Arg { return launch.Memory(&launch.Buffer{Data: b}) }

// BenchmarkCompile measures compilation from optimised SSA to machine code.
func BenchmarkCompile(b *testing.B) {
	m := build(b, kernels)
	for _, name := range []string{"saxpy", "mandel", "sobel"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := compileKernel(m.Func(name), Options{Level: Level()}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
