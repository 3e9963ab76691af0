package device

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// An Executor runs kernels on a GPU with host memory, which each launch copies to the device and back. It is for
// comparisons with other executors.
type Executor struct {
	m Machine
	// Left, if not nil, is called for each kernel that runs on the reference executor because the GPU has no code
	// for it, with the reason.
	Left func(f *ssa.Func, why error)
	// Limit is the longest duration of a launch; 0 means a minute.
	Limit time.Duration
	// Guard is the number of bytes before and after each object that are checked for changes after a launch. It is
	// a multiple of 256. A launch that has changed them fails.
	Guard int

	mu     sync.Mutex
	q      *session
	recent []*kernel // the kernels that ran last
}

// maxRecent is the number of kernels whose code is kept.
const maxRecent = 16

// used makes k the most recently run kernel, and releases the least recently run one if there are too many.
func (e *Executor) used(k *kernel) {
	i := slices.Index(e.recent, k)
	if i >= 0 {
		e.recent = slices.Delete(e.recent, i, i+1)
	}
	e.recent = append(e.recent, k)
	if len(e.recent) > maxRecent {
		e.q.forget(e.recent[0])
		e.recent[0].close()
		e.recent = slices.Delete(e.recent, 0, 1)
	}
}

// NewExecutor returns an executor that runs kernels on m.
func NewExecutor(m Machine) *Executor { return &Executor{m: m} }

// Name returns the executor's name in reports.
func (e *Executor) Name() string { return "gpu" }

// Prepare compiles a kernel.
func (e *Executor) Prepare(f *ssa.Func, checks exec.Checks, _ *exec.NDRange) (exec.Code, error) {
	if checks != exec.ChecksNone {
		return leave(f, checks, "launches with checks")
	}
	k := newKernel(e.m, f)
	err := k.survey()
	if err == nil && k.images == nil { // the launch decides which variant the driver compiles
		_, err = ptx.Compile(f, ptx.Options{Target: e.m.Target()})
	}
	if err != nil {
		return e.leave(f, checks, err)
	}
	return &executorCode{e, k}, nil
}

// leave prepares a kernel on the reference executor, after an error of the GPU's.
func (e *Executor) leave(f *ssa.Func, checks exec.Checks, err error) (exec.Code, error) {
	if _, ok := err.(*ptx.Unsupported); !ok {
		return nil, err
	}
	if e.Left != nil {
		e.Left(f, err)
	}
	return leave(f, checks, err.Error())
}

// leave prepares a kernel on the reference executor.
func leave(f *ssa.Func, checks exec.Checks, why string) (exec.Code, error) {
	c, err := interp.Reference.Prepare(f, checks, nil)
	if err != nil {
		return nil, err
	}
	return (&exec.Fallback{Reason: why}).Code(c), nil
}

type executorCode struct {
	e *Executor
	k *kernel
}

func (c *executorCode) Executor() string { return c.e.Name() }

func (c *executorCode) OrderSensitive() bool { return false }

func (c *executorCode) Times() timing.Times { return timing.Times{} }

func (c *executorCode) NewExecution(env *exec.Env, workers int) (exec.Execution, error) {
	if c.k.images != nil { // whether code exists depends on the launch's images
		with := &call{k: c.k, rng: env.Range, params: env.Params, objects: objectsOf(env)}
		err := with.forImages()
		if err == nil {
			var n form
			if n, err = with.formOf(); err == nil {
				_, err = with.k.get(n)
			}
		}
		if err != nil {
			left, err := c.e.leave(c.k.f, exec.ChecksNone, err)
			if err != nil {
				return nil, err
			}
			return left.NewExecution(env, workers)
		}
	}
	return &execution{c: c, env: env}, nil
}

// objectsOf returns the objects of a launch, without device memory.
func objectsOf(env *exec.Env) []object {
	list := make([]object, len(env.Objects))
	for i := range env.Objects {
		o := &env.Objects[i]
		list[i] = object{name: o.Name, what: o.WhereMsg, kind: o.Space, size: uint64(len(o.Data)), readOnly: o.ReadOnly, image: o.Image}
		if o.Space == ssa.PtrLocal {
			list[i].size = uint64(o.Size)
		}
	}
	return list
}

// An execution is a launch, as a single batch.
type execution struct {
	c     *executorCode
	env   *exec.Env
	found []*exec.Finding
}

func (x *execution) Batches() int64                      { return 1 }
func (x *execution) Most() int64                         { return 1 }
func (x *execution) NewWorker(int) exec.BatchWorker      { return x }
func (x *execution) Estimate() time.Duration             { return 0 }
func (x *execution) Took(int64, time.Duration)           {}
func (x *execution) Watch(exec.RaceMode, exec.RaceMarks) {}
func (x *execution) Raced() bool                         { return false }
func (x *execution) Marks() exec.RaceMarks               { return nil }
func (x *execution) Unwatched() []string                 { return nil }
func (x *execution) End([]exec.BatchWorker)              {}

func (x *execution) Findings([]exec.BatchWorker) []*exec.Finding { return x.found }

// Do copies the objects to the device, runs the kernel and copies them back.
func (x *execution) Do(int64, int64) error {
	e, env := x.c.e, x.env
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.q == nil {
		q, err := newSession(e.m)
		if err != nil {
			return err
		}
		e.q = q
	}
	if err := e.q.renew(); err != nil {
		return err
	}
	e.used(x.c.k)
	c := &call{k: x.c.k, rng: env.Range, params: env.Params, objects: objectsOf(env), numbers: env.Globals, faults: env.Faults, stdout: env.Printf, local: e.m.Info().LocalMemory}
	var memory []uint64
	defer func() {
		for _, at := range memory {
			e.m.Free(at, e.q.generation)
		}
	}()
	mark := bytes.Repeat([]byte{0xc5}, e.Guard)
	for i := range env.Objects {
		if o := &env.Objects[i]; o.Space != ssa.PtrLocal && len(o.Data) > 0 {
			at, err := e.m.Alloc(len(o.Data) + 2*e.Guard)
			if err != nil {
				return err
			}
			memory = append(memory, at)
			if err := e.q.s.Write(at, slices.Concat(mark, o.Data, mark)); err != nil {
				return err
			}
			c.objects[i].addr = at + uint64(e.Guard)
		}
	}
	limit := e.Limit
	if limit == 0 {
		limit = time.Minute
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	done := make(chan struct{})
	defer close(done)
	if env.Stop != nil {
		go poll(env.Stop, cancel, done)
	}
	found, err := e.q.run(ctx, c)
	x.found = found
	if err != nil {
		if env.Stop != nil && env.Stop.Load() {
			return nil // the launch reports why
		}
		return err
	}
	for i := range env.Objects {
		if o := &env.Objects[i]; len(o.Data) > 0 && o.Space == ssa.PtrGlobal && !o.ReadOnly {
			if err := e.q.s.Read(o.Data, c.objects[i].addr); err != nil {
				return err
			}
		}
	}
	if err := e.q.s.Wait(); err != nil {
		return err
	}
	return e.guarded(c, mark)
}

// guarded checks that the memory around a launch's objects is still filled with mark.
func (e *Executor) guarded(c *call, mark []byte) error {
	seen := make([]byte, len(mark))
	for i := range c.objects {
		o := &c.objects[i]
		if o.addr == 0 || len(mark) == 0 {
			continue
		}
		for _, at := range []uint64{o.addr - uint64(len(mark)), o.addr + o.size} {
			if err := e.q.fetch(seen, at); err != nil {
				return err
			}
			if !bytes.Equal(seen, mark) {
				return fmt.Errorf("kernel %s changed memory beside %s", c.k.f.Name, o.name)
			}
		}
	}
	return nil
}

// poll calls cancel when stop is set, until done is closed.
func poll(stop *atomic.Bool, cancel func(), done chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
			if stop.Load() {
				cancel()
				return
			}
		}
	}
}
