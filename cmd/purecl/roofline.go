package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/exec"
)

// arithmetic counts the floating-point operations of a launch with instrumented code, and measures the machine's
// peak.
func (c *benchCmd) arithmetic(ctx context.Context, res *benchResult, k *kernel, args []*arg) error {
	if _, ok := k.device.Device.(*cpu.Device); !ok || res.Fallback != "" {
		return nil
	}
	p := &jit.Profile{}
	d, err := profiled(k.device, p)
	if err != nil {
		return err
	}
	counting, err := load(d, k.module, k.fn.Name)
	if err != nil {
		return err
	}
	l, err := counting.launcher(launchOptions{stdout: io.Discard, workers: c.Workers}, c.Global, c.Local, c.Offset, args)
	if err != nil {
		return err
	}
	defer l.close()
	if _, err := l.run(ctx); err != nil {
		return err
	}
	most, size := uint64(0), 0
	for _, k := range p.Kernels() {
		for s, n := range k.Flops {
			res.Flops += n
			if n > most {
				most, size = n, s
			}
		}
	}
	if res.Flops == 0 {
		return nil
	}
	res.PeakFlops, err = peak(ctx, k.device, size, c.threads(k))
	return err
}

// peakSource is a kernel of multiply-adds in registers, with enough independent ones to hide their latency:
// 2*12*ROUNDS operations for each work-item.
const peakSource = `#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
kernel void peak(global T *o) {
    T x[12];
    #pragma unroll
    for (int i = 0; i < 12; i++)
        x[i] = o[get_global_id(0)] + (T)i;
    for (int r = 0; r < ROUNDS; r++)
        #pragma unroll
        for (int i = 0; i < 12; i++)
            x[i] = fma(x[i], (T)0.5, (T)0.25);
    T s = x[0];
    #pragma unroll
    for (int i = 1; i < 12; i++)
        s += x[i];
    o[get_global_id(0)] = s;
}`

// peakKinds are the number formats by size in bytes.
var peakKinds = map[int]numeric.Kind{2: numeric.F16, 4: numeric.F32, 8: numeric.F64}

// peak measures floating-point operations per second, the best of several runs. size is the bytes of a number.
func peak(ctx context.Context, d exec.Named, size, threads int) (best float64, err error) {
	const rounds, items, runs = 2000, 4096, 7
	kind := peakKinds[size]
	build, err := (&buildFlags{Words: []string{"-DT=" + kind.CName(), fmt.Sprintf("-DROUNDS=%d", rounds)}}).parse()
	if err != nil {
		return 0, err
	}
	m, _, err := buildText("peak.cl", []byte(peakSource), build, false)
	if err != nil {
		return 0, fmt.Errorf("the kernel that measures the machine: %w", err)
	}
	k, err := load(d, m, "peak")
	if err != nil {
		return 0, err
	}
	buf, err := newData(elem{Kind: kind, Lanes: 1, Size: size}, items*threads)
	if err != nil {
		return 0, err
	}
	l, err := k.launcher(launchOptions{workers: threads}, dims{items * threads}, nil, nil, []*arg{{Info: k.params()[0], Data: buf}})
	if err != nil {
		return 0, err
	}
	defer l.close()
	for range runs {
		start := timing.Now()
		if _, err := l.run(ctx); err != nil {
			return 0, err
		}
		best = max(best, rate(2*12*rounds*items*threads, float64(timing.Now()-start)))
	}
	return best, nil
}

// drawRoofline draws the two limits over the operations per byte, and the kernel.
func (r *benchResult) drawRoofline(file string) error {
	if r.Flops == 0 || r.Bytes == 0 || r.Copied == 0 {
		return fmt.Errorf("the kernel has no floating-point operations in machine code, or no buffers: it has no place under a roofline")
	}
	const giga = 1e9
	intensity := float64(r.Flops) / float64(r.Bytes)
	memory, compute := rate(r.Copied, r.Copies.best())/giga, r.PeakFlops/giga
	reached := rate(int(r.Flops), r.Launches.usual()) / giga
	p := newPlot(fmt.Sprintf("%s on %s", r.Kernel, r.Executor))
	p.X.Label.Text, p.Y.Label.Text = "floating-point operations a byte", "GFLOP/s"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	knee := compute / memory
	from, to := min(intensity, knee)/8, max(intensity, knee)*8
	from, to = math.Pow(10, math.Floor(math.Log10(from))), math.Pow(10, math.Ceil(math.Log10(to)))
	roof, err := plotter.NewLine(plotter.XYs{{X: from, Y: from * memory}, {X: knee, Y: compute}, {X: to, Y: compute}})
	if err != nil {
		return err
	}
	point, err := plotter.NewScatter(plotter.XYs{{X: intensity, Y: reached}})
	if err != nil {
		return err
	}
	roof.Color, roof.Width = plotutil.Color(2), vg.Points(2)
	point.Color, point.Shape, point.Radius = plotutil.Color(0), draw.CircleGlyph{}, vg.Points(4)
	p.Add(plotter.NewGrid(), roof, point)
	p.Legend.Add(fmt.Sprintf("%.3g GB/s copied, %.4g GFLOP/s of multiply-adds", memory, compute), roof)
	p.Legend.Add(fmt.Sprintf("%s: %.3g GFLOP/s", r.Kernel, reached), point)
	p.Legend.Top = false
	p.Y.Min = min(p.Y.Min, reached)
	return savePlot(p, nil, file)
}
