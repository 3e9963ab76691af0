package debug

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
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

// A Session is a launch being debugged. Only Pause may be called while another goroutine uses the session.
type Session struct {
	cfg    Config
	kernel *launch.Kernel
	src    *diag.Source
	step   *interp.Stepper

	statements []Statement
	ofPos      map[statementKey]int

	tick     int64 // number of steps made
	chosen   bool  // the next step has been chosen
	prefers  []preference
	history  *history
	printed  int64 // steps before this one have printed already; a replay does not print again
	reported int64 // the step whose breakpoints have been reported

	breakpoints []*Breakpoint
	byStatement map[int][]*Breakpoint
	nextID      int
	ignore      map[string]bool // codes of findings that do not stop
	races       *raceSearch
	raceStops   []raceStop
	marks       []mark

	Item     int   // the selected work-item: its number in the group
	Frame    int   // the selected activation, 0 the innermost
	Last     *Stop // the last stop
	pause    atomic.Bool
	lanes    []int // scratch
	cache    map[evaluationKey]*compiled
	finished bool
}

// A Statement is a possible stop.
type Statement struct {
	Func *ssa.Func
	File string
	ssa.Range
}

type statementKey struct {
	f   *ssa.Func
	pos diag.Pos
}

// A preference is the work-item of a work-group that runs first from a step on, -1 for all together.
type preference struct {
	tick, group int64
	lane        int
}

// New begins a session, before the first step.
func New(cfg Config) (*Session, error) {
	s := &Session{cfg: cfg, src: cfg.Module.Source, ofPos: map[statementKey]int{}, byStatement: map[int][]*Breakpoint{}, reported: -1,
		ignore: map[string]bool{}, cache: map[evaluationKey]*compiled{}}
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

// Close ends the session without completing the launch.
func (s *Session) Close() { s.races.cancel() }

// statementAt returns the index of the innermost statement at a position of a function, -1 if there is none.
func (s *Session) statementAt(f *ssa.Func, pos diag.Pos) int {
	if f.Debug == nil || !pos.IsValid() {
		return -1
	}
	key := statementKey{f, pos}
	if n, ok := s.ofPos[key]; ok {
		return n
	}
	loc := s.src.Location(pos)
	at := ssa.LineColumn{Line: loc.Line, Column: loc.Column}
	best := -1
	for i := range s.statements {
		if t := &s.statements[i]; t.Func == f && t.File == loc.File && t.Contains(at) && (best < 0 || t.Within(s.statements[best].Range)) {
			best = i
		}
	}
	s.ofPos[key] = best
	return best
}

// Statement returns statement n.
func (s *Session) Statement(n int) *Statement { return &s.statements[n] }

// Kernel returns the kernel's name.
func (s *Session) Kernel() string { return s.kernel.Func.Name }

// Range returns the resolved index space.
func (s *Session) Range() exec.NDRange { return s.step.Range() }

// Groups returns the number of work-groups, and the index of the current one.
func (s *Session) Groups() (n, at int64) {
	at, _ = s.step.Group()
	return s.step.Groups(), at
}

// Items returns the number of work-items in the work-group.
func (s *Session) Items() int { return s.step.Lanes() }

// Files returns the names of the files with statements.
func (s *Session) Files() (list []string) {
	for i := range s.statements {
		if !slices.Contains(list, s.statements[i].File) {
			list = append(list, s.statements[i].File)
		}
	}
	return list
}

// Text returns the text of a file of the program, nil if the program has no file of that name.
func (s *Session) Text(file string) []byte {
	for _, u := range s.cfg.Module.Units {
		if u.Source.Name == file {
			return []byte(u.Source.Text)
		}
		if b, ok := u.Files[file]; ok {
			return b
		}
		if b, ok := u.Source.Headers[file]; ok {
			return []byte(b)
		}
	}
	return nil
}

// sameFile reports whether a user's file name denotes the program's file.
func sameFile(user, file string) bool {
	if user == "" || user == file {
		return true
	}
	a, aerr := filepath.Abs(user)
	b, berr := filepath.Abs(file)
	return aerr == nil && berr == nil && a == b || filepath.Base(user) == user && filepath.Base(file) == user
}

// Ended reports whether the launch has ended.
func (s *Session) Ended() bool { return s.finished }

// Tick returns the number of steps that the launch has made.
func (s *Session) Tick() int64 { return s.tick }

// Pause stops a running request as soon as possible. Any goroutine may call it.
func (s *Session) Pause() { s.pause.Store(true) }

// prepare chooses the next step. It returns false if the launch has ended.
func (s *Session) prepare() bool {
	for !s.chosen {
		if s.step.Next(s.preferred()) {
			s.chosen = true
			break
		}
		if !s.step.NextGroup() {
			s.finished = true
			return false
		}
	}
	s.finished = false
	return true
}

// preferred returns the work-item that runs first in this step.
func (s *Session) preferred() int {
	for i := len(s.prefers) - 1; i >= 0; i-- {
		if p := &s.prefers[i]; p.tick <= s.tick {
			if group, _ := s.step.Group(); group != p.group {
				break
			}
			return p.lane
		}
	}
	return -1
}

// prefer makes a work-item run first from now on. It removes preferences of later steps.
func (s *Session) prefer(lane int) {
	for n := len(s.prefers); n > 0 && s.prefers[n-1].tick >= s.tick; n-- {
		s.prefers = s.prefers[:n-1]
	}
	if s.preferred() != lane {
		group, _ := s.step.Group()
		s.prefers = append(s.prefers, preference{s.tick, group, lane})
	}
	s.chosen = false
}

// advance makes the chosen step.
func (s *Session) advance() {
	s.step.Run()
	s.chosen = false
	s.tick++
	if len(s.step.Printed) > 0 {
		if s.tick > s.printed && s.cfg.Output != nil {
			_, _ = s.cfg.Output.Write(s.step.Printed)
		}
		s.step.Printed = s.step.Printed[:0]
	}
	s.printed = max(s.printed, s.tick)
	s.history.record(s.tick, s.step)
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

// describe names a work-item for messages.
func (s *Session) describe(lane int) string {
	if lane < 0 || lane >= s.step.Lanes() {
		return "no work-item"
	}
	g, _, _ := s.step.Item(lane)
	return "work-item " + ids(g, s.Range().Dims)
}

// ids formats ids in as many dimensions as the launch has.
func ids(v [3]uint64, dims int) string {
	text := "("
	for d := range max(dims, 1) {
		if d > 0 {
			text += ","
		}
		text += fmt.Sprint(v[d])
	}
	return text + ")"
}
