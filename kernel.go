package purecl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// A Kernel is a kernel function of a [Program]. It has no state: several goroutines may launch it at once.
type Kernel struct {
	prog    *Program
	code    exec.Kernel
	params  []param
	name    string
	info    *ssa.Kernel
	local   int64    // bytes of local memory of a work-group, without arguments
	private int64    // bytes of private memory of a work-item
	options *Options // nil: those of the stream, or none
	calls   *sync.Pool
}

// An Arg describes a kernel's parameter.
type Arg struct {
	Name     string
	Type     string // in OpenCL C, such as "float4*"
	Space    string // of a pointer: "global", "constant" or "local"; else ""
	Size     int64  // in bytes; of a pointer's target, 0 where that is unknown
	Const    bool   // a pointer to const
	Volatile bool   // a pointer to volatile
	Restrict bool   // a restrict pointer
	Access   string // of an image: "read_only", "write_only" or "read_write"
	Go       string // the Go type that fits, such as "[]float32"
}

// KernelInfo describes a kernel's needs and limits on its device.
type KernelInfo struct {
	MaxGroup int    // the largest number of work-items of a work-group
	Multiple int    // a work-group's size should be a multiple of it
	Required [3]int // the work-group size of reqd_work_group_size, or zeros
	SubGroup int    // work-items of a full sub-group
	Local    int64  // bytes of local memory of a work-group, without arguments
	Private  int64  // bytes of private memory of a work-item
}

func newKernel(p *Program, code exec.Kernel, f *ssa.Func) (*Kernel, error) {
	k := &Kernel{prog: p, code: code, name: f.Name, info: f.Kernel, params: make([]param, len(f.Kernel.Args))}
	room := 0
	for i := range f.Kernel.Args {
		if err := k.params[i].init(&f.Kernel.Args[i]); err != nil {
			return nil, fmt.Errorf("purecl: kernel %s: argument %d: %w", f.Name, i, err)
		}
		if k.params[i].byValue() {
			room += int(k.params[i].Size)
		}
	}
	k.local, k.private = code.Memory()
	k.calls = &sync.Pool{New: func() any { return &call{room: make([]byte, 0, room)} }}
	return k, nil
}

// Name returns the kernel's name.
func (k *Kernel) Name() string {
	if k == nil {
		return ""
	}
	return k.name
}

// Program returns the kernel's program.
func (k *Kernel) Program() *Program {
	if k == nil {
		return nil
	}
	return k.prog
}

// Args returns the kernel's parameters.
func (k *Kernel) Args() []Arg {
	if k == nil || k.prog == nil {
		return nil
	}
	out := make([]Arg, len(k.params))
	for i := range k.params {
		p := &k.params[i]
		out[i] = Arg{Name: p.Name, Type: p.TypeName, Size: p.Size, Const: p.Const, Volatile: p.Volatile, Restrict: p.Restrict, Go: p.fits()}
		switch p.Kind {
		case ssa.ArgGlobal:
			out[i].Space = "global"
		case ssa.ArgConstant:
			out[i].Space = "constant"
		case ssa.ArgLocal:
			out[i].Space = "local"
		case ssa.ArgImage:
			out[i].Access = [...]string{types.NoAccess: "read_only", types.ReadOnly: "read_only", types.WriteOnly: "write_only", types.ReadWrite: "read_write"}[p.Access]
		}
	}
	return out
}

// Info returns the kernel's needs and limits.
func (k *Kernel) Info() KernelInfo {
	if k.ok() != nil {
		return KernelInfo{}
	}
	d := k.prog.dev.exec.Info()
	i := KernelInfo{MaxGroup: d.MaxGroup, Multiple: d.Lanes, SubGroup: k.info.SubGroupSize()}
	if k.info.ReqdGroupSize != [3]int64{} {
		i.MaxGroup = 1
		for n, r := range k.info.ReqdGroupSize {
			i.Required[n] = int(max(r, 1))
			i.MaxGroup *= i.Required[n]
		}
	}
	i.Local, i.Private = k.local, k.private
	return i
}

// With returns the kernel with options for its launches.
func (k *Kernel) With(o Options) *Kernel {
	if k == nil {
		return nil
	}
	x := *k
	x.options = &o
	return &x
}

// Run launches the kernel over the range and waits for its end. The arguments have the order of the kernel's
// parameters; the package's comment lists the Go values that fit each parameter. A device that shares Go's memory
// uses slices in place. Another device copies them there and, if the kernel may write to them, back. The error is a
// *[FaultError] if the kernel made a mistake, an *[ArgError] for an argument that does not fit, or ctx's error if
// ctx ends the launch.
func (k *Kernel) Run(ctx context.Context, r NDRange, args ...any) error {
	c, err := k.prepare(&r, args)
	if err != nil {
		return err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	q, err := k.prog.dev.queue()
	if err == nil {
		err = k.begin(ctx, q.Queue, c, k.options)
		if werr := q.Wait(ctx); err == nil {
			err = werr
		}
		err = k.end(c, k.options, err)
		k.prog.dev.queues.Put(q)
	}
	k.release(c)
	return err
}

// ok returns the reason why the kernel cannot be launched, or nil.
func (k *Kernel) ok() error {
	if k == nil || k.prog == nil {
		return errors.New("purecl: no kernel: Program.Kernel gives one")
	}
	return k.prog.dev.ok()
}

// A call is the pooled state of one launch. In the pool it holds no references to
// arguments.
type call struct {
	exec.Launch
	room   []byte    // memory of the values
	sizes  [9]uint64 // memory of the range
	inUse  []*memory // the buffers among the arguments
	nils   []int     // arguments that are null pointers
	copies exec.Copies
	start  time.Time // of launches that are reported
}

// prepare checks and binds the range and the arguments. The caller must release the call.
func (k *Kernel) prepare(r *NDRange, args []any) (*call, error) {
	if err := k.ok(); err != nil {
		return nil, err
	}
	if !k.prog.use() {
		return nil, fmt.Errorf("purecl: kernel %s: the program is %w", k.name, ErrClosed)
	}
	c := k.calls.Get().(*call)
	c.Kernel = k.code
	err := k.bind(c, args)
	if err == nil {
		if err = r.check(k.prog.dev.exec.Info()); err == nil {
			c.Range, err = k.code.Resolve(r.exec(&c.sizes))
		}
		if err != nil {
			err = k.rangeError(err)
		}
	}
	if err == nil {
		err = k.fits(c)
	}
	if err != nil {
		k.release(c)
		return nil, err
	}
	return c, nil
}

func (k *Kernel) rangeError(err error) error {
	var wrapped *launch.RangeError
	if errors.As(err, &wrapped) {
		err = wrapped
	}
	return fmt.Errorf("purecl: kernel %s: %w", k.name, err)
}

// fits checks that the device has the local memory that the arguments need.
func (k *Kernel) fits(c *call) error {
	need, limit := int64(0), int64(k.prog.dev.exec.Info().LocalMemory)
	for i := range c.Args {
		if c.Args[i].Kind == exec.LocalArg {
			if need == 0 {
				need = k.code.LocalVariables()
			}
			need = launch.AfterLocal(need, min(c.Args[i].Size, limit+1))
		}
	}
	if need > limit {
		return fmt.Errorf("purecl: kernel %s: a work-group needs %d bytes of local memory, the device has %d", k.name, need, limit)
	}
	return nil
}

func (k *Kernel) release(c *call) {
	for _, m := range c.inUse {
		m.done()
	}
	c.copies.Free()
	clear(c.Args)
	clear(c.inUse)
	c.Launch = exec.Launch{Args: c.Args[:0]}
	c.room, c.inUse, c.nils = c.room[:0], c.inUse[:0], c.nils[:0]
	k.calls.Put(c)
	k.prog.done()
}

// begin starts a prepared launch. The launch is complete when q's Wait returns.
func (k *Kernel) begin(ctx context.Context, q exec.Queue, c *call, o *Options) error {
	if o == nil {
		o = &Options{}
	}
	if int(o.Mode) >= len(faultModes) || int(o.Checks) >= len(checkLevels) {
		return fmt.Errorf("kernel %s: mode %d and checks %d: there are modes up to %d and checks up to %d", k.name, o.Mode, o.Checks, len(faultModes)-1, len(checkLevels)-1)
	}
	c.Faults, c.Checks, c.Progress, c.Workers = faultModes[o.Mode], checkLevels[o.Checks], o.Progress, o.Workers
	if c.Stdout = o.Stdout; c.Stdout == nil {
		c.Stdout = os.Stdout
	}
	if o.Report != nil {
		c.start = time.Now()
	}
	return c.copies.Start(ctx, q, &c.Launch)
}

// end reports a completed launch; err is the error of begin or of the wait.
func (k *Kernel) end(c *call, o *Options, err error) error {
	if o == nil {
		o = &Options{}
	}
	if err == nil && len(c.Report.Findings) == 0 && o.Report == nil {
		return nil
	}
	findings := k.findings(c)
	if o.Report != nil && c.Report.Executor != "" {
		rep := &Report{Kernel: k.name, Findings: findings, Executor: c.Report.Executor, Start: c.start, End: time.Now()}
		if c.Report.Fallback != nil && o.Checks == CheckNone {
			rep.Fallback = c.Report.Fallback.String()
		}
		for i, n := range c.Range.Local {
			rep.Local[i] = int(n)
		}
		o.Report(rep)
	}
	if err != nil {
		return k.launchError(err)
	}
	fault := &FaultError{Kernel: k.name}
	for _, f := range findings {
		if f.Error {
			fault.Findings = append(fault.Findings, f)
		}
	}
	if len(fault.Findings) == 0 {
		return nil
	}
	return fault
}

// findings converts the launch's findings to their public form.
func (k *Kernel) findings(c *call) []Finding {
	var out []Finding
	for _, f := range c.Report.Findings {
		x := newFinding(k.prog.module, f, c.Faults)
		if f.Kind == exec.NullPointer && len(c.nils) > 0 {
			note := k.nilArguments(c.nils)
			x.Message += ": " + note
			x.Rendered += "note: " + note + "\n"
		}
		out = append(out, x)
	}
	return out
}

// nilArguments returns the names of the arguments that are null pointers.
func (k *Kernel) nilArguments(which []int) string {
	s := ""
	for i, n := range which {
		if i > 0 {
			s += ", "
		}
		s += fmt.Sprintf("argument %d (%s)", n, k.params[n].label())
	}
	if len(which) == 1 {
		return s + " is nil"
	}
	return s + " are nil"
}

// launchError adds the kernel's name to errors of the launch itself.
func (k *Kernel) launchError(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var limit *exec.LimitError
	if errors.As(err, &limit) {
		err = limit
	}
	return fmt.Errorf("purecl: kernel %s: %w", k.name, err)
}
