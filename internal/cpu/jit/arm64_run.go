//go:build linux && arm64

package jit

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/purecl/purecl/internal/base/environment"
	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/arm64"
	"github.com/purecl/purecl/internal/cpu/codegen"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/gangexec"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// Executor returns the executor for this machine.
func Executor() exec.Executor {
	if environment.Get("PURECL_CPU") == "none" {
		return (&exec.Fallback{Reason: reasonOff}).Executor(interp.Reference)
	}
	return gangexec.For(arm64Machine{})
}

const (
	reasonOff    = "PURECL_CPU=none"
	reasonMemory = "the system gives no executable memory"
)

// Executors returns the executors of this machine.
func Executors() []exec.Executor { return []exec.Executor{gangexec.For(arm64Machine{})} }

// Levels returns none: they are amd64's.
func Levels() []*codegen.Level { return nil }

// Level returns nil.
func Level() *codegen.Level { return nil }

var errNone = errors.New("this machine has no code for kernels of that level")

// List returns an error.
func List(*ssa.Func, *codegen.Level, bool) (*codegen.Code, timing.Times, error) {
	return nil, timing.Times{}, errNone
}

// Measure returns an error.
func Measure(*ssa.Func, *codegen.Level) (*codegen.Code, timing.Times, error) {
	return nil, timing.Times{}, errNone
}

// An arm64Program is code in executable memory.
type arm64Program struct {
	code *arm64.Code
	mem  []byte
}

func newARM64Program(c *arm64.Code) (gangexec.Program, error) {
	m, err := executable(c.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", reasonMemory, err)
	}
	p := &arm64Program{c, m}
	runtime.AddCleanup(p, release, m)
	return p, nil
}

// NewRunner makes the frame of a worker.
func (p *arm64Program) NewRunner() (gangexec.Runner, error) {
	mem, err := outside(p.code.FrameSize())
	if err != nil {
		return nil, err
	}
	r := &arm64Runner{p: p, frame: p.code.NewFrame(mem)}
	runtime.AddCleanup(r, release, mem)
	return r, nil
}

type arm64Runner struct {
	p     *arm64Program
	frame *arm64.Frame
}

// Run runs the code, and does what it asks for, until it is done.
func (r *arm64Runner) Run(c *gang.Context) error {
	r.frame.Begin(c)
	for {
		enter(r.frame.Pointer(), unsafe.Pointer(unsafe.SliceData(r.p.mem)), fpenv.Standard)
		again, err := r.frame.Serve()
		if err != nil || !again {
			runtime.KeepAlive(r)
			return err
		}
	}
}
