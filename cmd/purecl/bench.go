package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

type benchCmd struct {
	launchFlags
	Time     time.Duration `default:"1s" help:"How long to repeat the launch, half of it for copies."`
	Warmup   time.Duration `default:"100ms" help:"How long to repeat it before the measurement, or longer until all code is ready."`
	Workers  int           `help:"Largest number of threads. Default: all of the device."`
	Reset    bool          `help:"Restore the initial contents of the buffers before each launch; this is not measured."`
	Roofline string        `placeholder:"FILE" help:"Draw the kernel under the machine's roofline: .png or .svg."`
	JSON     bool          `name:"json" help:"Write the results as JSON, times in nanoseconds."`
	buildFlags
}

func (*benchCmd) Help() string {
	return help(
		"Launches a kernel repeatedly and waits for each launch. A device with memory of its own",
		"gets the buffers before the first one. The rate counts each buffer that the kernel reads",
		"once, and each that it writes once. Launches alternate with copies of as much memory, by",
		"as many threads or within the device, which measure the machine's bandwidth under equal",
		"conditions. On the processor, one more launch counts the floating-point operations of the",
		"machine code; their rate is compared with that of multiply-adds in registers. --roofline",
		"draws both limits and the kernel.",
		"",
		argumentsHelp,
		"",
		"Environment: PURECL_CPU=avx2 generates code for AVX2 only, PURECL_CPU=none uses the",
		"reference executor. PURECL_PERF=map gives perf the kernels' names, PURECL_PERF=lines",
		"their source lines too; PURECL_GDB=1 gives them to gdb.",
		"",
		"Examples:",
		"  purecl bench saxpy.cl -a 'y=zeros(1000000)' -a 'x=range(1000000)' -a a=2.5 --reset",
		"  purecl bench blur.cl -k blur -g 640,480 -a src=photo.jpg -a 'dst=zeros(640x480)' --workers 1",
		"  PURECL_PERF=lines perf record purecl bench blur.cl -a src=photo.jpg -a 'dst=zeros(640x480)'",
	)
}

// A benchResult is a measurement, in nanoseconds and bytes.
type benchResult struct {
	Kernel    string             `json:"kernel"`
	Executor  string             `json:"executor"`
	Fallback  string             `json:"fallback,omitempty"` // why the reference executor ran it
	Global    []int              `json:"global"`
	Local     [3]uint64          `json:"local"`
	WorkItems int                `json:"work_items"`
	Phases    map[string]float64 `json:"phases"`
	Launches  stats              `json:"launches"`
	Bytes     int                `json:"bytes"` // read and written by a launch
	Copied    int                `json:"copied_bytes"`
	Copies    stats              `json:"copies"`
	// CopyRatio is the kernel's rate of memory access divided by that of a copy, each at its fastest; 0 without
	// buffers.
	CopyRatio float64 `json:"copy_ratio"`
	// Flops is the number of floating-point operations of a launch. PeakFlops is the machine's rate of
	// multiply-adds per second on the same type. Both are 0 if there are none or no machine code.
	Flops     uint64  `json:"flops"`
	PeakFlops float64 `json:"peak_flops_per_second"`
	// Gathers describes the first gather if most accesses gather, "" if they do not.
	Gathers string `json:"gathers,omitempty"`

	phases *timing.Times
}

// stats summarise the durations of repetitions, in nanoseconds.
type stats struct {
	Count  int     `json:"count"`
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
}

func newStats(times []time.Duration) stats {
	if len(times) == 0 {
		return stats{}
	}
	slices.Sort(times)
	sum := time.Duration(0)
	for _, t := range times {
		sum += t
	}
	n := len(times)
	median := (times[(n-1)/2] + times[n/2]) / 2
	return stats{n, float64(times[0]), float64(median), float64(sum) / float64(n)}
}

func (c *benchCmd) Run(ctx context.Context, o *output) error {
	if c.Time <= 0 || c.Warmup < 0 || c.Workers < 0 {
		return usagef("--time must be more than 0, --warmup and --workers must not be less")
	}
	if c.Roofline != "" && plotFormat(c.Roofline) == "" {
		return usagef("--roofline %s: drawings are .png or .svg files", c.Roofline)
	}
	k, args, source, err := c.prepare(&c.buildFlags)
	for _, d := range source {
		o.show(d)
	}
	if err != nil {
		return err
	}
	res, err := c.measure(ctx, o, k, args)
	if err != nil {
		return err
	}
	if res.Fallback != "" {
		res.Gathers = "" // it describes machine code
	}
	if c.Roofline != "" {
		if err := res.drawRoofline(c.Roofline); err != nil {
			return usagef("--roofline %s: %v", c.Roofline, withoutPath(err))
		}
	}
	if !c.JSON {
		res.print(os.Stdout)
		return nil
	}
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", "  ")
	return e.Encode(res)
}

// measure alternately launches the kernel and copies memory.
func (c *benchCmd) measure(ctx context.Context, o *output, k *kernel, args []*arg) (*benchResult, error) {
	res := &benchResult{Kernel: c.Kernel, Global: c.Global, WorkItems: 1, Phases: map[string]float64{}}
	for _, g := range c.Global {
		res.WorkItems *= g
	}
	if res.WorkItems == 0 {
		return nil, usagef("--global %v has no work-items", c.Global)
	}
	footprint, err := c.survey(ctx, k, res, args)
	if err != nil {
		return nil, err
	}
	first := c.contents(args)
	l, err := k.launcher(launchOptions{stdout: io.Discard, workers: c.Workers}, c.Global, c.Local, c.Offset, args)
	if err != nil {
		return nil, err
	}
	defer l.close()
	launch := func() (time.Duration, error) {
		for a, b := range first {
			copy(a.Data.Bytes, b)
		}
		if len(first) > 0 {
			if err := l.upload(ctx); err != nil {
				return 0, err
			}
		}
		start := timing.Now()
		rep, err := l.again(ctx)
		took := time.Duration(timing.Now() - start)
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if rep != nil {
			res.Executor, res.Fallback, res.Local = rep.executor, rep.fallback, rep.local
			for _, f := range rep.findings {
				o.show(f.Diag)
			}
		}
		if err == nil && rep.failed {
			err = &statusError{exitFindings, ""}
		}
		return took, err
	}
	if err := l.upload(ctx); err != nil {
		return nil, err
	}
	if _, err := launch(); err != nil {
		return nil, err
	}
	res.first(k.timings())
	if err := c.arithmetic(ctx, res, k, args); err != nil {
		return nil, err
	}
	cp, err := c.copier(k, l.queue, footprint)
	if err != nil {
		return nil, err
	}
	defer cp.free()
	res.Copied = 2 * cp.size()
	copies := func() (time.Duration, error) {
		took, err := cp.run(ctx)
		return took, errors.Join(err, ctx.Err())
	}
	for again := true; again; again = c.Warmup > 0 && jit.Pending() { // until the code for such launches is ready
		if _, err := repeat(launch, c.Warmup); err != nil {
			return nil, err
		}
	}
	return res, c.turns(res, launch, copies)
}

// turns alternately launches and copies, and records the durations.
func (c *benchCmd) turns(res *benchResult, launch, copies func() (time.Duration, error)) error {
	// Turns are long enough that each fills the caches with its own data.
	const turns = 10
	var launches, copied []time.Duration
	for range turns {
		l, err := repeat(launch, c.Time/turns/2)
		if err != nil {
			return err
		}
		launches = append(launches, l...)
		if res.Copied == 0 {
			continue
		}
		b, err := repeat(copies, c.Time/turns/2)
		if err != nil {
			return err
		}
		copied = append(copied, b[len(b)/4:]...) // without the first ones, which find the kernel's buffers in the caches
	}
	res.Launches, res.Copies = newStats(launches), newStats(copied)
	if res.Copied > 0 && res.Bytes > 0 {
		res.CopyRatio = rate(res.Bytes, res.Launches.best()) / rate(res.Copied, res.Copies.best())
	}
	return nil
}

// first records the phases up to the first results.
func (r *benchResult) first(phases *timing.Times) {
	r.phases = phases
	for p, took := range phases {
		if took != 0 {
			r.Phases[timing.Phase(p).String()] = float64(took)
		}
	}
}

// contents returns the initial contents of the buffers that are reset.
func (c *benchCmd) contents(args []*arg) map[*arg][]byte {
	first := map[*arg][]byte{}
	for _, a := range args {
		if a.Data != nil && a.Info.Writable() && c.Reset {
			first[a] = slices.Clone(a.Data.Bytes)
		}
	}
	return first
}

// repeat calls f repeatedly for a duration, at least once.
func repeat(f func() (time.Duration, error), long time.Duration) (times []time.Duration, err error) {
	for end := time.Now().Add(long); len(times) == 0 || time.Now().Before(end); {
		t, err := f()
		if err != nil {
			return nil, err
		}
		times = append(times, t)
	}
	return times, nil
}

// copier returns a copier of the device's memory that accesses footprint bytes.
func (c *benchCmd) copier(k *kernel, q exec.Queue, footprint int) (copier, error) {
	if k.device.Info().SharesMemory {
		return newHostCopier(footprint, c.threads(k)), nil
	}
	n := footprint / 2
	if n == 0 {
		return &deviceCopier{}, nil
	}
	from, err := k.device.Allocate(n)
	if err != nil {
		return nil, err
	}
	to, err := k.device.Allocate(n)
	if err != nil {
		from.Free()
		return nil, err
	}
	return &deviceCopier{q, from, to}, nil
}

func (c *benchCmd) threads(k *kernel) int {
	n := k.device.Info().ComputeUnits
	if c.Workers > 0 {
		n = min(n, c.Workers)
	}
	return n
}

// survey determines the memory accesses of a launch, and returns the bytes of the buffers.
func (c *benchCmd) survey(ctx context.Context, k *kernel, res *benchResult, args []*arg) (footprint int, err error) {
	opts, err := c.buildFlags.compileOptions()
	if err != nil {
		return 0, err
	}
	src, err := os.ReadFile(c.File)
	if err != nil {
		return 0, err
	}
	compiled, err := compile.Compile(ctx, c.File, src, opts)
	if err != nil {
		return 0, err
	}
	res.Bytes, footprint = traffic(compiled.Module.Func(c.Kernel), args)
	if k.device.Info().Kind == "cpu" {
		res.Gathers = mostGather(compiled, c.Kernel)
	}
	return footprint, nil
}

// mostGather describes the first gather of a kernel if most of its accesses gather.
func mostGather(res *compile.Result, kernel string) string {
	lv := jit.Level()
	if lv == nil {
		return ""
	}
	f := res.Module.Func(kernel)
	code, _, err := jit.List(f, lv, jit.WholeGangs)
	if err != nil {
		return ""
	}
	l := lister{src: res.Source, code: code, f: f}
	return l.gathers()
}

// traffic returns the bytes that a launch reads and writes, and the bytes of its buffers.
func traffic(f *ssa.Func, args []*arg) (moved, footprint int) {
	use := ssa.ArgUses(f)
	for i, a := range args {
		if a.Data == nil {
			continue
		}
		n := len(a.Data.Bytes)
		u := use[i]
		if a.Info.IsImage() {
			u = ssa.ArgUse{Read: a.Info.Readable(), Written: a.Info.Writable()}
		}
		if u.Read {
			moved += n
		}
		if u.Written {
			moved += n
		}
		if u.Read || u.Written {
			footprint += n
		}
	}
	return moved, footprint
}

// A copier copies memory of a device repeatedly.
type copier interface {
	size() int // bytes that run copies
	run(ctx context.Context) (time.Duration, error)
	free()
}

// A deviceCopier copies memory that the host cannot reach.
type deviceCopier struct {
	queue    exec.Queue
	from, to exec.Memory
}

func (c *deviceCopier) size() int {
	if c.from == nil {
		return 0
	}
	return c.from.Size()
}

func (c *deviceCopier) run(ctx context.Context) (time.Duration, error) {
	start := timing.Now()
	err := c.queue.Copy(c.to, c.from)
	if werr := c.queue.Wait(ctx); err == nil {
		err = werr
	}
	return time.Duration(timing.Now() - start), err
}

func (c *deviceCopier) free() {
	if c.from != nil {
		c.from.Free()
		c.to.Free()
	}
}

// A hostCopier copies the host's memory with several threads, as memcpy would.
type hostCopier struct {
	from, to []byte
	threads  int
}

// newHostCopier returns a copier that accesses footprint bytes, half of them for reading.
func newHostCopier(footprint, threads int) *hostCopier {
	const least = 64 << 10 // least bytes for which a thread pays
	n := footprint / 2
	c := &hostCopier{make([]byte, n), make([]byte, n), max(1, min(threads, n/least))}
	for i := range c.from {
		c.from[i] = byte(i) // touched, so that each page has its own memory
	}
	return c
}

func (c *hostCopier) size() int { return len(c.from) }

func (c *hostCopier) free() {}

// run copies once.
func (c *hostCopier) run(context.Context) (time.Duration, error) {
	start := timing.Now()
	part := (len(c.from) + c.threads - 1) / c.threads
	var wg sync.WaitGroup
	for t := 1; t < c.threads; t++ {
		at, end := t*part, min((t+1)*part, len(c.from))
		wg.Go(func() { copy(c.to[at:end], c.from[at:end]) })
	}
	copy(c.to[:min(part, len(c.from))], c.from)
	wg.Wait()
	return time.Duration(timing.Now() - start), nil
}

// rate returns n per second.
func rate(n int, nanoseconds float64) float64 { return float64(n) / nanoseconds * 1e9 }

// usual returns the median, or the mean if the clock is too coarse for one repetition.
func (s stats) usual() float64 {
	if s.Median == 0 {
		return max(s.Mean, 1)
	}
	return s.Median
}

// best returns the least time, or the mean if the clock is too coarse for one repetition.
func (s stats) best() float64 {
	if s.Min == 0 {
		return s.usual()
	}
	return s.Min
}

func (r *benchResult) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %d work-items in groups of %s, %s\n", r.Kernel, r.WorkItems, groupSize(r.Local), r.Executor)
	if r.Fallback != "" {
		fmt.Fprintln(w, slow(r.Kernel, r.Fallback))
	}
	var parts []string
	sum := time.Duration(0)
	for p, took := range r.phases {
		if took != 0 {
			sum += took
			parts = append(parts, timing.Phase(p).String()+" "+microseconds(took))
		}
	}
	fmt.Fprintf(w, "%-8s %s from source to results: %s\n", "first", duration(float64(sum)), strings.Join(parts, ", "))
	fmt.Fprintf(w, "%-8s min %s, median %s, mean %s of %d\n", "launch", duration(r.Launches.Min), duration(r.Launches.Median), duration(r.Launches.Mean), r.Launches.Count)
	fmt.Fprintf(w, "%-8s %s work-items/s\n", "rate", quantity(rate(r.WorkItems, r.Launches.usual())))
	if r.Gathers != "" {
		fmt.Fprintf(w, "%-8s %s", "gathers", strings.ReplaceAll(r.Gathers, "\n  ", "\n         "))
	}
	if r.Flops > 0 {
		each := rate(int(r.Flops), r.Launches.usual())
		fmt.Fprintf(w, "%-8s %s floating-point operations a launch, %sFLOP/s: %.0f %% of the %sFLOP/s that multiply-adds reach here\n", "compute", strings.TrimSpace(quantity(float64(r.Flops))), quantity(each), 100*each/r.PeakFlops, quantity(r.PeakFlops))
	}
	if r.Copied == 0 || r.Bytes == 0 {
		return
	}
	fmt.Fprintf(w, "%-8s %sB read and written a launch, %sB/s\n", "memory", quantity(float64(r.Bytes)), quantity(rate(r.Bytes, r.Launches.usual())))
	fmt.Fprintf(w, "%-8s %sB read and written, median %s, %sB/s; at their fastest the kernel does %.0f %% of it\n", "copy", quantity(float64(r.Copied)), duration(r.Copies.Median), quantity(rate(r.Copied, r.Copies.usual())), 100*r.CopyRatio)
}

func groupSize(l [3]uint64) string {
	s := fmt.Sprint(l[0])
	for d := 1; d < 3 && (l[1] > 1 || l[2] > 1); d++ {
		s += fmt.Sprintf("×%d", l[d])
	}
	return strings.TrimSuffix(s, "×1")
}

// duration writes nanoseconds with four digits and a unit.
func duration(ns float64) string {
	for _, u := range []struct {
		name string
		size float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if ns >= u.size {
			return fmt.Sprintf("%.4g %s", ns/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.4g ns", ns)
}

// quantity formats a number with four digits and a metric prefix.
func quantity(x float64) string {
	for _, u := range []struct {
		name string
		size float64
	}{{"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}} {
		if x >= u.size {
			return fmt.Sprintf("%.4g %s", x/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.4g ", x)
}
