package jit

import (
	"errors"
	"sync"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/ir/imagecode"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// maxFormats bounds the combinations of image formats and samplers for which a kernel has code. Launches with
// further combinations make a host call for each image access.
const maxFormats = 64

// An imageCode is a kernel with images. It has a [Code] for each combination of formats, shapes and samplers
// that launches have used.
type imageCode struct {
	e      *executor
	c      *Code // of the original kernel; it has no variants
	kernel *imagecode.Kernel

	mu      sync.Mutex
	formats map[string]*formatCode
	times   timing.Times // for copying the kernel

	plainOnce sync.Once
	plain     exec.Code // makes host calls for image accesses; nil before first use
	plainErr  error
}

// A formatCode is the code for one combination.
type formatCode struct {
	made sync.Once
	code *Code
	err  error // the error that prevented it
}

func (c *imageCode) Executor() string     { return c.c.Executor() }
func (c *imageCode) OrderSensitive() bool { return c.c.OrderSensitive() }

// Times returns the time that launches have waited for all the code so far.
func (c *imageCode) Times() timing.Times {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := c.times
	for _, x := range c.formats {
		if x.code != nil {
			t := x.code.Times()
			sum.Add(&t)
		}
	}
	if x, ok := c.plain.(*Code); ok {
		t := x.Times()
		sum.Add(&t)
	}
	return sum
}

// NewExecution prepares a launch.
func (c *imageCode) NewExecution(env *exec.Env, workers int) (exec.Execution, error) {
	var room [64]byte
	key := c.kernel.AppendKey(room[:0], env)
	x, err := c.format(key, &env.Range)
	var bug *exec.InternalError
	switch {
	case errors.As(err, &bug):
		return c.c.reference(env, workers, why(err))
	case x != nil:
		with := *env
		with.Params = c.kernel.AppendParams(env.Params[:len(env.Params):len(env.Params)], env)
		return x.NewExecution(&with, workers)
	}
	c.plainOnce.Do(func() { // made on first use
		p, err := c.e.finish(c.c, &env.Range)
		c.mu.Lock()
		c.plain, c.plainErr = p, err
		c.mu.Unlock()
	})
	if c.plainErr != nil {
		return nil, c.plainErr
	}
	return c.plain.NewExecution(env, workers)
}

// format returns the code for a key, nil if the limit of combinations is reached. An error is the reason why
// the code cannot be made.
func (c *imageCode) format(key []byte, first *exec.NDRange) (*Code, error) {
	c.mu.Lock()
	x := c.formats[string(key)]
	if x == nil {
		if len(c.formats) >= maxFormats {
			c.mu.Unlock()
			return nil, nil
		}
		x = &formatCode{}
		c.formats[string(key)] = x
	}
	c.mu.Unlock()
	x.made.Do(func() {
		code, err := c.make(key, first)
		c.mu.Lock()
		x.code, x.err = code, err
		c.mu.Unlock()
	})
	return x.code, x.err
}

// make makes the code for a key. A panic becomes an *exec.InternalError.
func (c *imageCode) make(key []byte, first *exec.NDRange) (code *Code, err error) {
	o := c.e.o
	defer func() {
		if o.Panics {
			return
		}
		if r := recover(); r != nil {
			code, err = nil, bug(c.c.f, o.Level, r)
		}
	}()
	var clock timing.Clock
	clock.Begin(timing.Opt)
	f, err := c.kernel.Func(key, o.Panics)
	clock.Begin(timing.None)
	c.mu.Lock()
	c.times.Add(&clock.Times)
	c.mu.Unlock()
	if err != nil {
		panic(err)
	}
	if code, err = compileKernel(f, o, first); err != nil {
		return nil, err
	}
	code.source = c.c.source
	return code, nil
}

// sourceOf returns the original of c's kernel, for the reference executor, and the environment for it.
func (c *Code) sourceOf(env *exec.Env) (*ssa.Func, *exec.Env) {
	if len(c.source.Params) == len(c.f.Params) {
		return c.source, env
	}
	without := *env
	without.Params = env.Params[:len(c.source.Params)]
	return c.source, &without
}
