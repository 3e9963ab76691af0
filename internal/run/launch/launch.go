package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// A Launch describes one execution of a kernel.
type Launch struct {
	Kernel *Kernel
	Args   []Arg
	Range  Range
	// Resolved is the result of [Kernel.Resolve] for Range, which spares resolving it again, or zero.
	Resolved exec.NDRange
	Checks   exec.Checks
	Faults   exec.FaultMode
	Stdout   io.Writer // output of printf, in order of work-groups; nil: discarded
	// Progress is called occasionally with the number of finished batches and of all batches, by one goroutine at a
	// time. It may be nil.
	Progress func(done, total int64)
	// Trace, which may be nil, records the batches that workers have run.
	Trace   exec.Trace
	Workers int          // most goroutines; 0: GOMAXPROCS
	Ordered bool         // run work-groups in order if the result may depend on it; ChecksAll implies it
	Stop    *atomic.Bool // set to end the launch with ErrStopped; may be nil
	Limits  exec.Limits
	Lanes   int // work-items in a gang, if that may be chosen freely; 0: the executor's choice
	Part    Part
}

// A Part is a range of a launch's batches: number Index of Of parts, whose sizes differ by at most one. The zero
// Part is all batches. Processes that share no memory can each run a part of one launch on their own copy of the
// buffers; the result has every byte that any part changed. Kernels whose work-groups exchange values cannot be
// split, and observers see only one part.
type Part struct{ Index, Of int }

// A batches is a range of batches, the end exclusive.
type batches struct{ first, end int64 }

func (b batches) count() int64 { return b.end - b.first }

// of returns the part of n batches.
func (p Part) of(n int64) batches {
	if p.Of <= 0 {
		return batches{0, n}
	}
	of, at := int64(p.Of), int64(p.Index)
	size, more := n/of, n%of
	return batches{at*size + min(at, more), (at+1)*size + min(at+1, more)}
}

// ErrStopped is the error of a launch that was ended by its Stop.
var ErrStopped = errors.New("the launch was stopped")

// A Report is the outcome of a launch.
type Report struct {
	Findings []*exec.Finding // in order of work-groups
	Stats    Stats
}

// Stats are facts about a launch.
type Stats struct {
	Executor  string
	Fallback  *exec.Fallback // why the reference executor ran it although another one was requested
	WorkItems uint64
	Groups    uint64
	LocalSize [3]uint64
	Batches   int64
	Workers   int
	Time      time.Duration
	Repeated  bool     // it was run a second time, in order, to explain a race
	Unwatched []string // buffers too large for the race observer
}

// A Fault is a kernel's error: the first of the report's findings that fails the launch.
type Fault struct {
	Kernel   *Kernel
	Finding  *exec.Finding
	Location string // file:line:column, or ""
}

func (f *Fault) Error() string {
	s := f.Finding.String()
	if f.Location != "" {
		s = f.Location + ": " + s
	}
	return "kernel " + f.Kernel.Func.Name + ": " + s
}

// Locate returns the position of a finding as file:line:column, "" if it has none.
func (k *Kernel) Locate(f *exec.Finding) string {
	loc := k.Program.Location(f.Pos)
	if loc.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", loc.File, loc.Line, loc.Column)
}

// A Task is a running launch.
type Task struct {
	done   chan struct{}
	report *Report
	err    error
}

// Start begins a launch and returns at once.
func Start(ctx context.Context, l *Launch) *Task {
	t := &Task{done: make(chan struct{})}
	go func() {
		defer close(t.done)
		t.report, t.err = Run(ctx, l)
	}()
	return t
}

// Done is closed when the launch has ended.
func (t *Task) Done() <-chan struct{} { return t.done }

// Wait returns the results of Run.
func (t *Task) Wait() (*Report, error) {
	<-t.done
	return t.report, t.err
}

// Run runs a kernel and waits for its end. The error is a *Fault for a kernel's forbidden access (with a complete
// report), an *ArgError or *RangeError for misuse, an *exec.LimitError if memory would not suffice, an
// *interp.CompileError if the kernel cannot run, an *InternalError for a bug in PureCL, ErrStopped, or the
// context's.
func Run(ctx context.Context, l *Launch) (*Report, error) {
	rep := new(Report)
	ran, err := RunTo(ctx, l, rep)
	if !ran {
		return nil, err
	}
	return rep, err
}

// RunTo is Run for frequent launches: it writes the report into rep. ran reports whether the kernel ran, and
// rep is valid.
//
// A panic on any goroutine of the launch becomes an *InternalError. The objects that the launch used are not
// reused after that.
func RunTo(ctx context.Context, l *Launch, rep *Report) (ran bool, err error) {
	if l.Kernel == nil {
		return false, errors.New("no kernel to launch")
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	r := runners.Get().(*runner)
	*rep = Report{}
	r.l, r.report = l, rep
	defer func() {
		if p := recover(); p != nil {
			e := exec.NewInternalError(p)
			e.Kernel = l.Kernel.Func.Name
			ran, err = true, e
		}
	}()
	ran, err = r.start(ctx)
	r.release()
	return ran, err
}

// Environment returns the executor's view of a launch, for callers that execute it themselves, such as a debugger.
// They set Stop, Printf and Faults.
func (l *Launch) Environment() (*exec.Env, error) {
	k := l.Kernel
	rng, err := k.Resolve(l.Range)
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", k.Func.Name, err)
	}
	var b binding
	if err := b.bind(k, l.Args); err != nil {
		return nil, err
	}
	return &exec.Env{Range: rng, Objects: b.objects, Params: b.params, Globals: k.Program.numbers, Limits: l.Limits, Faults: l.Faults}, nil
}

// A runner carries out a launch.
type runner struct {
	l      *Launch
	code   exec.Code
	env    exec.Env
	report *Report
	bound  binding
	sched  schedule
	stop   atomic.Bool
	began  int64 // in nanoseconds
}

// runners is the pool of unused runners.
var runners = sync.Pool{New: func() any { return new(runner) }}

// release drops all references of the launch.
func (r *runner) release() {
	r.bound.clear()
	r.l, r.code, r.report = nil, nil, nil
	r.env.Objects, r.env.Params, r.env.Globals, r.env.Printf, r.env.Stop = nil, nil, nil, nil, nil
	runners.Put(r)
}

func (r *runner) start(ctx context.Context) (ran bool, err error) {
	l := r.l
	k, err := l.Kernel.forChecks(l.Checks)
	if err != nil {
		return false, fmt.Errorf("kernel %s: %w", l.Kernel.Func.Name, err)
	}
	env := &r.env
	rng := &env.Range
	if *rng = l.Resolved; rng.Dims == 0 {
		if *rng, err = k.Resolve(l.Range); err != nil {
			return false, fmt.Errorf("kernel %s: %w", k.Func.Name, err)
		}
	}
	if err := r.bound.bind(k, l.Args); err != nil {
		return false, err
	}
	prep, err := k.prepare(l.Checks, rng)
	if err != nil {
		return false, err
	}
	r.code = prep.code
	env.Objects, env.Params, env.Globals = r.bound.objects, r.bound.params, k.Program.numbers
	env.Stop, env.Limits, env.Lanes, env.Printf, env.Faults = &r.stop, l.Limits, l.Lanes, l.Stdout, l.Faults
	r.stop.Store(false)
	groups := rng.Groups()
	stats := &r.report.Stats
	stats.Executor, stats.LocalSize = r.code.Executor(), rng.Local
	stats.WorkItems, stats.Groups = rng.Global[0]*rng.Global[1]*rng.Global[2], groups[0]*groups[1]*groups[2]
	first := !prep.launched.Load() && !prep.launched.Swap(true)
	var made timing.Times
	if first {
		made = r.code.Times()
	}
	r.began = nanotime()
	r.sched.ended = r.began
	if stats.WorkItems > 0 {
		if l.Stop != nil {
			env.Stop = l.Stop
		}
		if ctx.Done() != nil {
			stop := env.Stop
			if l.Stop == nil {
				stop = new(atomic.Bool) // a new one: it may be set after this launch has ended
				env.Stop = stop
			}
			defer context.AfterFunc(ctx, func() { stop.Store(true) })()
		}
		err = r.run(ctx)
	}
	stats.Time = time.Duration(r.sched.ended - r.began)
	if first {
		now := r.code.Times()
		prep.first.Store(int64(max(0, stats.Time-(now.Total()-made.Total()))))
	}
	fault := k.judge(r.report, l.Faults)
	if err == nil && fault != nil {
		err = &Fault{k, fault, k.Locate(fault)}
	}
	return true, err
}

// run executes all batches. If the race observer sees accesses that may race, run repeats the launch twice from the
// same memory, in order and on one worker, so that results and reports are deterministic: once to find all such
// accesses, once to report the races.
func (r *runner) run(ctx context.Context) error {
	all := r.l.Checks >= exec.ChecksAll
	workers := r.l.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if (r.l.Ordered || all) && r.code.OrderSensitive() {
		workers = 1
	}
	if !all {
		_, _, err := r.execute(ctx, workers, exec.FindRaces, nil)
		return err
	}
	out := r.env.Printf
	var text bytes.Buffer
	if out != nil {
		r.env.Printf = &text
	}
	mode := exec.FindRaces
	if workers == 1 {
		mode = exec.MarkRaces
	}
	before := r.snapshot()
	raced, marks, err := r.execute(ctx, workers, mode, nil)
	for ; err == nil && mode < exec.ExplainRaces && raced; mode++ {
		for i, b := range before {
			copy(r.env.Objects[i].Data, b)
		}
		text.Reset()
		r.report.Stats.Repeated = true
		raced, marks, err = r.execute(ctx, 1, mode+1, marks)
	}
	if out != nil && text.Len() > 0 {
		if _, werr := out.Write(text.Bytes()); err == nil {
			err = werr
		}
	}
	return err
}

// snapshot copies the memory that the kernel may write, by object number.
func (r *runner) snapshot() map[int][]byte {
	m := map[int][]byte{}
	for i, o := range r.env.Objects {
		if o.Space == ssa.PtrGlobal && !o.ReadOnly && len(o.Data) > 0 {
			m[i] = bytes.Clone(o.Data)
		}
	}
	return m
}

// execute runs all batches once. It reports whether it saw accesses that may race; in the mode that marks them it
// returns the marks in found. marks are those of the previous run.
func (r *runner) execute(ctx context.Context, workers int, mode exec.RaceMode, marks exec.RaceMarks) (raced bool, found exec.RaceMarks, err error) {
	x, err := r.code.NewExecution(&r.env, workers)
	if err != nil {
		return false, nil, err
	}
	if why := exec.FallbackOf(x); why != nil {
		r.report.Stats.Executor, r.report.Stats.Fallback = interp.Reference.Name(), why
	}
	x.Watch(mode, marks)
	s := &r.sched
	s.begin(x, workers, r.l.Part)
	s.stop, s.whole, s.listen = r.env.Stop, mode != exec.FindRaces, listeners{r.l.Progress, r.l.Trace, exec.LaunchLabels(ctx, r.l.Kernel.Func.Name, "cpu")}
	s.listen.labels.Set()
	s.run(r.began)
	s.listen.labels.Unset()
	r.report.Stats.Unwatched = x.Unwatched()
	r.report.Stats.Batches, r.report.Stats.Workers = s.todo.count(), s.workers
	err = s.err
	if e, ok := err.(*exec.InternalError); ok {
		panic(e) // to RunTo, from a worker's goroutine
	}
	if err == nil {
		err = ctx.Err()
	}
	if stop := r.l.Stop; err == nil && stop != nil && stop.Load() {
		err = ErrStopped
	}
	if err == nil {
		r.report.Findings = x.Findings(s.list)
		if s.listen.progress != nil {
			s.listen.progress(s.todo.count(), s.todo.count())
		}
	}
	if raced = x.Raced(); raced && mode == exec.MarkRaces {
		found = x.Marks()
	}
	x.End(s.list)
	s.end()
	return raced, found, err
}
