package debug

import (
	"io"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/run/program"
)

// A Config describes a launch to debug.
type Config struct {
	Module  *program.Module // compiled by program.Debug
	Program *launch.Program // an instance of it; nil: a new one
	Kernel  string
	Args    []launch.Arg
	Range   launch.Range
	Faults  exec.FaultMode
	Output  io.Writer // for printf; nil: discard
	// History bounds the memory for stepping back, in bytes; 0: 256 MiB, less than 0: no stepping back.
	History int64
}

// DefaultHistory is the default of Config.History.
const DefaultHistory = 256 << 20

// A Session is a launch being debugged. It runs the launch forward and back until something stops it. Only Pause may be
// called while another goroutine uses the session.
type Session struct {
	breakpointSet
	reported int64 // the step whose breakpoints have been reported
	marks    []mark
}

// New begins a session, before the first step.
func New(cfg Config) (*Session, error) {
	s := &Session{reported: -1}
	s.module, s.src, s.ofPos, s.output = cfg.Module, cfg.Module.Source, map[statementKey]int{}, cfg.Output
	s.ignore, s.cache, s.byStatement = map[string]bool{}, map[evaluationKey]*compiled{}, map[int][]*Breakpoint{}
	p := cfg.Program
	if p == nil {
		var err error
		if p, err = launch.NewProgram(cfg.Module.Module.Module, interp.Reference); err != nil {
			return nil, err
		}
	}
	k, err := p.Kernel(cfg.Kernel)
	if err != nil {
		return nil, err
	}
	s.kernel = k
	l := &launch.Launch{Kernel: k, Args: cfg.Args, Range: cfg.Range, Faults: cfg.Faults}
	env, err := l.Environment()
	if err != nil {
		return nil, err
	}
	env.Printf = io.Discard // output is read from the Stepper after each step
	code, err := interp.CompileStepped(k.Func, exec.ChecksAll)
	if err != nil {
		return nil, err
	}
	for _, f := range cfg.Module.Funcs {
		if d := f.Debug; d != nil {
			for _, r := range d.Statements {
				s.statements = append(s.statements, Statement{f, d.File, r})
			}
		}
	}
	if s.step, err = interp.NewStepper(code, env, s.statementAt); err != nil {
		return nil, err
	}
	s.races = searchRaces(s.kernel, &cfg)
	s.history = newHistory(s.step, cfg.History)
	s.begin()
	return s, nil
}

// A Reason is the reason of a stop.
type Reason string

// The reasons.
const (
	Entry      Reason = "entry"
	Stepped    Reason = "step"
	AtBreak    Reason = "breakpoint"
	AtAccess   Reason = "data breakpoint"
	AtFinding  Reason = "finding"
	Paused     Reason = "pause"
	ItemEnded  Reason = "work-item ended"
	AtEnd      Reason = "end"
	AtStart    Reason = "start"
	Explaining Reason = "explanation"
)

// A Stop is a position and the reason why a session stopped there.
type Stop struct {
	Reason      Reason
	Text        string // for people, without the position
	Item        int    // the work-item concerned
	Items       []int  // the work-items that arrive together
	Breakpoints []*Breakpoint
	Finding     *exec.Finding
	Place       *Frame // position of the access or finding, which the work-item has already passed
	Tick        int64
}
