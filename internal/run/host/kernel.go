package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// A Kernel is a kernel function with its arguments. As in OpenCL, one goroutine at a time calls Set and
// launches.
type Kernel struct {
	prog *Program
	code *kernelCode // of the first device, or of the one that onDevice chose
	mu   *sync.Mutex
	args []argument
	// taken is set while launches refer to the slice args, which must then not change.
	taken bool
	on    []*kernelCode // the devices that it can run on
	took  timing.Times  // durations of the steps of the program's build
}

// A kernelCode is a kernel as it was built for a device.
type kernelCode struct {
	exec.Kernel
	dev    *Device
	from   *loaded
	module *ssa.Module
	fn     *ssa.Func

	once    sync.Once
	written []ssa.ArgUse // see usesOf
}

// usesOf returns the kernel's uses of the objects that its arguments point to.
func (c *kernelCode) usesOf() []ssa.ArgUse {
	c.once.Do(func() { c.written = ssa.ArgUses(c.fn) })
	return c.written
}

// onDevice returns the kernel with the code of that device.
func (k *Kernel) onDevice(d *Device) (*Kernel, error) {
	for _, c := range k.on {
		if c.dev == d {
			if c == k.code {
				return k, nil
			}
			x := *k
			x.code = c
			return &x, nil
		}
	}
	// CL_INVALID_PROGRAM_EXECUTABLE: there is no executable for the device of the queue.
	return nil, failf(opencl.InvalidProgramExecutable, "the program of kernel %s was not built for the device", k.Name())
}

// Devices returns the devices that the kernel's program was built for.
func (k *Kernel) Devices() []*Device {
	k = k.or()
	var list []*Device
	for i := range k.on {
		list = append(list, k.on[i].dev)
	}
	return list
}

// An ArgInfo describes a kernel argument (clGetKernelArgInfo).
type ArgInfo struct {
	Name     string
	TypeName string            // as in the source without qualifiers, such as "float4*"
	Elem     numeric.Kind      // number format of the value or of a pointer's target; 0 for structs and others
	Lanes    int               // its components, 1 for a scalar
	Size     int64             // bytes of a value, or of a pointer's target
	Const    bool              // a pointer to const
	Volatile bool              // a pointer to volatile
	Restrict bool              // a restrict pointer
	Access   string            // of an image: "read_only", "write_only" or "read_write"
	Shape    opencl.ImageShape // of an image
	Depth    bool              // an image of depths
	kind     ssa.ArgKind
}

// Constant reports whether the argument is a pointer to constant memory.
func (a *ArgInfo) Constant() bool { return a.kind == ssa.ArgConstant }

// Image reports whether the argument is an image.
func (a *ArgInfo) Image() bool { return a.kind == ssa.ArgImage }

// Sampler reports whether the argument is a sampler.
func (a *ArgInfo) Sampler() bool { return a.kind == ssa.ArgSampler }

// Memory reports whether the argument is a pointer to global or constant memory.
func (a *ArgInfo) Memory() bool { return a.kind == ssa.ArgGlobal || a.kind == ssa.ArgConstant }

// Local reports whether the argument is a pointer to local memory.
func (a *ArgInfo) Local() bool { return a.kind == ssa.ArgLocal }

// Writable reports whether the kernel may write through the argument.
func (a *ArgInfo) Writable() bool {
	return a.kind == ssa.ArgGlobal && !a.Const || a.kind == ssa.ArgImage && a.Access != "read_only"
}

// Name returns the kernel's name.
func (k *Kernel) Name() string { k = k.or(); return k.code.fn.Name }

// Program returns the kernel's program.
func (k *Kernel) Program() *Program { k = k.or(); return k.prog }

// Args describes the kernel's arguments.
func (k *Kernel) Args() []ArgInfo {
	k = k.or()
	var out []ArgInfo
	for i := range k.code.fn.Kernel.Args {
		a := &k.code.fn.Kernel.Args[i]
		info := ArgInfo{Name: a.Name, TypeName: a.TypeName, Size: a.Size, Const: a.Const, Volatile: a.Volatile, Restrict: a.Restrict, kind: a.Kind, Lanes: 1}
		switch a.Kind {
		case ssa.ArgImage:
			info.Access = accessNames[types.Access(a.Access)]
			if t := types.ImageKind(a.Image).Row(); !t.Multi {
				info.Shape, info.Depth = t.Shape, t.Depth
			}
		case ssa.ArgValue:
			info.Elem, info.Lanes = a.Type.K.Num(), int(a.Type.N)
		case ssa.ArgGlobal, ssa.ArgConstant, ssa.ArgLocal:
			if a.ElemKind != ssa.Void {
				info.Elem, info.Lanes = a.ElemKind.Num(), max(1, int(a.ElemLanes))
			}
		}
		out = append(out, info)
	}
	return out
}

// RequiredLocal returns the work-group size of the kernel's reqd_work_group_size, or zeros.
func (k *Kernel) RequiredLocal() [3]int64 { k = k.or(); return k.code.fn.Kernel.ReqdGroupSize }

// Attributes returns the kernel's attributes as in the source (CL_KERNEL_ATTRIBUTES).
func (k *Kernel) Attributes() string { k = k.or(); return k.code.fn.Kernel.Attributes }

var accessNames = [...]string{types.NoAccess: "read_only", types.ReadOnly: "read_only", types.WriteOnly: "write_only", types.ReadWrite: "read_write"}

// Resources are the needs and limits of a kernel on a device (clGetKernelWorkGroupInfo).
type Resources struct {
	WorkGroupSize     int   // largest number of work-items of a work-group
	PreferredMultiple int   // a work-group's size should be a multiple of it
	LocalMem          int64 // bytes of local memory, including arguments that are set
	PrivateMem        int64 // bytes of private memory of a work-item
}

// Resources returns the needs and limits of the kernel on the device.
func (k *Kernel) Resources(d *Device) Resources {
	k, d = k.or(), or(d)
	if on, err := k.onDevice(d); err == nil {
		k = on
	}
	r := Resources{WorkGroupSize: d.info.MaxWorkGroupSize, PreferredMultiple: d.info.NativeVectorWidth}
	if _, required := k.SubGroupSize(); required {
		r.WorkGroupSize = min(r.WorkGroupSize, maxSubGroupedGroup)
	}
	if x, ok := k.code.Kernel.(interface{ MaxGroup() int }); ok {
		// Programs halve the size in reductions, and some accept powers of two only.
		r.WorkGroupSize = min(r.WorkGroupSize, 1<<(bits.Len(uint(x.MaxGroup()))-1))
	}
	if req := k.RequiredLocal(); req != [3]int64{} {
		r.WorkGroupSize = int(req[0] * max(req[1], 1) * max(req[2], 1))
	}
	r.LocalMem, r.PrivateMem = k.code.Memory()
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.args {
		r.LocalMem += int64(k.args[i].local)
	}
	return r
}

// TaskWith enqueues a launch of one work-item (clEnqueueTask).
func (q *Queue) TaskWith(opts RunOptions, k *Kernel, wait ...*Event) (*Event, error) {
	// CL_INVALID_WORK_GROUP_SIZE: reqd_work_group_size is not (1, 1, 1).
	return q.ndrange(CommandTask, opts, k, NDRange{Global: []int{1}, Local: []int{1}}, wait)
}

// Timings returns the duration of each step from the program's source to the kernel's first results, in order:
// the steps of the build, then those of the launches so far. The first launch that needs machine code generates
// it.
func (k *Kernel) Timings() []PhaseTime {
	k = k.or()
	t, made := k.took, k.code.Times()
	t.Add(&made)
	return phaseTimes(&t)
}

// Clone returns a kernel with a copy of the arguments set (clCloneKernel).
func (k *Kernel) Clone() *Kernel {
	k = k.or()
	k.mu.Lock()
	defer k.mu.Unlock()
	return &Kernel{prog: k.prog, code: k.code, on: k.on, took: k.took, mu: &sync.Mutex{}, args: append([]argument(nil), k.args...)}
}

// Set sets argument i for launches through a [Queue] (clSetKernelArg). v is a [RawValue] for a value, a *[Buffer]
// or nil (the null pointer) for a pointer, [LocalMem] for a pointer to local memory, an *[Image] for an image, and
// a *[Sampler] for a sampler.
func (k *Kernel) Set(i int, v any) error {
	if err := k.valid(); err != nil {
		return err
	}
	infos := k.code.fn.Kernel.Args
	// CL_INVALID_ARG_INDEX: arg_index is not valid.
	if i < 0 || i >= len(infos) {
		return failf(opencl.InvalidArgIndex, "kernel %s has %d arguments, there is no number %d", k.Name(), len(infos), i)
	}
	a, err := k.bind(i, v)
	if err != nil {
		return err
	}
	k.mu.Lock()
	if k.taken { // a launch refers to the present arguments: change a copy
		k.args, k.taken = slices.Clone(k.args), false
	}
	k.args[i] = a
	k.mu.Unlock()
	return nil
}

func (k *Kernel) bind(i int, v any) (argument, error) {
	info := &k.code.fn.Kernel.Args[i]
	a, err := bind(info, v)
	if ctx := a.context(); err == nil && ctx != nil && ctx != k.prog.ctx {
		err = failf(opencl.InvalidContext, "the object belongs to another context than the kernel")
	}
	var api *APIError
	if errors.As(err, &api) {
		name := info.Name
		if name == "" {
			name = "(unnamed)"
		}
		return a, failf(api.Status, "kernel %s, argument %d (%s): %s", k.Name(), i, name, api.Message)
	}
	return a, err
}

// RunOptions say how to run a kernel.
type RunOptions struct {
	Checks Checks
	Faults FaultMode
	Stdout io.Writer // where printf writes; nil is the standard output
	// Progress, if not nil, is called repeatedly during the launch with the completed part of the work.
	Progress func(done, total int64)
	Workers  int // largest number of threads; 0: the device's number of compute units

	// Debug, if not nil, may carry out a launch on the processor. It returns whether it did.
	Debug func(l *DebugLaunch) (done bool, err error)

	took *time.Duration // receives the duration of the launch by the device's own clock, if it has one
}

// A Report describes a finished launch.
type Report struct {
	Findings  []Finding // in order of work-groups
	LocalSize [3]uint64 // the work-group size, given or chosen
	Executor  string    // the name of the executor that ran it
	// Fallback is the reason why the reference executor ran although machine code was requested.
	Fallback string

	fallback *exec.Fallback
}

// NDRange enqueues a launch of the kernel with the arguments that are set
// (clEnqueueNDRangeKernel).
func (q *Queue) NDRange(k *Kernel, r NDRange, wait ...*Event) (*Event, error) {
	return q.NDRangeWith(RunOptions{}, k, r, wait...)
}

// NDRangeWith is [Queue.NDRange] with options. Findings that are not errors are passed to the context's notify
// function.
func (q *Queue) NDRangeWith(opts RunOptions, k *Kernel, r NDRange, wait ...*Event) (*Event, error) {
	return q.ndrange(CommandNDRangeKernel, opts, k, r, wait)
}

func (q *Queue) ndrange(typ CommandType, opts RunOptions, k *Kernel, r NDRange, wait []*Event) (*Event, error) {
	if err := q.valid(); err != nil {
		return nil, err
	}
	if err := k.valid(); err != nil {
		return nil, err
	}
	if k.prog.ctx != q.ctx {
		return nil, failf(opencl.InvalidContext, "the kernel belongs to another context than the queue")
	}
	args := k.snapshot()
	k, err := k.onDevice(q.dev)
	if err != nil {
		return nil, err
	}
	for i := range args {
		if !args[i].set {
			return nil, failf(opencl.InvalidKernelArgs, "argument %d of kernel %s is not set", i, k.Name())
		}
	}
	if err := r.check(q.dev); err != nil {
		return nil, err
	}
	c := &kernelCommand{opts: opts, args: args}
	if c.rng, err = k.resolve(r, &c.sizes); err != nil {
		return nil, err
	}
	if err := k.fits(q.dev, args); err != nil {
		return nil, err
	}
	if err := q.checkWaitList(wait); err != nil {
		return nil, err
	}
	q.faults.forget()
	c.k = k
	q.add(&c.Event, typ, wait, inQueue, c)
	return &c.Event, nil
}

// A kernelCommand is a launch in a queue, and its event.
type kernelCommand struct {
	Event
	k     *Kernel
	opts  RunOptions
	rng   exec.NDRange
	args  []argument
	sizes [9]uint64 // of the range as it was given
	l     *exec.Launch
}

func (c *kernelCommand) run(e *Event) error {
	k, q := c.k, e.queue
	if err := c.refused(q); err != nil {
		c.release()
		q.faults.add(err)
		return err
	}
	ctx := context.Background()
	if q.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, q.timeout)
		defer cancel()
	}
	var took time.Duration
	if q.props.Profiling && q.dev.remote != nil {
		c.opts.took = &took
	}
	rep, err := k.launch(ctx, q.dev, &c.opts, &c.rng, c.args, false, &c.stopped)
	if took > 0 { // the device's clock measured how long before now it started
		e.ended = e.time()
		e.profile.Start = max(e.profile.Start, e.ended-int64(took))
	}
	if err != nil && ctx.Err() != nil {
		err = failf(opencl.OutOfResources, "kernel %s was stopped: it ran for longer than %v", k.Name(), q.timeout)
	}
	return c.ended(q, rep, err)
}

// refused returns an error if the launch must not begin.
func (c *kernelCommand) refused(q *Queue) error {
	// Once the last interrupted command is complete, a launch comes after it: see Interrupt, which may be late.
	if last := q.interrupted.Load(); (last == nil || !last.unfinished()) && !c.stopped.Load() {
		return nil
	}
	return failf(opencl.OutOfResources, "kernel %s was not run: the host was interrupted", c.k.Name())
}

// ended reports the outcome of the launch. It returns the command's error.
func (c *kernelCommand) ended(q *Queue, rep *Report, err error) error {
	k := c.k
	if errors.Is(err, launch.ErrStopped) {
		err = failf(opencl.OutOfResources, "kernel %s was stopped: the host was interrupted", k.Name())
	}
	if rep != nil {
		q.ctx.tellReport(k, c.opts.Checks, rep)
	}
	if err != nil {
		q.faults.add(err)
		var fault *FaultError
		if !errors.As(err, &fault) {
			q.ctx.tellError(k, err)
		}
	}
	c.release()
	return err
}

func (c *kernelCommand) async() bool { return true }

// prompt reports whether the launch needs no copies to the device.
func (c *kernelCommand) prompt(q *Queue) bool {
	for i := range c.args {
		b, n := c.args[i].memory()
		if b == nil {
			continue
		}
		if s, base := b.shared(); s.resident(q.dev.remote, base, base+n) == nil {
			return false
		}
	}
	return true
}

func (c *kernelCommand) prepare(e *Event) (err error) {
	c.l, err = c.k.newLaunch(e.queue.dev, &c.opts, &c.rng, c.args, &c.stopped)
	return err
}

func (c *kernelCommand) begin(e *Event, dq exec.AsyncQueue) error {
	if err := c.refused(e.queue); err != nil {
		return err
	}
	c.l.More = e.dev.held
	err := dq.Launch(context.Background(), c.l)
	c.k.placed(e.queue.dev, c.args)
	return err
}

func (c *kernelCommand) end(e *Event, err error) error {
	var rep *Report
	if l := c.l; l != nil {
		c.l = nil
		if err == nil {
			err = l.Report.Err
		}
		rep, err = c.k.outcome(l, &c.rng, false, err)
	}
	return c.ended(e.queue, rep, err)
}

// release drops the references of the launch, because the host may keep the event for long.
func (c *kernelCommand) release() {
	c.k, c.args, c.opts.Stdout, c.opts.Progress, c.opts.took = nil, nil, nil, nil, nil
}

// snapshot returns the present arguments. Set does not change them afterwards.
func (k *Kernel) snapshot() []argument {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.taken = true
	return k.args
}

// fits checks that the device has the local memory that work-groups need.
func (k *Kernel) fits(d *Device, args []argument) error {
	need, limit := k.code.LocalVariables(), int64(d.info.LocalMemSize)
	for i := range args {
		if n := int64(args[i].local); n > 0 {
			need = launch.AfterLocal(need, min(n, limit+1))
		}
	}
	// CL_OUT_OF_RESOURCES: insufficient resources such as local memory.
	if need > limit {
		return k.launchError(fmt.Errorf("kernel %s: %w", k.Name(), &exec.LimitError{What: "local memory", Need: need, Limit: limit}))
	}
	return nil
}

// resolve returns the launch's range after r.check has accepted it, and chooses the local size. room is memory for
// its sizes.
func (k *Kernel) resolve(r NDRange, room *[9]uint64) (exec.NDRange, error) {
	n := len(r.Global)
	sizes := func(to []uint64, s []int) []uint64 {
		if s == nil {
			return nil
		}
		for i, x := range s {
			to[i] = uint64(x)
		}
		return to[:len(s)]
	}
	rng, err := k.code.Resolve(exec.Range{Global: sizes(room[:n], r.Global), Local: sizes(room[3:], r.Local), Offset: sizes(room[6:], r.Offset)})
	if err != nil {
		err = k.launchError(fmt.Errorf("kernel %s: %w", k.Name(), err))
	}
	return rng, err
}

var checkLevels = [...]exec.Checks{CheckNone: exec.ChecksNone, CheckMemory: exec.ChecksMemory, CheckAll: exec.ChecksAll, CheckPedantic: exec.ChecksPedantic}

// launches holds the memory of finished launches for reuse. In the pool it has no references to arguments.
var launches = sync.Pool{New: func() any { return new(exec.Launch) }}

// launch runs the kernel. The report is nil where the kernel did not run and, unless always is set, where the
// report would be empty. stop, if not nil, ends the launch when it becomes true.
func (k *Kernel) launch(ctx context.Context, dev *Device, opts *RunOptions, rng *exec.NDRange, args []argument, always bool, stop *atomic.Bool) (*Report, error) {
	l, err := k.newLaunch(dev, opts, rng, args, stop)
	if l == nil {
		return nil, err
	}
	debugged := false
	if err == nil && opts.Debug != nil && dev.remote == nil {
		debugged, err = k.debug(opts, dev, l)
	}
	if err == nil && !debugged && dev.remote == nil {
		err = dev.cpu.Launch(ctx, l)
	} else if err == nil && !debugged {
		err = dev.remote.do(func(q exec.Queue) error { return q.Launch(ctx, l) })
	}
	k.placed(dev, args)
	runtime.KeepAlive(args)
	if opts.took != nil {
		*opts.took = l.Report.Took
	}
	return k.outcome(l, rng, always, err)
}

// newLaunch returns the launch of a kernel with its arguments in place. With an error the launch may be nil.
func (k *Kernel) newLaunch(dev *Device, opts *RunOptions, rng *exec.NDRange, args []argument, stop *atomic.Bool) (*exec.Launch, error) {
	if opts.Checks > CheckPedantic {
		return nil, failf(opencl.InvalidValue, "there is no check level %d", opts.Checks)
	}
	if opts.Faults > FaultRobust {
		return nil, failf(opencl.InvalidValue, "there is no fault mode %d", opts.Faults)
	}
	l := launches.Get().(*exec.Launch)
	l.Kernel, l.Range, l.Checks, l.Faults = k.code.Kernel, *rng, checkLevels[opts.Checks], opts.Faults.inLaunch(dev)
	l.Stdout, l.Progress, l.Workers, l.Stop, l.Timed = opts.Stdout, opts.Progress, opts.Workers, stop, opts.took != nil
	if dev.remote != nil && !dev.remote.dev.Info().Checks {
		l.Checks = exec.ChecksNone
	}
	if l.Stdout == nil {
		l.Stdout = os.Stdout
	}
	return l, k.place(dev, l, args, opts.Checks)
}

// outcome returns the report and the error of a launch that has ended with err.
func (k *Kernel) outcome(l *exec.Launch, rng *exec.NDRange, always bool, err error) (*Report, error) {
	rep := &l.Report
	var out *Report
	if rep.Executor != "" && (always || err != nil || len(rep.Findings) > 0 || rep.Fallback != nil) {
		out = &Report{LocalSize: rng.Local, Executor: rep.Executor, fallback: rep.Fallback}
		if rep.Fallback != nil {
			out.Fallback = rep.Fallback.String()
		}
		for _, x := range rep.Findings {
			out.Findings = append(out.Findings, k.finding(x, l.Faults))
		}
	}
	clear(l.Args)
	*l = exec.Launch{Args: l.Args[:0]}
	launches.Put(l)
	if err != nil {
		return out, k.launchError(err)
	}
	return out, k.fault(out)
}

// place returns the arguments of a launch in memory that the device reaches.
func (k *Kernel) place(dev *Device, l *exec.Launch, args []argument, checks Checks) error {
	for i := range args {
		a := &args[i]
		l.Args = append(l.Args, a.bound(&k.code.fn.Kernel.Args[i], checks))
		if !k.prog.ctx.remotes {
			continue
		}
		b, n := a.memory()
		if b == nil {
			continue
		}
		c, base := b.shared()
		if dev.remote == nil {
			if err := c.fetch(base, base+n); err != nil {
				return err
			}
			continue
		}
		m, err := c.send(dev.remote, base, base+n)
		if err != nil {
			return err
		}
		l.Args[i].Memory = m
	}
	return nil
}

// placed returns the buffers and images that a launch may have written to.
func (k *Kernel) placed(dev *Device, args []argument) {
	if !k.prog.ctx.remotes {
		return
	}
	uses := k.code.usesOf()
	for i := range args {
		written := uses[i].Written
		if args[i].image != nil {
			written = types.Access(k.code.fn.Kernel.Args[i].Access) >= types.WriteOnly
		}
		if b, n := args[i].memory(); b != nil && written {
			c, base := b.shared()
			c.wrote(dev.remote, base, base+n)
		}
	}
}

// memory returns the buffer whose first n bytes are the argument. It returns nil for an argument of another
// kind, and for an image if no device has memory of its own.
func (a *argument) memory() (b *Buffer, n int) {
	switch {
	case a.buffer != nil:
		return a.buffer, len(a.buffer.mem)
	case a.image != nil && a.image.store != nil:
		return a.image.store, len(a.image.img.Data)
	}
	return nil, 0
}

// bound returns the argument for a launch with these checks.
func (a *argument) bound(info *ssa.KernelArg, checks Checks) exec.Arg {
	switch info.Kind {
	case ssa.ArgValue, ssa.ArgStruct:
		return exec.Arg{Kind: exec.ValueArg, Bytes: a.value}
	case ssa.ArgLocal:
		return exec.Arg{Kind: exec.LocalArg, Size: int64(a.local)}
	case ssa.ArgImage:
		return exec.Arg{Kind: exec.ImageArg, Image: a.image.img, ReadOnly: a.image.flags&MemReadOnly != 0}
	case ssa.ArgSampler:
		return exec.Arg{Kind: exec.SamplerArg, Sampler: a.sampler}
	}
	if a.buffer == nil {
		return exec.Arg{Kind: exec.MemoryArg} // the null pointer
	}
	return exec.Arg{Kind: exec.MemoryArg, Memory: a.buffer.memory, ReadOnly: a.buffer.guarded(checks)}
}

// fault returns the error of a launch with findings that are errors, or nil.
func (k *Kernel) fault(rep *Report) error {
	if rep == nil {
		return nil
	}
	var list []Finding
	for _, f := range rep.Findings {
		if f.Error {
			list = append(list, f)
		}
	}
	if list == nil {
		return nil
	}
	return &FaultError{Kernel: k.Name(), Findings: list}
}

// launchError converts the errors of package launch to errors with a status.
func (k *Kernel) launchError(err error) error {
	var arg *launch.ArgError
	var rng *launch.RangeError
	var limit *exec.LimitError
	switch {
	case errors.As(err, &arg):
		return &APIError{Status: opencl.InvalidKernelArgs, Message: err.Error(), Cause: err}
	case errors.As(err, &rng):
		s := opencl.InvalidWorkGroupSize
		switch rng.Field {
		case "dimensions":
			s = opencl.InvalidWorkDimension
		case "global size":
			s = opencl.InvalidGlobalWorkSize
		case "offset":
			s = opencl.InvalidGlobalOffset
		}
		return &APIError{Status: s, Message: err.Error(), Cause: err}
	case errors.As(err, &limit):
		return &APIError{Status: opencl.OutOfResources, Message: err.Error(), Cause: err}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &APIError{Status: opencl.OutOfResources, Message: err.Error(), Cause: err}
}
