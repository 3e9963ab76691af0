package host

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// The processor as the device that package purecl runs on. Its queues do their work before
// their methods return.

// CPU returns the device of all processors that this process may use.
var CPU = sync.OnceValue(func() exec.Device {
	i := &DefaultDevice().info
	return &cpuDevice{DefaultDevice(), exec.Info{Kind: "cpu", Name: i.Name, Vendor: i.Vendor, Driver: i.DriverVersion, ComputeUnits: i.ComputeUnits, ClockMHz: i.ClockMHz,
		Memory: i.GlobalMemSize, MaxAlloc: i.MaxMemAllocSize, LocalMemory: i.LocalMemSize, Constant: i.MaxConstantSize,
		MaxGroup: i.MaxWorkGroupSize, MaxSizes: i.MaxWorkItemSizes, Lanes: i.NativeVectorWidth, SharesMemory: true}}
})

func init() {
	exec.Register("cpu", func() ([]exec.Device, error) { return []exec.Device{CPU()}, nil })
}

type cpuDevice struct {
	dev  *Device
	info exec.Info
}

func (d *cpuDevice) Info() *exec.Info { return &d.info }

func (d *cpuDevice) Load(m *exec.Module) (exec.Program, error) {
	p, err := launch.NewProgram(m.Module, jit.Executor())
	if err != nil {
		return nil, err
	}
	p.Checked = m.Checked
	return &cpuProgram{p, m.NonUniform}, nil
}

func (d *cpuDevice) Allocate(size int) (exec.Memory, error) {
	if uint64(size) > d.dev.info.MaxMemAllocSize {
		return nil, fmt.Errorf("%d bytes are more than the device allocates at once (%d)", size, d.dev.info.MaxMemAllocSize)
	}
	if !allocated.take(size, d.dev.info.GlobalMemSize) {
		return nil, fmt.Errorf("%d bytes more than the device's memory holds (%d)", size, d.dev.info.GlobalMemSize)
	}
	mem := AlignedBytes(size)
	if size >= largeFrom {
		largePages(mem)
	}
	return &cpuMemory{view: launch.Buffer{Data: mem}, counted: size}, nil
}

func (d *cpuDevice) Wrap(mem []byte) (exec.Memory, error) {
	return &cpuMemory{view: launch.Buffer{Data: mem}}, nil
}

func (d *cpuDevice) NewQueue() (exec.Queue, error) { return (*cpuQueue)(d), nil }

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

// A cpuMemory is memory of the process.
type cpuMemory struct {
	view    launch.Buffer // what kernels see
	mu      sync.Mutex
	counted int // of the bytes that are allocated
}

func (m *cpuMemory) Size() int { return len(m.view.Data) }

func (m *cpuMemory) Bytes() []byte { return m.view.Data }

func (m *cpuMemory) Part(off, n int) exec.Memory {
	return &cpuMemory{view: launch.Buffer{Data: m.view.Data[off : off+n : off+n]}}
}

func (m *cpuMemory) Free() {
	m.mu.Lock()
	defer m.mu.Unlock()
	allocated.give(m.counted)
	m.counted = 0
}

// A cpuQueue needs no state: work is done when it is asked for.
type cpuQueue cpuDevice

func (q *cpuQueue) Write(dst exec.Memory, src []byte) error {
	q.dev.copyBytes(dst.Bytes()[:len(src)], src)
	return nil
}

func (q *cpuQueue) Read(dst []byte, src exec.Memory) error {
	q.dev.copyBytes(dst, src.Bytes()[:len(dst)])
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
	c := cpuLaunches.Get().(*cpuLaunch)
	l := &c.l
	l.Kernel, l.Resolved, l.Checks, l.Faults = x.Kernel.(*cpuKernel).Kernel, x.Range, x.Checks, x.Faults
	l.Stdout, l.Progress, l.Workers = x.Stdout, x.Progress, x.Workers
	l.Limits.LocalBytes = int64(q.dev.info.LocalMemSize)
	if l.Workers <= 0 {
		l.Workers = q.dev.info.ComputeUnits
	}
	c.bind(x.Args)
	ran, err := launch.RunTo(ctx, l, &c.report)
	runtime.KeepAlive(x)
	if ran {
		x.Report = exec.Report{Findings: c.report.Findings, Executor: c.report.Stats.Executor}
		if isFault(err) {
			err = nil // it stands among the findings
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

// bind makes launch's arguments. Slices that are the same memory are one object.
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
	c.buffers, c.images = slices.Grow(c.buffers, n), slices.Grow(c.images, m) // pointers to them must stay
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
				to = launch.Memory(&a.Memory.(*cpuMemory).view)
			}
		case exec.LocalArg:
			to = launch.Local(a.Size)
		case exec.ImageArg:
			c.images = append(c.images, launch.Image{Image: a.Image, ReadOnly: a.ReadOnly})
			to = launch.Picture(&c.images[len(c.images)-1])
		case exec.SamplerArg:
			to = launch.Sampler(a.Sampler)
		}
		c.l.Args = append(c.l.Args, to)
	}
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

func (c *cpuLaunch) clear() {
	clear(c.l.Args)
	clear(c.buffers)
	clear(c.images)
	c.l.Kernel, c.l.Stdout, c.l.Progress, c.l.Args = nil, nil, nil, c.l.Args[:0]
	c.buffers, c.images = c.buffers[:0], c.images[:0]
	c.report.Findings = nil
}
