package device

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// New returns the device of a machine.
func New(m Machine) exec.Device { return &gpu{m: m} }

type gpu struct {
	m    Machine
	mu   sync.Mutex
	util *session // session of work that belongs to no queue
}

func (d *gpu) Info() *exec.Info { return d.m.Info() }

func (d *gpu) Details() *exec.Details { return d.m.Details() }

// atOnce does work on the device's own stream and waits for it.
func (d *gpu) atOnce(do func(s Stream) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.util == nil {
		q, err := newSession(d.m)
		if err != nil {
			return err
		}
		d.util = q
	}
	if err := d.util.renew(); err != nil {
		return err
	}
	err := do(d.util.s)
	if werr := d.util.s.Wait(); err == nil {
		err = werr
	}
	return err
}

// A memory is global memory of the device.
type memory struct {
	d          *gpu
	addr       uint64
	size       int
	generation int
	whole      *memory // of a part: the memory that it is a part of

	mu      sync.Mutex
	cleanup runtime.Cleanup
	freed   bool
}

func (d *gpu) Allocate(size int) (exec.Memory, error) {
	if most := d.m.Info().MaxAlloc; uint64(size) > most {
		return nil, fmt.Errorf("%d bytes are more than the device allocates at once (%d)", size, most)
	}
	generation := d.m.Generation()
	addr, err := d.m.Alloc(size)
	if err != nil {
		return nil, err
	}
	if err := d.atOnce(func(s Stream) error { return s.Clear(addr, size) }); err != nil {
		d.m.Free(addr, generation)
		return nil, err
	}
	m := &memory{d: d, addr: addr, size: size, generation: generation}
	m.cleanup = runtime.AddCleanup(m, func(addr uint64) { d.m.Free(addr, generation) }, addr)
	return m, nil
}

// at returns the address of the memory, or an error if it is lost.
func (m *memory) at() (uint64, error) {
	if m.generation != m.d.m.Generation() {
		return 0, fmt.Errorf("a buffer of %d bytes is %w: make it anew", m.size, ErrLost)
	}
	return m.addr, nil
}

func (d *gpu) Wrap([]byte) (exec.Memory, error) {
	return nil, fmt.Errorf("the device's kernels cannot reach the host's memory: %w", errors.ErrUnsupported)
}

func (m *memory) Size() int { return m.size }

func (m *memory) Bytes() []byte { return nil }

func (m *memory) Part(off, n int) exec.Memory {
	whole := m
	if m.whole != nil {
		whole = m.whole
	}
	return &memory{d: m.d, addr: m.addr + uint64(off), size: n, generation: m.generation, whole: whole}
}

func (m *memory) Free() {
	if m.whole != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.freed {
		m.freed = true
		m.cleanup.Stop()
		m.d.m.Free(m.addr, m.generation)
	}
}

// A program is a module whose variables have memory on the device.
type program struct {
	d       *gpu
	p       *launch.Program // the host's view: ranges and initial values of variables
	module  *exec.Module
	numbers map[*ssa.Global]uint32

	mu         sync.Mutex
	kernels    map[string]*deviceKernel
	objects    []object // the variables
	memory     []uint64
	generation int // generation of the variables' memory
}

func (d *gpu) Load(m *exec.Module) (exec.Program, error) {
	host, err := launch.NewProgram(m.Module, nil)
	if err != nil {
		return nil, err
	}
	p := &program{d: d, p: host, module: m, kernels: map[string]*deviceKernel{}}
	_, p.numbers = host.Variables()
	if _, err := p.variables(); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// variables returns the program's variables. It creates them with their initial values if they do not exist or a
// device error has lost them.
func (p *program) variables() ([]object, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.d
	if p.generation == d.m.Generation() {
		return p.objects, nil
	}
	p.generation, p.objects, p.memory = d.m.Generation(), nil, nil
	list, _ := p.p.Variables()
	for i := range list {
		o := &list[i]
		x := object{name: o.Name, what: o.WhereMsg, kind: o.Space, size: uint64(o.Size), readOnly: o.ReadOnly}
		if len(o.Data) > 0 {
			var err error
			if x.addr, err = d.m.Alloc(len(o.Data)); err == nil {
				p.memory = append(p.memory, x.addr)
				err = d.atOnce(func(s Stream) error { return s.Write(x.addr, o.Data) })
			}
			if err != nil {
				p.generation = 0
				return nil, err
			}
		}
		p.objects = append(p.objects, x)
	}
	return p.objects, nil
}

func (p *program) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, k := range p.kernels {
		k.k.close()
	}
	for _, at := range p.memory {
		p.d.m.Free(at, p.generation)
	}
	p.kernels, p.memory = map[string]*deviceKernel{}, nil
	return nil
}

func (p *program) Kernel(name string) (exec.Kernel, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := p.kernels[name]; k != nil {
		return k, nil
	}
	host, err := p.p.Kernel(name)
	if err != nil {
		return nil, err
	}
	k := &deviceKernel{Kernel: host, p: p, k: newKernel(p.d.m, host.Func), grouped: grouped(host.Func)}
	for i := range host.Func.Kernel.Args {
		k.names = append(k.names, fmt.Sprint("argument ", i))
	}
	p.kernels[name] = k
	return k, nil
}

type deviceKernel struct {
	*launch.Kernel
	p     *program
	k     *kernel
	names []string // of the arguments as findings name objects
	// grouped is set if its results may depend on the groups.
	grouped bool
	recent  atomic.Pointer[resolved] // the result of the last Resolve
}

// A resolved is what Resolve made of a range.
type resolved struct {
	from exec.Range
	to   exec.NDRange
}

// MaxGroup returns the greatest number of work-items of a work-group of the kernel.
func (k *deviceKernel) MaxGroup() int {
	x, err := k.k.typical()
	if err != nil {
		return k.p.d.Info().MaxGroup
	}
	return x.maxThreads()
}

func (k *deviceKernel) Times() timing.Times { return k.k.spent() }

// Resolve checks a range. It chooses the local size if the caller leaves it open. Groups divide the range only if the
// language version requires this and the kernel can tell.
func (k *deviceKernel) Resolve(r exec.Range) (exec.NDRange, error) {
	if x := k.recent.Load(); x != nil && slices.Equal(x.from.Global, r.Global) && slices.Equal(x.from.Local, r.Local) && slices.Equal(x.from.Offset, r.Offset) {
		return x.to, nil
	}
	out, err := k.resolve(r)
	if err == nil {
		k.recent.Store(&resolved{exec.Range{Global: slices.Clone(r.Global), Local: slices.Clone(r.Local), Offset: slices.Clone(r.Offset)}, out})
	}
	return out, err
}

func (k *deviceKernel) resolve(r exec.Range) (exec.NDRange, error) {
	out, err := k.Kernel.Resolve(launch.Range{Global: r.Global, Local: r.Local, Offset: r.Offset, NonUniform: k.p.module.NonUniform})
	if err != nil {
		return out, err
	}
	if r.Local == nil && k.Func.Kernel.ReqdGroupSize == [3]int64{} {
		switch processors := k.p.d.Info().ComputeUnits; {
		case k.p.module.NonUniform || !k.grouped:
			out.Local = chooseLocal(&out, processors)
		case out.Global[1] == 1 && out.Global[2] == 1:
			out.Local[0] = divisor(out.Global[0], sizeFor(out.Global[0], processors))
		}
	}
	return out, nil
}

// A queue is a stream of the device.
type queue struct {
	d      *gpu
	q      *session
	idle   []*queued
	last   *queued // the last launch that has ended, if another may repeat it
	images hostImages
}

func (d *gpu) NewQueue() (exec.Queue, error) {
	q, err := newSession(d.m)
	if err != nil {
		return nil, err
	}
	return &queue{d: d, q: q}, nil
}

func (q *queue) Write(dst exec.Memory, src []byte) error {
	return q.with(func(at []uint64) error { return q.q.write(at[0], src) }, dst)
}

func (q *queue) Read(dst []byte, src exec.Memory) error {
	q.images.changed(dst, 0)
	return q.with(func(at []uint64) error { return q.q.read(dst, at[0]) }, src)
}

func (q *queue) Copy(dst, src exec.Memory) error {
	return q.with(func(at []uint64) error { return q.q.s.Copy(at[0], at[1], src.Size()) }, dst, src)
}

// with calls do with the addresses of a list of memories. It fails if one of them is lost.
func (q *queue) with(do func(at []uint64) error, list ...exec.Memory) error {
	at := make([]uint64, len(list))
	for i, m := range list {
		var err error
		if at[i], err = m.(*memory).at(); err != nil {
			return err
		}
	}
	if err := q.q.renew(); err != nil {
		return err
	}
	return do(at)
}

func (q *queue) Wait(context.Context) error {
	err := q.q.wait()
	q.waited()
	return err
}

func (q *queue) Begun() uint64 { return q.q.number() }

func (q *queue) Mark(timed bool) (exec.Mark, error) {
	if err := q.q.renew(); err != nil {
		return nil, err
	}
	return q.q.s.Mark(timed)
}

func (q *queue) Flush() {
	if q.q.s != nil {
		q.q.s.Flush()
	}
}

func (q *queue) Tail() exec.Mark {
	q.Flush()
	return tail{q.q.s}
}

func (q *queue) Settle(end uint64, err error) {
	q.q.settleTo(end, err)
	q.images.stale()
	q.q.err = nil // it is in the launches' reports
}

// A tail is the end of a stream's work. The stream is nil if there is no context any more.
type tail struct{ s Stream }

func (t tail) Done() (bool, error) {
	if t.s == nil {
		return true, ErrLost
	}
	return t.s.Idle()
}

func (t tail) Wait() error {
	if t.s == nil {
		return ErrLost
	}
	return t.s.Sync()
}

func (t tail) Since(exec.Mark) (time.Duration, error) { return 0, errors.ErrUnsupported }

func (t tail) Release() {}

func (q *queue) Close() {
	q.freeImages(q.images.list)
	q.freeImages(q.images.spare)
	q.images = hostImages{}
	q.q.close()
}

// Launch runs a kernel. Launches with checks run on the reference executor only.
func (q *queue) Launch(ctx context.Context, l *exec.Launch) error {
	k := l.Kernel.(*deviceKernel)
	if l.Checks != exec.ChecksNone {
		return fmt.Errorf("kernel %s: launches with checks run on the processor: use device cpu", k.Func.Name)
	}
	if l.Range.Global[0]*l.Range.Global[1]*l.Range.Global[2] == 0 {
		l.Report = exec.Report{Executor: "ptx"}
		return nil
	}
	if x := q.repeated(k, l); x != nil {
		return q.again(ctx, x, l)
	}
	variables, err := k.p.variables()
	if err == nil {
		err = q.q.renew()
	}
	if err != nil {
		return err
	}
	x := q.launched()
	c := &x.call
	c.k, c.rng, c.numbers, c.faults, c.stdout, c.local, c.timed, c.more, c.stop = k.k, l.Range, k.p.numbers, l.Faults, l.Stdout, q.d.m.Info().LocalMemory, l.Timed, l.More, l.Stop
	c.objects = append(c.objects, variables...)
	x.q, x.l, x.k, x.generation = q, l, k, q.q.generation
	x.give(l.Args)
	if err = q.bind(c, k, l.Args); err == nil {
		x.first = k.k.fresh()
		if x.first {
			x.before, x.began = k.k.spent(), timing.Now()
			q.q.s.Flush() // the driver's compiler takes long
		}
		err = q.q.begin(ctx, c)
	}
	if err != nil {
		x.release()
		return err
	}
	for _, w := range c.written {
		q.images.changed(w.data, w.addr)
		if err := q.q.read(w.data, w.addr); err != nil {
			return err
		}
	}
	return nil
}

// A queued is a launch of a queue.
type queued struct {
	call
	q          *queue
	l          *exec.Launch
	k          *deviceKernel
	generation int
	first      bool // it is the kernel's first launch, which is measured
	before     timing.Times
	began      int64
	given      []given // the arguments
	values     []byte  // memory for given
}

// launched returns a launch without contents, one of an earlier launch if there is one.
func (q *queue) launched() *queued {
	if n := len(q.idle); n > 0 {
		x := q.idle[n-1]
		q.idle = q.idle[:n-1]
		return x
	}
	x := &queued{}
	x.ended = func(*call) { x.report() }
	return x
}

// report ends the launch: it fills in the report.
func (x *queued) report() {
	l, k := x.l, x.k
	if x.first {
		k.k.launched(time.Duration(timing.Now()-x.began), &x.before)
	}
	if l.Progress != nil && x.err == nil {
		l.Progress(1, 1)
	}
	for _, f := range x.findings {
		if _, wanted := f.Severity(k.Func.Module.Source); wanted {
			l.Report.Findings = append(l.Report.Findings, f)
		}
	}
	l.Report.Executor, l.Report.Took, l.Report.Err = "ptx", x.took, x.err
	x.release()
}

// release frees what only this launch has, and keeps the rest for another.
func (x *queued) release() {
	for _, at := range x.free {
		x.q.d.m.Free(at, x.generation)
	}
	q := x.q
	if x.generation == q.q.generation {
		q.q.blocks = append(q.q.blocks, x.blocks...)
	}
	if x.repeatable() {
		if x = q.keep(x); x == nil {
			return
		}
	}
	if x.st != nil && x.st.of == &x.call {
		x.st.of = nil
	}
	clear(x.objects)
	clear(x.params)
	*x = queued{call: call{objects: x.objects[:0], params: x.params[:0], bits: x.bits[:0], blocks: x.blocks[:0], ended: x.ended, outcome: outcome{err: x.err}}, // settle reads err
		given: x.given[:0], values: x.values[:0]}
	q.idle = append(q.idle, x)
}

// bind sets up the objects and parameters of a launch; free is the memory allocated for this launch alone.
func (q *queue) bind(c *call, k *deviceKernel, args []exec.Arg) error {
	kargs := k.Func.Kernel.Args
	if len(args) != len(kargs) {
		return fmt.Errorf("kernel %s: %d arguments expected, got %d", k.Func.Name, len(kargs), len(args))
	}
	add := func(i int, o object) uint64 {
		o.name, o.what = kargs[i].Name, k.names[i]
		c.objects = append(c.objects, o)
		return uint64(len(c.objects)-1) << ssa.ObjectShift
	}
	for i := range args {
		a, ka := &args[i], &kargs[i]
		from := len(c.bits)
		c.bits = append(c.bits, 0)
		bits := c.bits[from : from+1 : from+1]
		switch ka.Kind {
		case ssa.ArgValue:
			c.bits = launch.Elements(c.bits[:from], a.Bytes, k.Func.Params[i].Type)
			bits = c.bits[from:len(c.bits):len(c.bits)]
		case ssa.ArgStruct:
			at, err := q.q.argument(c, len(a.Bytes))
			if err != nil {
				return err
			}
			if err := q.q.s.Write(at, a.Bytes); err != nil {
				return err
			}
			bits[0] = add(i, object{kind: ssa.PtrConstant, addr: at, size: uint64(len(a.Bytes)), readOnly: true})
		case ssa.ArgSampler:
			bits[0] = uint64(a.Sampler)
		case ssa.ArgLocal:
			bits[0] = add(i, object{kind: ssa.PtrLocal, size: uint64(a.Size)})
		case ssa.ArgImage:
			at, err := q.image(c, i, args)
			if err != nil {
				return err
			}
			if bits[0] = at.same; bits[0] == 0 {
				bits[0] = add(i, object{kind: ssa.PtrGlobal, addr: at.addr, size: uint64(len(a.Image.Data)), readOnly: a.ReadOnly, image: a.Image})
			}
		default:
			if a.Memory != nil {
				if _, err := a.Memory.(*memory).at(); err != nil {
					return fmt.Errorf("kernel %s: argument %d (%s): %w", k.Func.Name, i, ka.Name, err)
				}
				bits[0] = q.buffer(c, i, args, kargs, add)
			}
		}
		c.params = append(c.params, bits)
	}
	return nil
}

// An imagePlace is the location of an image argument on the device.
type imagePlace struct {
	addr uint64
	same uint64 // pointer of an earlier argument with the same image, 0 if none
}

// image locates an image argument: in its memory on the device, or in the queue's copy of the host's memory. The latter
// is copied back if kernels may write to the image.
func (q *queue) image(c *call, i int, args []exec.Arg) (at imagePlace, err error) {
	a := &args[i]
	if a.Image == nil || len(a.Image.Data) == 0 {
		return at, fmt.Errorf("kernel %s: argument %d is no image", c.k.f.Name, i)
	}
	for j := range i {
		if args[j].Kind == exec.ImageArg && args[j].Image == a.Image && args[j].ReadOnly == a.ReadOnly {
			return imagePlace{same: c.params[j][0]}, nil
		}
	}
	if m, ok := a.Memory.(*memory); ok {
		at.addr, err = m.at()
		return at, err
	}
	// Images that share elements on the host must share them on the device.
	for j := range i {
		if x := args[j].Image; args[j].Kind == exec.ImageArg && x != nil && args[j].Memory == nil && &x.Data[0] == &a.Image.Data[0] && len(x.Data) == len(a.Image.Data) {
			at.addr = c.objects[c.params[j][0]>>ssa.ObjectShift].addr
			c.copyBack(a, at.addr)
			return at, nil
		}
	}
	if at.addr, err = q.hostImage(a.Image.Data); err != nil {
		return at, err
	}
	c.copyBack(a, at.addr)
	return at, nil
}

// A writtenImage is an image that is copied back after the launch.
type writtenImage struct {
	data []byte
	addr uint64
}

// copyBack adds an image that is copied back after the launch.
func (c *call) copyBack(a *exec.Arg, addr uint64) {
	if !a.ReadOnly {
		c.written = append(c.written, writtenImage{a.Image.Data, addr})
	}
}

// buffer returns the pointer of a buffer argument. Arguments that are the same memory share one object.
func (q *queue) buffer(c *call, i int, args []exec.Arg, kargs []ssa.KernelArg, add func(int, object) uint64) uint64 {
	m := args[i].Memory.(*memory)
	constant := kargs[i].Kind == ssa.ArgConstant
	for j := range i {
		if x, ok := args[j].Memory.(*memory); ok && x.addr == m.addr && x.size == m.size && args[j].ReadOnly == args[i].ReadOnly && constant == (kargs[j].Kind == ssa.ArgConstant) {
			return c.params[j][0]
		}
	}
	o := object{kind: ssa.PtrGlobal, addr: m.addr, size: uint64(m.size), readOnly: constant || args[i].ReadOnly}
	if constant {
		o.kind = ssa.PtrConstant
	}
	return add(i, o)
}
