package debug

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// A raceSearch runs the launch in parallel to the session, on copies of its memory, with the race observer.
type raceSearch struct {
	cancel context.CancelFunc
	done   chan struct{}
	found  []*exec.Finding
	err    error
	added  bool // the session stops at the races
	waited bool // the session has waited for the search
}

// Limits of the search for races.
const (
	maxRaceMemory = 64 << 20 // bytes copied
	raceTime      = 20 * time.Second
	raceWait      = 300 * time.Millisecond // how long a session waits for the search when it needs the result
)

// searchRaces starts a search.
func searchRaces(k *launch.Kernel, cfg *Config) *raceSearch {
	r := &raceSearch{done: make(chan struct{})}
	var ctx context.Context
	ctx, r.cancel = context.WithTimeout(context.Background(), raceTime)
	l := &launch.Launch{Args: make([]launch.Arg, len(cfg.Args)), Range: cfg.Range, Faults: cfg.Faults, Checks: exec.ChecksAll, Workers: 1}
	var size int64
	for _, a := range cfg.Args {
		size += a.Bytes()
	}
	p, err := k.Program.Copy()
	if err == nil {
		l.Kernel, err = p.Kernel(k.Func.Name)
	}
	if err == nil && size > maxRaceMemory {
		err = fmt.Errorf("the arguments are more than %d bytes", maxRaceMemory)
	}
	if err != nil {
		r.err = err
		close(r.done)
		return r
	}
	launch.CopyArgs(l.Args, cfg.Args, bytes.Clone)
	go func() {
		defer close(r.done)
		rep, err := launch.Run(ctx, l)
		if rep == nil {
			r.err = err
			return
		}
		for _, f := range rep.Findings {
			if f.Kind == exec.RaceInGroup || f.Kind == exec.RaceBetweenGroups {
				r.found = append(r.found, f)
			}
		}
	}()
	return r
}

// known returns the races, nil while the search runs.
func (r *raceSearch) known() []*exec.Finding {
	select {
	case <-r.done:
		return r.found
	case <-time.After(raceWait):
		return nil
	}
}

// A raceStop is a stop at one of the two accesses of a race.
type raceStop struct {
	race   *exec.Finding
	pos    diag.Pos
	global [3]uint64
	text   string
	done   bool
}

// addRaces adds stops at both accesses of each race, once the search has ended.
func (s *Session) addRaces() {
	if s.races.added || s.ignore["race-in-group"] || s.ignore["all"] {
		return
	}
	select {
	case <-s.races.done:
	default:
		if s.races.waited {
			return
		}
		s.races.waited = true
		select {
		case <-s.races.done:
		case <-time.After(raceWait):
			return
		}
	}
	s.races.added = true
	for _, f := range s.races.found {
		if _, wanted := f.Severity(s.src); wanted {
			s.addRace(f)
		}
	}
}

// addRace adds stops at the accesses of a race.
func (s *Session) addRace(f *exec.Finding) {
	text := f.Message()
	s.raceStops = append(s.raceStops, raceStop{race: f, pos: f.Pos, global: f.Global, text: text})
	if !f.ByGroup && f.OtherPos.IsValid() {
		s.raceStops = append(s.raceStops, raceStop{race: f, pos: f.OtherPos, global: f.OtherGlobal, text: text})
	}
}

// hitRace returns the stop of a race's access that the chosen step makes, or nil.
func (s *Session) hitRace() *Stop {
	at, _ := s.step.Chosen()
	for i := range s.raceStops {
		r := &s.raceStops[i]
		if r.done || r.pos != at.Pos {
			continue
		}
		hit := -1
		s.step.Accesses(func(a interp.Access) {
			if g, _, _ := s.step.Item(a.Lane); g == r.global && s.step.Object(a.Object).Name == r.race.Object {
				hit = a.Lane
			}
		})
		if hit >= 0 {
			r.done = true
			which := "one access of a "
			for k := range s.raceStops {
				if o := &s.raceStops[k]; k != i && o.race == r.race && o.done {
					which = "the other access of a "
				}
			}
			return &Stop{Reason: AtFinding, Text: which + r.text, Finding: r.race, Item: hit}
		}
	}
	return nil
}

// A mark is a step at which an explanation stops.
type mark struct {
	tick int64
	item int
	text string
}

// Explain shows a finding as two stops. It runs to the first one; Continue leads to the second. For a race they are
// its two accesses. For an uninitialised value the first stop is the start of the variable's scope, or the load of
// the value; the second is its use.
func (s *Session) Explain(f *exec.Finding) (*Stop, error) {
	if s.history.off {
		return nil, s.noHistory()
	}
	if f.Kind == exec.RaceInGroup || f.Kind == exec.RaceBetweenGroups {
		s.raceStops = nil
		s.addRace(f)
		s.restart()
		s.prefer(-1)
		return s.run(nil), nil
	}
	s.restart()
	s.prefer(-1)
	first, last := s.search(f)
	if last.tick < 0 {
		return nil, fmt.Errorf("the finding does not occur again: the work-items ran in another order before")
	}
	s.marks = []mark{last}
	if first.tick >= 0 {
		s.marks = append(s.marks, first)
	}
	s.restart()
	return s.run(nil), nil
}

// search runs until a finding occurs. It returns the step that causes it, and the last step before at which the
// work-item was at the origin of the finding's value.
func (s *Session) search(f *exec.Finding) (first, last mark) {
	first.tick, last.tick = -1, -1
	origin, text := diag.Pos(0), ""
	for _, p := range f.Places {
		origin, text = p.Pos, p.Text
	}
	if f.Kind == exec.Uninitialized && f.Note != "" {
		if v, file := s.declared(f); v != nil {
			first.text = fmt.Sprintf("variable '%s', declared at %s:%d, has no value yet", v.Name, file, v.Scope.From.Line)
			was := false
			return s.searchFor(f, first, last, func(n int) bool {
				if n < 0 {
					return false
				}
				is := v.Scope.Contains(s.statements[n].From) && s.statements[n].File == file
				begins := is && !was
				was = is
				return begins
			})
		}
	}
	first.text = text
	return s.searchFor(f, first, last, func(int) bool {
		at, _ := s.step.Chosen()
		return origin.IsValid() && at.Pos == origin
	})
}

func (s *Session) searchFor(f *exec.Finding, first, last mark, origin func(statement int) bool) (mark, mark) {
	defer s.step.Enter()()
	s.pause.Store(false)
	for s.prepare() && !s.pause.Load() {
		tick := s.tick
		n, lanes := s.step.Arriving(s.lanes[:0])
		s.lanes = lanes
		s.step.Each(func(lane int) {
			if g, _, _ := s.step.Item(lane); g == f.Global && origin(n) {
				first.tick, first.item = tick, lane
			}
		})
		s.advance()
		for _, g := range s.step.Found() {
			if g.Kind == f.Kind && g.Pos == f.Pos && g.Global == f.Global {
				last = mark{tick: tick, item: s.step.Lane(g.Local), text: f.Message()}
				return first, last
			}
		}
	}
	return first, last
}

// declared returns the variable of an uninitialised value with its file, nil if unknown.
func (s *Session) declared(f *exec.Finding) (*ssa.DebugVar, string) {
	for _, fn := range s.cfg.Module.Funcs {
		if d := fn.Debug; d != nil {
			for i := range d.Vars {
				loc := s.src.Location(f.Pos)
				if v := &d.Vars[i]; f.Note == "variable '"+v.Name+"'" && d.File == loc.File && v.Scope.Contains(ssa.LineColumn{Line: loc.Line, Column: loc.Column}) {
					return v, d.File
				}
			}
		}
	}
	return nil, ""
}
