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

	"github.com/purecl/purecl/internal/interp"
	"github.com/purecl/purecl/internal/ssa"
	"github.com/purecl/purecl/internal/timing"
)

// A Launch is a kernel to be run once.
type Launch struct {
	Kernel *Kernel
	Args   []Arg
	Range  Range
	Checks interp.Checks
	Stdout io.Writer // where printf writes, in order of work-groups; nil: nowhere
	// Progress is called now and then with the number of batches of work-items that are
	// done and that there are, from one goroutine at a time. It may be nil.
	Progress func(done, total int64)
	Workers  int  // goroutines at most; 0: GOMAXPROCS
	Ordered  bool // run work-groups one after the other where the result may depend on it; always so with ChecksAll
	Limits   interp.Limits
	Lanes    int // work-items that run side by side, where free to choose; 0: as the executor likes
}

// A Report is what became of a launch.
type Report struct {
	Findings []*interp.Finding // in order of work-groups
	Stats    Stats
}

// Stats are facts about a launch.
type Stats struct {
	Executor  string
	WorkItems uint64
	Groups    uint64
	LocalSize [3]uint64
	Batches   int64
	Workers   int
	Time      time.Duration
	Repeated  bool     // run a second time, in order, to explain a race
	Unwatched []string // buffers too large for the race observer
}

// A Fault is a kernel's error: the first of the report's findings that is one.
type Fault struct {
	Kernel   *Kernel
	Finding  *interp.Finding
	Location string // file:line:column, or ""
}

func (f *Fault) Error() string {
	s := f.Finding.String()
	if f.Location != "" {
		s = f.Location + ": " + s
	}
	return "kernel " + f.Kernel.Func.Name + ": " + s
}

// Locate returns the place of a finding as file:line:column, "" if it has none.
func (k *Kernel) Locate(f *interp.Finding) string {
	loc := k.Program.Location(f.Pos)
	if loc.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", loc.File, loc.Line, loc.Column)
}

// A Task is a launch under way.
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

// Wait returns what Run returns.
func (t *Task) Wait() (*Report, error) {
	<-t.done
	return t.report, t.err
}

// Run runs a kernel and waits for its end. The error is a *Fault if the kernel did what
// it must not do (the report is complete then), an *ArgError or *RangeError for misuse,
// an *interp.LimitError where memory would not suffice, an *interp.CompileError if the
// kernel cannot run, or the context's.
func Run(ctx context.Context, l *Launch) (*Report, error) {
	if l.Kernel == nil {
		return nil, fmt.Errorf("no kernel to launch")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	k := l.Kernel
	rng, err := k.resolve(l.Range)
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", k.Func.Name, err)
	}
	objs, params, err := k.bind(l.Args)
	if err != nil {
		return nil, err
	}
	code, err := k.prepare(l.Checks, &rng)
	if err != nil {
		return nil, err
	}
	r := &runner{l: l, code: code}
	r.env = interp.Env{Range: rng, Objects: objs, Params: params, Globals: k.Program.numbers, Stop: new(atomic.Bool), Limits: l.Limits, Lanes: l.Lanes, Printf: l.Stdout}
	groups := rng.Groups()
	r.report.Stats = Stats{Executor: code.Executor(), WorkItems: rng.Global[0] * rng.Global[1] * rng.Global[2], Groups: groups[0] * groups[1] * groups[2], LocalSize: rng.Local}
	prep := &k.code[l.Checks]
	first := !prep.launched.Swap(true)
	var made timing.Times
	if first {
		made = code.Times()
	}
	start := time.Now()
	if r.report.Stats.WorkItems > 0 {
		if ctx.Done() != nil {
			defer context.AfterFunc(ctx, func() { r.env.Stop.Store(true) })()
		}
		err = r.run(ctx)
	}
	r.report.Stats.Time = time.Since(start)
	if first {
		now := code.Times()
		prep.first.Store(int64(max(0, r.report.Stats.Time-(now.Total()-made.Total()))))
	}
	if err != nil {
		return &r.report, err
	}
	for _, f := range r.report.Findings {
		if f.Kind.IsError() {
			return &r.report, &Fault{k, f, k.Locate(f)}
		}
	}
	return &r.report, nil
}

// A runner carries out a launch.
type runner struct {
	l      *Launch
	code   Code
	env    interp.Env
	report Report
}

// run executes all batches; where the race observer sees a race, it does so again from
// the same memory, in order and on one worker, so that what is computed and reported
// does not depend on chance.
func (r *runner) run(ctx context.Context) error {
	all := r.l.Checks >= interp.ChecksAll
	workers := r.l.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if (r.l.Ordered || all) && r.code.OrderSensitive() {
		workers = 1
	}
	if !all {
		return r.execute(ctx, workers, false)
	}
	out := r.env.Printf
	var text bytes.Buffer
	if out != nil {
		r.env.Printf = &text
	}
	before := r.snapshot()
	err := r.execute(ctx, workers, false)
	if err == errRaced {
		for i, b := range before {
			copy(r.env.Objects[i].Data, b)
		}
		text.Reset()
		r.report.Stats.Repeated = true
		err = r.execute(ctx, 1, true)
	}
	if out != nil && text.Len() > 0 {
		if _, werr := out.Write(text.Bytes()); err == nil {
			err = werr
		}
	}
	return err
}

// snapshot copies the memory that the kernel may write to, by object number.
func (r *runner) snapshot() map[int][]byte {
	m := map[int][]byte{}
	for i, o := range r.env.Objects {
		if o.Space == ssa.PtrGlobal && !o.ReadOnly && len(o.Data) > 0 {
			m[i] = bytes.Clone(o.Data)
		}
	}
	return m
}

var errRaced = errors.New("internal error: a race was not explained")

// execute runs all batches once.
func (r *runner) execute(ctx context.Context, workers int, explain bool) error {
	x, err := r.code.NewExecution(&r.env, workers)
	if err != nil {
		return err
	}
	if explain {
		x.Explain()
	}
	n := x.Batches()
	workers = int(min(int64(workers), n))
	r.report.Stats.Unwatched = x.Unwatched()
	r.report.Stats.Batches, r.report.Stats.Workers = n, workers
	s := schedule{x: x, n: n, stop: r.env.Stop, explain: explain, progress: r.l.Progress}
	list := make([]BatchWorker, workers)
	for i := range list {
		list[i] = x.NewWorker()
	}
	if workers > 1 {
		s.share(list)
	} else {
		s.work(list[0])
	}
	if s.err != nil {
		return s.err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if x.Raced() && !explain {
		return errRaced
	}
	r.report.Findings = x.Findings(list)
	if s.progress != nil {
		s.progress(n, n)
	}
	return nil
}

// A schedule hands batches to workers.
type schedule struct {
	x        Execution
	n        int64
	next     atomic.Int64
	done     atomic.Int64
	stop     *atomic.Bool
	explain  bool
	progress func(done, total int64)

	mu   sync.Mutex
	err  error
	last time.Time
}

// progressEvery is the least time between two calls of a progress function.
const progressEvery = 50 * time.Millisecond

// share has the workers work side by side.
func (s *schedule) share(list []BatchWorker) {
	var wg sync.WaitGroup
	for _, w := range list[1:] {
		wg.Go(func() { s.work(w) })
	}
	s.work(list[0])
	wg.Wait()
}

func (s *schedule) work(w BatchWorker) {
	for s.explain || !s.x.Raced() {
		b := s.next.Add(1) - 1
		if b >= s.n || s.stop.Load() {
			return
		}
		if err := w.Do(b); err != nil {
			s.mu.Lock()
			if s.err == nil {
				s.err = err
			}
			s.mu.Unlock()
			s.stop.Store(true)
			return
		}
		if done := s.done.Add(1); s.progress != nil && s.mu.TryLock() {
			if now := time.Now(); now.Sub(s.last) >= progressEvery {
				s.last = now
				s.progress(done, s.n)
			}
			s.mu.Unlock()
		}
	}
}
