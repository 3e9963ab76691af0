//go:build linux && arm64

package jit

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/cpu/arm64"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/gangexec"
	"github.com/purecl/purecl/internal/run/exec"
)

// machineExecutor returns the executor of A64 machine code, which has no levels.
func machineExecutor(o Options) exec.Executor {
	return gangexec.For(arm64Machine{arm64.Options{Check: o.Panics}})
}

// arm64Machine makes A64 machine code and runs it.
type arm64Machine struct{ opts arm64.Options }

func (arm64Machine) Name() string { return ARM64 }

func (arm64Machine) Lanes() int { return arm64.Lanes }

func (m arm64Machine) Make(f *gang.Func) (gangexec.Program, error) {
	c, err := arm64.Generate(f, m.opts)
	if err != nil {
		return nil, err
	}
	return newARM64Program(c)
}

// An arm64Program is code in executable memory.
type arm64Program struct {
	code *arm64.Code
	codePiece
}

func newARM64Program(c *arm64.Code) (gangexec.Program, error) {
	piece, err := executable(c.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", reasonMemory, err)
	}
	p := &arm64Program{c, piece}
	runtime.AddCleanup(p, codePiece.free, piece)
	return p, nil
}

// NewRunner makes the frame of one worker.
func (p *arm64Program) NewRunner() (gangexec.Runner, error) {
	mem, err := allocate(p.code.FrameSize())
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
	env   uint32
}

// Run runs the code and performs its host calls until it ends.
func (r *arm64Runner) Run(c *gang.Context) error {
	r.Begin(c)
	_, err := r.Resume()
	return err
}

// Begin prepares the frame for the gangs that the context describes.
func (r *arm64Runner) Begin(c *gang.Context) {
	r.frame.Begin(c)
	r.env = uint32(fpenv.Standard)
	if c.Flush {
		r.env = fpenv.Flushing
	}
}

// Resume continues until the code ends or a gang waits at a barrier.
func (r *arm64Runner) Resume() (*gang.Inst, error) {
	for {
		enter(r.frame.Pointer(), unsafe.Pointer(unsafe.SliceData(r.p.mem)), r.env)
		again, barrier, err := r.frame.Serve()
		if err != nil || !again || barrier != nil {
			runtime.KeepAlive(r)
			return barrier, err
		}
	}
}
