package cpu

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/klauspost/cpuid/v2"

	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
	"github.com/purecl/purecl/internal/run/launch"
)

func init() {
	exec.Register("cpu", func() ([]exec.Device, error) { return []exec.Device{All()}, nil })
}

// Version is the version of PureCL.
const Version = "0.1"

// Limits of kernels of any kind.
const (
	MaxGroup    = ssa.MaxGroupSize // work-items of a work-group
	localMemory = 1 << 20          // bytes of a work-group
	maxConstant = 64 << 20         // bytes
)

// defaultMemory is the assumed size if the system does not report its memory.
const defaultMemory = 4 << 30

// A Device is the processor, or some of its hardware threads. Its queues are synchronous: their methods return
// when the work is complete.
type Device struct {
	info    exec.Info
	profile *jit.Profile
}

// All returns the device of all hardware threads that this process may use: GOMAXPROCS at the first call.
var All = sync.OnceValue(func() *Device {
	mem := physicalMemory()
	name := cpuid.CPU.BrandName
	if name == "" {
		name = runtime.GOARCH
	}
	width := 4
	switch {
	case cpuid.CPU.Supports(cpuid.AVX512F):
		width = 16
	case cpuid.CPU.Supports(cpuid.AVX2):
		width = 8
	}
	return &Device{info: exec.Info{Kind: "cpu", Name: name, Vendor: "PureCL", Driver: Version, ComputeUnits: runtime.GOMAXPROCS(0), ClockMHz: clockMHz(),
		Memory: mem, MaxAlloc: min(mem/2, 1<<39), LocalMemory: localMemory, Constant: maxConstant,
		MaxGroup: MaxGroup, MaxSizes: [3]int{MaxGroup, MaxGroup, MaxGroup}, Lanes: width, SharesMemory: true, Checks: true}}
})

// Some returns the device with units compute units.
func (d *Device) Some(units int) *Device {
	x := *d
	x.info.ComputeUnits = units
	return &x
}

// Profiled returns the device with a profile: its machine code counts the executions of blocks.
func (d *Device) Profiled(p *jit.Profile) *Device {
	x := *d
	x.profile = p
	return &x
}

// Info describes the device.
func (d *Device) Info() *exec.Info { return &d.info }

// Load prepares a program's code and variables.
func (d *Device) Load(m *exec.Module) (exec.Program, error) {
	p, err := launch.NewProgram(m.Module, jit.New(jit.Options{Profile: d.profile}))
	if err != nil {
		return nil, err
	}
	p.Checked = m.Checked
	return &cpuProgram{p, m.NonUniform}, nil
}

// NewQueue returns a queue, which has no state.
func (d *Device) NewQueue() (exec.Queue, error) { return (*cpuQueue)(d), nil }

type cpuProgram struct {
	prog       *launch.Program
	nonUniform bool
}

func (p *cpuProgram) Kernel(name string) (exec.Kernel, error) {
	k, err := p.prog.Kernel(name)
	if err != nil {
		return nil, err
	}
	return &cpuKernel{k, p.nonUniform}, nil
}

func (p *cpuProgram) Close() error { return nil }

type cpuKernel struct {
	*launch.Kernel
	nonUniform bool
}

func (k *cpuKernel) Resolve(r exec.Range) (exec.NDRange, error) {
	return k.Kernel.Resolve(launch.Range{Global: r.Global, Local: r.Local, Offset: r.Offset, NonUniform: k.nonUniform})
}

// A cpuQueue needs no state: its methods work synchronously.
type cpuQueue Device

func (q *cpuQueue) Write(dst exec.Memory, src []byte) error {
	(*Device)(q).CopyBytes(dst.Bytes()[:len(src)], src)
	return nil
}

func (q *cpuQueue) Read(dst []byte, src exec.Memory) error {
	(*Device)(q).CopyBytes(dst, src.Bytes()[:len(dst)])
	return nil
}

func (q *cpuQueue) Copy(dst, src exec.Memory) error { return q.Write(dst, src.Bytes()) }

func (q *cpuQueue) Wait(context.Context) error { return nil }

func (q *cpuQueue) Close() {}

// A cpuLaunch is the pooled state of one launch. In the pool it holds no references to
// arguments.
type cpuLaunch struct {
	l       launch.Launch
	report  launch.Report
	buffers []launch.Buffer // of slices
	images  []launch.Image
}

var cpuLaunches = sync.Pool{New: func() any { return new(cpuLaunch) }}

func (q *cpuQueue) Launch(ctx context.Context, x *exec.Launch) error {
	return (*Device)(q).Launch(ctx, x)
}

// Launch runs a kernel and waits for its end, as a queue does.
func (d *Device) Launch(ctx context.Context, x *exec.Launch) error {
	c := cpuLaunches.Get().(*cpuLaunch)
	l := &c.l
	l.Kernel, l.Resolved, l.Checks, l.Faults = x.Kernel.(*cpuKernel).Kernel, x.Range, x.Checks, x.Faults
	l.Stdout, l.Progress, l.Trace, l.Workers, l.Stop = x.Stdout, x.Progress, x.Trace, x.Workers, x.Stop
	l.Limits.LocalBytes = int64(d.info.LocalMemory)
	if l.Workers <= 0 {
		l.Workers = d.info.ComputeUnits
	}
	c.bind(x.Args)
	ran, err := launch.RunTo(ctx, l, &c.report)
	runtime.KeepAlive(x)
	if ran {
		x.Report = exec.Report{Findings: c.report.Findings, Executor: c.report.Stats.Executor, Fallback: c.report.Stats.Fallback}
		if isFault(err) {
			err = nil // the findings of the report include it
		}
	}
	c.clear()
	cpuLaunches.Put(c)
	return err
}

func isFault(err error) bool {
	_, ok := err.(*launch.Fault)
	return ok
}

// bind sets the launch's arguments. Slices of the same memory are one object.
func (c *cpuLaunch) bind(args []exec.Arg) {
	n, m := 0, 0
	for i := range args {
		switch args[i].Kind {
		case exec.SliceArg:
			n++
		case exec.ImageArg:
			m++
		}
	}
	c.buffers, c.images = slices.Grow(c.buffers, n), slices.Grow(c.images, m) // preallocate: pointers to the elements must stay valid
	for i := range args {
		a := &args[i]
		var to launch.Arg
		switch a.Kind {
		case exec.ValueArg:
			to = launch.Value(a.Bytes)
		case exec.SliceArg:
			to = launch.Memory(c.slice(a.Bytes))
		case exec.MemoryArg:
			to = launch.Memory(nil)
			if a.Memory != nil {
				to = launch.Memory(a.Memory.(*memory).seen(a.ReadOnly))
			}
		case exec.LocalArg:
			to = launch.Local(a.Size)
		case exec.ImageArg:
			to = launch.Picture(c.image(a.Image, a.ReadOnly))
		case exec.SamplerArg:
			to = launch.Sampler(a.Sampler)
		}
		c.l.Args = append(c.l.Args, to)
	}
}

// Parts returns the kernel and the arguments of a launch on the processor, for a caller that runs the launch
// itself.
func Parts(x *exec.Launch) (*launch.Kernel, []launch.Arg) {
	var c cpuLaunch
	c.bind(x.Args)
	return x.Kernel.(*cpuKernel).Kernel, c.l.Args
}

func (c *cpuLaunch) slice(mem []byte) *launch.Buffer {
	for i := range c.buffers {
		if b := &c.buffers[i]; len(mem) > 0 && len(b.Data) == len(mem) && unsafe.SliceData(b.Data) == unsafe.SliceData(mem) {
			return b
		}
	}
	c.buffers = append(c.buffers, launch.Buffer{Data: mem})
	return &c.buffers[len(c.buffers)-1]
}

// image returns the launch's image for m: the same one if m is passed twice.
func (c *cpuLaunch) image(m *image.Image, readOnly bool) *launch.Image {
	for i := range c.images {
		if x := &c.images[i]; x.Image == m && x.ReadOnly == readOnly {
			return x
		}
	}
	c.images = append(c.images, launch.Image{Image: m, ReadOnly: readOnly})
	return &c.images[len(c.images)-1]
}

func (c *cpuLaunch) clear() {
	clear(c.l.Args)
	clear(c.buffers)
	clear(c.images)
	c.l.Kernel, c.l.Stdout, c.l.Progress, c.l.Trace, c.l.Stop, c.l.Args = nil, nil, nil, nil, nil, c.l.Args[:0]
	c.buffers, c.images = c.buffers[:0], c.images[:0]
	c.report.Findings = nil
}
